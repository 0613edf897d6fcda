//! Counts × table: the energy of a run.

use crate::error::{EnergyError, nearest};
use crate::table::{Action, Share, Static, Table};
use heddle_engine::Statistics;
use serde::Serialize;
use std::collections::BTreeMap;

/// The time of a run, and the frequencies of its clocks.
#[derive(Clone, Debug, PartialEq)]
pub struct Run {
    seconds: f64,
    clocks: BTreeMap<String, f64>,
}

impl Run {
    /// A run of so many seconds of simulated time.
    pub fn new(seconds: f64) -> Result<Run, EnergyError> {
        if !seconds.is_finite() || seconds < 0.0 {
            return Err(EnergyError::Time(format!("{seconds} is no number of seconds that a run can take")));
        }
        Ok(Run { seconds, clocks: BTreeMap::new() })
    }

    /// The frequency of a clock, which goes before the table's.
    pub fn with_clock(mut self, name: &str, hertz: f64) -> Result<Run, EnergyError> {
        if !hertz.is_finite() || hertz <= 0.0 {
            return Err(EnergyError::Time(format!("{hertz} Hz is no frequency for the clock `{name}`")));
        }
        self.clocks.insert(name.to_owned(), hertz);
        Ok(self)
    }

    /// A run of so many core cycles in so many seconds, which gives the clock `core` its frequency.
    pub fn of_cycles(cycles: u64, seconds: f64) -> Result<Run, EnergyError> {
        let run = Run::new(seconds)?;
        match cycles > 0 && seconds > 0.0 {
            true => run.with_clock("core", cycles as f64 / seconds),
            false => Ok(run),
        }
    }

    /// Its seconds.
    pub fn seconds(&self) -> f64 {
        self.seconds
    }

    /// The same clocks, other seconds.
    pub(crate) fn lasting(&self, seconds: f64) -> Run {
        Run { seconds, clocks: self.clocks.clone() }
    }
}

/// What a run cost.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Energy {
    /// The table.
    pub table: String,
    /// Seconds of the run.
    pub seconds: f64,
    /// Dynamic energy: the sum of the rows of actions.
    pub dynamic_joules: f64,
    /// Static energy: the sum of the rows of powers.
    pub static_joules: f64,
    /// The sum of all rows.
    pub total_joules: f64,
    /// Total by time; 0 for a run that takes no time.
    pub average_watts: f64,
    /// Total times time (EDP).
    pub energy_delay: f64,
    /// By component, in the order in which the table first names them.
    pub components: Vec<ComponentEnergy>,
    /// Row by row.
    pub rows: Vec<EnergyRow>,
}

/// One component's part.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ComponentEnergy {
    /// The component.
    pub component: String,
    /// Dynamic energy.
    pub dynamic_joules: f64,
    /// Static energy.
    pub static_joules: f64,
}

/// Whether a row is an action or a power.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum RowKind {
    /// Counts × energy.
    Dynamic,
    /// Time × power.
    Static,
}

/// One row of the table, priced.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct EnergyRow {
    /// Its name.
    pub name: String,
    /// The component it is charged to.
    pub component: String,
    /// Action or power.
    pub kind: RowKind,
    /// Counts; cycles for a power that lasts as long as statistics say; none for one that lasts all the run.
    pub count: Option<u64>,
    /// Picojoules of a count, or watts.
    pub price: f64,
    /// Seconds that a power lasted, summed over what has it.
    pub seconds: Option<f64>,
    /// What it adds to the total.
    pub joules: f64,
}

/// Prices the statistics of a run, or of a part of one. Nothing else is needed, so a finished run can be priced
/// again with any table.
pub fn price(table: &Table, statistics: &Statistics, run: &Run) -> Result<Energy, EnergyError> {
    let actions = table.actions.iter().map(|action| price_action(table, action, statistics));
    let statics = table.statics.iter().map(|row| price_static(table, row, statistics, run));
    let rows: Vec<EnergyRow> = actions.chain(statics).collect::<Result<_, _>>()?;
    let sum =
        |kind: RowKind| rows.iter().filter(|row| row.kind == kind).fold(0.0, |sum, row| sum + row.joules);
    let (dynamic_joules, static_joules) = (sum(RowKind::Dynamic), sum(RowKind::Static));
    let total_joules = dynamic_joules + static_joules;
    Ok(Energy {
        table: table.name.clone(),
        seconds: run.seconds,
        dynamic_joules,
        static_joules,
        total_joules,
        average_watts: if run.seconds > 0.0 { total_joules / run.seconds } else { 0.0 },
        energy_delay: total_joules * run.seconds,
        components: components(&rows),
        rows,
    })
}

fn price_action(table: &Table, action: &Action, statistics: &Statistics) -> Result<EnergyRow, EnergyError> {
    let count = total(table, &action.name, &action.counts, statistics)?;
    let price = action.picojoules_per_count();
    Ok(EnergyRow {
        name: action.name.clone(),
        component: action.component.clone(),
        kind: RowKind::Dynamic,
        count: Some(count),
        price,
        seconds: None,
        joules: count as f64 * price * 1e-12,
    })
}

fn price_static(
    table: &Table,
    row: &Static,
    statistics: &Statistics,
    run: &Run,
) -> Result<EnergyRow, EnergyError> {
    let (count, seconds) = match &row.share {
        Share::Machine => (None, run.seconds),
        Share::Cycles { counts, clock } => {
            let count = total(table, &row.name, counts, statistics)?;
            (Some(count), count as f64 / frequency(table, &row.name, clock, run)?)
        }
    };
    Ok(EnergyRow {
        name: row.name.clone(),
        component: row.component.clone(),
        kind: RowKind::Static,
        count,
        price: row.watts(),
        seconds: Some(seconds),
        joules: row.watts() * seconds,
    })
}

/// The run's own frequency goes before the one that the table was made for.
fn frequency(table: &Table, row: &str, clock: &str, run: &Run) -> Result<f64, EnergyError> {
    let of_table = || table.clocks.get(clock).map(|&hertz| hertz as f64);
    let known = run.clocks.get(clock).copied().or_else(of_table).filter(|&hertz| hertz > 0.0);
    known.ok_or_else(|| EnergyError::UnknownClock {
        table: table.name.clone(),
        row: row.to_owned(),
        clock: clock.to_owned(),
    })
}

fn total(table: &Table, row: &str, names: &[String], statistics: &Statistics) -> Result<u64, EnergyError> {
    names.iter().try_fold(0u64, |sum, name| {
        let count = statistics.get(name).ok_or_else(|| EnergyError::MissingStatistic {
            table: table.name.clone(),
            row: row.to_owned(),
            statistic: name.clone(),
            nearest: nearest(name, statistics.iter().map(|(name, _)| name)),
        })?;
        // Counts of a file may be anything; those of a machine are far from this limit.
        Ok(sum.saturating_add(count))
    })
}

fn components(rows: &[EnergyRow]) -> Vec<ComponentEnergy> {
    let mut components: Vec<ComponentEnergy> = Vec::new();
    for row in rows {
        let known = components.iter().position(|component| component.component == row.component);
        let index = known.unwrap_or_else(|| {
            let component = row.component.clone();
            components.push(ComponentEnergy { component, dynamic_joules: 0.0, static_joules: 0.0 });
            components.len() - 1
        });
        match row.kind {
            RowKind::Dynamic => components[index].dynamic_joules += row.joules,
            RowKind::Static => components[index].static_joules += row.joules,
        }
    }
    components
}
