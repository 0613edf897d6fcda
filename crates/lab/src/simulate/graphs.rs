//! Graphs of points: loaded once, kept while there is room.

use crate::error::LabError;
use crate::hash::sha256_of_graph;
use heddle_graph::progress::Silent;
use heddle_graph::read::{ReadOptions, WeightPolicy};
use heddle_graph::{Graph, source, transform};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

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

type Slot = Arc<OnceLock<Result<Arc<HeldGraph>, LabError>>>;

/// Graphs by what was asked for.
///
/// The threads of a sweep ask, and never from inside the parallel work that makes a graph, so nobody waits for itself.
#[derive(Debug)]
pub(super) struct Graphs {
    kept: Mutex<Kept>,
    bytes_max: u64,
}

#[derive(Debug, Default)]
struct Kept {
    slots: BTreeMap<Asked, (u64, Slot)>,
    /// Counts requests: the least recently used graph is the first that goes.
    clock: u64,
}

impl Graphs {
    pub(super) fn new(bytes_max: u64) -> Graphs {
        Graphs { kept: Mutex::default(), bytes_max }
    }

    /// A graph, made now if it is not there.
    pub(super) fn get(
        &self,
        name: &str,
        transforms: &[String],
        needs_weights: bool,
    ) -> Result<Arc<HeldGraph>, LabError> {
        let asked = (name.to_owned(), transforms.to_vec(), needs_weights);
        let slot = {
            let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
            kept.clock += 1;
            let now = kept.clock;
            let (used, slot) = kept.slots.entry(asked).or_default();
            *used = now;
            Arc::clone(slot)
        };
        let held = slot.get_or_init(|| load(name, transforms, needs_weights).map(Arc::new)).clone();
        self.kept.lock().unwrap_or_else(PoisonError::into_inner).trim(self.bytes_max);
        held
    }
}

impl Kept {
    /// Drops graphs that no point uses, the least recently used first, until the others fit.
    fn trim(&mut self, bytes_max: u64) {
        let held = |slot: &Slot| slot.get().and_then(|made| made.as_ref().ok().cloned());
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
