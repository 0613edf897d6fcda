//! Graphs of points: loaded once, kept while there is room.

use super::kept::{Kept, TakesMemory};
use crate::error::LabError;
use crate::hash::sha256_of_graph;
use heddle_graph::progress::Silent;
use heddle_graph::read::{ReadOptions, WeightPolicy};
use heddle_graph::{Graph, source, transform};
use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, channel};
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

impl TakesMemory for HeldGraph {
    fn bytes(&self) -> u64 {
        self.bytes
    }
}

/// Name, transforms, and whether its weights matter.
type Asked = (String, Vec<String>, bool);

/// How often who waits for a graph looks whether to stop.
const BETWEEN_LOOKS: Duration = Duration::from_millis(50);

/// Graphs by what was asked for.
#[derive(Debug)]
pub(super) struct Graphs(Arc<Kept<Asked, HeldGraph>>);

impl Graphs {
    pub(super) fn new(bytes_max: u64) -> Graphs {
        Graphs(Arc::new(Kept::new(bytes_max)))
    }

    /// A graph, made now if it is not there; an error if `is_stopped` says so before it is.
    ///
    /// It is made by a thread of its own, which nobody need wait for: readers and generators ask nobody whether to go
    /// on. Whoever asks later finds what it made.
    pub(super) fn get(
        &self,
        name: &str,
        transforms: &[String],
        needs_weights: bool,
        is_stopped: &dyn Fn() -> bool,
    ) -> Result<Arc<HeldGraph>, LabError> {
        let asked = (name.to_owned(), transforms.to_vec(), needs_weights);
        if let Some(held) = self.0.get(&asked) {
            return Ok(held);
        }
        let (kept, (sender, made)) = (Arc::clone(&self.0), channel());
        let make = move || {
            let held = kept.get_or_make(asked.clone(), || load(&asked.0, &asked.1, asked.2));
            // Whoever asked may have stopped.
            drop(sender.send(held));
        };
        let spawned = Builder::new().name(format!("graph {name}")).spawn(make);
        spawned.map_err(|error| LabError::new(format!("no thread can be started: {error}")))?;
        loop {
            match made.recv_timeout(BETWEEN_LOOKS) {
                Ok(held) => return held,
                Err(RecvTimeoutError::Timeout) if is_stopped() => {
                    return Err(LabError::new("stopped while its graph was made"));
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(LabError::new(format!("{name}: what makes the graph panicked")));
                }
            }
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
