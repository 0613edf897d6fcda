//! A sweep: the points of one or more experiments as tasks of the runner.

use crate::error::LabError;
use crate::experiment::{Experiment, Point};
use crate::record::Outcome;
use crate::runner::{Cost, Ended, Executed, Stop, Task};
use crate::simulate::Workbench;
use std::collections::BTreeSet;

/// Points that go together, as tasks.
pub struct Sweep<'a> {
    bench: &'a Workbench,
    /// By task.
    points: Vec<&'a Point>,
    /// The same, as the runner takes them.
    pub tasks: Vec<Task>,
    /// Points that cannot be told from others, because their graphs cannot be had, and why.
    pub unknown: Vec<(&'a Point, LabError)>,
}

/// Begins to wait for the graph of a point; what it gives says whether it has been long enough.
pub type Patience<'a> = dyn Fn() -> Box<dyn Fn() -> bool + 'a> + 'a;

/// A point that cannot run, and why.
#[derive(Clone, Debug)]
pub struct Refused<'a> {
    /// The experiment.
    pub experiment: &'a str,
    /// The point.
    pub point: &'a Point,
    /// Why.
    pub error: LabError,
}

/// Refuses experiments of which a point cannot run; gives every point that cannot.
pub fn check<'a>(bench: &Workbench, experiments: &'a [Experiment]) -> Vec<Refused<'a>> {
    let points = experiments
        .iter()
        .flat_map(|experiment| experiment.points.iter().map(move |point| (experiment.name.as_str(), point)));
    points
        .filter_map(|(experiment, point)| {
            let error = bench.check(point).err()?;
            Some(Refused { experiment, point, error })
        })
        .collect()
}

impl<'a> Sweep<'a> {
    /// Identifies points; `told` hears how many have been. Their graphs are loaded for that, each once; one that is not
    /// there when `patience` is asked for the first time after its end is given up with its points.
    pub fn new(
        bench: &'a Workbench,
        points: impl IntoIterator<Item = &'a Point>,
        patience: &Patience<'_>,
        told: &dyn Fn(usize),
    ) -> Sweep<'a> {
        let (mut known, mut tasks, mut unknown) = (Vec::new(), Vec::new(), Vec::new());
        let mut given_up = BTreeSet::new();
        for point in points {
            let graph = (&point.graph, &point.transforms);
            let is_over = patience();
            let is_stopped = || given_up.contains(&graph) || is_over();
            let identified = bench.identify(point, &is_stopped);
            let identified = match identified {
                Err(_) if is_stopped() => {
                    given_up.insert(graph);
                    Err(LabError::new("its graph took longer than the limit of time"))
                }
                identified => identified,
            };
            match identified {
                Ok(identity) => {
                    known.push(point);
                    tasks.push(Task {
                        key: identity.key,
                        labels: point.labels.clone(),
                        made: identity.made,
                        arcs: bench.arcs(point),
                        memory_bytes: bench.memory_estimate(point),
                    });
                }
                Err(error) => unknown.push((
                    point,
                    match point.place_of(&["graph"]) {
                        Some(place) => error.at(place),
                        None => error,
                    },
                )),
            }
            told(known.len() + unknown.len());
        }
        Sweep { bench, points: known, tasks, unknown }
    }

    /// The point of a task.
    pub fn point(&self, task: usize) -> &'a Point {
        self.points[task]
    }

    /// Bytes of the graph of a task.
    pub fn graph_bytes(&self, task: usize) -> u64 {
        self.bench.graph_bytes(self.points[task])
    }

    /// Runs the task of a number. Of its memory only what is mapped is known here.
    pub fn execute(&self, task: usize, stop: &Stop<'_>) -> Result<Executed, Ended> {
        let ran = self.bench.run(self.points[task], stop.raised(), &|| stop.is_wanted());
        let ran = ran.map_err(|error| match stop.is_wanted() {
            true => Ended::Stopped,
            false => Ended::Failed(words(&error)),
        })?;
        let peak_bytes = Some(ran.mapped_bytes);
        match ran.outcome {
            Outcome::Done { run, launches } => {
                let warp_instructions = run.counts.get("warp_instructions").copied();
                Ok(Executed { run, launches, cost: Cost { peak_bytes, warp_instructions } })
            }
            Outcome::Failed { error, .. } => Err(Ended::Failed(error)),
        }
    }
}

/// An error in one line, with its advice.
fn words(error: &LabError) -> String {
    match &error.help {
        Some(help) => format!("{error} ({help})"),
        None => error.to_string(),
    }
}
