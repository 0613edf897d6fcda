//! Graphs of points: loaded once, kept while there is room.

use crate::error::LabError;
use crate::hash::sha256_of_graph;
use heddle_graph::progress::Silent;
use heddle_graph::read::{ReadOptions, WeightPolicy};
use heddle_graph::{Graph, source, transform};
use std::collections::BTreeMap;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread::Builder;
use std::time::Duration;

/// A graph in memory.
#[derive(Debug)]
pub(super) struct HeldGraph {
    pub(super) graph: Graph,
    /// Of whether it is directed, offsets, targets and weights.
    pub(super) sha256: String,
    /// Bytes of its arcs.
    pub(super) bytes: u64,
}

/// Name, transforms, and whether its weights matter.
type Asked = (String, Vec<String>, bool);

/// A graph that is there, or being made.
#[derive(Debug, Default)]
struct Slot {
    made: OnceLock<Result<Arc<HeldGraph>, LabError>>,
    is_begun: Mutex<bool>,
    is_made: Condvar,
}

/// How often who waits for a graph looks whether to stop.
const BETWEEN_LOOKS: Duration = Duration::from_millis(50);

/// Graphs by what was asked for.
#[derive(Debug)]
pub(super) struct Graphs {
    kept: Mutex<Kept>,
    bytes_max: u64,
}

#[derive(Debug, Default)]
struct Kept {
    slots: BTreeMap<Asked, (u64, Arc<Slot>)>,
    /// Counts requests: the least recently used graph is the first that goes.
    clock: u64,
}

impl Graphs {
    pub(super) fn new(bytes_max: u64) -> Graphs {
        Graphs { kept: Mutex::default(), bytes_max }
    }

    /// A graph, made now if it is not there; an error if `is_stopped` says so before it is.
    pub(super) fn get(
        &self,
        name: &str,
        transforms: &[String],
        needs_weights: bool,
        is_stopped: &dyn Fn() -> bool,
    ) -> Result<Arc<HeldGraph>, LabError> {
        let asked = (name.to_owned(), transforms.to_vec(), needs_weights);
        let slot = {
            let mut kept = lock(&self.kept);
            kept.clock += 1;
            let now = kept.clock;
            let (used, slot) = kept.slots.entry(asked.clone()).or_default();
            *used = now;
            Arc::clone(slot)
        };
        let held = slot.wait(asked, is_stopped);
        lock(&self.kept).trim(self.bytes_max);
        held
    }
}

impl Slot {
    /// The graph of a slot. It is made by a thread of its own, which nobody need wait for: readers and generators ask
    /// nobody whether to go on. Whoever asks later finds what it made.
    fn wait(
        self: &Arc<Slot>,
        asked: Asked,
        is_stopped: &dyn Fn() -> bool,
    ) -> Result<Arc<HeldGraph>, LabError> {
        if let Some(made) = self.made.get() {
            return made.clone();
        }
        let mut is_begun = lock(&self.is_begun);
        if !*is_begun {
            *is_begun = true;
            let slot = Arc::clone(self);
            let spawned = Builder::new().name(format!("graph {}", asked.0)).spawn(move || slot.make(asked));
            spawned.map_err(|error| LabError::new(format!("no thread can be started: {error}")))?;
        }
        loop {
            if let Some(made) = self.made.get() {
                return made.clone();
            }
            if is_stopped() {
                return Err(LabError::new("stopped while its graph was made"));
            }
            let waited = self.is_made.wait_timeout(is_begun, BETWEEN_LOOKS);
            is_begun = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    fn make(&self, (name, transforms, needs_weights): Asked) {
        let _end = Making { slot: self, name: &name };
        self.made.get_or_init(|| load(&name, &transforms, needs_weights).map(Arc::new));
    }
}

/// Whoever waits for a graph hears of its end, also when its maker panics.
struct Making<'a> {
    slot: &'a Slot,
    name: &'a str,
}

impl Drop for Making<'_> {
    fn drop(&mut self) {
        let error = || LabError::new(format!("{}: what makes the graph panicked", self.name));
        // Nothing where it was made.
        drop(self.slot.made.set(Err(error())));
        // Nobody may look between this and the notice.
        drop(lock(&self.slot.is_begun));
        self.slot.is_made.notify_all();
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Kept {
    /// Drops graphs that no point uses, the least recently used first, until the others fit.
    fn trim(&mut self, bytes_max: u64) {
        let held = |slot: &Slot| slot.made.get().and_then(|made| made.as_ref().ok().cloned());
        let mut total: u64 = self.slots.values().filter_map(|(_, slot)| Some(held(slot)?.bytes)).sum();
        while total > bytes_max {
            // One count is the slot's own, one is that of `held`.
            let idle = self.slots.iter().filter_map(|(asked, (used, slot))| {
                let graph = held(slot).filter(|graph| Arc::strong_count(graph) <= 2)?;
                Some((*used, asked.clone(), graph.bytes))
            });
            let Some((_, asked, bytes)) = idle.min() else { return };
            self.slots.remove(&asked);
            total -= bytes;
        }
    }
}

/// Refuses a graph that there is not; none is made.
pub(super) fn check(name: &str, transforms: &[String]) -> Result<(), LabError> {
    source::check(name)?;
    for text in transforms {
        transform::parse(text).map_err(|problem| LabError::new(format!("transform {text}: {problem}")))?;
    }
    Ok(())
}

fn load(name: &str, transforms: &[String], needs_weights: bool) -> Result<HeldGraph, LabError> {
    let weights = if needs_weights { WeightPolicy::Refuse } else { WeightPolicy::Describe };
    let mut graph =
        source::load(name, &ReadOptions { weights, progress: &Silent, ..ReadOptions::default() })?.graph;
    for text in transforms {
        let step = transform::parse(text).map_err(LabError::new)?;
        graph = transform::apply(graph, &step).graph;
    }
    let arcs = graph.out_edges();
    let weights = arcs.weights().map_or(0, |weights| weights.len() as u64);
    let bytes = 8 * (u64::from(arcs.num_vertices()) + 1) + 4 * arcs.num_arcs() + 4 * weights;
    Ok(HeldGraph { sha256: sha256_of_graph(&graph), graph, bytes })
}
