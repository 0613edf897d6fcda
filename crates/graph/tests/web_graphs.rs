//! The shared web graphs, by any of the names of their files, and small files of the reference encoder.

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

/// The lists of the fixtures. `validation/webgraph` has the same lines, and encoded them with the `webgraph` crate.
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
fn files_of_the_reference_encoder_decode_to_their_lists() {
    let fixtures = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
    // Big-endian with the format's defaults, and little-endian with other codes in every place.
    for name in ["web-default", "web-codes"] {
        let loaded = read::read(&fixtures.join(format!("{name}.graph")), &ReadOptions::default()).unwrap();
        let rows = loaded.graph.out_edges();
        let lists: Vec<Vec<u32>> = rows.vertices().map(|vertex| rows.neighbours(vertex).to_vec()).collect();
        assert_eq!(lists, fixture_lists(), "{name}");
    }
}
