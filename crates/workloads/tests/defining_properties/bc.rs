//! Implementations of betweenness centrality.

use super::counted::{Counted, arcs, count, count_with, path, recipe};
use heddle_image::atomic::AtomicOperation;
use heddle_workloads::library::{Answer, RunOptions};

const GRAPH: &str = "rmat:scale=9,degree=8";

/// Words that the kernels load from global memory.
fn loads(run: &Counted) -> u64 {
    run.outcome.total(|report| report.classes.global_loads[1])
}

#[test]
fn bc_push_sends_everything_by_atomics_without_an_answer() {
    let run = count("bc-push", &recipe(GRAPH));
    let kernels = [
        ("bc_push_discover", AtomicOperation::Maximum),
        ("bc_push_count", AtomicOperation::Add),
        ("bc_push_depend", AtomicOperation::Add),
    ];
    for (kernel, expected) in kernels {
        let atomics = run.atomics(kernel);
        assert_eq!(atomics.len(), 5, "four in the loop and one for what is left");
        assert!(atomics.iter().all(|atomic| atomic.0 == expected && atomic.2), "{kernel}");
        assert!(atomics.iter().map(|atomic| atomic.3).sum::<u64>() > 0, "{kernel}");
    }
}

#[test]
fn bc_pull_has_no_atomics_and_looks_at_every_unreached_vertex_on_every_level() {
    let graph = path(400);
    let options = RunOptions { source: Some(0), ..RunOptions::default() };
    let (pull, push) = (count_with("bc-pull", &graph, &options), count_with("bc-push", &graph, &options));
    assert_eq!(pull.outcome.total(|report| report.classes.atomics[1]), 0);
    assert_eq!(pull.frontiers(), push.frontiers());
    assert!(loads(&pull) > loads(&push), "{} and {}", loads(&pull), loads(&push));
}

#[test]
fn numbers_of_paths_may_outgrow_every_float() {
    // 1100 diamonds, one after the other: 2^1100 paths lead to the last vertex.
    let diamonds = 1100u32;
    let diamond =
        |i: u32| [(3 * i, 3 * i + 1), (3 * i, 3 * i + 2), (3 * i + 1, 3 * i + 3), (3 * i + 2, 3 * i + 3)];
    let graph = arcs(u64::from(3 * diamonds + 1), (0..diamonds).flat_map(diamond));
    let options = RunOptions { source: Some(0), ..RunOptions::default() };
    for name in ["bc-push", "bc-pull"] {
        let run = count_with(name, &graph, &options);
        let Answer::Centrality { values, .. } = &run.outcome.answer else { panic!("not centralities") };
        assert!(values.iter().all(|value| value.is_finite()), "{name}");
    }
}

#[test]
fn centralities_of_several_sources_add_up() {
    let graph = recipe("rmat:scale=7,degree=6");
    let options = RunOptions { settings: vec!["sources=5".to_owned()], ..RunOptions::default() };
    for name in ["bc-push", "bc-pull"] {
        let run = count_with(name, &graph, &options);
        assert_eq!(run.launches("bc_accumulate").len(), 5, "{name}");
        let Answer::Centrality { sources, .. } = &run.outcome.answer else { panic!("not centralities") };
        assert_eq!(sources.len(), 5);
    }
}
