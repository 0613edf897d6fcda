//! What can be wrong with a table, or between a table and a run.

use thiserror::Error;

/// Why nothing was priced.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum EnergyError {
    /// No table has that name.
    #[error("no energy table is called `{name}`")]
    UnknownTable {
        /// What was asked for.
        name: String,
        /// The nearest known name.
        nearest: Option<String>,
    },
    /// A file cannot be read.
    #[error("{file}: {problem}")]
    Unreadable {
        /// The file.
        file: String,
        /// What the system said.
        problem: String,
    },
    /// A file is not a table.
    #[error("{place}: {problem}")]
    Table {
        /// File, line and column.
        place: String,
        /// What is wrong, and what would be right.
        problem: String,
    },
    /// A table names a statistic that the run does not have.
    #[error("energy table `{table}`, row `{row}`: the run has no statistic `{statistic}`")]
    MissingStatistic {
        /// The table.
        table: String,
        /// The row's name.
        row: String,
        /// What it counts.
        statistic: String,
        /// The nearest statistic of the run.
        nearest: Option<String>,
    },
    /// A table leaves actions of a machine without a price.
    #[error("energy table `{table}` has no price for {}", .statistics.join(", "))]
    Uncovered {
        /// The table.
        table: String,
        /// Names with units.
        statistics: Vec<String>,
    },
    /// Cycles of an unknown clock.
    #[error("energy table `{table}`, row `{row}`: the frequency of the clock `{clock}` is not known")]
    UnknownClock {
        /// The table.
        table: String,
        /// The row's name.
        row: String,
        /// The clock's name.
        clock: String,
    },
    /// The time or a clock of a run makes no sense.
    #[error("{0}")]
    Time(String),
    /// A count went backwards between two samples.
    #[error("sample {sample}: the statistic `{statistic}` is smaller than in the sample before")]
    Backwards {
        /// The sample, from 0.
        sample: usize,
        /// The statistic.
        statistic: String,
    },
}

impl EnergyError {
    /// What would help, where that is known. `option` is that of the command line which names a table.
    pub fn help(&self, option: &str) -> Option<String> {
        match self {
            EnergyError::UnknownTable { nearest: Some(near), .. }
            | EnergyError::MissingStatistic { nearest: Some(near), .. } => {
                Some(format!("did you mean `{near}`?"))
            }
            EnergyError::UnknownTable { .. } => {
                Some("`heddle energy --list` shows the tables; a file of your own must end in .toml".into())
            }
            EnergyError::MissingStatistic { .. } => {
                Some(format!("the table was made for another kind of machine; choose one with {option}"))
            }
            EnergyError::Uncovered { .. } => {
                Some("price each in an [[action]] row, or list it under [[free]] with the reason".into())
            }
            EnergyError::UnknownClock { clock, .. } => {
                Some(format!("give it in the table: [technology] clocks = {{ {clock} = \"1GHz\" }}"))
            }
            _ => None,
        }
    }
}

/// The known name nearest to what was written, if it is near enough to be a slip.
pub(crate) fn nearest<'a>(written: &str, known: impl IntoIterator<Item = &'a str>) -> Option<String> {
    let distance = |name: &'a str| (strsim::damerau_levenshtein(written, name), name);
    let near = known.into_iter().map(distance).filter(|&(distance, name)| distance <= 1 + name.len() / 3);
    near.min().map(|(_, name)| name.to_owned())
}
