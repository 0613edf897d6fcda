//! The taxonomy against table II of \[Salvador20\], and on graphs with closed forms.

use crate::common::*;
use heddle_graph::metrics::{Class, Taxonomy, TaxonomyMachine, classify, degree_statistics};
use heddle_graph::read::{ReadOptions, read};
use heddle_graph::{Csr, Graph};

fn taxonomy(csr: &Csr) -> Taxonomy {
    classify(csr, &TaxonomyMachine::default()).unwrap()
}

/// A real graph, where the collection is at hand.
fn real(name: &str) -> Option<Graph> {
    let file = real_graphs()?.join(name);
    Some(read(&file, &ReadOptions::default()).unwrap().graph)
}

/// To the digits that the table prints.
fn printed(figures: [f64; 4]) -> [String; 4] {
    figures.map(|figure| format!("{figure:.3}"))
}

#[test]
fn wing_stands_where_table_2_has_it() {
    let Some(graph) = real("wing/wing.graph.gz") else { return };
    let csr = graph.out_edges();
    // The table prints 61032 vertices, but its own volume and average degree are those of 62032.
    assert_eq!((csr.num_vertices(), csr.num_arcs()), (62032, 243_088));
    let degrees = degree_statistics(csr);
    assert_eq!(degrees.max, 4);
    assert_eq!(format!("{:.3} {:.3}", degrees.mean, degrees.standard_deviation), "3.919 0.278");
    let wing = taxonomy(csr);
    // The table's reuse, 0.594, is that of the line above it; AN_L and AN_R make it 0.005.
    let figures = [wing.volume_kib, wing.an_local, wing.an_remote, wing.reuse];
    assert_eq!(printed(figures), ["79.458", "0.020", "3.899", "0.005"]);
    assert_eq!((wing.marked_blocks, wing.blocks, wing.imbalance), (0, 243, 0.0));
    assert_eq!(wing.code(), "MLL");
}

#[test]
fn dictionary28_stands_where_table_2_has_it() {
    let Some(graph) = real("dictionary28/dictionary28.mtx.gz") else { return };
    let csr = graph.out_edges();
    assert_eq!((csr.num_vertices(), csr.num_arcs()), (52652, 178_076));
    let degrees = degree_statistics(csr);
    assert_eq!(degrees.max, 38);
    assert_eq!(format!("{:.3} {:.3}", degrees.mean, degrees.standard_deviation), "3.382 4.475");
    let dictionary = taxonomy(csr);
    // The table prints a volume of 60.078; its own vertices and edges make it 60.085.
    let figures = [dictionary.volume_kib, dictionary.an_local, dictionary.an_remote, dictionary.reuse];
    assert_eq!(printed(figures), ["60.085", "1.215", "2.167", "0.359"]);
    // The table has 0.083, which is 17 of 206 blocks; the optimal clustering marks one more.
    assert_eq!((dictionary.marked_blocks, dictionary.blocks), (18, 206));
    assert!((dictionary.imbalance - 0.083).abs() < 1.0 / 206.0);
    assert_eq!(dictionary.code(), "MMM");
}

#[test]
fn neighbours_of_a_path_are_local_but_at_the_seams() {
    let csr = path(1024).into_out_edges();
    let path = taxonomy(&csr);
    assert_eq!(path.an_remote, 6.0 / 1024.0);
    assert_eq!(path.an_local, (2046.0 - 6.0) / 1024.0);
    assert_eq!(path.reuse, 2040.0 / 2046.0);
    assert_eq!((path.blocks, path.code()), (4, "LHL".to_string()));
}

#[test]
fn self_edges_are_neither_local_nor_remote() {
    let graph = directed(512, [(0, 0), (0, 1), (0, 300), (400, 400)]);
    let taxonomy = taxonomy(graph.out_edges());
    assert_eq!((taxonomy.an_local, taxonomy.an_remote), (1.0 / 512.0, 1.0 / 512.0));
    assert_eq!(taxonomy.reuse, 0.5);
}

#[test]
fn a_hub_marks_its_block_if_it_has_eleven_arcs_more() {
    let with_hub = |arcs: u32| directed(600, (0..arcs).map(|i| (40, i)));
    assert_eq!(taxonomy(with_hub(10).out_edges()).marked_blocks, 0);
    let eleven = taxonomy(with_hub(11).out_edges());
    assert_eq!((eleven.marked_blocks, eleven.blocks), (1, 3));
    assert_eq!((eleven.imbalance, eleven.imbalance_class), (1.0 / 3.0, Class::High));
}

#[test]
fn the_last_block_counts_and_a_lone_warp_is_balanced() {
    // Vertices 512..560 are one warp and a half; the hub is in the half one.
    let graph = directed(560, (0..50).map(|i| (550, i)));
    assert_eq!(taxonomy(graph.out_edges()).marked_blocks, 1);
    let graph = directed(540, (0..50).map(|i| (530, i)));
    assert_eq!(taxonomy(graph.out_edges()).marked_blocks, 0);
}

#[test]
fn volume_is_compared_with_the_caches() {
    // 15 cores: low below 48 KiB each, which is 184,320 words in all; high above 4 MiB, 1,048,576 words.
    let class = |words: u32| taxonomy(&Csr::empty(words)).volume_class;
    assert_eq!([class(184_319), class(184_320)], [Class::Low, Class::Medium]);
    assert_eq!([class(1_048_576), class(1_048_577)], [Class::Medium, Class::High]);
}

#[test]
fn no_vertex_and_no_arc_are_low() {
    for vertices in [0, 1, 300] {
        let empty = taxonomy(&Csr::empty(vertices));
        assert_eq!((empty.reuse, empty.imbalance, empty.code().as_str()), (0.0, 0.0, "LLL"));
        assert_eq!((empty.an_local, empty.an_remote), (0.0, 0.0));
    }
}

#[test]
fn impossible_machines_are_refused_by_key() {
    let fine = TaxonomyMachine::default();
    let bad = [
        (TaxonomyMachine { cores: 0, ..fine }, "cores is 0"),
        (TaxonomyMachine { warp: 0, ..fine }, "warp is 0"),
        (TaxonomyMachine { thread_block: 0, ..fine }, "thread_block is 0"),
        (TaxonomyMachine { thread_block: 100, ..fine }, "thread_block is 100, not a multiple of warp (32)"),
        (TaxonomyMachine { thread_block: 1 << 20, ..fine }, "at most 1024"),
    ];
    for (machine, expected) in bad {
        let error = classify(&Csr::empty(4), &machine).unwrap_err();
        assert!(error.contains(expected), "{error}");
    }
}
