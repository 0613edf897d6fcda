//! Launches that start cold have the figures that they have alone, whichever launches were simulated before them.

use heddle_lab::experiment::Point;
use heddle_lab::record::{Outcome, Row};
use heddle_lab::select::LaunchChoice;
use heddle_lab::simulate::{Build, Flag, Workbench};
use std::collections::BTreeMap;

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

fn launches(bench: &Workbench, point: &Point) -> Option<Vec<Row>> {
    match bench.run(point, &Flag::default(), &|| false) {
        Ok(ran) => match ran.outcome {
            Outcome::Done { launches, .. } => Some(launches),
            other => panic!("{point:?}: {other:?}"),
        },
        // Some machines cannot have some mechanisms.
        Err(error) if !point.with.is_empty() && !error.to_string().contains("launch") => None,
        Err(error) => panic!("{point:?}: {error}"),
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
    let mut refused = 0;
    for workload in PROGRAMS {
        for (machine, with) in
            ["fermi", "gtx480"].into_iter().flat_map(|machine| MECHANISMS.map(|with| (machine, with)))
        {
            let run = |choice: &str| launches(&bench, &point(workload, machine, with, choice, true));
            let Some(first) = run("1") else {
                refused += 1;
                continue;
            };
            let mut alone: BTreeMap<u64, Row> = BTreeMap::from([(1, first[0].clone())]);
            for number in 2..=5 {
                alone.insert(number, run(&number.to_string()).unwrap().remove(0));
            }
            for choice in TOGETHER {
                for row in run(choice).unwrap() {
                    let number = row.counts["launch"];
                    assert_eq!(
                        row, alone[&number],
                        "{workload} on {machine} with {with:?}: {number} in {choice}"
                    );
                }
            }
        }
    }
    assert!(refused <= 4, "{refused} of the machines were refused, so that little was compared");
}

#[test]
fn a_warm_launch_depends_on_those_before_it() {
    let bench = bench();
    for machine in ["fermi", "gtx480"] {
        let of = |choice| launches(&bench, &point("h-bfs", machine, &[], choice, false)).unwrap().pop();
        assert_ne!(of("5"), of("1..5"), "{machine}: the comparison could fail");
    }
}
