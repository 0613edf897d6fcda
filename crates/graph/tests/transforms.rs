//! Transforms: what they promise, on random graphs, and with several numbers of threads.

use crate::common::*;
use heddle_graph::graph::Kind;
use heddle_graph::transform::{Order, Transform, Transformed, apply, parse};
use heddle_graph::{Graph, Vertex, Weight, build, metrics};
use proptest::prelude::*;
use std::collections::BTreeMap;

fn result(graph: &Graph, transform: &Transform) -> Graph {
    apply(graph.clone(), transform).graph
}

const WEIGHTS: Transform = Transform::Weights { min: 3, max: 9, seed: 4 };

const ALL: [Transform; 11] = [
    Transform::Transpose,
    Transform::SymmetriseUnion,
    Transform::SymmetriseDouble,
    Transform::DropSelfLoops,
    Transform::DropDuplicates,
    WEIGHTS,
    Transform::Relabel(Order::Degree),
    Transform::Relabel(Order::HubSort),
    Transform::Relabel(Order::Bfs),
    Transform::Relabel(Order::Random(5)),
    Transform::LargestComponent,
];

/// Whether every arc has an opposite of the same weight, as often as itself.
fn weights_are_symmetric(graph: &Graph) -> bool {
    let arcs = sorted_arcs(graph.out_edges());
    let mut opposite: Vec<_> =
        arcs.iter().map(|&(source, target, weight)| (target, source, weight)).collect();
    opposite.sort_unstable();
    arcs == opposite
}

#[test]
fn threads_change_no_result() {
    let graph = result(&large_directed(), &Transform::Weights { min: 1, max: 1000, seed: 2 });
    for transform in ALL {
        let one = with_threads(1, || apply(graph.clone(), &transform));
        for threads in [2, 5] {
            let other = with_threads(threads, || apply(graph.clone(), &transform));
            assert!(other.graph == one.graph, "{transform}");
            assert_eq!(other.note, one.note);
        }
    }
}

#[test]
fn notes_have_the_figures() {
    let graph = directed(6, [(0, 1), (1, 0), (2, 2), (0, 1), (4, 3)]);
    let note = |transform: &str| {
        let Transformed { note, .. } = apply(graph.clone(), &parse(transform).unwrap());
        note
    };
    assert_eq!(note("transpose"), "turned 5 arcs round");
    assert_eq!(note("symmetrise"), "symmetrised 5 arcs to 5 arcs, every pair once per direction");
    assert_eq!(
        note("symmetrise=double"),
        "doubled 5 arcs to 9 arcs, reciprocal duplicates kept (1 self-loop kept single)"
    );
    assert_eq!(note("drop-self-loops"), "dropped 1 self-loop; 4 arcs remain");
    assert_eq!(note("drop-duplicates"), "dropped 1 parallel arc, the first kept; 4 arcs remain");
    assert_eq!(note("weights=1..7"), "gave 5 arcs random weights from 1 to 7 (seed 1)");
    assert_eq!(note("relabel=degree"), "renumbered 6 vertices by falling degree; 2 ids changed");
    assert_eq!(
        note("largest-component"),
        "kept the largest of 4 components, 2 vertices and 3 arcs; 4 vertices dropped"
    );
    let weighted = result(&graph, &WEIGHTS);
    assert!(apply(weighted, &WEIGHTS).note.ends_with("in place of those there were"));
}

#[test]
fn relabelling_puts_hubs_first() {
    // Degrees 1, 0, 3, 1, 2; 7 arcs of 5 vertices, so hubs have two and more.
    let graph = directed(5, [(0, 1), (2, 0), (2, 1), (2, 4), (3, 3), (4, 0), (4, 2)]);
    let degrees = |order| {
        let graph = result(&graph, &Transform::Relabel(order));
        graph.out_edges().vertices().map(|v| graph.out_edges().degree(v)).collect::<Vec<_>>()
    };
    assert_eq!(degrees(Order::Degree), [3, 2, 1, 1, 0]);
    assert_eq!(degrees(Order::HubSort), [3, 2, 1, 0, 1]);
    // From 2 to 0, 1 and 4; what is left is 3.
    assert_eq!(degrees(Order::Bfs), [3, 1, 0, 2, 1]);
    let hub_sorted = result(&graph, &Transform::Relabel(Order::HubSort));
    assert_eq!(hub_sorted.out_edges().neighbours(0), &[2, 3, 1]);
}

#[test]
fn dropping_duplicates_keeps_the_first_weight_of_a_directed_arc() {
    let arcs = [(0u32, 1u32, 9u32), (0, 2, 5), (0, 1, 3)].into_iter().collect();
    let graph = Graph::directed(build::from_arcs(&arcs, 3).unwrap());
    let graph = result(&graph, &Transform::DropDuplicates);
    assert_eq!(sorted_arcs(graph.out_edges()), [(0, 1, 9), (0, 2, 5)]);
}

#[test]
fn dropping_duplicates_keeps_an_undirected_edge_one_edge() {
    // A file may list parallel edges in another order at either end.
    let arcs = [(0u32, 1u32, 9u32), (0, 1, 3), (1, 0, 3), (1, 0, 9)].into_iter().collect();
    let graph = Graph::undirected(build::from_arcs(&arcs, 2).unwrap());
    let graph = result(&graph, &Transform::DropDuplicates);
    assert_eq!(sorted_arcs(graph.out_edges()), [(0, 1, 3), (1, 0, 3)]);
}

#[test]
fn seeded_weights_are_fixed_and_fill_their_range() {
    let graph = clique(40);
    let weighted = result(&graph, &Transform::Weights { min: 5, max: 8, seed: 1 });
    let weights = weighted.out_edges().weights().unwrap();
    let counts = [5, 6, 7, 8].map(|weight| weights.iter().filter(|&&other| other == weight).count());
    assert_eq!(counts.iter().sum::<usize>(), weights.len());
    assert!(counts.iter().all(|&count| count > weights.len() / 5), "{counts:?}");
    // These values are the contract: if they change, every seeded weight changes.
    let wide = result(&path(4), &Transform::Weights { min: 0, max: u32::MAX, seed: 1 });
    assert_eq!(wide.out_edges().weights().unwrap(), FIXED_WEIGHTS);
    let other = result(&graph, &Transform::Weights { min: 5, max: 8, seed: 2 });
    assert_ne!(other.out_edges().weights(), weighted.out_edges().weights());
}

const FIXED_WEIGHTS: [Weight; 6] =
    [3_153_609_257, 3_153_609_257, 1_190_477_278, 1_190_477_278, 1_650_395_634, 1_650_395_634];

#[test]
fn transforms_of_no_vertex_do_nothing() {
    for transform in ALL {
        for graph in [directed(0, []), undirected(0, [])] {
            let after = result(&graph, &transform);
            assert_eq!((after.num_vertices(), after.num_arcs()), (0, 0), "{transform}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn an_undirected_graph_stays_symmetric(graph in small_graph()) {
        for transform in ALL {
            let after = result(&graph, &transform);
            let makes = matches!(transform, Transform::SymmetriseUnion | Transform::SymmetriseDouble);
            let expected = if makes { Kind::Undirected } else { graph.kind() };
            prop_assert_eq!(after.kind(), expected);
            prop_assert!(after.is_directed() || weights_are_symmetric(&after), "{}", transform);
        }
    }

    #[test]
    fn transposing_turns_arcs_round_and_back(graph in small_graph()) {
        let turned = result(&graph, &Transform::Transpose);
        let opposite = |(source, target, weight)| (target, source, weight);
        let mut expected: Vec<_> = sorted_arcs(graph.out_edges()).into_iter().map(opposite).collect();
        expected.sort_unstable();
        prop_assert_eq!(sorted_arcs(turned.out_edges()), expected);
        let back = result(&turned, &Transform::Transpose);
        prop_assert_eq!(sorted_arcs(back.out_edges()), sorted_arcs(graph.out_edges()));
    }

    #[test]
    fn the_union_holds_every_pair_once_with_its_smallest_weight(graph in small_graph()) {
        let mut expected: BTreeMap<(Vertex, Vertex), Weight> = BTreeMap::new();
        for (source, target, weight) in sorted_arcs(graph.out_edges()) {
            for pair in [(source, target), (target, source)] {
                let smallest = expected.entry(pair).or_insert(weight);
                *smallest = weight.min(*smallest);
            }
        }
        let expected: Vec<_> = expected.into_iter().map(|((a, b), weight)| (a, b, weight)).collect();
        let union = result(&graph, &Transform::SymmetriseUnion);
        prop_assert_eq!(sorted_arcs(union.out_edges()), expected);
        prop_assert!(result(&union, &Transform::SymmetriseUnion) == union);
    }

    #[test]
    fn doubling_adds_every_opposite_but_those_of_loops(graph in small_graph()) {
        let doubled = result(&graph, &Transform::SymmetriseDouble);
        let arcs = sorted_arcs(graph.out_edges());
        let mut expected = arcs.clone();
        if graph.is_directed() {
            expected.extend(arcs.iter().filter(|(a, b, _)| a != b).map(|&(a, b, weight)| (b, a, weight)));
            expected.sort_unstable();
        }
        prop_assert_eq!(sorted_arcs(doubled.out_edges()), expected);
    }

    #[test]
    fn dropping_leaves_none_and_only_the_rest(graph in small_graph()) {
        let without = result(&graph, &Transform::DropSelfLoops);
        let expected: Vec<_> =
            sorted_arcs(graph.out_edges()).into_iter().filter(|(a, b, _)| a != b).collect();
        prop_assert_eq!(sorted_arcs(without.out_edges()), expected);

        let single = result(&graph, &Transform::DropDuplicates);
        prop_assert_eq!(metrics::duplicates(single.out_edges()), 0);
        for vertex in graph.out_edges().vertices() {
            let mut seen = Vec::new();
            for (target, weight) in graph.out_edges().weighted_neighbours(vertex) {
                match seen.iter_mut().find(|(other, _): &&mut (Vertex, Weight)| *other == target) {
                    None => seen.push((target, weight)),
                    Some((_, first)) if !graph.is_directed() => *first = weight.min(*first),
                    Some(_) => {}
                }
            }
            let row: Vec<_> = single.out_edges().weighted_neighbours(vertex).collect();
            prop_assert_eq!(row, seen);
        }
    }

    #[test]
    fn relabelling_is_an_isomorphism(graph in small_graph(), seed in any::<u64>()) {
        let mut marked = graph.out_edges().clone();
        if let Some(weights) = marked.weights() {
            prop_assert_eq!(weights.len() as u64, marked.num_arcs());
        }
        // Weights that are the arc's own number show where every arc went.
        let numbers = (0..marked.num_arcs() as u32).collect();
        marked = marked.with_weights(Some(numbers)).unwrap();
        let marked = Graph::directed(marked);
        for order in [Order::Degree, Order::HubSort, Order::Bfs, Order::Random(seed)] {
            let after = result(&marked, &Transform::Relabel(order));
            let sorted_degrees = |graph: &Graph| {
                let mut degrees: Vec<_> =
                    graph.out_edges().vertices().map(|v| graph.out_edges().degree(v)).collect();
                degrees.sort_unstable();
                degrees
            };
            prop_assert_eq!(sorted_degrees(&after), sorted_degrees(&marked));
            let mut new_ids: BTreeMap<Vertex, Vertex> = BTreeMap::new();
            let ends = |graph: &Graph| -> BTreeMap<Weight, (Vertex, Vertex)> {
                sorted_arcs(graph.out_edges()).into_iter().map(|(a, b, number)| (number, (a, b))).collect()
            };
            let (old, new) = (ends(&marked), ends(&after));
            prop_assert_eq!(old.len(), new.len());
            for (number, (source, target)) in old {
                let (new_source, new_target) = new[&number];
                prop_assert_eq!(*new_ids.entry(source).or_insert(new_source), new_source);
                prop_assert_eq!(*new_ids.entry(target).or_insert(new_target), new_target);
            }
            let mut images: Vec<_> = new_ids.values().collect();
            images.sort_unstable();
            images.dedup();
            prop_assert_eq!(images.len(), new_ids.len());
        }
    }

    #[test]
    fn the_largest_component_is_connected_and_whole(graph in small_graph()) {
        let before = metrics::weakly_connected(graph.out_edges());
        let after = result(&graph, &Transform::LargestComponent);
        prop_assert_eq!(u64::from(after.num_vertices()), before.largest);
        prop_assert_eq!(metrics::weakly_connected(after.out_edges()).count, 1);
        let members: Vec<Vertex> = graph.out_edges().vertices()
            .filter(|&v| before.labels[v as usize] == before.largest_label).collect();
        for (new, &old) in (0..).zip(&members) {
            let row: Vec<_> = after.out_edges().weighted_neighbours(new)
                .map(|(target, weight)| (members[target as usize], weight)).collect();
            let expected: Vec<_> = graph.out_edges().weighted_neighbours(old).collect();
            prop_assert_eq!(row, expected);
        }
    }

    #[test]
    fn weights_do_not_depend_on_the_order_of_arcs((vertices, arcs) in small_arcs(), seed in any::<u64>()) {
        let pairs = || arcs.iter().map(|&(source, target, _)| (source, target));
        let forwards = directed(vertices.into(), pairs());
        let backwards = directed(vertices.into(), pairs().rev());
        let transform = Transform::Weights { min: 0, max: 1000, seed };
        let (forwards, backwards) = (result(&forwards, &transform), result(&backwards, &transform));
        prop_assert_eq!(sorted_arcs(forwards.out_edges()), sorted_arcs(backwards.out_edges()));
        prop_assert!(forwards.out_edges().weights().unwrap().iter().all(|&weight| weight <= 1000));
    }
}
