//! What the benchmarks share: random arcs, files of them, one thread, and the plainest reader.

#![allow(dead_code, reason = "every benchmark uses its share of this module")]

use heddle_graph::generate::random::Random;
use heddle_graph::{ArcList, ArcSegment, Vertex};
use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// Whether `cargo bench` runs us; otherwise it is `cargo test`, and only has to work.
pub(crate) fn is_measuring() -> bool {
    std::env::args().any(|argument| argument == "--bench")
}

/// A number from the environment, or the default; tiny when nothing is measured.
pub(crate) fn size(variable: &str, default: u64, tiny: u64) -> u64 {
    let given = std::env::var(variable).ok().map(|value| value.parse().expect("a number"));
    given.unwrap_or(if is_measuring() { default } else { tiny })
}

/// `2^HEDDLE_BENCH_SCALE` vertices.
pub(crate) fn scale() -> u32 {
    size("HEDDLE_BENCH_SCALE", 16, 6) as u32
}

/// `HEDDLE_BENCH_DEGREE` arcs per vertex.
pub(crate) fn degree() -> u64 {
    size("HEDDLE_BENCH_DEGREE", 16, 4)
}

/// Runs in a pool of one thread, so that figures are those of a core.
pub(crate) fn on_one_core<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("one thread").install(work)
}

/// Arcs between vertices drawn uniformly, in segments as a reader makes them.
pub(crate) fn random_arcs(vertices: u64, arcs: u64) -> ArcList {
    let mut random = Random::new(1, 0);
    let mut list = ArcList::unweighted();
    let mut left = arcs;
    while left > 0 {
        let count = left.min(1 << 20);
        let pair = |_| (random.below(vertices) as Vertex, random.below(vertices) as Vertex);
        list.push(ArcSegment { pairs: (0..count).map(pair).collect(), weights: Vec::new() });
        left -= count;
    }
    list
}

/// The same arcs as an edge list and as a Matrix Market file.
pub(crate) struct Files {
    _folder: TempDir,
    /// `source target`, from 0. The suffix is the one that the GAP Benchmark Suite asks for.
    pub(crate) edge_list: PathBuf,
    /// `row column`, from 1.
    pub(crate) matrix_market: PathBuf,
}

impl Files {
    pub(crate) fn write(arcs: &ArcList, vertices: u64) -> Files {
        let folder = TempDir::new().expect("a folder for temporary files");
        let (edge_list, matrix_market) = (folder.path().join("arcs.el"), folder.path().join("arcs.mtx"));
        write_lines(&edge_list, "", arcs, 0);
        let header = format!(
            "%%MatrixMarket matrix coordinate pattern general\n{vertices} {vertices} {}\n",
            arcs.len()
        );
        write_lines(&matrix_market, &header, arcs, 1);
        Files { _folder: folder, edge_list, matrix_market }
    }
}

fn write_lines(path: &Path, header: &str, arcs: &ArcList, base: u32) {
    let mut file = BufWriter::new(File::create(path).expect("a file"));
    file.write_all(header.as_bytes()).expect("the header");
    for &(source, target) in arcs.segments().iter().flat_map(|segment| &segment.pairs) {
        writeln!(file, "{} {}", source + base, target + base).expect("a line");
    }
    file.flush().expect("all lines");
}

/// Bytes of a file.
pub(crate) fn bytes(path: &Path) -> u64 {
    std::fs::metadata(path).expect("the file was written").len()
}

/// What one writes without a second thought: lines, split, parse.
pub(crate) fn read_plainly(path: &Path, skip: usize, base: u32) -> Vec<(Vertex, Vertex)> {
    let file = BufReader::new(File::open(path).expect("the file was written"));
    let mut pairs = Vec::new();
    for line in file.lines().skip(skip) {
        let line = line.expect("text");
        let mut fields = line.split_whitespace().map(|field| field.parse::<u32>().expect("a number") - base);
        pairs.push((fields.next().expect("a source"), fields.next().expect("a target")));
    }
    pairs
}
