//! A sweep: the points of one or more experiments as tasks of the runner.

use crate::error::LabError;
use crate::experiment::{Experiment, Point};
use crate::record::Outcome;
use crate::runner::{Cost, Ended, Executed, Stop, Task};
use crate::simulate::{SharedRun, Workbench};
use crate::store::{Store, StoreError};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicUsize, Ordering};

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
    /// How many tasks are still to be executed that share a run without time.
    sharing: BTreeMap<SharedRun, AtomicUsize>,
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
        let sharing = sharing(bench, &known, &tasks);
        Sweep { bench, points: known, tasks, unknown, broken: BTreeMap::new(), sharing }
    }

    /// The same with points whose graphs cannot be had as tasks that fail, in their places, so that they are kept with
    /// their errors as other failures are.
    pub fn with_unknown_as_failures(self) -> Result<Sweep<'a>, LabError> {
        let Sweep { bench, points, tasks, unknown, broken, sharing } = self;
        let (mut sweep_points, mut sweep_tasks, mut broken) = (Vec::new(), Vec::new(), broken);
        let mut unknown = unknown.into_iter().peekable();
        let mut known = points.into_iter().zip(tasks);
        for index in 0.. {
            while let Some(Unknown { point, error, .. }) = unknown.next_if(|unknown| unknown.behind <= index)
            {
                let identity = bench.identify_without_graph(point)?;
                broken.insert(sweep_tasks.len(), error);
                sweep_points.push(point);
                sweep_tasks.push(Task {
                    key: identity.key,
                    labels: point.labels.clone(),
                    made: identity.made,
                    arcs: None,
                    memory_bytes: 0,
                });
            }
            let Some((point, task)) = known.next() else { break };
            sweep_points.push(point);
            sweep_tasks.push(task);
        }
        let unknown = Vec::new();
        Ok(Sweep { bench, points: sweep_points, tasks: sweep_tasks, unknown, broken, sharing })
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

    /// A point is over. What it shares with others goes with the last of them; where some had run before, it goes when
    /// there is no room.
    fn release(&self, point: &Point) {
        let Some(run) = self.bench.shared_run(point) else { return };
        // A point that is run twice, to be compared with another build, makes the run again at worst.
        let one_less = |left: &AtomicUsize| {
            left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(1))
        };
        if !self.sharing.get(&run).is_some_and(|left| one_less(left).is_ok_and(|before| before > 1)) {
            self.bench.forget_run(&run);
        }
    }

    /// Runs the task of a number. Of its memory only what is mapped is known here.
    pub fn execute(&self, task: usize, stop: &Stop<'_>) -> Result<Executed, Ended> {
        if let Some(error) = self.broken.get(&task) {
            return Err(Ended::Failed(words(error)));
        }
        let ran = self.bench.run(self.points[task], stop.raised(), &|| stop.is_wanted());
        self.release(self.points[task]);
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

/// How many points need each run without time; tasks with one key are one.
fn sharing(bench: &Workbench, points: &[&Point], tasks: &[Task]) -> BTreeMap<SharedRun, AtomicUsize> {
    let (mut sharing, mut keys) = (BTreeMap::<SharedRun, AtomicUsize>::new(), BTreeSet::new());
    for (point, _) in points.iter().zip(tasks).filter(|(_, task)| keys.insert(&task.key)) {
        if let Some(run) = bench.shared_run(point) {
            *sharing.entry(run).or_default().get_mut() += 1;
        }
    }
    sharing
}

/// An error in one line, with its advice.
fn words(error: &LabError) -> String {
    match &error.help {
        Some(help) => format!("{error} ({help})"),
        None => error.to_string(),
    }
}
