//! Points that were recorded with the project, and ledgers that follow from them without a simulation.

use super::book::Book;
use super::expression::{Names, Value, evaluate};
use super::ledger::{Committed, Heading, Ledger};
use super::needed::Needed;
use crate::error::LabError;
use crate::experiment::Point;
use crate::hash::Key;
use crate::record::{Labels, Outcome, Record};
use crate::scale::Scale;
use crate::simulate::Workbench;
use crate::store::{StoreError, read_packed};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// A graph as experiments call it: its name and its transforms.
type GraphName = [Option<String>; 2];

/// Records in memory, by key.
#[derive(Clone, Debug, Default)]
pub struct Recorded {
    records: BTreeMap<Key, Record>,
    /// Hashes of graphs, by what they are called: a point is known by them where its graph cannot be had.
    graphs: BTreeMap<GraphName, BTreeSet<String>>,
}

impl Recorded {
    /// The records of a packed file; none where there is no file.
    pub fn read(path: &Path) -> Result<Recorded, StoreError> {
        let mut recorded = Recorded::default();
        if path.exists() {
            read_packed(path, |record| recorded.insert(record))?;
        }
        Ok(recorded)
    }

    /// Adds a record, in the place of one of the same point. A failure never takes the place of figures.
    pub fn insert(&mut self, record: Record) {
        let is_failure = matches!(record.outcome, Outcome::Failed { .. });
        if is_failure && self.records.contains_key(&record.key) {
            return;
        }
        self.graphs.entry(graph_name(&record.labels)).or_default().insert(record.made.graph.clone());
        self.records.insert(record.key.clone(), record);
    }

    /// The same without what these builds have made.
    pub fn without(self, builds: &BTreeSet<String>) -> Recorded {
        let mut others = Recorded::default();
        let is_other = |record: &Record| !builds.contains(&record.made.build);
        self.records.into_values().filter(is_other).for_each(|record| others.insert(record));
        others
    }

    /// The builds that made them.
    pub fn builds(&self) -> BTreeSet<String> {
        self.records().map(|record| record.made.build.clone()).collect()
    }

    /// The record of a key.
    pub fn get(&self, key: &Key) -> Option<&Record> {
        self.records.get(key)
    }

    /// All of them, by key.
    pub fn records(&self) -> impl Iterator<Item = &Record> {
        self.records.values()
    }

    /// Whether there is a record on a graph that is called like the point's; true of a point without one.
    pub fn knows_graph(&self, point: &Point) -> bool {
        !point.measure.has_graph() || self.graphs.contains_key(&graph_name(&point.labels))
    }

    /// The keys that a point can have, as far as its graph's hash is one of records on a graph of the same name; whatever
    /// else a key is made of is the point's own.
    pub fn keys(&self, bench: &Workbench, point: &Point) -> Result<Vec<Key>, LabError> {
        let hashes: Vec<String> = match point.measure.has_graph() {
            true => self.graphs.get(&graph_name(&point.labels)).into_iter().flatten().cloned().collect(),
            false => vec![String::new()],
        };
        hashes.into_iter().map(|hash| Ok(bench.identify_on(point, hash)?.key)).collect()
    }

    /// The record of a point, without its graph. An error if several would fit.
    pub fn find(&self, bench: &Workbench, point: &Point) -> Result<Option<&Record>, LabError> {
        let keys = self.keys(bench, point)?;
        only(keys.iter().filter_map(|key| self.get(key)).collect())
    }

    /// Judges all claims by these records alone. Nothing is run, and no graph is made.
    pub fn judge(
        &self,
        book: &Book,
        bench: &Workbench,
        scale: Scale,
        heading: Heading,
        committed: &[Committed],
    ) -> Result<Ledger, LabError> {
        let needed = Needed::by(&book.claims, scale)?;
        let seek = |point: &Point| self.find(bench, point).map_err(|error| error.to_string());
        let results = |experiment: &str| Ok(needed.observations(bench, experiment, seek));
        Ledger::judge(book, scale, heading, |_| true, results, committed)
    }

    /// Causes that these records contradict, each with its claim and why; one whose points are not here is not judged.
    pub fn refuted_causes(
        &self,
        book: &Book,
        bench: &Workbench,
        scale: Scale,
    ) -> Result<Vec<String>, LabError> {
        let needed = Needed::by(&book.claims, scale)?;
        let seek = |point: &Point| self.find(bench, point).map_err(|error| error.to_string());
        let mut refuted = Vec::new();
        for claim in &book.claims {
            let Some((experiment, flips)) = claim.flips() else { continue };
            let results = needed.observations(bench, experiment, seek);
            let evaluated = evaluate(flips, &results, &Names::new());
            let problem = match evaluated.value {
                _ if !evaluated.absent.is_empty() => continue,
                Ok(Value::Truth(true)) => continue,
                Ok(_) => "it does not hold".to_owned(),
                Err(problem) => problem.to_string(),
            };
            refuted.push(format!("cause of `{}`: flips: {problem}", claim.published.id));
        }
        Ok(refuted)
    }

    /// Records that no claim of the book looks at any more, because experiments or machines have changed since.
    pub fn obsolete(&self, book: &Book, bench: &Workbench, scale: Scale) -> Result<Vec<&Record>, LabError> {
        let needed = Needed::by(&book.claims, scale)?;
        let mut asked = BTreeSet::new();
        for point in needed.points() {
            asked.extend(self.find(bench, point).ok().flatten().map(|record| &record.key));
        }
        Ok(self.records().filter(|record| !asked.contains(&record.key)).collect())
    }
}

/// Sets of builds that give the same figures as far as is known: those of one of the `alike`, and whoever has one of
/// them in common.
pub fn families(builds: BTreeSet<String>, alike: &[BTreeSet<String>]) -> Vec<BTreeSet<String>> {
    let alone = builds.iter().map(|build| BTreeSet::from([build.clone()]));
    let mut families: Vec<BTreeSet<String>> = Vec::new();
    for set in alike.iter().cloned().chain(alone) {
        let (near, far): (Vec<_>, Vec<_>) =
            families.into_iter().partition(|family| !family.is_disjoint(&set));
        families = far;
        families.push(near.into_iter().flatten().chain(set).collect());
    }
    let own = families.into_iter().map(|family| family.intersection(&builds).cloned().collect());
    own.filter(|family: &BTreeSet<String>| !family.is_empty()).collect()
}

/// The one record that fits, if there is one.
pub fn only(found: Vec<&Record>) -> Result<Option<&Record>, LabError> {
    match found[..] {
        [] => Ok(None),
        [record] => Ok(Some(record)),
        _ => {
            let problem = format!("{} recorded points fit, on different graphs of one name", found.len());
            Err(LabError::new(problem))
        }
    }
}

fn graph_name(labels: &Labels) -> GraphName {
    ["graph", "transform"].map(|label| labels.get(label).cloned())
}
