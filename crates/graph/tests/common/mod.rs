//! Graphs with known figures, and small random ones.
use heddle_graph::{ArcList, Csr, Graph, Vertex, build};
use proptest::prelude::*;
use std::io::Write;
use std::path::PathBuf;

/// The folder of real graphs, where there is one: `HEDDLE_GRAPHS`, or `shared/graphs` beside the checkout. Where there
/// is none the test that asks is skipped, and a line on standard error says so: past the harness, which shows what
/// tests print only if they fail.
pub(crate) fn real_graphs() -> Option<PathBuf> {
    let beside = || PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/graphs"));
    let folder = std::env::var_os("HEDDLE_GRAPHS").map_or_else(beside, PathBuf::from);
    let found = folder.join("MANIFEST.tsv").is_file();
    if !found {
        let test = std::thread::current().name().unwrap_or("a test").to_owned();
        let line = format!("SKIPPED {test}: no real graphs in {} (HEDDLE_GRAPHS)\n", folder.display());
        std::io::stderr().write_all(line.as_bytes()).expect("standard error can be written to");
    }
    found.then_some(folder)
}

pub(crate) fn directed(vertices: u64, arcs: impl IntoIterator<Item = (Vertex, Vertex)>) -> Graph {
    Graph::directed(build::from_arcs(&arcs.into_iter().collect::<ArcList>(), vertices).unwrap())
}

pub(crate) fn undirected(vertices: u64, edges: impl IntoIterator<Item = (Vertex, Vertex)>) -> Graph {
    Graph::undirected(build::from_undirected_arcs(&edges.into_iter().collect::<ArcList>(), vertices).unwrap())
}

pub(crate) fn clique(n: u32) -> Graph {
    undirected(n.into(), (0..n).flat_map(|i| (0..i).map(move |j| (i, j))))
}

pub(crate) fn path(n: u32) -> Graph {
    undirected(n.into(), (1..n).map(|i| (i - 1, i)))
}

pub(crate) fn cycle(n: u32) -> Graph {
    undirected(n.into(), (0..n).map(|i| (i, (i + 1) % n)))
}

pub(crate) fn star(leaves: u32) -> Graph {
    undirected(u64::from(leaves) + 1, (1..=leaves).map(|leaf| (0, leaf)))
}

pub(crate) fn grid(width: u32, height: u32) -> Graph {
    let id = move |x: u32, y: u32| y * width + x;
    let right = (0..height).flat_map(move |y| (1..width).map(move |x| (id(x - 1, y), id(x, y))));
    let down = (1..height).flat_map(move |y| (0..width).map(move |x| (id(x, y - 1), id(x, y))));
    undirected(u64::from(width) * u64::from(height), right.chain(down))
}

/// Up to a dozen vertices and few dozen arcs: loops, duplicates and lone vertices are common.
pub(crate) fn small_arcs() -> impl Strategy<Value = (u32, Vec<(Vertex, Vertex, u32)>)> {
    (1u32..13).prop_flat_map(|n| (Just(n), prop::collection::vec((0..n, 0..n, 0u32..50), 0..40)))
}

/// A small random graph: directed or not, weighted or not.
pub(crate) fn small_graph() -> impl Strategy<Value = Graph> {
    (small_arcs(), any::<bool>(), any::<bool>()).prop_map(|((vertices, arcs), directed, weighted)| {
        let list: ArcList = if weighted {
            arcs.into_iter().collect()
        } else {
            arcs.into_iter().map(|(source, target, _)| (source, target)).collect()
        };
        if directed {
            Graph::directed(build::from_arcs(&list, vertices.into()).unwrap())
        } else {
            Graph::undirected(build::from_undirected_arcs(&list, vertices.into()).unwrap())
        }
    })
}

/// A directed graph large enough that every parallel path is taken, with hubs, loops and duplicates.
pub(crate) fn large_directed() -> Graph {
    let vertices = 1u32 << 17;
    let scatter = |i: u32| i.wrapping_mul(2_654_435_761) >> 15;
    let arcs = (0..1u32 << 20).map(|i| match i % 16 {
        0 => (77, scatter(i)),
        1 => (scatter(i), 78),
        2 => (i % vertices, i % vertices),
        3 => (i % 1000, i % 10),
        _ => (scatter(i) / 2, scatter(i.rotate_left(7)) / 2),
    });
    directed(vertices.into(), arcs)
}

pub(crate) fn with_threads<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> T {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(work)
}

/// Every arc as source, target, weight (1 without weights), sorted.
pub(crate) fn sorted_arcs(csr: &Csr) -> Vec<(Vertex, Vertex, u32)> {
    let of_vertex = |v| csr.weighted_neighbours(v).map(move |(target, weight)| (v, target, weight));
    let mut arcs: Vec<_> = csr.vertices().flat_map(of_vertex).collect();
    arcs.sort_unstable();
    arcs
}
