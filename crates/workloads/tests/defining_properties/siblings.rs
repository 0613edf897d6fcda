//! Workloads of one problem, compared with each other.

use super::counted::{count, recipe};
use heddle_workloads::library::registry::WORKLOADS;

#[test]
fn no_two_workloads_of_a_problem_execute_the_same() {
    let graph = recipe("rmat:scale=8,degree=6");
    let traces: Vec<_> = WORKLOADS
        .iter()
        .map(|workload| {
            let run = count(workload.name, &graph);
            let launches = run.outcome.launches.into_iter().map(|launch| launch.report);
            (workload, launches.map(|report| (report.kernel, report.lane_instructions)).collect::<Vec<_>>())
        })
        .collect();
    for (index, (workload, trace)) in traces.iter().enumerate() {
        for (other, other_trace) in &traces[..index] {
            let alike = workload.problem == other.problem && trace == other_trace;
            assert!(!alike, "{} and {} execute the same", workload.name, other.name);
        }
    }
}

#[test]
fn allocations_are_as_many_as_the_document_counts_but_for_ls_mst() {
    // [Lakshminarayana14] table 9. It counts 25 for LS-MST, which has 23 here: nothing would read sizes of
    // components, and the barrier's words are not needed where the kernel is split (kernels/mst/ls_mst.cu).
    let published = [
        ("h-bfs", 7),
        ("h-sssp", 7),
        ("h-mst", 22),
        ("ls-mst", 23),
        ("ls-bfs", 10),
        ("ls-sssp", 10),
        ("colouring-topology", 7),
        ("mis-luby", 7),
        ("bfs-dd", 8),
        ("bfs-wc", 7),
    ];
    let graph = recipe("rmat:scale=6,degree=6");
    for (name, allocations) in published {
        assert_eq!(count(name, &graph).buffers().len(), allocations, "{name}");
    }
}
