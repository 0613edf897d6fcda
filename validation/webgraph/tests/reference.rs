//! Graphs that the `webgraph` crate encoded, read by Heddle and by that crate.

use dsi_bitstream::dispatch::Codes;
use dsi_bitstream::traits::{BE, LE};
use heddle_graph::Graph;
use heddle_graph::read::{self, ReadOptions};
use proptest::prelude::*;
use std::fs;
use std::path::Path;
use webgraph::prelude::{BvComp, BvGraphSeq, CompFlags, SequentialLabeling, VecGraph};

#[derive(Clone, Copy, Debug)]
enum BitOrder {
    Big,
    Little,
}

/// Writes the files of a graph, whose names begin with `base`.
fn encode(lists: &[Vec<u32>], flags: CompFlags, bit_order: BitOrder, base: &Path) {
    let mut graph = VecGraph::empty(lists.len());
    for (source, list) in lists.iter().enumerate() {
        list.iter().for_each(|&target| graph.add_arc(source, target as usize));
    }
    let mut encoder = BvComp::with_basename(base).comp_flags(flags);
    match bit_order {
        BitOrder::Big => encoder.comp_graph::<BE>(&graph),
        BitOrder::Little => encoder.comp_graph::<LE>(&graph),
    }
    .unwrap();
}

fn read(path: &Path) -> Graph {
    read::read(path, &ReadOptions::default()).unwrap().graph
}

fn rows(graph: &Graph) -> Vec<Vec<u32>> {
    let rows = graph.out_edges();
    rows.vertices().map(|vertex| rows.neighbours(vertex).to_vec()).collect()
}

/// Lists that have what the format compresses: runs, likeness to the list before, and scattered arcs.
fn lists() -> impl Strategy<Value = Vec<Vec<u32>>> {
    let vertices = 48u32;
    let run = (0..vertices, 1u32..12)
        .prop_map(move |(start, length)| (start..(start + length).min(vertices)).collect::<Vec<u32>>());
    let scattered = proptest::collection::vec(0..vertices, 0..6);
    let list = (run, scattered, any::<bool>(), any::<bool>());
    proptest::collection::vec(list, vertices as usize).prop_map(|parts| {
        let mut lists: Vec<Vec<u32>> = Vec::new();
        for (run, scattered, copies, empty) in parts {
            let mut list = if copies { lists.last().cloned().unwrap_or_default() } else { run };
            list.extend(scattered);
            list.sort_unstable();
            list.dedup();
            lists.push(if empty && !copies { Vec::new() } else { list });
        }
        lists
    })
}

fn flags() -> impl Strategy<Value = CompFlags> {
    let code = || {
        prop_oneof![
            Just(Codes::Unary),
            Just(Codes::Gamma),
            Just(Codes::Delta),
            Just(Codes::Omega),
            (1usize..=7).prop_map(Codes::Zeta),
            (1usize..=4).prop_map(Codes::Pi)
        ]
    };
    let bounds = (0usize..9, prop_oneof![Just(0usize), 2usize..6], 0usize..5);
    (code(), code(), code(), code(), code(), bounds).prop_map(
        |(outdegrees, references, blocks, intervals, residuals, bounds)| {
            let (compression_window, min_interval_length, max_ref_count) = bounds;
            CompFlags {
                outdegrees,
                references,
                blocks,
                intervals,
                residuals,
                min_interval_length,
                compression_window,
                max_ref_count,
            }
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn every_combination_of_codes_decodes_to_what_was_encoded(lists in lists(), flags in flags()) {
        let folder = tempfile::tempdir().unwrap();
        // Version 1 of the properties, which little-endian files have, names every code.
        encode(&lists, flags, BitOrder::Little, &folder.path().join("g"));
        prop_assert_eq!(rows(&read(&folder.path().join("g.graph"))), lists);
    }

    #[test]
    fn decodes_as_the_webgraph_crate_does(lists in lists()) {
        let folder = tempfile::tempdir().unwrap();
        let base = folder.path().join("g");
        encode(&lists, CompFlags::default(), BitOrder::Big, &base);
        let ours = rows(&read(&folder.path().join("g.properties")));
        let theirs = BvGraphSeq::with_basename(base).load().unwrap();
        prop_assert_eq!(ours.len(), theirs.num_nodes());
        let mut lists = theirs.iter();
        for ours in ours {
            let theirs: Vec<u32> = lists.next_successors().unwrap().iter().map(|&target| target as u32).collect();
            prop_assert_eq!(ours, theirs);
        }
    }
}

/// The lists of the fixtures. The tests of `crates/graph` have the same lines.
fn fixture_lists() -> Vec<Vec<u32>> {
    let mut lists: Vec<Vec<u32>> = Vec::new();
    for vertex in 0..60u32 {
        let mut list: Vec<u32> = match vertex % 4 {
            0 | 1 => (vertex..(vertex + vertex % 11).min(60)).collect(),
            _ => {
                let earlier = &lists[vertex as usize - 1 - vertex as usize % 2];
                earlier.iter().copied().filter(|target| target % 7 != 3).collect()
            }
        };
        list.extend([vertex * 7 % 60, vertex * vertex % 60]);
        list.sort_unstable();
        list.dedup();
        lists.push(if vertex % 13 == 5 { Vec::new() } else { list });
    }
    lists
}

#[test]
fn fixtures_are_what_the_encoder_writes() {
    let codes = CompFlags {
        outdegrees: Codes::Delta,
        references: Codes::Gamma,
        blocks: Codes::Zeta(2),
        intervals: Codes::Pi(2),
        residuals: Codes::Omega,
        min_interval_length: 2,
        compression_window: 3,
        max_ref_count: 2,
    };
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../crates/graph/tests/fixtures");
    for (name, flags, bit_order) in
        [("web-default", CompFlags::default(), BitOrder::Big), ("web-codes", codes, BitOrder::Little)]
    {
        let folder = tempfile::tempdir().unwrap();
        encode(&fixture_lists(), flags, bit_order, &folder.path().join(name));
        for extension in ["graph", "properties"] {
            let file = format!("{name}.{extension}");
            if std::env::var_os("HEDDLE_RECORD").is_some() {
                fs::copy(folder.path().join(&file), fixtures.join(&file)).unwrap();
            }
            assert!(
                fs::read(folder.path().join(&file)).unwrap() == fs::read(fixtures.join(&file)).unwrap(),
                "{file}"
            );
        }
        assert_eq!(rows(&read(&fixtures.join(format!("{name}.graph")))), fixture_lists());
    }
}
