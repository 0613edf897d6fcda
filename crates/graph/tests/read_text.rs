//! Small files of every text format, as literals: what they mean, in whatever guise.

use heddle_graph::read::{ReadOptions, WeightPolicy, read};
use heddle_graph::source::{Loaded, Origin, WeightsSeen};
use heddle_graph::{Format, GraphError};
use std::io::Write;

fn load_with(bytes: &[u8], options: &ReadOptions<'_>) -> Result<Loaded, GraphError> {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(bytes).unwrap();
    read(file.path(), options)
}

fn load(text: &str) -> Loaded {
    load_with(text.as_bytes(), &ReadOptions::default()).unwrap_or_else(|error| panic!("{text:?}: {error}"))
}

fn format(loaded: &Loaded) -> Format {
    match loaded.origin {
        Origin::File { format, .. } => format,
        Origin::Generated { .. } => panic!("read from a file"),
    }
}

/// Format, vertices and arcs with weights (1 where there are none), by source.
fn check(text: &str, expected: Format, vertices: u32, arcs: &[(u32, u32, u32)]) {
    let loaded = load(text);
    let csr = loaded.graph.out_edges();
    let found: Vec<_> = csr
        .vertices()
        .flat_map(|source| {
            csr.weighted_neighbours(source).map(move |(target, weight)| (source, target, weight))
        })
        .collect();
    assert_eq!(
        (format(&loaded), csr.num_vertices(), &found[..]),
        (expected, vertices, arcs),
        "{text:?}: {:?}",
        loaded.notes
    );
}

const PATH: &[(u32, u32, u32)] = &[(0, 1, 1), (1, 0, 1), (1, 2, 1), (2, 1, 1)];
const ARROWS: &[(u32, u32, u32)] = &[(0, 1, 1), (1, 2, 1)];
const HEAVY: &[(u32, u32, u32)] = &[(0, 1, 7), (1, 2, 9)];

#[test]
fn counts_in_a_comment_leave_no_room_for_a_header_line() {
    let text = "# Directed graph\n# Nodes: 3 Edges: 2\n# FromNodeId\tToNodeId\n2\t1\n2\t0\n";
    check(text, Format::EdgeList, 3, &[(2, 1, 1), (2, 0, 1)]);
    // An arc without a weight among others that have one is neither.
    let text = "# Nodes: 8 Edges: 2\n0 3\n0 2 27\n";
    let error = load_with(text.as_bytes(), &ReadOptions::default()).unwrap_err();
    assert!(error.problem.contains("neither an arc like the others nor a header"), "{error}");
    assert_eq!(error.place, heddle_graph::error::Place::Line(2));
}

#[test]
fn matrix_market_in_all_kinds() {
    let banner = |kind: &str| format!("%%MatrixMarket matrix coordinate {kind}\n% comment\n");
    let check = |kind: &str, body: &str, arcs: &[_]| {
        check(&(banner(kind) + body), Format::MatrixMarket, 3, arcs);
    };
    check("pattern general", "3 3 2\n1 2\n2 3\n", ARROWS);
    check("pattern symmetric", "3 3 2\n2 1\n3 2\n", PATH);
    check("integer general", "3 3 2\n1 2 7\n2 3 9\n", HEAVY);
    check("real general", "3 3 2\n1 2 7\n2 3 9\n", HEAVY);
    check("integer symmetric", "3 3 2\n2 1 7\n3 3 9\n", &[(0, 1, 7), (1, 0, 7), (2, 2, 9)]);
    check("pattern general", "2 3 1\n1 3\n", &[(0, 2, 1)]);
    check("pattern general", "3 3 0\n", &[]);
    // Values in a pattern file, comments and empty lines in the middle.
    check("pattern symmetric", "3 3 2\n2 1 1\n% mid\n\n  3   2\t1\n", PATH);
    check("pattern skew-symmetric", "3 3 2\n2 1\n3 2\n", PATH);
}

#[test]
fn matrix_market_without_banner() {
    check("% c\n3 3 2\n1 2\n2 3\n", Format::MatrixMarket, 3, ARROWS);
    check("3 3 2\n2 1\n3 2\n", Format::MatrixMarket, 3, PATH);
    check("3 3 2\n1 2 7\n2 3 9\n", Format::MatrixMarket, 3, HEAVY);
    // The body alone: strictly below the diagonal, by columns, from 1.
    check("2 1\n3 2\n", Format::MatrixMarket, 3, PATH);
    // One line out of order makes it an edge list.
    check("3 2\n2 1\n", Format::EdgeList, 3, &[(1, 0, 1), (2, 1, 1)]);
}

#[test]
fn what_a_matrix_cannot_be_is_said() {
    let refused = |kind: &str, words: &str| {
        let text = format!("%%MatrixMarket matrix {kind}\n2 2 1\n2 1 1 1\n");
        let error = load_with(text.as_bytes(), &ReadOptions::default()).unwrap_err().to_string();
        assert!(error.contains(":1: ") && error.contains(words), "{error}");
    };
    refused("coordinate complex general", "complex");
    refused("coordinate complex hermitian", "complex");
    refused("coordinate real hermitian", "hermitian");
    refused("array real general", "dense");
    refused("coordinate rational general", "rational");
    refused("coordinate real skew-symmetric", "skew-symmetric");
}

#[test]
fn edge_lists_in_all_guises() {
    for text in [
        "0 1\n1 2\n",
        "0\t1\n1\t2",
        "0,1\n1,2\n",
        "0; 1\n1 ;2\n",
        "0 1\r\n1 2\r\n",
        "\u{FEFF}0 1\n1 2\n",
        "# SNAP\n# Nodes: 3 Edges: 2\n# FromNodeId\tToNodeId\n0\t1\n1\t2\n",
        "% asym unweighted\n% 2 3 3\n1 2\n2 3\n",
        "  0   1  \n\n# mid\n1\t \t2\n\n",
        "source,target\n0,1\n1,2\n",
        "\"from\" \"to\"\n0 1\n1 2\n",
        "\"source\",\"target\"\n\"0\",\"1\"\n\"1\",\"2\"\n",
        "\"0\" \"1\"\n\"1\" \"2\"",
        "\"0\" ; \"1\"\n\"1\";\"2\"",
        "1 2\n2 3\n",
        "10 200\n200 3000000000\n",
        "10 200\n200 30000000000000\n",
        "5000000000 6000000000\n6000000000 18446744073709551614\n",
        "3 2\n0 1\n1 2\n",
        "3 2\r\n1\t2\r\n2\t3\r\n",
    ] {
        check(text, Format::EdgeList, 3, ARROWS);
    }
    for text in [
        "0 1 7\n1 2 9\n",
        "u,v,w\n0,1,7\n1,2,9\n",
        "u,v,w\n\"0\",\"1\",\"7\"\n1,\"2\",9\n",
        "0 1 7 1234567\n1 2 9 1234568\n",
        "3 2\n0 1 7\n1 2 9\n",
        "9 10 7\n10 99999999999 9\n",
    ] {
        check(text, Format::EdgeList, 3, HEAVY);
    }
    // A first line that is an arc of 64-bit ids, before others that are not.
    check("5000000000 7\n0 1\n1 2\n", Format::EdgeList, 5, &[(0, 1, 1), (1, 2, 1), (4, 3, 1)]);
    check("1 5000000000\n0 1\n7 2\n", Format::EdgeList, 5, &[(0, 1, 1), (1, 4, 1), (3, 2, 1)]);
    check("# Nodes: 4 Edges: 2\n9 5000000000\n0 9\n", Format::EdgeList, 3, &[(0, 1, 1), (1, 2, 1)]);
    check("0 1 x\n1 2 y\n", Format::EdgeList, 3, ARROWS);
    check("3 2\n0 1\n1 0\n1 2\n2 1\n", Format::EdgeList, 3, PATH);
    check("5 2\n0 1\n1 2\n", Format::EdgeList, 5, ARROWS);
    check("# Nodes: 9 Edges: 2\n0 1\n1 2\n", Format::EdgeList, 9, ARROWS);
    check("# Nodes: 4 Edges: 0\n", Format::EdgeList, 4, &[]);
    check("0 1\n", Format::EdgeList, 2, &[(0, 1, 1)]);
    check("0 0\n", Format::EdgeList, 1, &[(0, 0, 1)]);
    check("% sym unweighted\n0 0\n", Format::EdgeList, 1, &[(0, 0, 1)]);
}

#[test]
fn weights_that_the_matrix_forbids_were_not_dropped_on_request() {
    let text = b"%%MatrixMarket matrix coordinate integer skew-symmetric\n3 3 2\n2 1 7\n3 2 9\n";
    let with = |weights| load_with(text, &ReadOptions { weights, ..ReadOptions::default() }).unwrap();
    let described = with(WeightPolicy::Describe);
    assert_eq!((described.weights, described.graph.num_arcs()), (WeightsSeen::Dropped, 4));
    assert!(described.notes.iter().any(|note| note.contains("skew-symmetric")), "{:?}", described.notes);
    assert!(!described.notes.iter().any(|note| note.contains("asked")), "{:?}", described.notes);
    assert!(with(WeightPolicy::Drop).notes.iter().any(|note| note.contains("asked")));
}

#[test]
fn undirected_edge_lists_hold_both_directions_once() {
    for text in [
        "# Undirected graph (each unordered pair of nodes is saved once): x.txt\n0 1\n1 2\n",
        "# Undirected graph: x.txt\n0 1\n1 0\n1 2\n2 1\n",
        "% sym unweighted\n1 2\n2 3\n",
    ] {
        check(text, Format::EdgeList, 3, PATH);
        assert!(!load(text).graph.is_directed());
    }
    let options = ReadOptions { undirected: true, ..ReadOptions::default() };
    assert_eq!(load_with(b"0 1\n1 2\n", &options).unwrap().graph.num_arcs(), 4);
    let directed = load("# Directed graph (each unordered pair of nodes is saved once)\n0 1\n1 2\n");
    assert!(directed.graph.is_directed());
}

#[test]
fn dimacs_of_both_kinds() {
    check("c x\np sp 3 2\na 1 2 7\nc mid\na 2 3 9\n", Format::Dimacs, 3, HEAVY);
    check("c\np edge 3 2\ne 1 2\ne 2 3\n", Format::Dimacs, 3, PATH);
    check("p col 3 4\nn 1 5\ne 1 2\ne 2 1\ne 2 3\ne 3 2\n", Format::Dimacs, 3, PATH);
    check("p edge 3 4\ne 1 2\ne 2 3\n", Format::Dimacs, 3, PATH);
}

#[test]
fn metis_in_every_format_code() {
    let heavy = &[(0, 1, 5), (1, 0, 5), (1, 2, 6), (2, 1, 6)][..];
    for (header, rows, arcs) in [
        ("3 2", "2\n1 3\n2\n", PATH),
        ("3 2 0", "2\n1 3\n2\n", PATH),
        ("3 2 000", " 2 \n% mid\n 1  3 \n2", PATH),
        ("3 2 1", "2 5\n1 5 3 6\n2 6\n", heavy),
        ("3 2 10", "9 2\n9 1 3\n9 2\n", PATH),
        ("3 2 10 3", "9 9 9 2\n9 9 9 1 3\n9 9 9 2\n", PATH),
        ("3 2 10 3 0", "9 9 9 2\n9 9 9 1 3\n9 9 9 2\n", PATH),
        ("3 2 11", "9 2 5\n9 1 5 3 6\n9 2 6\n", heavy),
        ("3 2 011 2", "9 8 2 5\n9 8 1 5 3 6\n9 8 2 6\n", heavy),
        ("3 2 100", "9 2\n9 1 3\n9 2\n", PATH),
        ("3 2 101", "9 2 5\n9 1 5 3 6\n9 2 6\n", heavy),
        ("3 2 110 2", "9 8 7 2\n9 8 7 1 3\n9 8 7 2\n", PATH),
        ("3 2 111", "9 8 2 5\n9 8 1 5 3 6\n9 8 2 6\n", heavy),
    ] {
        check(&format!("% comment\n{header}\n{rows}"), Format::Metis, 3, arcs);
    }
    // Isolated vertices are empty lines; a regular graph has lines of equal length.
    check("4 1\n3\n\n1\n\n", Format::Metis, 4, &[(0, 2, 1), (2, 0, 1)]);
    check("2 0\n\n\n", Format::Metis, 2, &[]);
    check("1 0\n", Format::EdgeList, 2, &[(1, 0, 1)]);
    let triangle = &[(0, 1, 1), (0, 2, 1), (1, 0, 1), (1, 2, 1), (2, 0, 1), (2, 1, 1)];
    check("3 3\n2 3\n1 3\n1 2\n", Format::Metis, 3, triangle);
    // The same header above arcs is an edge list.
    check("3 3\n0 1\n1 2\n2 0\n", Format::EdgeList, 3, &[(0, 1, 1), (1, 2, 1), (2, 0, 1)]);
    assert!(!load("3 2\n2\n1 3\n2\n").graph.is_directed());
    let lopsided = load("3 2\n2 3\n1\n2\n");
    assert!(lopsided.graph.is_directed() && lopsided.notes[0].contains("not symmetric"));
}

#[test]
fn rodinia_with_its_blank_lines() {
    check("3\n0 1\n1 1\n2 0\n\n0\n\n2\n1 7\n2 9\n", Format::Rodinia, 3, HEAVY);
    check("3\r\n0 1\r\n1 1\r\n2 0\r\n0\r\n2\r\n1 7\r\n2 9", Format::Rodinia, 3, HEAVY);
}

#[test]
fn weight_policies_decide_about_real_weights() {
    let text = b"0 1 2.5\n1 2 -3\n";
    let with = |weights| load_with(text, &ReadOptions { weights, ..ReadOptions::default() });
    let error = with(WeightPolicy::Refuse).unwrap_err();
    assert!(error.to_string().contains(":1: weight `2.5`") && error.help.unwrap().contains("--weights drop"));
    let described = with(WeightPolicy::Describe).unwrap();
    assert_eq!((described.weights, described.graph.is_weighted()), (WeightsSeen::Dropped, false));
    assert!(described.notes.iter().any(|note| note.contains("line 1")));
    assert_eq!(with(WeightPolicy::Drop).unwrap().weights, WeightsSeen::Dropped);
    assert!(with(WeightPolicy::Round).unwrap_err().to_string().contains(":2: weight `-3`"));
    let absolute = with(WeightPolicy::Absolute).unwrap();
    assert_eq!(absolute.weights, WeightsSeen::Converted);
    assert_eq!(absolute.graph.out_edges().weights(), Some(&[3, 3][..]));
}

#[test]
fn a_named_format_is_read_as_that() {
    let forced = |text: &str, format| {
        load_with(text.as_bytes(), &ReadOptions { format: Some(format), ..ReadOptions::default() })
    };
    assert_eq!(forced("2 1\n3 2\n", Format::EdgeList).unwrap().graph.num_arcs(), 2);
    assert_eq!(forced("1 2\n2 3\n", Format::MatrixMarket).unwrap().graph.num_arcs(), 2);
    assert!(forced("0 1\n1 2\n", Format::Dimacs).unwrap_err().to_string().contains(":1: a problem line"));
    assert!(forced("a b\n", Format::Metis).unwrap_err().to_string().contains(":1: a header"));
}
