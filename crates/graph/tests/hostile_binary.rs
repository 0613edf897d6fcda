//! Damaged binary files, recognised by their content: the error names the file and the place.

use heddle_graph::read::{ReadOptions, WeightPolicy, read};
use heddle_graph::{Csr, Format, Graph, write};
use std::path::{Path, PathBuf};

fn words(words: &[i64]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

/// An undirected GAP file with this header and these offsets, and zeros behind them.
fn gap(arcs: i64, vertices: i64, offsets: &[i64]) -> Vec<u8> {
    [vec![0], words(&[arcs, vertices]), words(offsets), vec![0; 4 * offsets.len()]].concat()
}

fn file(folder: &Path, name: &str, bytes: &[u8]) -> PathBuf {
    let path = folder.join(name);
    std::fs::write(&path, bytes).unwrap();
    path
}

/// The error without the folder. The weights are described, as `heddle graph info` does.
fn refused(path: &Path) -> String {
    let options = ReadOptions { weights: WeightPolicy::Describe, ..ReadOptions::default() };
    let error = read(path, &options).err().unwrap().to_string();
    error.replace(&format!("{}/", path.parent().unwrap().display()), "")
}

#[test]
fn a_damaged_header_is_named_at_its_offset() {
    let folder = tempfile::tempdir().unwrap();
    let mut backwards: Vec<i64> = (0..=200).collect();
    backwards[100] = 7;
    for (name, bytes, expected) in [
        ("back", gap(200, 200, &backwards), "back: offset 817: offset 100 is 7, not from 99"),
        ("back.sg", gap(200, 200, &backwards), "back.sg: offset 817: "),
        (
            "many",
            gap(2, 1_000_000_000_000_000_000, &[0, 1, 2]),
            "many: offset 9: 1000000000000000000 vertices",
        ),
        ("none", gap(2, -5, &[0, 1, 2]), "none: offset 9: -5 vertices"),
        ("begun.sg", gap(2, 2, &[1, 1, 2]), "begun.sg: offset 17: the first offset is 1, not 0"),
        ("arcs", gap(1_000_000_000_000_000_000, 2, &[0, 1, 2]), "arcs: offset 1: the graph that the header"),
        ("rows", gap(2, 4_000_000_000, &[0, 1, 2]), "rows: offset 9: the vertices that the header"),
        ("edges.gr", words(&[1, 0, 2, 1_000_000_000_000_000_000]), "edges.gr: offset 24: the graph that"),
        ("nodes.gr", words(&[1, 0, 4_000_000_000, 1]), "nodes.gr: offset 16: the vertices that"),
        ("data.gr", words(&[1, 2, 2, 1, 1, 1, 1, 0]), "data.gr: offset 8: edge data of 2 bytes; 0, 4 or 8"),
    ] {
        let error = refused(&file(folder.path(), name, &bytes));
        assert!(error.starts_with(expected), "{error}");
    }
}

#[test]
fn properties_that_say_too_little_are_named_and_not_called_missing() {
    let folder = tempfile::tempdir().unwrap();
    let graph = file(folder.path(), "np.graph", &[0xAA, 0x01, 0x93, 0xFF, 0x81]);
    for (properties, expected) in [
        (&b""[..], "np.properties: the file is empty"),
        (b"\xff\xfe=1\n", "np.properties:1: is not text"),
        (b"nodes=5\n", "np.properties:1: there is no property `arcs`"),
        (b"nodes=5\narcs=1000000000000000000\n", "np.properties:2: the graph that the properties promise"),
    ] {
        file(folder.path(), "np.properties", properties);
        let error = refused(&graph);
        assert!(error.starts_with(expected), "{error}");
    }
    std::fs::remove_file(folder.path().join("np.properties")).unwrap();
    assert!(refused(&graph).ends_with("np.properties is missing"));
}

#[test]
fn graphs_without_vertices_survive_the_binary_formats() {
    let folder = tempfile::tempdir().unwrap();
    for format in [Format::Gap, Format::Galois] {
        let graph = Graph::directed(Csr::empty(0));
        let path = folder.path().join(format.name());
        write::to_path(&graph, format, &path, write::Compression::None).unwrap();
        let loaded = read(&path, &ReadOptions::default()).unwrap();
        assert_eq!(loaded.graph, graph, "{format}");
    }
    let path = folder.path().join("undirected");
    let graph = Graph::undirected(Csr::empty(0));
    write::to_path(&graph, Format::Gap, &path, write::Compression::None).unwrap();
    assert_eq!(read(&path, &ReadOptions::default()).unwrap().graph, graph);
}
