//! Points that begin with the state of a program before a launch have the figures of those that run it from its beginning.

use heddle_lab::experiment::Point;
use heddle_lab::record::Outcome;
use heddle_lab::select::LaunchChoice;
use heddle_lab::simulate::{Build, Flag, Workbench};

const KERNELS: [(&str, &str); 10] = [
    ("h-bfs", "Kernel"),
    ("h-sssp", "DijkstraKernel1"),
    ("h-mst", "Kernel_Find_Min_Edge_Weight_Per_Vertex"),
    ("ls-bfs", "drelax"),
    ("ls-sssp", "drelax"),
    ("ls-mst", "boruvkaone"),
    ("colouring-topology", "color_mark"),
    ("mis-luby", "mis_find"),
    ("bfs-dd", "expand"),
    ("bfs-wc", "expand"),
];

fn bench() -> Workbench {
    Workbench::new(Build { version: "test".to_owned(), hash: "0".to_owned() }, 1 << 30)
}

fn point(workload: &str, machine: &str, launches: &str) -> Point {
    Point {
        workload: workload.to_owned(),
        graph: Some("uniform:scale=9,degree=6".to_owned()),
        machine: machine.to_owned(),
        launches: Some(LaunchChoice::parse(launches).unwrap()),
        cold: true,
        ..Point::default()
    }
}

fn launch_of(outcome: &Outcome) -> u64 {
    let Outcome::Done { launches, .. } = outcome else { panic!("the point has figures") };
    assert_eq!(launches.len(), 1, "one launch is simulated");
    launches[0].counts["launch"]
}

#[test]
fn a_launch_from_a_checkpoint_has_the_figures_of_one_in_its_program() {
    let bench = bench();
    // On gtx480 the host's copies go through L2, of which a cold launch finds nothing either.
    for ((workload, kernel), machine) in
        KERNELS.into_iter().zip(["fermi", "fermi", "gtx480"].into_iter().cycle())
    {
        let chosen = point(workload, machine, &format!("kernel={kernel},largest=1"));
        let from_checkpoint = bench.run(&chosen, &Flag::default(), &|| false).unwrap().outcome;
        // A launch that is named by its number needs no run without time, and has no checkpoint.
        let numbered = point(workload, machine, &launch_of(&from_checkpoint).to_string());
        assert!(
            from_checkpoint == bench.run(&numbered, &Flag::default(), &|| false).unwrap().outcome,
            "{workload} on {machine}"
        );
    }
}

#[test]
fn a_checkpoint_is_as_it_was_after_a_point_has_begun_with_it() {
    let bench = bench();
    for (workload, kernel) in KERNELS {
        let chosen = point(workload, "fermi", &format!("kernel={kernel},largest=1"));
        let other = Point { set: vec!["l1.latency=40".to_owned()], ..chosen.clone() };
        let first = bench.run(&chosen, &Flag::default(), &|| false).unwrap().outcome;
        assert!(
            first != bench.run(&other, &Flag::default(), &|| false).unwrap().outcome,
            "{workload} on another machine"
        );
        assert!(
            first == bench.run(&chosen, &Flag::default(), &|| false).unwrap().outcome,
            "{workload} again"
        );
    }
}
