//! Answers on real graphs against figures that their collection publishes, where the files are at hand.

use heddle_graph::read::{ReadOptions, read};
use heddle_workloads::reference::triangles;
use std::io::Write;
use std::path::{Path, PathBuf};

/// The folder of real graphs, where there is one. Where there is none the test is skipped, and a line on standard error
/// says so: past the harness, which shows what tests print only if they fail.
fn real_graphs() -> Option<PathBuf> {
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

#[test]
fn triangles_are_as_many_as_snap_counts() {
    let Some(folder) = real_graphs() else { return };
    // "Number of triangles" on the data sets' pages at SNAP.
    let published = [
        ("email-Enron/email-Enron.txt.gz", 727_044),
        ("p2p-Gnutella31/p2p-Gnutella31.txt.gz", 2_024),
        ("com-dblp/com-dblp.csv.gz", 2_224_385),
    ];
    for (file, count) in published {
        let graph = read(&folder.join(file), &ReadOptions::default()).unwrap().graph;
        assert_eq!(triangles::count(&graph), count, "{file}");
    }
}
