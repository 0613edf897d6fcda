//! The points that claims and their causes rest on: those of their experiments that an expression looks at.

use super::book::Claim;
use super::observations::Observations;
use crate::error::LabError;
use crate::experiment::{Experiment, Point};
use crate::record::{Labels, Record};
use crate::scale::Scale;
use crate::simulate::Workbench;
use std::collections::BTreeMap;

/// Experiments with the points that some claims look at.
#[derive(Clone, Debug)]
pub struct Needed {
    /// Each once.
    pub experiments: Vec<Experiment>,
    /// The labels of points that no claim looks at, by experiment.
    unused: BTreeMap<String, Vec<Labels>>,
}

/// The record of a point, none if it has not run, or why there can be none.
pub type Sought<'a> = Result<Option<&'a Record>, String>;

impl Needed {
    /// What these claims need at a scale.
    pub fn by<'a>(claims: impl IntoIterator<Item = &'a Claim>, scale: Scale) -> Result<Needed, LabError> {
        let claims: Vec<&Claim> = claims.into_iter().collect();
        let mut needed = Needed { experiments: Vec::new(), unused: BTreeMap::new() };
        for name in claims.iter().flat_map(|claim| claim.experiments()) {
            if needed.experiments.iter().any(|known| known.name == name) {
                continue;
            }
            let mut experiment = Experiment::named(name, Some(scale))?;
            let is_used = |point: &Point| claims.iter().any(|claim| claim.needs(name, &point.labels));
            let (used, others): (Vec<Point>, Vec<Point>) =
                std::mem::take(&mut experiment.points).into_iter().partition(is_used);
            experiment.points = used;
            needed.unused.insert(name.to_owned(), others.into_iter().map(|point| point.labels).collect());
            needed.experiments.push(experiment);
        }
        Ok(needed)
    }

    /// All points, experiment by experiment.
    pub fn points(&self) -> impl Iterator<Item = &Point> {
        self.experiments.iter().flat_map(|experiment| &experiment.points)
    }

    /// What an experiment has to show, with the energy of its rows, where `seek` finds the record of a point.
    pub fn observations<'r>(
        &self,
        bench: &Workbench,
        experiment: &str,
        seek: impl Fn(&Point) -> Sought<'r>,
    ) -> Observations {
        let mut observations = Observations::default();
        let own = self.experiments.iter().filter(|known| known.name == experiment);
        for point in own.flat_map(|experiment| &experiment.points) {
            match seek(point) {
                Ok(record) => {
                    let mut record = record.cloned();
                    record.iter_mut().for_each(|record| bench.price(point, record));
                    observations.point(&point.labels, record.as_ref());
                }
                Err(why) => observations.lacks(&point.labels, &why),
            }
        }
        observations.unused = self.unused.get(experiment).cloned().unwrap_or_default();
        observations
    }
}
