//! Small random graphs: directed or not, weighted or not, with self-loops, parallel arcs and weights of 0.

use heddle_graph::build::{from_arcs, from_undirected_arcs};
use heddle_graph::{ArcList, Graph, Vertex, Weight};
use proptest::prelude::*;

/// A graph of 1 to `vertices_max` vertices.
pub(crate) fn any_graph(vertices_max: u32) -> impl Strategy<Value = Graph> {
    (1..=vertices_max, any::<bool>(), any::<bool>()).prop_flat_map(|(vertices, is_directed, is_weighted)| {
        let arc = (0..vertices, 0..vertices, 0..6u32);
        let arcs_max = 3 * vertices as usize;
        proptest::collection::vec(arc, 0..=arcs_max)
            .prop_map(move |arcs| graph(vertices, is_directed, is_weighted, arcs))
    })
}

fn graph(vertices: u32, is_directed: bool, is_weighted: bool, arcs: Vec<(Vertex, Vertex, Weight)>) -> Graph {
    let arcs: ArcList = if is_weighted {
        arcs.into_iter().collect()
    } else {
        arcs.into_iter().map(|(source, target, _)| (source, target)).collect()
    };
    if is_directed {
        Graph::directed(from_arcs(&arcs, u64::from(vertices)).unwrap())
    } else {
        Graph::undirected(from_undirected_arcs(&arcs, u64::from(vertices)).unwrap())
    }
}

/// A graph, one of its vertices and another.
pub(crate) fn graph_and_two_vertices(vertices_max: u32) -> impl Strategy<Value = (Graph, Vertex, Vertex)> {
    any_graph(vertices_max).prop_flat_map(|graph| {
        let vertices = graph.num_vertices();
        (Just(graph), 0..vertices, 0..vertices)
    })
}
