//! A sweep: the points of one or more experiments as tasks of the runner.

use crate::error::LabError;
use crate::experiment::{Experiment, Point};
use crate::record::Outcome;
use crate::runner::{Cost, Ended, Executed, Stop, Task};
use crate::simulate::Workbench;
use crate::store::{Store, StoreError};
use std::collections::{BTreeMap, BTreeSet};

/// Points that go together, as tasks.
pub struct Sweep<'a> {
    bench: &'a Workbench,
    /// By task.
    points: Vec<&'a Point>,
    /// The same, as the runner takes them.
    pub tasks: Vec<Task>,
    /// Points whose graphs cannot be had.
    pub unknown: Vec<Unknown<'a>>,
    /// Tasks that are known to fail, and why.
    broken: BTreeMap<usize, LabError>,
}

/// A point that cannot be told from others, because its graph cannot be had.
#[derive(Clone, Debug)]
pub struct Unknown<'a> {
    /// The point.
    pub point: &'a Point,
    /// Why.
    pub error: LabError,
    /// Whether that is a slip in the experiment: a recipe that nothing can be made of.
    pub is_impossible: bool,
    /// How many known points stand before it.
    behind: usize,
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
            let is_late = identified.is_err() && is_stopped();
            let identified = match identified {
                Err(_) if is_late => {
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
                Err(error) => unknown.push(Unknown {
                    point,
                    error: match point.place_of(&["graph"]) {
                        Some(place) => error.at(place),
                        None => error,
                    },
                    is_impossible: !is_late && bench.is_recipe(point),
                    behind: known.len(),
                }),
            }
            told(known.len() + unknown.len());
        }
        Sweep { bench, points: known, tasks, unknown, broken: BTreeMap::new() }
    }

    /// The same with points whose graphs cannot be had as tasks that fail, in their places, so that they are kept with
    /// their errors as other failures are.
    pub fn with_unknown_as_failures(self) -> Result<Sweep<'a>, LabError> {
        let Sweep { bench, points, tasks, unknown, .. } = self;
        let mut sweep = Sweep {
            bench,
            points: Vec::new(),
            tasks: Vec::new(),
            unknown: Vec::new(),
            broken: BTreeMap::new(),
        };
        let mut unknown = unknown.into_iter().peekable();
        let number = tasks.len();
        for (index, known) in
            points.into_iter().zip(tasks).map(Some).chain([None]).enumerate().take(number + 1)
        {
            while let Some(Unknown { point, error, .. }) = unknown.next_if(|unknown| unknown.behind <= index)
            {
                let identity = bench.identify_without_graph(point)?;
                sweep.broken.insert(sweep.tasks.len(), error);
                sweep.points.push(point);
                sweep.tasks.push(Task {
                    key: identity.key,
                    labels: point.labels.clone(),
                    made: identity.made,
                    arcs: None,
                    memory_bytes: 0,
                });
            }
            if let Some((point, task)) = known {
                sweep.points.push(point);
                sweep.tasks.push(task);
            }
        }
        Ok(sweep)
    }

    /// Forgets failures of points whose graphs can be had by now: they have keys of their own.
    pub fn forget_failures(&self, store: &Store) -> Result<(), StoreError> {
        if !store.has_failures()? {
            return Ok(());
        }
        let is_known = |task: &usize| !self.broken.contains_key(task);
        let known = (0..self.tasks.len()).filter(is_known).map(|task| self.points[task]);
        let stood_for = known.filter_map(|point| self.bench.identify_without_graph(point).ok());
        stood_for.into_iter().try_for_each(|identity| store.forget_failure(&identity.key))
    }

    /// Why a task is known to fail, if it is.
    pub fn broken(&self, task: usize) -> Option<&LabError> {
        self.broken.get(&task)
    }

    /// The point of a task.
    pub fn point(&self, task: usize) -> &'a Point {
        self.points[task]
    }

    /// Bytes of the graph of a task.
    pub fn graph_bytes(&self, task: usize) -> u64 {
        if self.broken.contains_key(&task) {
            return 0;
        }
        self.bench.graph_bytes(self.points[task])
    }

    /// Runs the task of a number. Of its memory only what is mapped is known here.
    pub fn execute(&self, task: usize, stop: &Stop<'_>) -> Result<Executed, Ended> {
        if let Some(error) = self.broken.get(&task) {
            return Err(Ended::Failed(words(error)));
        }
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
