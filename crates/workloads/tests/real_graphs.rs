//! Answers on real graphs against figures that their collection publishes, where the files are at hand.

use heddle_graph::read::{ReadOptions, read};
use heddle_workloads::reference::triangles;
use std::path::PathBuf;

#[test]
fn triangles_are_as_many_as_snap_counts() {
    let beside = || PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/graphs"));
    let folder = std::env::var_os("HEDDLE_GRAPHS").map_or_else(beside, PathBuf::from);
    if !folder.is_dir() {
        return;
    }
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
