//! What a small file may promise, and what describing a graph takes beside it.

use super::{ALLOCATOR, MEASURING};
use heddle_graph::Graph;
use heddle_graph::limits::Limits;
use heddle_graph::metrics::{components, degree, diameter, multiplicity, taxonomy, traversal};
use heddle_graph::read::{ReadOptions, read};

/// By how many bytes the heap grew at most.
fn growth(work: impl FnOnce()) -> u64 {
    let before = ALLOCATOR.current_usage();
    ALLOCATOR.reset_peak_usage();
    work();
    (ALLOCATOR.peak_usage() - before) as u64
}

/// Everything that `heddle graph info` measures, in its order.
fn describe(graph: &Graph) {
    let csr = graph.out_edges();
    traversal::bfs_levels(csr, 0);
    taxonomy::classify(csr, &taxonomy::TaxonomyMachine::default()).unwrap();
    components::weakly_connected(csr);
    diameter::estimate(graph);
    multiplicity::duplicates(csr);
    multiplicity::graph_is_symmetric(graph);
    degree::degree_statistics(csr);
}

#[test]
fn a_line_of_text_takes_little_memory_and_its_description_not_much_more() {
    let _measuring = MEASURING.lock();
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path
    };
    let banner = "%%MatrixMarket matrix coordinate pattern general\n";
    let spare = Limits::for_stored_bytes(0).memory_bytes;
    for (name, text) in [
        ("much.el", "# Nodes: 134000000 Edges: 1\n0 1\n".to_owned()),
        ("much.mtx", format!("{banner}100000000 100000000 1\n1 2\n")),
    ] {
        let path = file(name, &text);
        let grown = growth(|| assert!(read(&path, &ReadOptions::default()).is_err(), "{name}"));
        assert!(grown <= spare, "{name}: {grown} bytes for {}", text.len());
    }
    let path = file("some.mtx", &format!("{banner}8000000 8000000 1\n1 2\n"));
    let mut loaded = None;
    let read_growth = growth(|| loaded = read(&path, &ReadOptions::default()).ok());
    let graph = loaded.unwrap().graph;
    let bytes = graph.out_edges().bytes();
    assert!(read_growth <= bytes + bytes / 8, "{read_growth} bytes for {bytes}");
    let grown = growth(|| assert_eq!(degree::degree_statistics(graph.out_edges()).max, 1));
    assert!(grown <= bytes / 8, "{grown} bytes for the degrees of {bytes}");
    let grown = growth(|| describe(&graph));
    assert!(bytes + grown <= 3 * bytes, "{grown} more bytes to describe {bytes}");
}
