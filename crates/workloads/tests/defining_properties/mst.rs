//! Implementations of spanning forests.

use super::counted::{count, recipe};
use heddle_graph::transform::{Transform, apply};
use heddle_graph::{Graph, build};
use heddle_image::atomic::AtomicOperation;
use heddle_workloads::library::Answer;

/// A path whose edges get heavier and heavier: every vertex but the first prefers the edge that it came by.
fn ascending_path(vertices: u32) -> Graph {
    let arcs = (1..vertices).map(|vertex| (vertex - 1, vertex, vertex)).collect();
    Graph::directed(build::from_arcs(&arcs, vertices.into()).unwrap())
}

#[test]
fn h_mst_takes_a_pass_for_each_link_of_a_chain_and_ls_mst_does_not() {
    let graph = ascending_path(200);
    let (colours, bosses) = (count("h-mst", &graph), count("ls-mst", &graph));
    // All chosen edges make one chain: one round, and a second one that finds nothing.
    assert_eq!([colours.outcome.iterations.len(), bosses.outcome.iterations.len()], [2, 2]);
    let passes = colours.launches("Kernel_Dec_Degree1").len();
    assert!((190..=210).contains(&passes), "{passes} passes");
    let spreading = colours.launches("Kernel_Prop_Colors1").len();
    assert!(spreading < 20, "{spreading} passes");
    let uniting = bosses.launches("dunify").len();
    assert!(uniting < 5, "{uniting} passes");
}

#[test]
fn h_mst_finds_the_colour_of_every_neighbour_and_reduces_once_per_vertex() {
    let graph = apply(recipe("rmat:scale=9,degree=8"), &Transform::SymmetriseUnion).graph;
    let run = count("h-mst", &graph);
    let kernel = "Kernel_Find_Min_Edge_Weight_Per_Vertex";
    let [first, ..] = run.launches(kernel)[..] else { panic!("no launch") };
    let with_edges = graph.out_edges().vertices().filter(|&vertex| graph.out_edges().degree(vertex) > 0);
    // At first every vertex has a colour of its own; vertices with nothing but a self-loop find no edge.
    assert!(first.classes.atomics[1] <= with_edges.count() as u64);
    assert!(matches!(run.atomics(kernel)[..], [(AtomicOperation::Minimum, _, _, lanes)] if lanes > 0));
    // The neighbour, the super vertex that it belongs to, and the colour of that: each once for each arc looked at.
    let lanes: Vec<u64> = run.read_only_words(kernel).iter().map(|load| load.lanes).collect();
    let most = lanes.iter().max().unwrap();
    assert_eq!(lanes.iter().filter(|&lanes| lanes == most).count(), 3, "{lanes:?}");
}

#[test]
fn ls_mst_looks_at_the_other_end_of_lighter_edges_only_and_unites_by_compare_and_swap() {
    let run = count("ls-mst", &recipe("rmat:scale=9,degree=8"));
    let lanes: Vec<u64> = run.read_only_words("boruvkaone").iter().map(|load| load.lanes).collect();
    let weights = *lanes.iter().max().unwrap();
    assert_eq!(lanes.iter().filter(|&&lanes| lanes == weights).count(), 1, "only the weight, for every arc");
    let swaps = run.atomics("dunify").into_iter();
    let swaps: u64 =
        swaps.filter(|atomic| atomic.0 == AtomicOperation::CompareAndSwap).map(|atomic| atomic.3).sum();
    let Answer::Forest(edges) = &run.outcome.answer else { panic!("not a forest") };
    assert!(swaps >= edges.len() as u64, "{swaps} for {} edges", edges.len());
}
