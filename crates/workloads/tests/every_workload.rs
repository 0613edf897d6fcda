//! Every workload is right on every graph: the quick cases of the list, and random graphs, with any block size.

use heddle_device::Device;
use heddle_graph::{Graph, build};
use heddle_workloads::library::matrix::CASES;
use heddle_workloads::library::{self, RunOptions, registry::WORKLOADS};
use proptest::prelude::*;

/// Runs one workload; `run` itself judges the answer.
fn right(workload: &library::Workload, graph: &Graph, options: &RunOptions) -> Result<(), String> {
    let outcome = library::run(workload, graph.clone(), &mut Device::functional(), options, &|_, _| ());
    outcome.map(|_| ()).map_err(|error| format!("{}: {error}", workload.name))
}

#[test]
fn every_workload_is_right_on_every_quick_case() {
    let mut wrong = Vec::new();
    for case in CASES.iter().filter(|case| case.is_quick) {
        let graph = case.graph().unwrap();
        for workload in WORKLOADS {
            if let Err(error) = right(workload, &graph, &RunOptions::default()) {
                wrong.push(format!("{}: {error}", case.name));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

prop_compose! {
    /// Up to 90 vertices, with self-loops, parallel arcs and vertices without arcs; weights or none.
    fn any_graph()(vertices in 1u32..90)(
        vertices in Just(vertices),
        arcs in prop::collection::vec((0..vertices, 0..vertices, 0u32..50), 0..300),
        weighted: bool,
    ) -> Graph {
        let rows = match weighted {
            true => build::from_arcs(&arcs.into_iter().collect(), vertices.into()),
            false => build::from_arcs(&arcs.into_iter().map(|(from, to, _)| (from, to)).collect(), vertices.into()),
        };
        Graph::directed(rows.unwrap())
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn every_workload_is_right_on_random_graphs_with_any_block(
        graph in any_graph(),
        ends: (u32, u32),
        block in prop::sample::select(vec![1u32, 7, 32, 48, 96, 512, 1024]),
    ) {
        let vertex = |number: u32| Some(number % graph.num_vertices());
        let options = RunOptions {
            source: vertex(ends.0),
            target: vertex(ends.1),
            block: Some(block),
            settings: Vec::new(),
        };
        for workload in WORKLOADS {
            prop_assert_eq!(right(workload, &graph, &options), Ok(()));
        }
    }
}
