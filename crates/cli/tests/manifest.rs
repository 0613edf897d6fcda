//! `heddle graph info` gives the counts of the manifest for every real graph in the folder of graphs.
//!
//! The folder is `../shared/graphs` beside the workspace, or what HEDDLE_GRAPHS names; without it these tests
//! are skipped, and say so.

use crate::common::json;
use serde_json::Value;
use std::io::Write;
use std::path::{Path, PathBuf};

/// The folder of real graphs, where there is one. Where there is none the test is skipped, and a line on standard error
/// says so: past the harness, which shows what tests print only if they fail.
fn folder() -> Option<PathBuf> {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/graphs");
    let folder = std::env::var_os("HEDDLE_GRAPHS").map_or(beside, PathBuf::from);
    let found = folder.join("MANIFEST.tsv").is_file();
    if !found {
        let test = std::thread::current().name().unwrap_or("a test").to_owned();
        let line = format!("SKIPPED {test}: no real graphs in {} (HEDDLE_GRAPHS)\n", folder.display());
        std::io::stderr().write_all(line.as_bytes()).expect("standard error can be written to");
    }
    found.then_some(folder)
}

/// A line of the manifest.
struct Entry {
    format: String,
    vertices: u64,
    /// `89038 undirected (178076 arcs)`, `733846 arcs` or `126150 entries (108392 off-diagonal arcs)`.
    edges: String,
    file: String,
}

fn entries(folder: &Path) -> Vec<Entry> {
    let text = std::fs::read_to_string(folder.join("MANIFEST.tsv")).unwrap();
    let entry = |line: &str| {
        let cells: Vec<&str> = line.split('\t').collect();
        Entry {
            format: cells[3].to_string(),
            vertices: cells[4].parse().unwrap(),
            edges: cells[5].to_string(),
            file: cells[8].to_string(),
        }
    };
    // A WebGraph is three files, of which the `.graph` is the one that is asked about.
    let is_companion =
        |entry: &Entry| entry.format.contains("properties") || entry.format.contains("offsets");
    text.lines().skip(1).map(entry).filter(|entry| !is_companion(entry)).collect()
}

/// The number before `word` in the manifest's edges.
fn number_before(edges: &str, word: &str) -> Option<u64> {
    let words: Vec<&str> =
        edges.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let place = words.iter().position(|&found| found == word)?;
    words[..place].iter().rev().find_map(|word| word.parse().ok())
}

fn info(folder: &Path, entry: &Entry, options: &[&str]) -> Value {
    let path = folder.join(&entry.file);
    let arguments = ["graph", "info", path.to_str().unwrap(), "--json", "--quick"];
    json(&[arguments.as_slice(), options].concat())
}

fn format_name(manifest: &str) -> &'static str {
    match manifest {
        text if text.starts_with("MatrixMarket") => "matrix-market",
        text if text.contains("METIS") => "metis",
        text if text.starts_with("WebGraph") => "webgraph",
        text if text.starts_with("DIMACS9") => "dimacs",
        text if text.starts_with("Rodinia") => "rodinia",
        text if text.contains("edge list") => "edge-list",
        other => panic!("the manifest has a new format: {other}"),
    }
}

#[test]
fn every_graph_of_the_manifest_has_its_published_counts() {
    let Some(folder) = folder() else { return };
    for entry in entries(&folder) {
        let info = info(&folder, &entry, &[]);
        let file = &entry.file;
        let format = format_name(&entry.format);
        assert_eq!(info["format"], format, "{file}");
        assert_eq!(info["vertices"], entry.vertices, "{file}");
        let entries = number_before(&entry.edges, "entries");
        // An edge list that has each pair once holds what is stored, as long as nobody says otherwise.
        let stored = number_before(&entry.edges, "undirected").filter(|_| entry.format.contains("pair once"));
        let arcs = entries.or(stored).or(number_before(&entry.edges, "arcs"));
        assert_eq!(info["arcs"].as_u64(), arcs, "{file}");
    }
}

#[test]
fn an_edge_list_of_pairs_holds_both_directions_if_told_so() {
    let Some(folder) = folder() else { return };
    for entry in entries(&folder).iter().filter(|entry| entry.format.contains("pair once")) {
        let info = info(&folder, entry, &["--undirected"]);
        assert_eq!(info["arcs"].as_u64(), number_before(&entry.edges, "arcs"), "{}", entry.file);
        assert_eq!(info["directed"], false);
    }
}

#[test]
fn loops_duplicates_and_weights_of_the_real_graphs_are_as_counted() {
    let Some(folder) = folder() else { return };
    for entry in entries(&folder) {
        let info = info(&folder, &entry, &[]);
        match entry.file.split('/').next().unwrap() {
            "cnr-2000" => assert_eq!(info["self_loops"], 87_442),
            "USA-road-d.NY" => {
                assert_eq!(info["duplicates"], 3_746);
                assert_eq!((&info["weighted"], &info["symmetric"]), (&true.into(), &true.into()));
            }
            "memplus" => {
                assert_eq!(info["self_loops"], 126_150 - 108_392);
                assert_eq!((&info["weighted"], &info["weights"]), (&true.into(), &"dropped".into()));
            }
            "dblp-2010" | "rodinia-graph4096" => assert_eq!(info["symmetric"], true),
            _ => {}
        }
    }
}
