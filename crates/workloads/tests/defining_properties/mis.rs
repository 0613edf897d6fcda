//! Implementations of independent sets.

use super::counted::{Counted, count, recipe};
use heddle_graph::Graph;
use heddle_graph::transform::{Transform, apply};
use heddle_image::atomic::AtomicOperation;
use heddle_workloads::library::Answer;

/// A graph without directions, so that its degrees are those that the kernels see.
fn graph() -> Graph {
    apply(recipe("rmat:scale=9,degree=8"), &Transform::SymmetriseUnion).graph
}

fn stores(run: &Counted, kernel: &str) -> u64 {
    run.launches(kernel).iter().map(|report| report.classes.global_stores[1]).sum()
}

#[test]
fn all_find_the_same_set() {
    let graph = graph();
    let luby = count("mis-luby", &graph);
    for name in ["mis-push", "mis-pull"] {
        let run = count(name, &graph);
        assert_eq!(run.outcome.answer, luby.outcome.answer, "{name}");
        assert_eq!(run.frontiers(), luby.frontiers(), "{name}");
    }
}

#[test]
fn members_of_mis_luby_switch_their_neighbours_off_by_plain_stores() {
    let graph = graph();
    let run = count("mis-luby", &graph);
    let Answer::Set(set) = &run.outcome.answer else { panic!("not a set") };
    let members = graph.out_edges().vertices().filter(|&vertex| set[vertex as usize]);
    // Three words of its own, and one for each arc.
    let expected: u64 = members.map(|member| 3 + graph.out_edges().degree(member)).sum();
    assert_eq!(stores(&run, "mis_join"), expected);
    assert_eq!(run.outcome.total(|report| report.classes.atomics[1]), 0);
}

#[test]
fn mis_push_sends_minima_and_exclusions_without_an_answer() {
    let run = count("mis-push", &graph());
    for (kernel, expected) in
        [("mis_push_min", AtomicOperation::Minimum), ("mis_push_exclude", AtomicOperation::Or)]
    {
        let atomics = run.atomics(kernel);
        assert_eq!(atomics.len(), 5, "four in the loop and one for what is left");
        assert!(atomics.iter().all(|atomic| atomic.0 == expected && atomic.2), "{kernel}");
        assert!(atomics.iter().map(|atomic| atomic.3).sum::<u64>() > 0, "{kernel}");
    }
}

#[test]
fn mis_pull_has_no_atomics_and_writes_only_words_of_its_own_vertices() {
    let graph = graph();
    let run = count("mis-pull", &graph);
    assert_eq!(run.outcome.total(|report| report.classes.atomics[1]), 0);
    let rounds = run.outcome.iterations.len() as u64;
    assert_eq!(stores(&run, "mis_pull_exclude"), rounds * u64::from(graph.num_vertices()));
}
