//! Implementations of connected components.

use super::counted::{count, path, recipe};
use heddle_image::atomic::AtomicOperation;

#[test]
fn wcc_bitvector_schedules_all_vertices_at_first_and_fewer_and_fewer_later() {
    let graph = recipe("rmat:scale=9,degree=8");
    let run = count("wcc-bitvector", &graph);
    let frontiers: Vec<u64> = run.frontiers().into_iter().flatten().collect();
    assert_eq!(frontiers[0], u64::from(graph.num_vertices()));
    assert_eq!(*frontiers.last().unwrap(), 0);
    assert!(frontiers.windows(2).skip(1).all(|pair| pair[1] <= pair[0]), "{frontiers:?}");
    let threads: Vec<u64> = run.launches("visit").iter().map(|report| report.grid.count()).collect();
    let blocks = frontiers.iter().filter(|&&size| size > 0).map(|size| size.div_ceil(256));
    assert_eq!(threads, blocks.collect::<Vec<_>>());
}

#[test]
fn wcc_bitvector_gathers_without_atomics_and_scatters_bits() {
    let run = count("wcc-bitvector", &recipe("rmat:scale=9,degree=8"));
    assert!(matches!(run.atomics("visit")[..], [(AtomicOperation::Or, _, true, lanes)] if lanes > 0));
}

#[test]
fn cc_dynamic_jumps_where_wcc_walks() {
    let graph = path(500);
    let (jumping, walking) = (count("cc-dynamic", &graph), count("wcc-bitvector", &graph));
    assert_eq!(jumping.outcome.launches.len(), 3);
    // Labels of a step may be seen by vertices of the same step, but only by those that run later.
    assert!(walking.outcome.iterations.len() > 10, "{} steps", walking.outcome.iterations.len());
}

#[test]
fn cc_dynamic_hooks_by_compare_and_swap_and_waits_for_the_answer() {
    let run = count("cc-dynamic", &recipe("rmat:scale=9,degree=8"));
    let atomics = run.atomics("cc_compute");
    assert!(!atomics.is_empty());
    assert!(atomics.iter().all(|atomic| atomic.0 == AtomicOperation::CompareAndSwap && !atomic.2));
    assert!(atomics.iter().map(|atomic| atomic.3).sum::<u64>() > 0);
}
