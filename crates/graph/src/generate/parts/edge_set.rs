//! A set of pairs of vertices on its way to a graph: sorted 64-bit keys, 8 bytes an edge.

use crate::build::{self, ArcSource, Mirrored};
use crate::csr::{Vertex, Weight};
use crate::generate::random::Random;
use crate::graph::Graph;
use rayon::prelude::*;

/// Undirected edges, each once as (smaller, larger).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct EdgeSet {
    keys: Vec<u64>,
}

/// The key of the undirected edge between two vertices.
pub(crate) fn key(a: Vertex, b: Vertex) -> u64 {
    u64::from(a.min(b)) << 32 | u64::from(a.max(b))
}

/// The ends of a key.
pub(crate) fn ends(key: u64) -> (Vertex, Vertex) {
    ((key >> 32) as Vertex, key as Vertex)
}

impl EdgeSet {
    /// The distinct edges among `keys`, without self-loops.
    pub(crate) fn from_keys(mut keys: Vec<u64>) -> EdgeSet {
        keys.retain(|&key| key >> 32 != key & 0xFFFF_FFFF);
        keys.par_sort_unstable();
        keys.dedup();
        EdgeSet { keys }
    }

    /// Number of edges.
    pub(crate) fn len(&self) -> u64 {
        self.keys.len() as u64
    }

    /// The keys in ascending order.
    pub(crate) fn keys(&self) -> &[u64] {
        &self.keys
    }

    /// Adds those of `more` that are not there yet.
    pub(crate) fn extend(&mut self, more: Vec<u64>) {
        self.keys.append(&mut EdgeSet::from_keys(more).keys);
        // Two sorted runs: the stable sort recognises and merges them.
        self.keys.sort();
        self.keys.dedup();
    }

    /// Keeps `wanted` edges, each with the same chance (selection sampling), and all that `keep` names.
    pub(crate) fn thin(&mut self, wanted: u64, random: &mut Random, keep: impl Fn(Vertex, Vertex) -> bool) {
        let free = |key: u64| {
            let (a, b) = ends(key);
            !keep(a, b)
        };
        let mut candidates = self.keys.iter().filter(|&&key| free(key)).count() as u64;
        let mut excess = self.len().saturating_sub(wanted).min(candidates);
        self.keys.retain(|&key| {
            if !free(key) {
                return true;
            }
            let drop = random.below(candidates) < excess;
            candidates -= 1;
            excess -= u64::from(drop);
            !drop
        });
    }

    /// The degree of every vertex.
    pub(crate) fn degrees(&self, vertices: u64) -> Vec<u32> {
        let mut degrees = vec![0; vertices as usize];
        for &key in &self.keys {
            let (a, b) = ends(key);
            degrees[a as usize] += 1;
            degrees[b as usize] += 1;
        }
        degrees
    }

    /// Drops random edges of every vertex that has more than `max_degree`.
    pub(crate) fn cap(&mut self, vertices: u64, max_degree: u64, random: &mut Random) {
        let mut left = self.degrees(vertices);
        let mut excess: Vec<u32> =
            left.iter().map(|&degree| u64::from(degree).saturating_sub(max_degree) as u32).collect();
        self.keys.retain(|&key| {
            let (a, b) = ends(key);
            let drop = [a, b].iter().any(|&end| {
                let end = end as usize;
                excess[end] > 0 && random.below(u64::from(left[end])) < u64::from(excess[end])
            });
            for end in [a as usize, b as usize] {
                left[end] -= 1;
                excess[end] -= u32::from(drop && excess[end] > 0);
            }
            !drop
        });
    }

    /// The undirected graph.
    pub(crate) fn into_graph(self, vertices: u64) -> Result<Graph, String> {
        build::csr(&Mirrored(&self), vertices).map(Graph::undirected).map_err(|error| error.to_string())
    }
}

impl ArcSource for EdgeSet {
    fn is_weighted(&self) -> bool {
        false
    }

    fn num_arcs(&self) -> u64 {
        self.len()
    }

    fn for_each<F: FnMut(Vertex, Vertex, Weight)>(&self, mut visit: F) {
        for &key in &self.keys {
            let (a, b) = ends(key);
            visit(a, b, 1);
        }
    }
}

/// Attempts per edge that is still missing.
const ATTEMPTS: u64 = 64;
const ROUNDS: u32 = 48;

/// Makes `set` hold exactly `edges` edges and `max_degree` the largest degree: too many edges are thinned
/// out, missing ones drawn from `propose`, and the vertex of largest degree is filled up from `near_hub`.
pub(crate) fn settle(
    set: &mut EdgeSet,
    (vertices, edges, max_degree): (u64, u64, u64),
    random: &mut Random,
    propose: impl Fn(&mut Random) -> (Vertex, Vertex),
    near_hub: impl Fn(&mut Random, Vertex) -> Vertex,
) -> Result<(), String> {
    set.cap(vertices, max_degree, random);
    let degrees = set.degrees(vertices);
    // max_by_key keeps the last of equals; the reversed index makes it the first.
    let hub = (0..vertices as usize).max_by_key(|&v| (degrees[v], std::cmp::Reverse(v)));
    let Some(hub) = hub.map(|hub| hub as Vertex) else {
        return if edges == 0 { Ok(()) } else { Err("no vertices, and yet arcs".to_owned()) };
    };
    fill_hub(set, hub, (vertices, max_degree), random, near_hub)?;
    set.thin(edges, random, |a, b| a == hub || b == hub);
    for _ in 0..ROUNDS {
        let missing = edges.saturating_sub(set.len());
        if missing == 0 {
            break;
        }
        let mut degrees = set.degrees(vertices);
        let mut more = Vec::with_capacity(missing as usize);
        for _ in 0..missing.saturating_mul(ATTEMPTS) {
            let (a, b) = propose(random);
            let full = |v: Vertex| u64::from(degrees[v as usize]) >= max_degree;
            if a != b && !full(a) && !full(b) && set.keys.binary_search(&key(a, b)).is_err() {
                more.push(key(a, b));
                degrees[a as usize] += 1;
                degrees[b as usize] += 1;
                if more.len() as u64 == missing {
                    break;
                }
            }
        }
        set.extend(more);
    }
    if set.len() != edges {
        return Err(format!(
            "only {} of {} arcs fit this structure; larger groups, more long links or fewer arcs would help",
            2 * set.len(),
            2 * edges
        ));
    }
    Ok(())
}

fn fill_hub(
    set: &mut EdgeSet,
    hub: Vertex,
    (vertices, max_degree): (u64, u64),
    random: &mut Random,
    near_hub: impl Fn(&mut Random, Vertex) -> Vertex,
) -> Result<(), String> {
    let mut degrees = set.degrees(vertices);
    let mut missing = max_degree.saturating_sub(u64::from(degrees[hub as usize]));
    let mut linked = vec![false; vertices as usize];
    linked[hub as usize] = true;
    for &key in set.keys() {
        let (a, b) = ends(key);
        if a == hub || b == hub {
            linked[(a ^ b ^ hub) as usize] = true;
        }
    }
    let mut more = Vec::with_capacity(missing as usize);
    for attempt in 0..ROUNDS as u64 * max_degree {
        if missing == 0 {
            break;
        }
        // Where the neighbourhood of the hub is exhausted, anybody will do.
        let anybody = attempt > ROUNDS as u64 / 2 * max_degree;
        let other = if anybody { random.below(vertices) as Vertex } else { near_hub(random, hub) };
        let full = u64::from(degrees[other as usize]) >= max_degree;
        // A vertex without edges is isolated on purpose.
        let isolated = degrees[other as usize] == 0 && set.len() > 0;
        if !full && !isolated && !std::mem::replace(&mut linked[other as usize], true) {
            more.push(key(hub, other));
            degrees[other as usize] += 1;
            missing -= 1;
        }
    }
    set.extend(more);
    if missing > 0 {
        return Err(format!("no vertex can have the {max_degree} neighbours that `max_degree` asks for"));
    }
    Ok(())
}
