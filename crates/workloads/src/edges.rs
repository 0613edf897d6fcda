//! A graph seen without directions, and questions about single arcs and edges.

use heddle_graph::{Graph, Vertex, Weight};

/// The far ends of all edges at `vertex`, whichever way their arcs point. A self-loop is left out; a
/// neighbour appears once for every arc that joins the two.
pub(crate) fn around(graph: &Graph, vertex: Vertex) -> impl Iterator<Item = Vertex> + '_ {
    let incoming = if graph.is_directed() { graph.in_edges().neighbours(vertex) } else { &[] };
    let outgoing = graph.out_edges().neighbours(vertex);
    outgoing.iter().chain(incoming).copied().filter(move |&other| other != vertex)
}

/// An upper bound on how much [`around`] passes.
pub(crate) fn degree(graph: &Graph, vertex: Vertex) -> u64 {
    let incoming = if graph.is_directed() { graph.in_edges().degree(vertex) } else { 0 };
    graph.out_edges().degree(vertex) + incoming
}

/// The weight of the lightest arc from `source` to `target`, if there is an arc.
pub(crate) fn arc(graph: &Graph, source: Vertex, target: Vertex) -> Option<Weight> {
    // The shorter list is scanned, so that a hub is not read once for each of its leaves.
    let (outgoing, incoming) = (graph.out_edges(), graph.in_edges());
    let (list, from, to) = if outgoing.degree(source) <= incoming.degree(target) {
        (outgoing, source, target)
    } else {
        (incoming, target, source)
    };
    list.weighted_neighbours(from).filter(|&(end, _)| end == to).map(|(_, weight)| weight).min()
}

/// The weight of the lightest edge between two vertices, if there is one.
pub(crate) fn edge(graph: &Graph, a: Vertex, b: Vertex) -> Option<Weight> {
    let weights = [arc(graph, a, b), arc(graph, b, a)];
    weights.into_iter().flatten().min()
}

#[cfg(test)]
mod tests {
    use super::*;
    use heddle_graph::build::from_arcs;

    #[test]
    fn the_lightest_of_parallel_arcs_counts_and_directions_matter() {
        let arcs = [(0, 1, 9), (0, 1, 4), (1, 0, 2), (2, 2, 7)].into_iter().collect();
        let graph = Graph::directed(from_arcs(&arcs, 3).unwrap());
        assert_eq!(arc(&graph, 0, 1), Some(4));
        assert_eq!(arc(&graph, 1, 0), Some(2));
        assert_eq!(edge(&graph, 0, 1), Some(2));
        assert_eq!(arc(&graph, 2, 0), None);
        assert_eq!(edge(&graph, 2, 2), Some(7));
    }

    #[test]
    fn both_directions_are_around_and_loops_are_not() {
        let arcs = [(0, 1), (2, 0), (0, 0), (0, 1)].into_iter().collect();
        let graph = Graph::directed(from_arcs(&arcs, 3).unwrap());
        assert_eq!(around(&graph, 0).collect::<Vec<_>>(), [1, 1, 2]);
        assert_eq!(around(&graph, 1).collect::<Vec<_>>(), [0, 0]);
    }
}
