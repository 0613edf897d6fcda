//! Every workload is right on every small graph of the list, on random graphs, and on real ones where there are
//! any; and a second run is the same to the last count. `heddle workloads --verify` runs the whole matrix.

use heddle_device::Device;
use heddle_graph::read::{ReadOptions, WeightPolicy};
use heddle_graph::{ArcList, Graph, build, source};
use heddle_workloads::library::matrix::CASES;
use heddle_workloads::library::{Outcome, Problem, RunOptions, Workload, registry::WORKLOADS, run};
use proptest::prelude::*;
use rayon::prelude::*;
use std::io::Write;
use std::path::{Path, PathBuf};

fn outcome(workload: &Workload, graph: Graph, options: &RunOptions) -> Result<Outcome, String> {
    let mut device = Device::functional();
    let problem = workload.problem;
    let options = &RunOptions {
        source: options.source.filter(|_| problem.has_source()),
        target: options.target.filter(|_| problem == Problem::Stcon),
        ..options.clone()
    };
    run(workload, graph, &mut device, options, &|_, _| ())
        .map_err(|error| format!("{}: {error}", workload.name))
}

/// The problems of all workloads on one graph.
fn problems(graph: &Graph, options: &RunOptions) -> Vec<String> {
    let all = WORKLOADS.par_iter();
    all.filter_map(|workload| outcome(workload, graph.clone(), options).err()).collect()
}

#[test]
fn every_workload_is_right_on_every_small_case() {
    for case in CASES.iter().filter(|case| case.is_quick) {
        let graph = case.graph().unwrap();
        assert_eq!(problems(&graph, &RunOptions::default()), [""; 0], "{}", case.name);
    }
}

#[test]
fn every_workload_is_right_with_a_block_of_any_size() {
    let graph = source::load("rmat:scale=8,degree=6", &ReadOptions::default()).unwrap().graph;
    for block in [1, 32, 33, 100, 1024] {
        let options = RunOptions { block: Some(block), ..RunOptions::default() };
        assert_eq!(problems(&graph, &options), [""; 0], "blocks of {block}");
    }
}

#[test]
fn a_second_run_counts_the_same() {
    let graph = source::load("rmat:scale=9,degree=6", &ReadOptions::default()).unwrap().graph;
    WORKLOADS.par_iter().for_each(|workload| {
        let run = || outcome(workload, graph.clone(), &RunOptions::default()).unwrap();
        let (first, second) = (run(), run());
        assert_eq!(first.answer, second.answer, "{}", workload.name);
        assert_eq!(first.iterations, second.iterations, "{}", workload.name);
        let reports =
            |outcome: &Outcome| outcome.launches.iter().map(|l| l.report.clone()).collect::<Vec<_>>();
        assert_eq!(reports(&first), reports(&second), "{}", workload.name);
    });
}

fn random_graphs() -> impl Strategy<Value = Graph> {
    (1u32..80).prop_flat_map(|vertices| {
        let arc = (0..vertices, 0..vertices, 0u32..50);
        (prop::collection::vec(arc, 0..250), any::<bool>(), any::<bool>()).prop_map(
            move |(arcs, weighted, directed)| {
                let list: ArcList = match weighted {
                    true => arcs.into_iter().collect(),
                    false => arcs.into_iter().map(|(source, target, _)| (source, target)).collect(),
                };
                let rows = match directed {
                    true => build::from_arcs(&list, vertices.into()),
                    false => build::from_undirected_arcs(&list, vertices.into()),
                };
                let rows = rows.unwrap();
                if directed { Graph::directed(rows) } else { Graph::undirected(rows) }
            },
        )
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn every_workload_is_right_on_random_graphs(
        graph in random_graphs(),
        source in any::<prop::sample::Index>(),
        target in any::<prop::sample::Index>(),
    ) {
        let vertices = graph.num_vertices() as usize;
        let options = RunOptions {
            source: Some(source.index(vertices) as u32),
            target: Some(target.index(vertices) as u32),
            ..RunOptions::default()
        };
        prop_assert_eq!(problems(&graph, &options), [""; 0]);
    }
}

/// The folder of real graphs, where there is one. Where there is none the test is skipped, and a line on standard error
/// says so: past the harness, which shows what tests print only if they fail.
fn real_graphs() -> Option<PathBuf> {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/graphs");
    let folder = std::env::var_os("HEDDLE_GRAPHS").map_or(beside, PathBuf::from);
    let found = folder.join("MANIFEST.tsv").is_file();
    if !found {
        let test = std::thread::current().name().unwrap_or("a test").to_owned();
        let line = format!("SKIPPED {test}: no real graphs in {} (HEDDLE_GRAPHS)\n", folder.display());
        std::io::stderr().write_all(line.as_bytes()).expect("standard error can be written to");
    }
    found.then_some(folder)
}

#[test]
fn every_workload_is_right_on_small_real_graphs() {
    let Some(folder) = real_graphs() else { return };
    for file in ["rodinia-graph4096/graph4096.txt.gz", "memplus/memplus.mtx.gz", "4elt/4elt.graph.gz"] {
        let options = ReadOptions { weights: WeightPolicy::Describe, ..ReadOptions::default() };
        let graph = source::load(&folder.join(file).to_string_lossy(), &options).unwrap().graph;
        assert_eq!(problems(&graph, &RunOptions::default()), [""; 0], "{file}");
    }
}
