//! What every writer puts into a file, and what it refuses.

use super::*;
use crate::arcs::ArcList;
use crate::build;
use std::fs;
use std::path::Path;

fn text(graph: &Graph, format: Format) -> (String, Vec<String>) {
    let mut bytes = Vec::new();
    let notes = write(graph, format, &mut bytes).unwrap();
    (String::from_utf8(bytes).unwrap(), notes)
}

fn refused(graph: &Graph, format: Format) -> (String, String) {
    match write(graph, format, &mut Vec::new()) {
        Err(WriteError::Unsupported { reason, help, .. }) => (reason, help),
        other => panic!("should have been refused: {other:?}"),
    }
}

/// 0→2, 0→1, 2→2, with vertex 3 alone.
fn directed() -> Graph {
    let arcs: ArcList = [(0, 2), (0, 1), (2, 2)].into_iter().collect();
    Graph::directed(build::from_arcs(&arcs, 4).unwrap())
}

/// 0–1 twice and 1–2, with weights, and vertex 3 alone.
fn undirected() -> Graph {
    let arcs: ArcList = [(0, 1, 5), (0, 1, 6), (2, 1, 4_000_000_000)].into_iter().collect();
    Graph::undirected(build::from_undirected_arcs(&arcs, 4).unwrap())
}

#[test]
fn matrix_market_is_general_or_the_lower_triangle() {
    let (general, notes) = text(&directed(), Format::MatrixMarket);
    assert_eq!(general, "%%MatrixMarket matrix coordinate pattern general\n4 4 3\n1 3\n1 2\n3 3\n");
    assert!(notes.is_empty());
    let (symmetric, _) = text(&undirected(), Format::MatrixMarket);
    let expected =
        "%%MatrixMarket matrix coordinate integer symmetric\n4 4 3\n2 1 5\n2 1 6\n3 2 4000000000\n";
    assert_eq!(symmetric, expected);
}

#[test]
fn an_edge_list_says_what_its_lines_are() {
    let (arcs, _) = text(&directed(), Format::EdgeList);
    let expected = "# Directed graph\n# Nodes: 4 Edges: 3\n# FromNodeId\tToNodeId\n0\t2\n0\t1\n2\t2\n";
    assert_eq!(arcs, expected);
    let (edges, _) = text(&undirected(), Format::EdgeList);
    let header = "# Undirected graph (each unordered pair of nodes is saved once)\n# Nodes: 4 Edges: 3\n";
    let lines = "# FromNodeId\tToNodeId\tWeight\n0\t1\t5\n0\t1\t6\n1\t2\t4000000000\n";
    assert_eq!(edges, format!("{header}{lines}"));
}

#[test]
fn metis_has_a_line_for_every_vertex() {
    let (rows, notes) = text(&undirected(), Format::Metis);
    assert_eq!(rows, "4 3 1\n2 5 2 6\n1 5 1 6 3 4000000000\n2 4000000000\n\n");
    assert!(notes.is_empty());
    let (reason, help) = refused(&directed(), Format::Metis);
    assert_eq!((reason.as_str(), help.as_str()), ("it is directed", "apply --transform symmetrise first"));
    let looped: ArcList = [(0, 0), (0, 1)].into_iter().collect();
    let looped = Graph::undirected(build::from_undirected_arcs(&looped, 2).unwrap());
    let (reason, help) = refused(&looped, Format::Metis);
    assert_eq!(reason, "it has 1 self-loops");
    assert_eq!(help, "apply --transform drop-self-loops first");
}

#[test]
fn dimacs_says_that_it_invented_weights() {
    let (arcs, notes) = text(&directed(), Format::Dimacs);
    assert_eq!(arcs, "p sp 4 3\na 1 3 1\na 1 2 1\na 3 3 1\n");
    assert!(notes.len() == 1 && notes[0].contains("weight 1"), "{notes:?}");
    let (arcs, notes) = text(&undirected(), Format::Dimacs);
    assert!(arcs.starts_with("p sp 4 6\na 1 2 5\na 1 2 6\na 2 1 5\n"), "{arcs}");
    assert_eq!(notes, [BOTH_WAYS]);
}

#[test]
fn galois_is_version_1_with_padding() {
    let mut bytes = Vec::new();
    write(&directed(), Format::Galois, &mut bytes).unwrap();
    let long = [1u64, 0, 4, 3, 2, 2, 3, 3].map(u64::to_le_bytes);
    let short = [2u32, 1, 2, 0].map(u32::to_le_bytes);
    assert_eq!(bytes, [long.as_flattened(), short.as_flattened()].concat());
}

#[test]
fn gap_has_the_incoming_arcs_of_a_directed_graph() {
    let mut bytes = Vec::new();
    write(&directed(), Format::Gap, &mut bytes).unwrap();
    let outgoing = [3u64, 4, 0, 2, 2, 3, 3].map(u64::to_le_bytes);
    let targets = [2u32, 1, 2].map(u32::to_le_bytes);
    let incoming = [0u64, 0, 1, 3, 3].map(u64::to_le_bytes);
    let sources = [0u32, 0, 2].map(u32::to_le_bytes);
    let parts = [
        &[1][..],
        outgoing.as_flattened(),
        targets.as_flattened(),
        incoming.as_flattened(),
        sources.as_flattened(),
    ];
    assert_eq!(bytes, parts.concat());
}

#[test]
fn gap_refuses_weights_beyond_its_range() {
    let (reason, _) = refused(&undirected(), Format::Gap);
    assert_eq!(reason, "an arc weighs 4000000000, more than 2147483647");
}

#[test]
fn an_undirected_graph_without_opposites_is_refused() {
    let arcs: ArcList = [(0, 1)].into_iter().collect();
    let odd = Graph::undirected(build::from_arcs(&arcs, 2).unwrap());
    for format in [Format::EdgeList, Format::MatrixMarket, Format::Metis] {
        assert!(refused(&odd, format).0.contains("lack their opposites"));
    }
}

#[test]
fn formats_that_are_only_read_are_named() {
    let (reason, help) = refused(&directed(), Format::WebGraph);
    assert_eq!(reason, "it can only be read");
    assert_eq!(help, "write one of matrix-market, edge-list, metis, dimacs, galois, gap");
}

#[test]
fn many_blocks_are_written_in_order() {
    let arcs: ArcList = (0..300_000u32).map(|vertex| (vertex, vertex ^ 1)).collect();
    let graph = Graph::directed(build::from_arcs(&arcs, 300_000).unwrap());
    let (list, _) = text(&graph, Format::EdgeList);
    let expected = (0..300_000u32).map(|vertex| format!("{vertex}\t{}", vertex ^ 1));
    assert!(list.lines().skip(3).eq(expected));
}

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<_> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

#[test]
fn a_file_is_there_whole_or_not_at_all() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("g.graph");
    fs::write(&path, "precious").unwrap();
    assert!(to_path(&directed(), Format::Metis, &path, Compression::None).is_err());
    assert_eq!(fs::read_to_string(&path).unwrap(), "precious");
    to_path(&undirected(), Format::Metis, &path, Compression::None).unwrap();
    assert!(fs::read_to_string(&path).unwrap().starts_with("4 3 1\n"));
    assert_eq!(names(folder.path()), ["g.graph"]);
    assert!(to_path(&directed(), Format::EdgeList, folder.path(), Compression::None).is_err());
    assert!(to_path(&directed(), Format::EdgeList, &path.join("x"), Compression::None).is_err());
    assert_eq!(names(folder.path()), ["g.graph"]);
}

#[test]
fn compressed_files_expand_to_the_same_bytes() {
    use std::io::Read;
    let folder = tempfile::tempdir().unwrap();
    let (plain, _) = text(&directed(), Format::EdgeList);
    let path = folder.path().join("g.gz");
    to_path(&directed(), Format::EdgeList, &path, Compression::Gzip).unwrap();
    let mut expanded = String::new();
    flate2::read::GzDecoder::new(fs::File::open(&path).unwrap()).read_to_string(&mut expanded).unwrap();
    assert_eq!(expanded, plain);
    let path = folder.path().join("g.zst");
    to_path(&directed(), Format::EdgeList, &path, Compression::Zstd).unwrap();
    let mut expanded = String::new();
    let mut decoder = ruzstd::decoding::StreamingDecoder::new(fs::File::open(&path).unwrap()).unwrap();
    decoder.read_to_string(&mut expanded).unwrap();
    assert_eq!(expanded, plain);
}

#[cfg(unix)]
#[test]
fn links_and_devices_stay_what_they_are() {
    let folder = tempfile::tempdir().unwrap();
    let (file, link) = (folder.path().join("file"), folder.path().join("link"));
    fs::write(&file, "").unwrap();
    std::os::unix::fs::symlink(&file, &link).unwrap();
    to_path(&directed(), Format::EdgeList, &link, Compression::None).unwrap();
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert!(fs::read_to_string(&file).unwrap().starts_with("# Directed graph"));
    to_path(&directed(), Format::EdgeList, Path::new("/dev/null"), Compression::None).unwrap();
    assert!(!fs::metadata("/dev/null").unwrap().is_file());
}
