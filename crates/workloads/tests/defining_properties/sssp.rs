//! Implementations of shortest paths.

use super::counted::{Counted, count, count_with, recipe, star};
use heddle_device::Device;
use heddle_graph::{Graph, build};
use heddle_image::atomic::AtomicOperation;
use heddle_ptx::ir::{Operation, StateSpace};
use heddle_workloads::library::registry::WORKLOADS;
use heddle_workloads::library::{Answer, Problem, RunOptions, WorkloadError, run as run_workload};
use heddle_workloads::{UNREACHED, reference};

const GRAPH: &str = "rmat:scale=9,degree=8";

fn total(run: &Counted, kernel: &str) -> u64 {
    run.atomic_lanes(kernel, StateSpace::Global)
}

#[test]
fn h_sssp_has_three_loads_and_an_atomic_minimum_for_each_edge() {
    let run = count("h-sssp", &recipe(GRAPH));
    let relaxed = total(&run, "DijkstraKernel1");
    assert!(relaxed > 0);
    assert_eq!(
        run.atomics("DijkstraKernel1"),
        [(AtomicOperation::Minimum, StateSpace::Global, false, relaxed)]
    );
    let loads = run.read_only_words("DijkstraKernel1");
    assert_eq!(loads.iter().filter(|load| load.lanes == relaxed).count(), 3);
    assert_eq!(total(&run, "DijkstraKernel2"), 0);
    assert_eq!(run.buffers().len(), 7);
}

#[test]
fn ls_sssp_has_no_frontier_and_relaxes_every_edge_atomically_in_every_launch() {
    let graph = recipe(GRAPH);
    let run = count("ls-sssp", &graph);
    assert!(run.frontiers().iter().all(Option::is_none));
    assert_eq!(run.shared_bytes(), 48 * 1024);
    assert_eq!(run.buffers().len(), 10);
    let depths = reference::bfs::depths(&graph, run.outcome.source.unwrap()).unwrap();
    let reached = graph.out_edges().vertices().filter(|&vertex| depths[vertex as usize] != UNREACHED);
    let arcs: u64 = reached.map(|vertex| graph.out_edges().degree(vertex)).sum();
    let last = run.launches("drelax").pop().unwrap();
    assert_eq!(last.classes.atomics[1], arcs);
    assert!(run.outcome.iterations.len() < count("h-sssp", &graph).outcome.iterations.len());
}

#[test]
fn sssp_dd_has_as_many_threads_as_the_frontier_has_vertices() {
    let graph = recipe(GRAPH);
    let options = RunOptions { block: Some(1), ..RunOptions::default() };
    let run = count_with("sssp-dd", &graph, &options);
    let threads: Vec<Option<u64>> =
        run.launches("relax").iter().map(|report| Some(report.grid.count())).collect();
    assert_eq!(threads, run.frontiers());
    assert_eq!(run.frontiers(), count("h-sssp", &graph).frontiers());
}

#[test]
fn sssp_dd_builds_its_queue_with_one_global_atomic_for_each_block_that_has_something() {
    let run = count("sssp-dd", &star(3000));
    let [pushes, spills, flushes] = run.atomics("build_frontier")[..] else { panic!("other atomics") };
    assert_eq!(pushes, (AtomicOperation::Add, StateSpace::Shared, false, 3000));
    assert_eq!(spills.3, 0, "a thread pushes one vertex at most, and a block has fewer than the queue holds");
    // The leaves lie in six blocks of 512 vertices.
    assert_eq!(flushes, (AtomicOperation::Add, StateSpace::Global, false, 6));
}

#[test]
fn the_lanes_of_a_warp_of_sssp_wc_read_consecutive_edges_and_weights() {
    let leaves = 4096u32;
    let graph = star(leaves);
    let edge_loads = |name: &str, kernel: &str| -> Vec<u64> {
        let run = count(name, &graph);
        let loads = run.read_only_words(kernel).into_iter();
        loads.filter(|load| load.lanes == u64::from(leaves)).map(|load| load.sectors).collect()
    };
    let coalesced = u64::from(leaves) / 32 * 4;
    assert_eq!(edge_loads("sssp-wc", "relax"), [coalesced; 2]);
    assert_eq!(edge_loads("sssp-dd", "relax"), [u64::from(leaves); 2]);
}

#[test]
fn sssp_bitvector_gathers_without_atomics_and_scatters_bits() {
    let run = count("sssp-bitvector", &recipe(GRAPH));
    let atomics = run.atomics("visit");
    assert!(matches!(atomics[..], [(AtomicOperation::Or, StateSpace::Global, true, lanes)] if lanes > 0));
    // Distances are read along in-edges, and they are not read-only: other vertices lower theirs meanwhile.
    let executed = run.executed("visit");
    let coherent = executed.iter().filter(|one| {
        matches!(one.operation, Operation::Load { access, .. } if access.space == StateSpace::Global && !access.non_coherent)
    });
    let gathered: u64 = coherent.map(|one| one.count.lanes).max().unwrap();
    let scheduled: u64 = run.frontiers().into_iter().flatten().sum();
    assert!(gathered > scheduled, "{gathered} distances for {scheduled} scheduled vertices");
}

#[test]
fn sssp_push_waits_for_no_answer_and_takes_four_edges_in_each_iteration() {
    let graph = recipe(GRAPH);
    let (push, harish) = (count("sssp-push", &graph), count("h-sssp", &graph));
    assert!(push.atomics("push").iter().all(|atomic| atomic.2 && atomic.0 == AtomicOperation::Minimum));
    assert_eq!(push.atomics("push").len(), 5, "four in the loop and one for what is left");
    // The same edges are relaxed in the same iterations, with fewer branches and fewer loads.
    assert_eq!(push.frontiers(), harish.frontiers());
    assert_eq!(total(&push, "push"), total(&harish, "DijkstraKernel1"));
    let sum = |run: &Counted, kernel: &str| -> [u64; 2] {
        let reports = run.launches(kernel);
        [
            reports.iter().map(|report| report.classes.branches[1]).sum(),
            reports.iter().map(|report| report.classes.global_loads[1]).sum(),
        ]
    };
    let ([branches, loads], [more_branches, more_loads]) =
        (sum(&push, "push"), sum(&harish, "DijkstraKernel1"));
    assert!(branches < more_branches && loads < more_loads);
}

#[test]
fn sssp_pull_has_no_atomics_and_asks_every_source_whether_it_is_active() {
    let graph = recipe(GRAPH);
    let run = count("sssp-pull", &graph);
    assert_eq!(run.outcome.total(|report| report.classes.atomics[1]), 0);
    let iterations = run.outcome.iterations.len() as u64;
    let lanes: Vec<u64> = run.read_only_words("pull").iter().map(|load| load.lanes).collect();
    // The edge and the flag of its source, whatever the flag says.
    let asked = iterations * graph.num_arcs();
    assert_eq!(lanes.iter().filter(|&&lanes| lanes == asked).count(), 2, "{lanes:?}, {asked}");
    assert_eq!(run.frontiers(), count("sssp-push", &graph).frontiers());
}

#[test]
fn sums_that_do_not_fit_are_no_shorter_way_and_distances_that_do_not_fit_are_refused() {
    let weighted = |arcs: &[(u32, u32, u32)]| {
        Graph::directed(build::from_arcs(&arcs.iter().copied().collect(), 3).unwrap())
    };
    let options = RunOptions { source: Some(0), ..RunOptions::default() };
    // The way over vertex 1 is 2^32 + 3 long: wrapped, it would be the shorter one.
    let fits = weighted(&[(0, 1, 4), (1, 2, u32::MAX), (0, 2, 9)]);
    let too_far = weighted(&[(0, 1, 4), (1, 2, u32::MAX)]);
    for workload in WORKLOADS.iter().filter(|workload| workload.problem == Problem::Sssp) {
        let run = count_with(workload.name, &fits, &options);
        assert_eq!(run.outcome.answer, Answer::Distances(vec![0, 4, 9]), "{}", workload.name);
        let refused =
            run_workload(workload, too_far.clone(), &mut Device::functional(), &options, &|_, _| ());
        assert!(matches!(refused, Err(WorkloadError::Graph { .. })), "{}", workload.name);
    }
}
