//! What is written in any format is read again as the same graph, as far as the format can say it.

use heddle_graph::read::{self, ReadOptions};
use heddle_graph::write::{self, Compression};
use heddle_graph::{ArcList, Format, Graph, build};
use proptest::prelude::*;
use std::path::Path;

/// A graph with isolated vertices, self-loops and parallel arcs, or without any of them.
fn graphs() -> impl Strategy<Value = Graph> {
    let arcs = proptest::collection::vec((0u32..12, 0u32..12, 0u32..=i32::MAX as u32), 0..40);
    (arcs, any::<bool>(), any::<bool>(), any::<bool>(), 0u64..8).prop_map(
        |(mut arcs, directed, weighted, loops, isolated)| {
            arcs.retain(|&(source, target, _)| loops || source != target);
            let used = arcs.iter().map(|&(source, target, _)| source.max(target) + 1).max().unwrap_or(0);
            let list: ArcList = if weighted {
                arcs.into_iter().collect()
            } else {
                arcs.into_iter().map(|(source, target, _)| (source, target)).collect()
            };
            let vertices = u64::from(used) + isolated;
            if directed {
                Graph::directed(build::from_arcs(&list, vertices).unwrap())
            } else {
                Graph::undirected(build::from_undirected_arcs(&list, vertices).unwrap())
            }
        },
    )
}

/// What must come back: kind, weights or not, and the arcs of every vertex in an order of their own.
#[derive(Debug, PartialEq, Eq)]
struct Facts {
    directed: bool,
    weighted: bool,
    arcs: Vec<Vec<(u32, u32)>>,
}

fn facts(graph: &Graph) -> Facts {
    let csr = graph.out_edges();
    let arcs = csr.vertices().map(|vertex| {
        let mut arcs: Vec<_> = csr.weighted_neighbours(vertex).collect();
        arcs.sort_unstable();
        arcs
    });
    Facts { directed: graph.is_directed(), weighted: graph.is_weighted(), arcs: arcs.collect() }
}

/// What a format makes of a graph, if it can hold it.
fn expected(graph: &Graph, format: Format) -> Option<Facts> {
    let csr = graph.out_edges();
    let mut facts = facts(graph);
    match format {
        Format::Metis if graph.is_directed() || csr.arcs().any(|(source, target)| source == target) => {
            return None;
        }
        Format::Dimacs => (facts.directed, facts.weighted) = (true, true),
        Format::Galois => facts.directed = true,
        Format::EdgeList | Format::Gap => facts.weighted &= graph.num_arcs() > 0,
        _ => {}
    }
    Some(facts)
}

fn read_back(path: &Path, format: Option<Format>) -> Graph {
    let options = ReadOptions { format, ..ReadOptions::default() };
    read::read(path, &options).unwrap_or_else(|error| panic!("{error}")).graph
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn what_is_written_is_read(graph in graphs()) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("graph");
        for &format in write::WRITABLE {
            for compression in [Compression::None, Compression::Gzip, Compression::Zstd] {
                let written = write::to_path(&graph, format, &path, compression);
                match expected(&graph, format) {
                    Some(expected) => {
                        written.unwrap();
                        prop_assert_eq!(facts(&read_back(&path, Some(format))), expected, "{}", format);
                    }
                    None => prop_assert!(written.is_err()),
                }
            }
        }
    }
}

#[test]
fn every_format_is_recognised_by_what_is_written() {
    // A ring with chords, weighted: enough to look like a graph in any format.
    let arcs: ArcList = (0..200u32)
        .flat_map(|vertex| [(vertex, (vertex + 1) % 200, 3 + vertex), (vertex, (vertex * 7 + 3) % 200, 9)])
        .filter(|(source, target, _)| source != target)
        .collect();
    let graph = Graph::undirected(build::from_undirected_arcs(&arcs, 203).unwrap());
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("graph");
    for &format in write::WRITABLE {
        write::to_path(&graph, format, &path, Compression::None).unwrap();
        let expected = expected(&graph, format).unwrap();
        assert_eq!(facts(&read_back(&path, None)), expected, "{format}");
    }
}
