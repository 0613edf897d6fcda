//! Implementations of breadth-first search, except the software versions of the topology-driven one.

use super::counted::{arcs, count, count_with, path, recipe, star};
use heddle_image::atomic::AtomicOperation;
use heddle_ptx::ir::StateSpace;
use heddle_workloads::library::RunOptions;
use heddle_workloads::{UNREACHED, reference};

/// One lane writes what another one reads nowhere here, so that any order of lanes gives these counts.
const GRAPH: &str = "rmat:scale=9,degree=8";

#[test]
fn h_bfs_launches_two_kernels_over_all_vertices_for_each_level_and_needs_no_atomics() {
    let run = count("h-bfs", &recipe(GRAPH));
    let kernels: Vec<&str> =
        run.outcome.launches.iter().map(|launch| launch.report.kernel.as_str()).collect();
    assert!(kernels.chunks(2).all(|pair| pair == ["Kernel", "Kernel2"]));
    assert!(run.outcome.launches.iter().all(|launch| launch.report.grid.x == 1));
    assert_eq!(run.outcome.total(|report| report.classes.atomics[1]), 0);
    assert_eq!(run.buffers().len(), 7);
}

#[test]
fn h_bfs_reads_place_and_length_of_a_row_in_one_load() {
    let graph = recipe(GRAPH);
    let run = count("h-bfs", &graph);
    let depths = reference::bfs::depths(&graph, run.outcome.source.unwrap()).unwrap();
    let reached = depths.iter().filter(|&&depth| depth != UNREACHED).count() as u64;
    let lanes_of_pairs: Vec<u64> = (run.executed("Kernel").iter())
        .filter_map(|one| match one.operation {
            heddle_ptx::ir::Operation::Load { access, .. } if access.vector == 2 => Some(one.count.lanes),
            _ => None,
        })
        .collect();
    assert_eq!(lanes_of_pairs, [reached]);
}

#[test]
fn ls_bfs_has_no_frontier_and_relaxes_every_edge_atomically_in_every_launch() {
    let graph = recipe(GRAPH);
    let run = count("ls-bfs", &graph);
    assert!(run.frontiers().iter().all(Option::is_none));
    assert_eq!(run.shared_bytes(), 48 * 1024);
    assert_eq!(run.buffers().len(), 10);
    // Nothing is lowered in the last launch, so that no thread goes on with another vertex.
    let depths = reference::bfs::depths(&graph, run.outcome.source.unwrap()).unwrap();
    let reached = graph.out_edges().vertices().filter(|&vertex| depths[vertex as usize] != UNREACHED);
    let arcs: u64 = reached.map(|vertex| graph.out_edges().degree(vertex)).sum();
    let last = run.launches("drelax").pop().unwrap();
    assert_eq!(last.classes.atomics[1], arcs);
}

#[test]
fn ls_bfs_unrolls_launches_through_shared_memory() {
    let graph = path(2000);
    let (unrolled, levels) = (count("ls-bfs", &graph), count("h-bfs", &graph));
    assert_eq!(levels.outcome.iterations.len(), 2000);
    // A thread has 12 slots: itself and the eleven vertices behind it. Later warps see more still.
    assert!(unrolled.outcome.iterations.len() <= 2000 / 11 + 2, "{}", unrolled.outcome.iterations.len());
}

#[test]
fn the_limit_of_kernel_unrolled_bfs_multiplies_the_levels_of_a_launch() {
    let graph = path(1000);
    let limited = |limit: u32| {
        let options = RunOptions { settings: vec![format!("limit={limit}")], ..RunOptions::default() };
        let run = count_with("bfs-unrolled", &graph, &options);
        assert!(run.frontiers().iter().all(Option::is_none));
        run.outcome.iterations.len()
    };
    let [one, four, sixteen] = [1, 4, 16].map(limited);
    // A vertex that a later warp holds may be reached and expanded in one launch, so that these are bounds.
    assert!(one > 900, "{one}");
    assert!(four * 3 < one, "{four} launches with LIMIT 4, {one} with LIMIT 1");
    assert!(sixteen * 12 < one, "{sixteen} launches with LIMIT 16, {one} with LIMIT 1");
}

#[test]
fn the_queue_of_kernel_unrolled_bfs_is_dynamic_shared_memory() {
    let run = count("bfs-unrolled", &recipe(GRAPH));
    assert_eq!(run.shared_bytes(), 0);
    assert!(run.outcome.total(|report| report.classes.shared_accesses[1]) > 0);
    assert_eq!(count("bfs-topology", &recipe(GRAPH)).outcome.total(|r| r.classes.shared_accesses[1]), 0);
}

#[test]
fn bfs_dd_has_as_many_threads_as_the_frontier_has_vertices() {
    let options = RunOptions { block: Some(1), ..RunOptions::default() };
    let run = count_with("bfs-dd", &recipe(GRAPH), &options);
    let threads: Vec<Option<u64>> =
        run.launches("expand").iter().map(|report| Some(report.grid.count())).collect();
    assert_eq!(threads, run.frontiers());
    assert_eq!(run.buffers().len(), 8);
    let all_vertices = count("h-bfs", &recipe(GRAPH));
    assert_eq!(run.frontiers(), all_vertices.frontiers());
}

#[test]
fn the_block_queue_of_bfs_dd_holds_1024_vertices_and_spills_the_rest() {
    for (leaves, spilled) in [(1000, 0), (1024, 0), (5000, 5000 - 1024)] {
        let run = count("bfs-dd", &star(leaves));
        let exchanges = (AtomicOperation::Exchange, StateSpace::Global, false, u64::from(leaves));
        let pushes = (AtomicOperation::Add, StateSpace::Shared, false, u64::from(leaves));
        let spills = (AtomicOperation::Add, StateSpace::Global, false, spilled);
        // The block of the hub is the only one whose queue has something to copy.
        let flushes = (AtomicOperation::Add, StateSpace::Global, false, 1);
        assert_eq!(run.atomics("expand"), [exchanges, pushes, spills, flushes], "{leaves} leaves");
    }
}

#[test]
fn the_lanes_of_a_warp_of_bfs_wc_read_consecutive_edges() {
    let leaves = 4096;
    let graph = star(leaves);
    let edge_load = |name: &str, kernel: &str| {
        let run = count(name, &graph);
        let loads = run.read_only_words(kernel);
        let edges = loads.iter().find(|load| load.lanes == u64::from(leaves)).copied();
        edges.unwrap_or_else(|| panic!("{name}: {loads:?}"))
    };
    let warp_centric = edge_load("bfs-wc", "expand");
    assert_eq!(warp_centric.warps, u64::from(leaves) / 32);
    // 128 bytes of 32 lanes are four sectors.
    assert_eq!(warp_centric.sectors, u64::from(leaves) / 32 * 4);
    let thread_centric = edge_load("bfs-topology", "expand");
    assert_eq!((thread_centric.warps, thread_centric.sectors), (leaves.into(), leaves.into()));
}

#[test]
fn bfs_bitvector_schedules_from_bits_and_scatters_to_every_target() {
    let graph = recipe(GRAPH);
    let run = count("bfs-bitvector", &graph);
    let kernels: Vec<&str> =
        run.outcome.launches.iter().map(|launch| launch.report.kernel.as_str()).collect();
    assert!(kernels.chunks(2).all(|pair| pair == ["schedule", "visit"] || pair == ["schedule"]));
    let depths = reference::bfs::depths(&graph, run.outcome.source.unwrap()).unwrap();
    let reached = graph.out_edges().vertices().filter(|&vertex| depths[vertex as usize] != UNREACHED);
    let scattered: u64 = reached.map(|vertex| graph.out_edges().degree(vertex)).sum();
    assert_eq!(run.atomics("visit"), [(AtomicOperation::Or, StateSpace::Global, true, scattered)]);
    // A word of the bit vector is a thread, and vertices that were reached before are scheduled again.
    let words = graph.num_vertices().div_ceil(32);
    assert!(run.launches("schedule").iter().all(|report| report.grid.x == words.div_ceil(report.block.x)));
    let frontiers = |name| count(name, &graph).frontiers().into_iter().flatten().sum::<u64>();
    assert!(frontiers("bfs-bitvector") > frontiers("h-bfs"));
}

#[test]
fn bfs_push_updates_every_unreached_target_atomically_and_waits_for_no_answer() {
    let graph = recipe(GRAPH);
    let run = count("bfs-push", &graph);
    let depths = reference::bfs::depths(&graph, run.outcome.source.unwrap()).unwrap();
    let next = |&(from, to): &(u32, u32)| {
        let (from, to) = (depths[from as usize], depths[to as usize]);
        from != UNREACHED && to == from + 1
    };
    let updates = graph.out_edges().arcs().filter(next).count() as u64;
    assert_eq!(run.atomic_lanes("push", StateSpace::Global), updates);
    assert!(run.atomics("push").iter().all(|atomic| atomic.2 && atomic.0 == AtomicOperation::Minimum));
}

#[test]
fn bfs_push_takes_four_edges_in_each_iteration() {
    let run = count("bfs-push", &arcs(14, (1..14).map(|target| (0, target))));
    let lanes: Vec<u64> = run.read_only_words("push").iter().map(|load| load.lanes).collect();
    // 14 sources ask twice for their level and read a row once; of the 13 edges of the first, one is left over
    // (it stands first in the text), and three times four are taken together: edges, then levels.
    assert_eq!(lanes, [28, 14, 14, 1, 1, 3, 3, 3, 3, 3, 3, 3, 3]);
}

#[test]
fn bfs_pull_has_no_atomics_and_each_vertex_writes_its_own_level() {
    let graph = recipe(GRAPH);
    let run = count("bfs-pull", &graph);
    assert_eq!(run.outcome.total(|report| report.classes.atomics[1]), 0);
    let frontiers: Vec<u64> = run.frontiers().into_iter().flatten().collect();
    for (iteration, report) in run.launches("pull").iter().enumerate() {
        // Whoever is reached raises the flag too.
        let reached = frontiers.get(iteration + 1).copied().unwrap_or(0);
        assert_eq!(report.classes.global_stores[1], u64::from(graph.num_vertices()) + reached);
    }
}
