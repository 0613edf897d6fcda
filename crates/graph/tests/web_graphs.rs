//! The shared web graphs, by any of the names of their files.

use heddle_graph::Format;
use heddle_graph::read::{self, ReadOptions};
use heddle_graph::source::Origin;

#[test]
fn a_web_graph_is_recognised_by_any_of_its_files() {
    let Some(folder) = crate::common::real_graphs() else { return };
    for (name, vertices, arcs) in [("cnr-2000", 325_557, 3_216_152), ("dblp-2010", 326_186, 1_615_400)] {
        for extension in [".graph.gz", ".properties.gz", ""] {
            let path = folder.join(format!("{name}/{name}{extension}"));
            let loaded = read::read(&path, &ReadOptions::default()).unwrap();
            assert_eq!((loaded.graph.num_vertices(), loaded.graph.num_arcs()), (vertices, arcs));
            assert!(loaded.graph.is_directed());
            assert!(matches!(loaded.origin, Origin::File { format: Format::WebGraph, .. }));
        }
    }
}
