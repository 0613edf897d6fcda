//! A graph costs `8(V+1) + 4E` bytes per direction, `4E` more with weights, and at most three times that
//! while it is built.
//!
//! In a binary of their own, one at a time: the allocator counts for the whole process.

mod memory_metrics;

use flate2::Compression;
use flate2::write::GzEncoder;
use heddle_graph::generate::random::Random;
use heddle_graph::progress::Silent;
use heddle_graph::read::{ReadOptions, read};
use heddle_graph::{Format, Graph, generate, write};
use peak_alloc::PeakAlloc;
use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::sync::Mutex;

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

/// Held by the test that measures.
static MEASURING: Mutex<()> = Mutex::new(());

const VERTICES: u64 = 200_000;
const LINES: u64 = 2_000_000;

/// Buffers of the readers, whatever the size of the graph.
const BUFFERS_BYTES: u64 = 24 << 20;

/// The graph that `make` gives, and by how many bytes the heap grew at most while it was made.
fn peak_of(make: impl FnOnce() -> Graph) -> (Graph, u64) {
    let before = ALLOCATOR.current_usage() as u64;
    ALLOCATOR.reset_peak_usage();
    let graph = make();
    (graph, ALLOCATOR.peak_usage() as u64 - before)
}

fn assert_frugal(what: &str, make: impl FnOnce() -> Graph) {
    let before = ALLOCATOR.current_usage() as u64;
    let (graph, peak) = peak_of(make);
    let rows = 8 * (u64::from(graph.num_vertices()) + 1) + 4 * graph.num_arcs();
    let expected = if graph.is_weighted() { rows + 4 * graph.num_arcs() } else { rows };
    assert_eq!(graph.out_edges().bytes(), expected, "{what}");
    let held = ALLOCATOR.current_usage() as u64 - before;
    assert!(held <= expected + expected / 50 + 4096, "{what}: {held} bytes are held for {expected}");
    assert!(peak <= 3 * expected + BUFFERS_BYTES, "{what}: {peak} bytes at the peak for {expected}");
}

fn edge_list(path: &Path, line: impl Fn(&mut Random) -> String) {
    let mut random = Random::new(1, 0);
    let text: String = (0..LINES).map(|_| line(&mut random)).collect();
    std::fs::write(path, text).unwrap();
}

fn compressed(path: &Path) -> std::path::PathBuf {
    let target = path.with_extension("gz");
    let mut encoder = GzEncoder::new(File::create(&target).unwrap(), Compression::fast());
    encoder.write_all(&std::fs::read(path).unwrap()).unwrap();
    encoder.finish().unwrap();
    target
}

#[test]
fn building_takes_at_most_three_times_the_graph() {
    let _measuring = MEASURING.lock();
    let folder = tempfile::tempdir().unwrap();
    let (plain, weighted) = (folder.path().join("plain.el"), folder.path().join("weighted.el"));
    let vertex = |random: &mut Random| random.below(VERTICES);
    edge_list(&plain, |random| format!("{}\t{}\n", vertex(random), vertex(random)));
    edge_list(&weighted, |random| format!("{} {} {}\n", vertex(random), vertex(random), random.below(100)));
    let load = |path: &Path, undirected| {
        read(path, &ReadOptions { undirected, ..ReadOptions::default() }).unwrap().graph
    };
    for undirected in [false, true] {
        assert_frugal("plain text", || load(&plain, undirected));
        assert_frugal("compressed text", || load(&compressed(&plain), undirected));
        assert_frugal("weighted text", || load(&weighted, undirected));
    }
    let graph = load(&weighted, false);
    for format in write::WRITABLE.iter().filter(|&&format| format != Format::Metis) {
        let path = folder.path().join(format.name());
        write::to_path(&graph, *format, &path, write::Compression::None).unwrap();
        assert_frugal(format.name(), || load(&path, false));
    }
    for recipe in ["rmat:scale=18,degree=8", "uniform:scale=18,degree=8"] {
        assert_frugal(recipe, || generate::generate(recipe, &Silent).unwrap().graph);
    }
    assert_frugal("incoming arcs", || Graph::directed(graph.in_edges().clone()));
}
