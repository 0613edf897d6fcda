//! Implementations of PageRank.

use super::counted::{Counted, count, count_with, recipe};
use heddle_image::atomic::AtomicOperation;
use heddle_ptx::ir::{AluOperation, Operation, StateSpace};
use heddle_workloads::library::{Answer, RunOptions};

const GRAPH: &str = "rmat:scale=9,degree=8";

/// How many lanes divided in a kernel.
fn divisions(run: &Counted, kernel: &str) -> u64 {
    let executed = run.executed(kernel).into_iter();
    let is_division =
        |operation: &Operation| matches!(operation, Operation::Alu { operation: AluOperation::Divide, .. });
    executed.filter(|one| is_division(one.operation)).map(|one| one.count.lanes).max().unwrap_or(0)
}

/// How many static loads of read-only words were executed once for each arc and iteration.
fn loads_for_each_arc(run: &Counted, kernel: &str, arcs: u64) -> usize {
    let expected = arcs * run.outcome.iterations.len() as u64;
    run.read_only_words(kernel).iter().filter(|load| load.lanes == expected).count()
}

#[test]
fn pagerank_bsp_gathers_one_word_for_each_edge() {
    let graph = recipe(GRAPH);
    let run = count("pagerank-bsp", &graph);
    // The source of the edge, and what it gives.
    assert_eq!(loads_for_each_arc(&run, "visit", graph.num_arcs()), 2);
    assert_eq!(run.atomic_lanes("visit", StateSpace::Global), 0);
    // Every vertex runs in every super-step, and is scheduled once.
    assert!(run.frontiers().iter().all(|&frontier| frontier == Some(graph.num_vertices().into())));
    assert_eq!(run.launches("schedule").len(), 1);
}

#[test]
fn pagerank_push_divides_once_for_each_source_and_adds_without_an_answer() {
    let graph = recipe(GRAPH);
    let run = count("pagerank-push", &graph);
    let iterations = run.outcome.iterations.len() as u64;
    assert_eq!(run.atomic_lanes("pagerank_push", StateSpace::Global), iterations * graph.num_arcs());
    let atomics = run.atomics("pagerank_push");
    assert_eq!(atomics.len(), 5, "four in the loop and one for what is left");
    assert!(atomics.iter().all(|atomic| atomic.0 == AtomicOperation::Add && atomic.2));
    let sources = graph.out_edges().vertices().filter(|&vertex| graph.out_edges().degree(vertex) > 0);
    assert_eq!(divisions(&run, "pagerank_push"), iterations * sources.count() as u64);
}

#[test]
fn pagerank_pull_reads_rank_and_degree_and_divides_for_each_arc_without_atomics() {
    let graph = recipe(GRAPH);
    let run = count("pagerank-pull", &graph);
    assert_eq!(loads_for_each_arc(&run, "pagerank_pull", graph.num_arcs()), 3);
    let iterations = run.outcome.iterations.len() as u64;
    assert_eq!(divisions(&run, "pagerank_pull"), iterations * graph.num_arcs());
    assert_eq!(run.outcome.total(|report| report.classes.atomics[1]), 0);
}

#[test]
fn ranks_are_much_nearer_than_they_are_judged_by() {
    let graph = recipe(GRAPH);
    for name in ["pagerank-bsp", "pagerank-push", "pagerank-pull"] {
        let Answer::Ranks { ranks, damping, .. } = count(name, &graph).outcome.answer else {
            panic!("not ranks")
        };
        heddle_workloads::check::pagerank::ranks(&graph, damping, &ranks, 2e-5).unwrap();
    }
}

#[test]
fn without_damping_all_ranks_are_the_same() {
    let graph = recipe(GRAPH);
    let options = RunOptions { settings: vec!["damping=0".to_owned()], ..RunOptions::default() };
    for name in ["pagerank-bsp", "pagerank-push", "pagerank-pull"] {
        let run = count_with(name, &graph, &options);
        assert_eq!(run.outcome.iterations.len(), 1, "{name}");
        let Answer::Ranks { ranks, .. } = &run.outcome.answer else { panic!("{name} gives ranks") };
        assert!(ranks.iter().all(|&rank| rank == ranks[0] && rank > 0.0), "{name}");
    }
}
