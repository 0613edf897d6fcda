//! Writes the first inputs of the fuzz targets: small true files of every format, recipes and transforms.
//!
//! `cargo run --release --example seeds -- corpus`; nothing that it makes is committed.

use heddle_graph::build::{from_arcs, from_undirected_arcs};
use heddle_graph::transform::{self, Transform};
use heddle_graph::{ArcList, Format, Graph, generate, surrogate, write};
use std::io::{self, Write};
use std::path::Path;

fn main() -> io::Result<()> {
    let corpus = std::env::args().nth(1).unwrap_or_else(|| "fuzz/corpus".into());
    let corpus = Path::new(&corpus);
    for &format in write::WRITABLE {
        for (index, graph) in graphs().iter().enumerate() {
            let mut bytes = Vec::new();
            if write::write(graph, format, &mut bytes).is_ok() {
                store(corpus, &target(format), &format!("graph-{index}"), &bytes)?;
                store(corpus, "any", &format!("{format}-{index}"), &bytes)?;
                let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
                gzip.write_all(&bytes)?;
                store(corpus, "any", &format!("{format}-{index}-gzip"), &gzip.finish()?)?;
            }
        }
    }
    for (format, texts) in TEXTS {
        for (index, text) in texts.iter().enumerate() {
            store(corpus, &target(*format), &format!("text-{index}"), text.as_bytes())?;
            store(corpus, "any", &format!("{format}-text-{index}"), text.as_bytes())?;
        }
    }
    // Three vertices: degrees in gamma code, then gaps; enough for mutation to start from.
    let web = b"nodes=3\narcs=2\nwindowsize=7\nmaxrefcount=3\nminintervallength=4\nzetak=3\ncompressionflags=\n\0\x57\x3a\xc1\x80";
    store(corpus, "webgraph", "three-vertices", web)?;
    for generator in generate::GENERATORS {
        store(corpus, "recipe", generator.name, format!("{}:seed=2", generator.name).as_bytes())?;
    }
    for surrogate in surrogate::list() {
        let text = format!("surrogate:{},shrink=64", surrogate.name);
        store(corpus, "recipe", &format!("surrogate-{}", surrogate.name), text.as_bytes())?;
    }
    for (index, text) in TRANSFORMS.iter().enumerate() {
        store(corpus, "transform", &index.to_string(), text.as_bytes())?;
    }
    Ok(())
}

fn target(format: Format) -> String {
    format.name().replace('-', "_")
}

fn store(corpus: &Path, target: &str, name: &str, bytes: &[u8]) -> io::Result<()> {
    let folder = corpus.join(target);
    std::fs::create_dir_all(&folder)?;
    std::fs::write(folder.join(name), bytes)
}

/// Directed and undirected, with and without weights, with self-loops and parallel arcs, and empty.
fn graphs() -> Vec<Graph> {
    let arcs: ArcList = [(0, 1), (1, 2), (2, 0), (2, 2), (0, 1), (5, 6)].into_iter().collect();
    let edges: ArcList = [(0, 1), (1, 2), (2, 0), (5, 6)].into_iter().collect();
    let mut graphs = vec![
        Graph::directed(from_arcs(&arcs, 8).expect("ids are in range")),
        Graph::undirected(from_undirected_arcs(&edges, 8).expect("ids are in range")),
    ];
    for graph in graphs.clone() {
        let weights = Transform::Weights { min: 1, max: 99, seed: 1 };
        graphs.push(transform::apply(graph, &weights).graph);
    }
    graphs
}

const TEXTS: &[(Format, &[&str])] = &[
    (
        Format::MatrixMarket,
        &[
            "%%MatrixMarket matrix coordinate real symmetric\n% c\n3 3 2\n2 1 -1.5e0\n3 3 2\n",
            "%%MatrixMarket matrix coordinate integer skew-symmetric\n3 3 1\n2 1 4\n",
            "3 3 2\n1 2\n3 1\n",
        ],
    ),
    (
        Format::EdgeList,
        &[
            "# Nodes: 3 Edges: 2\n0\t1\n1\t2\n",
            "source,target,weight\n1,2,7\n4000000000,1,9\n",
            "1 2 0.5\r\n2 3 -1\r\n",
        ],
    ),
    (Format::Dimacs, &["c road\np sp 3 2\na 1 2 803\na 3 1 7\n"]),
    (Format::Metis, &["% c\n3 2 111 2\n4 1 1 2 5\n4 1 1 1 5 3 6\n4 1 1 2 6\n", "3 2\n2\n1 3\n2\n"]),
    (Format::Rodinia, &["3\n0 2\n2 1\n3 1\n\n0\n\n4\n1 1\n2 1\n0 1\n0 9\n"]),
];

const TRANSFORMS: &[&str] = &[
    "transpose\nsymmetrise",
    "symmetrise=double\ndrop-self-loops\ndrop-duplicates",
    "weights=1..100,seed=3\nrelabel=degree",
    "relabel=hub-sort\nrelabel=bfs\nrelabel=random,seed=7",
    "largest-component\nweights=0..4294967295",
];
