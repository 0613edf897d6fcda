//! Graph files, recipes and transforms.

use crate::{MEMORY_BYTES, sample, store};
use heddle_graph::generate::{self, ParameterKind, Parameters};
use heddle_graph::limits::Limits;
use heddle_graph::progress::Silent;
use heddle_graph::read::{self, ReadOptions, WeightPolicy};
use heddle_graph::{Csr, Format, Graph, surrogate, transform, write};
use std::path::Path;

const POLICIES: [WeightPolicy; 6] = [
    WeightPolicy::Describe,
    WeightPolicy::Refuse,
    WeightPolicy::Drop,
    WeightPolicy::Round,
    WeightPolicy::Absolute,
    WeightPolicy::Scale(2.5),
];

/// Reads the bytes as a file of that format.
pub fn read_as(format: Format, data: &[u8]) {
    let path = store("graph", data);
    if let Some(graph) = read(&path, Some(format), data.len()) {
        write_and_read_again(graph, format);
    }
}

/// Reads the bytes as a file of whatever format they look like.
pub fn read_any(data: &[u8]) {
    read(&store("graph", data), None, data.len());
}

/// Reads the bytes up to the first zero as `.properties`, and the others as the bit stream beside it.
pub fn read_webgraph(data: &[u8]) {
    let mut parts = data.splitn(2, |&byte| byte == 0);
    let (properties, bits) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
    store("web.properties", properties);
    read(&store("web.graph", bits), Some(Format::WebGraph), data.len());
}

/// Generates what the bytes say, if that is small; reads the names and shrinking of surrogates.
pub fn recipe(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    if let Some(name) = text.strip_prefix("surrogate:") {
        let (name, shrink) = name.split_once(",shrink=").unwrap_or((name, "1"));
        if let (Some(surrogate), Ok(shrink)) = (surrogate::by_name(name), shrink.parse()) {
            drop(surrogate.recipe_shrunk(shrink));
        }
        return;
    }
    let (name, values) = text.split_once(':').unwrap_or((text, ""));
    let small = match generate::by_name(name) {
        Some(generator) => Parameters::parse(generator.parameters, values).is_ok_and(|parameters| {
            generator.parameters.iter().all(|parameter| match parameter.kind {
                ParameterKind::Integer { .. } | ParameterKind::Size { .. } if parameter.name != "seed" => {
                    parameters.integer(parameter.name) <= if parameter.name == "scale" { 6 } else { 64 }
                }
                _ => true,
            })
        }),
        None => true,
    };
    if small && let Ok(loaded) = generate::generate(text, &Silent) {
        check(&loaded.graph);
    }
}

/// Applies the transforms that the lines say, one after the other, to a small graph.
pub fn transform(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let directed = data.len() % 2 == 0;
    let mut graph = sample(directed);
    for line in text.lines().take(8) {
        if let Ok(transform) = transform::parse(line) {
            graph = transform::apply(graph, &transform).graph;
            check(&graph);
        }
    }
}

/// The length decides about the options, so that a corpus consists of true files.
fn read(path: &Path, format: Option<Format>, length: usize) -> Option<Graph> {
    let options = ReadOptions {
        format,
        undirected: length % 2 == 1,
        weights: POLICIES[length / 2 % POLICIES.len()],
        limits: Some(Limits { memory_bytes: MEMORY_BYTES, decompressed_bytes: MEMORY_BYTES }),
        ..ReadOptions::default()
    };
    match read::read(path, &options) {
        Ok(loaded) => {
            check(&loaded.graph);
            Some(loaded.graph)
        }
        Err(error) => {
            assert!(!error.to_string().is_empty() && !error.problem.is_empty());
            None
        }
    }
}

/// What was accepted is a graph.
fn check(graph: &Graph) {
    let (offsets, targets, weights) = graph.out_edges().clone().into_parts();
    Csr::new(offsets, targets, weights).expect("an accepted graph is one");
    assert_eq!(graph.in_edges().num_arcs(), graph.num_arcs());
}

/// A graph that its format can hold comes back from a file with as many vertices and arcs.
fn write_and_read_again(graph: Graph, format: Format) {
    let mut bytes = Vec::new();
    if !write::WRITABLE.contains(&format) || write::write(&graph, format, &mut bytes).is_err() {
        return;
    }
    let path = store("again", &bytes);
    let options =
        ReadOptions { format: Some(format), weights: WeightPolicy::Describe, ..ReadOptions::default() };
    let again = read::read(&path, &options).unwrap_or_else(|error| panic!("{error}")).graph;
    assert_eq!(again.num_vertices(), graph.num_vertices());
    // Formats without undirected graphs hold every edge as two arcs.
    assert_eq!(again.num_arcs(), graph.num_arcs());
}
