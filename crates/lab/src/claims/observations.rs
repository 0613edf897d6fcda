//! What claims are judged on: the rows of an experiment at a scale, and the points that it lacks.

use crate::record::{Labels, Outcome, Record, Row};

/// The label of rows where results of several experiments stand together.
pub const EXPERIMENT: &str = "experiment";

/// Results of an experiment.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Observations {
    /// A row per launch simulated in time, or per run where nothing was.
    pub rows: Vec<Observation>,
    /// A row per run, of all its launches together, which `run.` before a figure means.
    pub runs: Vec<Observation>,
    /// Points without figures.
    pub absent: Vec<Absent>,
    /// Labels of points that no chosen claim looks at: their values are no slips.
    pub unused: Vec<Labels>,
}

/// A row and what it is called.
#[derive(Clone, Debug, PartialEq)]
pub struct Observation {
    /// The labels of its point; for a launch its `launch` and `kernel` too.
    pub labels: Labels,
    /// Its figures.
    pub row: Row,
}

/// A point without figures.
#[derive(Clone, Debug, PartialEq)]
pub struct Absent {
    /// The labels of the point.
    pub labels: Labels,
    /// Why it has none.
    pub why: String,
}

impl Observations {
    /// The points of an experiment in its order, with their records as far as they have run. The experiment's labels
    /// count, not those of the record, which another experiment may have made.
    pub fn of_points<'a>(points: impl IntoIterator<Item = (&'a Labels, Option<&'a Record>)>) -> Observations {
        let mut observations = Observations::default();
        points.into_iter().for_each(|(labels, record)| observations.point(labels, record));
        observations
    }

    /// Adds a point with its record, if it has run.
    pub fn point(&mut self, labels: &Labels, record: Option<&Record>) {
        match record.map(|record| &record.outcome) {
            None => self.lacks(labels, "it has not run"),
            Some(Outcome::Failed { error, .. }) => self.lacks(labels, error),
            // A run of which no launch was as large as it was asked for is left out.
            Some(Outcome::Done { run, .. }) if run.counts.get("timed_launches") == Some(&0) => {}
            Some(Outcome::Done { run, launches }) => {
                let whole = Observation { labels: labels.clone(), row: run.clone() };
                let rows = launches.iter().enumerate().map(|(index, row)| of_launch(labels, index, row));
                self.rows.extend(rows);
                self.rows.extend(launches.is_empty().then(|| whole.clone()));
                self.runs.push(whole);
            }
        }
    }

    /// Adds the results of a further experiment, whose rows and points have its name as the label `experiment`.
    pub fn add(&mut self, experiment: &str, other: &Observations) {
        let named = |labels: &Labels| {
            let mut labels = labels.clone();
            labels.insert(EXPERIMENT.to_owned(), experiment.to_owned());
            labels
        };
        let row = |row: &Observation| Observation { labels: named(&row.labels), row: row.row.clone() };
        self.rows.extend(other.rows.iter().map(row));
        self.runs.extend(other.runs.iter().map(row));
        let absent = |point: &Absent| Absent { labels: named(&point.labels), why: point.why.clone() };
        self.absent.extend(other.absent.iter().map(absent));
        self.unused.extend(other.unused.iter().map(named));
    }

    /// A point has no figures.
    pub fn lacks(&mut self, labels: &Labels, why: &str) {
        self.absent.push(Absent { labels: labels.clone(), why: why.to_owned() });
    }
}

/// A launch is told from others of its run by its number; the kernel is a label, so that it can be selected.
fn of_launch(labels: &Labels, index: usize, row: &Row) -> Observation {
    let mut labels = labels.clone();
    let number = row.counts.get("launch").copied().unwrap_or(index as u64 + 1);
    labels.insert("launch".to_owned(), number.to_string());
    if let Some(kernel) = row.texts.get("kernel") {
        labels.entry("kernel".to_owned()).or_insert_with(|| kernel.clone());
    }
    Observation { labels, row: row.clone() }
}

/// A figure of a row. `ipc` is made of two; `GROUP.total` is the sum of the counters of a group.
pub(crate) fn figure(row: &Row, name: &str) -> Option<f64> {
    match name {
        "ipc" => Some(row.number("warp_instructions")? / row.number("cycles")?),
        _ => row.number(name).or_else(|| total(row, name)),
    }
}

fn total(row: &Row, name: &str) -> Option<f64> {
    let group = format!("{}.", name.strip_suffix(".total")?);
    let members = row.counts.range(group.clone()..).take_while(|(name, _)| name.starts_with(&group));
    members.map(|(_, &count)| count as f64).reduce(|sum, count| sum + count)
}

/// Names of the figures of a row.
pub(crate) fn figures(row: &Row) -> impl Iterator<Item = &str> {
    row.counts.keys().chain(row.reals.keys()).map(String::as_str).chain(["ipc"])
}
