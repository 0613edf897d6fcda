//! A checker accepts an answer exactly if brute force finds it right. Answers are right ones of which some
//! entries were overwritten, or, where that is possible, all answers there are.

use super::any_graph::{any_graph, graph_and_two_vertices};
use super::brute_force::{self, size};
use heddle_graph::{Graph, Vertex};
use heddle_workloads::reference::bipartite::Bipartite;
use heddle_workloads::reference::dijkstra::FAR;
use heddle_workloads::reference::{betweenness, bfs, colouring, dijkstra, mst, pagerank, triangles, wcc};
use heddle_workloads::{NO_PARENT, check};
use proptest::prelude::*;
use proptest::sample::Index;

/// Entries to overwrite.
fn edits<T: std::fmt::Debug>(value: impl Strategy<Value = T>) -> impl Strategy<Value = Vec<(Index, T)>> {
    proptest::collection::vec((any::<Index>(), value), 0..=2)
}

fn apply<T: Clone>(answer: &mut [T], edits: &[(Index, T)]) {
    edits.iter().for_each(|(place, value)| answer[place.index(answer.len())] = value.clone());
}

/// Any vertex, vertices that may not exist, and [`NO_PARENT`].
fn any_parent() -> impl Strategy<Value = Vertex> {
    prop_oneof![8 => 0..9u32, 1 => Just(NO_PARENT), 1 => Just(NO_PARENT - 1)]
}

/// For each vertex the parent that brute force finds first.
fn some_parents(graph: &Graph, source: Vertex, weighted: bool) -> Vec<Vertex> {
    // Any walk outwards by distance works, except across arcs of length zero; those need an order.
    let mut parents = vec![NO_PARENT; size(graph)];
    parents[source as usize] = source;
    let distances = &brute_force::distances(graph, weighted)[source as usize];
    for _ in 0..size(graph) {
        for v in graph.out_edges().vertices().filter(|&v| distances[v as usize] != FAR) {
            for (target, weight) in graph.out_edges().weighted_neighbours(v) {
                let through = distances[v as usize] + if weighted { u64::from(weight) } else { 1 };
                if parents[v as usize] != NO_PARENT
                    && parents[target as usize] == NO_PARENT
                    && through == distances[target as usize]
                {
                    parents[target as usize] = v;
                }
            }
        }
    }
    parents
}

/// Whether the way from every vertex through its parents ends at the source and is as long as it must be.
fn is_tree(graph: &Graph, source: Vertex, parents: &[Vertex], weighted: bool) -> bool {
    let distances = &brute_force::distances(graph, weighted)[source as usize];
    let arc = |from: Vertex, to: Vertex| {
        let arcs = graph.out_edges().weighted_neighbours(from).filter(|&(target, _)| target == to);
        arcs.map(|(_, weight)| if weighted { u64::from(weight) } else { 1 }).min()
    };
    let way = |mut vertex: Vertex| {
        let mut length = 0;
        for _ in 0..=parents.len() {
            if vertex == source {
                return Some(length);
            }
            let parent = parents[vertex as usize];
            length += if (parent as usize) < parents.len() { arc(parent, vertex)? } else { return None };
            vertex = parent;
        }
        None
    };
    parents[source as usize] == source
        && (0..).zip(parents).all(|(vertex, &parent)| match distances[vertex as usize] {
            FAR => parent == NO_PARENT,
            distance => way(vertex) == Some(distance),
        })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn depths_and_distances_must_be_exact(
        (graph, source, _) in graph_and_two_vertices(8),
        depth_edits in edits(0..5u32),
        distance_edits in edits(0..12u64),
    ) {
        let right = bfs::depths(&graph, source).unwrap();
        let mut depths = right.clone();
        apply(&mut depths, &depth_edits);
        prop_assert_eq!(check::bfs::depths(&graph, source, &depths).is_ok(), depths == right);
        let right = dijkstra::distances(&graph, source).unwrap();
        let mut distances = right.clone();
        apply(&mut distances, &distance_edits);
        prop_assert_eq!(check::sssp::distances(&graph, source, &distances).is_ok(), distances == right);
    }

    #[test]
    fn parents_must_be_a_tree_of_shortest_paths(
        (graph, source, _) in graph_and_two_vertices(8),
        edits in edits(any_parent()),
    ) {
        for weighted in [false, true] {
            let judge = if weighted { check::sssp::parents } else { check::bfs::parents };
            let mut parents = some_parents(&graph, source, weighted);
            prop_assert_eq!(judge(&graph, source, &parents), Ok(()));
            apply(&mut parents, &edits);
            let verdict = judge(&graph, source, &parents);
            prop_assert_eq!(verdict.is_ok(), is_tree(&graph, source, &parents, weighted), "{:?}", verdict);
        }
    }

    #[test]
    fn labels_must_make_the_same_partition(graph in any_graph(8), edits in edits(0..9u32), shift: u32) {
        let mut labels: Vec<u32> =
            wcc::labels(&graph).into_iter().map(|label| label.wrapping_add(shift)).collect();
        prop_assert_eq!(check::wcc::labels(&graph, &labels), Ok(()));
        let edits: Vec<_> = edits.into_iter().map(|(i, label)| (i, label.wrapping_add(shift))).collect();
        apply(&mut labels, &edits);
        let joined = brute_force::joined(&graph);
        let n = size(&graph);
        let expected = (0..n).all(|a| (0..n).all(|b| joined[a][b] == (labels[a] == labels[b])));
        prop_assert_eq!(check::wcc::labels(&graph, &labels).is_ok(), expected);
    }

    #[test]
    fn ranks_must_be_close(graph in any_graph(8), place: Index, factor in 0.5..1.5f64) {
        let mut ranks = pagerank::ranks(&graph, &pagerank::Settings::default()).unwrap().ranks;
        prop_assert_eq!(check::pagerank::ranks(&graph, 0.85, &ranks, 1e-6), Ok(()));
        let place = place.index(ranks.len());
        ranks[place] *= factor;
        let off = (factor - 1.0).abs();
        // Near the tolerance itself the error of the answer decides.
        prop_assume!((off - 0.1).abs() > 1e-6);
        let verdict = check::pagerank::ranks(&graph, 0.85, &ranks, 0.1);
        prop_assert_eq!(verdict.is_ok(), off < 0.1);
        ranks[place] = f64::NAN;
        prop_assert!(check::pagerank::ranks(&graph, 0.85, &ranks, 0.1).is_err());
    }

    #[test]
    fn centralities_must_be_close(graph in any_graph(8), place: Index, change in -2.0..2.0f64) {
        let sources: Vec<Vertex> = graph.out_edges().vertices().collect();
        let mut centrality = betweenness::exact(&graph);
        prop_assert_eq!(check::betweenness::centrality(&graph, &sources, &centrality, 1e-12), Ok(()));
        let place = place.index(centrality.len());
        let allowed = 0.1 * centrality[place].max(1.0);
        prop_assume!((change.abs() - allowed).abs() > 1e-9);
        centrality[place] += change;
        let verdict = check::betweenness::centrality(&graph, &sources, &centrality, 0.1);
        prop_assert_eq!(verdict.is_ok(), change.abs() < allowed);
    }

    #[test]
    fn colours_must_differ_between_neighbours(graph in any_graph(8), edits in edits(0..4u32), seed: u64) {
        let mut colours = colouring::greedy(&graph, seed).colours;
        apply(&mut colours, &edits);
        let near = brute_force::neighbours(&graph);
        let n = size(&graph);
        let expected = (0..n).all(|a| (0..n).all(|b| !near[a][b] || colours[a] != colours[b]));
        prop_assert_eq!(check::colouring::colours(&graph, &colours).is_ok(), expected);
    }

    #[test]
    fn edges_must_be_a_forest_of_minimum_weight(
        graph in any_graph(8),
        edits in edits((0..9u32, 0..9u32)),
        drop_one in 0..4u32,
    ) {
        let mut edges = mst::forest(&graph).edges;
        if drop_one == 0 {
            edges.pop();
        }
        if !edges.is_empty() {
            apply(&mut edges, &edits);
        }
        let lightest = brute_force::lightest_edges(&graph);
        let weight = |&(a, b): &(Vertex, Vertex)| *lightest.get(a as usize)?.get(b as usize)?;
        let weight: Option<u64> = edges.iter().map(weight).sum();
        // As many edges as a forest needs, all real, that join what the graph joins: a spanning forest.
        let joins_all = weight.is_some() && {
            let chosen = super::shapes::undirected(graph.num_vertices(), edges.iter().copied());
            brute_force::joined(&chosen) == brute_force::joined(&graph)
        };
        let (minimum, trees) = brute_force::forest(&graph);
        let expected =
            joins_all && weight == Some(minimum) && edges.len() as u32 + trees == graph.num_vertices();
        let verdict = check::mst::edges(&graph, &edges);
        prop_assert_eq!(verdict.is_ok(), expected, "{:?}", verdict);
    }

    #[test]
    fn a_path_must_lead_there(
        (graph, s, t) in graph_and_two_vertices(5),
        between in proptest::option::of(proptest::collection::vec(0..6u32, 0..4)),
    ) {
        let arcs = brute_force::multiplicities(&graph);
        let is_arc = |a: Vertex, b: Vertex| arcs[a as usize].get(b as usize).is_some_and(|&arcs| arcs > 0);
        let path: Option<Vec<Vertex>> = between.map(|between| {
            if s == t && between.is_empty() { vec![s] } else { [&[s], &between[..], &[t]].concat() }
        });
        let expected = match &path {
            None => brute_force::distances(&graph, false)[s as usize][t as usize] == FAR,
            Some(path) => {
                let exist = path.iter().all(|&v| v < graph.num_vertices());
                let mut sorted = path.clone();
                sorted.sort_unstable();
                sorted.dedup();
                exist && sorted.len() == path.len() && path.windows(2).all(|step| is_arc(step[0], step[1]))
            }
        };
        let verdict = check::stcon::path(&graph, s, t, path.as_deref());
        prop_assert_eq!(verdict.is_ok(), expected, "{:?}", verdict);
    }

    #[test]
    fn the_triangle_count_must_be_exact(graph in any_graph(8), off in -1..=1i64) {
        let claimed = triangles::count(&graph).saturating_add_signed(off);
        let expected = claimed == brute_force::triangles(&graph);
        prop_assert_eq!(check::triangles::count(&graph, claimed).is_ok(), expected);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn of_all_sets_just_the_maximal_independent_ones_are_accepted(graph in any_graph(6)) {
        for set in brute_force::subsets(&graph) {
            let expected = brute_force::is_maximal_independent(&graph, &set);
            prop_assert_eq!(check::mis::set(&graph, &set).is_ok(), expected, "{:?}", set);
        }
    }

    #[test]
    fn of_all_sides_just_the_fitting_ones_are_accepted(graph in any_graph(6)) {
        for sides in brute_force::subsets(&graph) {
            let expected = brute_force::fits(&graph, &sides);
            prop_assert_eq!(check::bipartite::verdict(&graph, &Bipartite::Sides(sides)).is_ok(), expected);
        }
    }

    #[test]
    fn of_all_short_walks_just_the_odd_cycles_are_accepted(graph in any_graph(5)) {
        let arcs = brute_force::multiplicities(&graph);
        let is_edge = |a: u32, b: u32| arcs[a as usize][b as usize] + arcs[b as usize][a as usize] > 0;
        let n = graph.num_vertices();
        let judge = |cycle: &[u32]| check::bipartite::verdict(&graph, &Bipartite::OddCycle(cycle.to_vec()));
        for a in 0..n {
            prop_assert_eq!(judge(&[a]).is_ok(), is_edge(a, a));
            for b in 0..n {
                prop_assert!(judge(&[a, b]).is_err());
                for c in 0..n {
                    let distinct = a != b && b != c && a != c;
                    let expected = distinct && is_edge(a, b) && is_edge(b, c) && is_edge(c, a);
                    prop_assert_eq!(judge(&[a, b, c]).is_ok(), expected);
                }
            }
        }
    }
}
