//! Launches that start cold have the figures that they have alone, whichever launches were simulated before them.

use heddle_lab::experiment::Point;
use heddle_lab::record::{Outcome, Row};
use heddle_lab::select::LaunchChoice;
use heddle_lab::simulate::{Build, Flag, Workbench};

/// Programs with one kernel and with several, none of whose launches leaves the next ones something else in time than
/// without: a program whose warps race would.
const PROGRAMS: [&str; 2] = ["h-bfs", "h-sssp"];

/// Policies with tables, with lots, with modes, of both levels; hardware that learns in cores; a limit, whose launches
/// foresee what a first run recorded of them.
const MECHANISMS: [&[&str]; 9] = [
    &[],
    &["obm"],
    &["spref1"],
    &["r-ex"],
    &["ab"],
    &["flexclusion"],
    &["stream", "sector"],
    &["write-back"],
    &["oracle-bypass"],
];

/// All from the first on, with gaps, neighbours, and backwards as it is written.
const TOGETHER: [&str; 4] = ["1..5", "3,5", "4..5", "5,2,1"];

fn launches(bench: &Workbench, point: &Point) -> Vec<Row> {
    match bench.run(point, &Flag::default(), &|| false).unwrap().outcome {
        Outcome::Done { launches, .. } => launches,
        other => panic!("{point:?}: {other:?}"),
    }
}

fn point(workload: &str, machine: &str, with: &[&str], launches: &str, cold: bool) -> Point {
    Point {
        workload: workload.to_owned(),
        graph: Some("rmat:scale=9,degree=8".to_owned()),
        machine: machine.to_owned(),
        with: with.iter().map(|&name| name.to_owned()).collect(),
        launches: Some(LaunchChoice::parse(launches).unwrap()),
        cold,
        ..Point::default()
    }
}

fn bench() -> Workbench {
    Workbench::new(Build { version: "test".to_owned(), hash: "0".to_owned() }, 1 << 30)
}

#[test]
fn a_cold_launch_has_the_figures_that_it_has_alone_whatever_was_simulated_before() {
    let bench = bench();
    let machines = ["fermi", "gtx480"].into_iter().flat_map(|machine| MECHANISMS.map(|with| (machine, with)));
    for ((machine, with), workload) in machines.flat_map(|machine| PROGRAMS.map(|program| (machine, program)))
    {
        let run = |choice: &str| launches(&bench, &point(workload, machine, with, choice, true));
        let alone: Vec<Row> = (1..=5).map(|number| run(&number.to_string()).remove(0)).collect();
        for choice in TOGETHER {
            for row in run(choice) {
                let number = row.counts["launch"];
                let place = format!("{workload} on {machine} with {with:?}: {number} in {choice}");
                assert_eq!(row, alone[number as usize - 1], "{place}");
            }
        }
    }
}

#[test]
fn a_warm_launch_depends_on_those_before_it() {
    let bench = bench();
    for machine in ["fermi", "gtx480"] {
        let of = |choice| launches(&bench, &point("h-bfs", machine, &[], choice, false)).pop();
        assert_ne!(of("5"), of("1..5"), "{machine}: the comparison could fail");
    }
}
