//! The shared web graphs, by any of the names of their files.

use heddle_graph::Format;
use heddle_graph::read::{self, ReadOptions};
use heddle_graph::source::Origin;
use std::path::{Path, PathBuf};

#[test]
fn a_web_graph_is_recognised_by_any_of_its_files() {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/graphs");
    let folder = std::env::var_os("HEDDLE_GRAPHS").map_or(beside, PathBuf::from);
    for (name, vertices, arcs) in [("cnr-2000", 325_557, 3_216_152), ("dblp-2010", 326_186, 1_615_400)] {
        if !folder.join(name).exists() {
            return;
        }
        for extension in [".graph.gz", ".properties.gz", ""] {
            let path = folder.join(format!("{name}/{name}{extension}"));
            let loaded = read::read(&path, &ReadOptions::default()).unwrap();
            assert_eq!((loaded.graph.num_vertices(), loaded.graph.num_arcs()), (vertices, arcs));
            assert!(loaded.graph.is_directed());
            assert!(matches!(loaded.origin, Origin::File { format: Format::WebGraph, .. }));
        }
    }
}
