//! The number of threads does not show, not even in the last bit.

use heddle_graph::build::from_arcs;
use heddle_graph::generate::random::Random;
use heddle_graph::{ArcList, Graph, Vertex};
use heddle_workloads::check;
use heddle_workloads::reference::{
    betweenness, bfs, bipartite, colouring, delta_stepping, dijkstra, mis, mst, pagerank, stcon, triangles,
    wcc,
};

/// A directed graph with weights, hubs, dangling and isolated vertices, large enough for several blocks.
fn skewed() -> Graph {
    const VERTICES: u64 = 20_000;
    let mut random = Random::new(5, 0);
    let arcs: ArcList = (0..6 * VERTICES)
        .map(|_| {
            // The product of two draws favours small numbers.
            let mut end = || (random.below(VERTICES) * random.below(VERTICES) / VERTICES) as Vertex;
            let (source, target) = (end(), end());
            (source, target, random.below(1000) as u32)
        })
        .collect();
    Graph::directed(from_arcs(&arcs, VERTICES).unwrap())
}

fn with_threads<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> T {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(work)
}

/// Runs `work` with one thread and with several, and gives the answer they must share.
fn same<T: Send + PartialEq + std::fmt::Debug>(work: impl Fn() -> T + Sync) -> T {
    let alone = with_threads(1, &work);
    for threads in [2, 3] {
        assert!(with_threads(threads, &work) == alone, "{threads} threads");
    }
    alone
}

#[test]
fn answers_do_not_depend_on_the_number_of_threads() {
    let graph = &skewed();
    let source = graph.out_edges().first_of_largest_degree().unwrap();
    same(|| bfs::depths(graph, source)).unwrap();
    let distances = same(|| delta_stepping::distances(graph, source, None));
    assert_eq!(distances, dijkstra::distances(graph, source));
    same(|| wcc::labels(graph));
    same(|| mis::greedy(graph, 9));
    same(|| colouring::greedy(graph, 9));
    same(|| mst::forest(graph));
    same(|| stcon::path(graph, source, 19_000)).unwrap();
    same(|| triangles::count(graph));
    same(|| bipartite::sides(graph));
}

#[test]
fn real_numbers_do_not_depend_on_the_number_of_threads() {
    let graph = &skewed();
    let bits = |values: Vec<f64>| values.into_iter().map(f64::to_bits).collect::<Vec<_>>();
    same(|| {
        let answer = pagerank::ranks(graph, &pagerank::Settings::default()).unwrap();
        (bits(answer.ranks), answer.iterations, answer.residual.to_bits())
    });
    let sources: Vec<Vertex> = (0..20).map(|source| source * 7).collect();
    same(|| bits(betweenness::centrality(graph, &sources).unwrap()));
}

/// What is made on first use may be first used by many threads at once.
#[test]
fn incoming_arcs_may_be_asked_for_first_inside_parallel_work() {
    let (done, answer) = std::sync::mpsc::channel();
    // Not scoped: if a thread waits for ever, the test ends without it.
    std::thread::spawn(move || {
        let outgoing = skewed().into_out_edges();
        let pool = rayon::ThreadPoolBuilder::new().num_threads(64).build().unwrap();
        for seed in 0..40 {
            let fresh = || Graph::directed(outgoing.clone());
            let set = pool.install(|| mis::greedy(&fresh(), seed));
            pool.install(|| check::mis::set(&fresh(), &set)).unwrap();
            let colours = pool.install(|| colouring::greedy(&fresh(), seed));
            pool.install(|| check::colouring::colours(&fresh(), &colours.colours)).unwrap();
        }
        done.send(()).unwrap();
    });
    assert_eq!(answer.recv_timeout(std::time::Duration::from_secs(120)), Ok(()), "no thread waits for ever");
}
