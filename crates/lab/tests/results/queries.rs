//! Questions about tables.

use super::{labels, launch, points, record, row, tables_of};
use heddle_lab::record::Outcome;
use heddle_lab::results::query::{Aggregate, Answer, Query, answer};
use heddle_lab::results::{ResultsError, Table, TableKind};

/// A question over the runs of the hand-made points.
fn ask(query: &Query) -> Result<Answer, ResultsError> {
    answer(&tables_of(&points()).runs, query)
}

fn conditions(all: &[&str]) -> Vec<heddle_lab::results::query::Condition> {
    all.iter().map(|text| text.parse().unwrap()).collect()
}

fn strings(all: &[&str]) -> Vec<String> {
    all.iter().map(|text| (*text).to_owned()).collect()
}

/// A column as text, `-` where there is no value.
fn cells(table: &Table, name: &str) -> Vec<String> {
    let values = &table.column(name).unwrap_or_else(|| panic!("no {name}")).values;
    (0..table.rows).map(|row| values.text(row).unwrap_or_else(|| "-".to_owned())).collect()
}

#[test]
fn conditions_filter_by_text_pattern_number_and_absence() {
    for (condition, rows) in [
        ("workload=h-bfs", 3),
        ("workload!=h-bfs", 3),
        ("with=*sector", 4),
        ("with=*b*s*r", 2),
        ("with=sector*", 2),
        ("cycles>2000", 3),
        ("cycles>=2000", 4),
        ("cycles<2000", 1),
        ("cycles<=2000", 2),
        ("cycles=4e3", 1),
        ("cycles=", 1),
        ("error!=", 1),
        ("seed = 7", 6),
        ("ipc==0.5", 1),
    ] {
        let query = Query { conditions: conditions(&[condition]), ..Query::default() };
        assert_eq!(ask(&query).unwrap().table.rows, rows, "{condition}");
    }
    let both = Query { conditions: conditions(&["workload=h-bfs", "cycles>1000"]), ..Query::default() };
    assert_eq!(cells(&ask(&both).unwrap().table, "with"), ["none", "sector"]);
}

#[test]
fn what_is_no_condition_is_refused() {
    for text in ["", "workload", "=3", "workload!x"] {
        assert!(text.parse::<heddle_lab::results::query::Condition>().is_err(), "{text}");
    }
    for (condition, problem) in [
        ("workload>a", "workload is text"),
        ("cycles=many", "cycles is a number, and `many` is none"),
        ("cycles>", "a value is missing"),
    ] {
        let query = Query { conditions: conditions(&[condition]), ..Query::default() };
        assert!(ask(&query).unwrap_err().problem.contains(problem), "{condition}");
    }
}

#[test]
fn where_all_points_failed_a_figure_is_answered_with_that() {
    let outcome = Outcome::Failed { error: "it ran into the limit".to_owned(), timed_out: true };
    let tables = tables_of(&[(labels(&[("workload", "h-bfs")]), record("a", outcome))]);
    let query = Query { columns: strings(&["cycles"]), ..Query::default() };
    for table in [&tables.runs, &tables.launches] {
        let error = answer(table, &query).unwrap_err();
        assert!(error.problem.contains("no column `cycles`: no point has figures"), "{error}");
    }
}

#[test]
fn an_unknown_column_is_answered_with_the_nearest_one() {
    let wrong = [
        Query { conditions: conditions(&["cycels>3"]), ..Query::default() },
        Query { columns: strings(&["cycels"]), ..Query::default() },
        Query { group: strings(&["cycels"]), ..Query::default() },
        Query { aggregates: vec![(Aggregate::Mean, "cycels".to_owned())], ..Query::default() },
        Query { sort: Some("-cycels".parse().unwrap()), ..Query::default() },
        Query { ratios: strings(&["cycels"]), baseline: conditions(&["with=none"]), ..Query::default() },
    ];
    for query in wrong {
        let error = ask(&query).unwrap_err();
        assert!(error.problem.contains("no column `cycels`"), "{error}");
        let help = error.help.unwrap();
        assert!(help.contains("did you mean `cycles`?") && help.contains("--list"), "{help}");
    }
}

#[test]
fn means_are_arithmetic_harmonic_and_geometric() {
    let close = |aggregate: Aggregate, expected: f64| {
        let value = aggregate.of(&[1.0, 2.0, 4.0]).unwrap();
        assert!((value - expected).abs() < 1e-12, "{aggregate:?}: {value}");
    };
    close(Aggregate::Mean, 7.0 / 3.0);
    close(Aggregate::Harmonic, 3.0 / 1.75);
    close(Aggregate::Geometric, 2.0);
    close(Aggregate::Min, 1.0);
    close(Aggregate::Max, 4.0);
    close(Aggregate::Sum, 7.0);
    for aggregate in Aggregate::ALL {
        assert_eq!(aggregate.of(&[]), None, "{aggregate:?}");
    }
    assert_eq!(Aggregate::Harmonic.of(&[1.0, 0.0]), None);
    assert_eq!(Aggregate::Geometric.of(&[1.0, -2.0]), None);
}

#[test]
fn groups_keep_the_order_of_the_experiment_and_say_what_is_missing() {
    let query = Query {
        group: strings(&["with"]),
        aggregates: vec![(Aggregate::Mean, "cycles".to_owned()), (Aggregate::Max, "cycles".to_owned())],
        ..Query::default()
    };
    let Answer { table, notes } = ask(&query).unwrap();
    assert_eq!(table.names().collect::<Vec<_>>(), ["with", "n", "cycles_n", "cycles_mean", "cycles_max"]);
    assert_eq!(cells(&table, "with"), ["none", "sector", "obm+sector"]);
    assert_eq!(cells(&table, "n"), ["2", "2", "2"]);
    assert_eq!(cells(&table, "cycles_n"), ["2", "2", "1"]);
    assert_eq!(cells(&table, "cycles_mean"), ["6500", "3250", "1000"]);
    assert_eq!(notes, ["1 of 6 rows have no cycles, and are left out of its figures"]);
    let all = Query { aggregates: query.aggregates.clone(), ..Query::default() };
    assert_eq!(cells(&ask(&all).unwrap().table, "n"), ["6"]);
    let text = Query { aggregates: vec![(Aggregate::Sum, "with".to_owned())], ..Query::default() };
    assert!(ask(&text).unwrap_err().problem.contains("it is text"));
}

#[test]
fn a_ratio_is_to_the_row_that_differs_in_the_baselines_labels_alone() {
    let query = Query {
        baseline: conditions(&["with=none"]),
        ratios: strings(&["ipc"]),
        conditions: conditions(&["with!=none"]),
        ..Query::default()
    };
    let Answer { table, notes } = ask(&query).unwrap();
    assert_eq!(cells(&table, "ipc_ratio"), ["2", "4", "2", "-"]);
    assert!(notes.is_empty(), "{notes:?}");
    let grouped = Query {
        group: strings(&["with"]),
        aggregates: vec![(Aggregate::Harmonic, "ipc_ratio".to_owned())],
        ..query.clone()
    };
    let Answer { table, notes } = ask(&grouped).unwrap();
    assert_eq!(cells(&table, "ipc_ratio_harmonic"), ["2", "4"]);
    assert_eq!(notes, ["1 of 4 rows have no ipc_ratio, and are left out of its figures"]);
    let forgotten = Query { aggregates: vec![(Aggregate::Mean, "ipc".to_owned())], ..query };
    assert!(ask(&forgotten).unwrap_err().help.unwrap().contains("--harmonic ipc_ratio"));
}

#[test]
fn a_launch_is_compared_with_the_same_launch_of_the_baseline() {
    let point = |with: &str, launches: &[(u64, &str, u64)]| {
        let launches =
            launches.iter().map(|&(number, kernel, cycles)| launch(number, kernel, cycles)).collect();
        let labels = labels(&[("workload", "w"), ("with", with)]);
        (labels, record(with, Outcome::Done { run: row(1, 1, 1), launches }))
    };
    let points = [
        point("none", &[(1, "a", 100), (2, "b", 300)]),
        point("x", &[(1, "a", 50), (2, "c", 10), (3, "b", 10)]),
    ];
    let query =
        Query { baseline: conditions(&["with=none"]), ratios: strings(&["cycles"]), ..Query::default() };
    let Answer { table, notes } = answer(&tables_of(&points).launches, &query).unwrap();
    assert_eq!(table.kind, TableKind::Launches);
    assert_eq!(cells(&table, "cycles_ratio"), ["1", "1", "0.5", "-", "-"]);
    assert_eq!(notes, ["2 of 5 rows have no baseline, and no ratio"]);
}

#[test]
fn baselines_that_are_none_or_two_are_refused() {
    let ratio = |baseline: &[&str], wheres: &[&str]| {
        let query = Query {
            baseline: conditions(baseline),
            ratios: strings(&["ipc"]),
            conditions: conditions(wheres),
            ..Query::default()
        };
        ask(&query).unwrap_err()
    };
    let none = ratio(&["with=never"], &[]);
    assert!(none.problem.contains("no row has with=never; there are none, obm+sector, sector"), "{none}");
    let two = ratio(&["with=*sector"], &[]);
    assert!(two.problem.contains("two rows are the baseline of workload=h-bfs"), "{two}");
    assert!(ratio(&["with>none"], &[]).problem.contains("it takes = only"));
    assert!(ratio(&["wiht=none"], &[]).help.unwrap().contains("did you mean `with`?"));
    let query = Query { ratios: strings(&["ipc"]), ..Query::default() };
    assert!(ask(&query).unwrap_err().help.unwrap().contains("--baseline with=none"));
}

#[test]
fn rows_are_sorted_limited_and_shown_in_the_columns_asked_for() {
    let query = Query {
        sort: Some("-cycles".parse().unwrap()),
        limit: Some(2),
        columns: strings(&["cycles", "with", "l1.*"]),
        ..Query::default()
    };
    let Answer { table, notes } = ask(&query).unwrap();
    assert_eq!(table.names().collect::<Vec<_>>(), ["cycles", "with", "l1.double_hits", "l1.read_hits"]);
    assert_eq!(cells(&table, "cycles"), ["9000", "4500"]);
    assert_eq!(notes, ["2 of 6 rows are shown"]);
    let up = Query { sort: Some("cycles".parse().unwrap()), ..Query::default() };
    assert_eq!(cells(&ask(&up).unwrap().table, "cycles"), ["1000", "2000", "4000", "4500", "9000", "-"]);
    let none = Query { columns: strings(&["l7.*"]), ..Query::default() };
    assert!(ask(&none).unwrap_err().problem.contains("no column fits `l7.*`"));
}

#[test]
fn what_varies_is_shown_unless_columns_are_named() {
    let table = ask(&Query::default()).unwrap().table;
    let names: Vec<&str> = table.names().collect();
    assert_eq!(names[..3], ["workload", "with", "status"]);
    assert!(names.contains(&"ipc") && !names.contains(&"seed") && !names.contains(&"key"), "{names:?}");
    let none = Query { conditions: conditions(&["with=never"]), ..Query::default() };
    let Answer { table, notes } = ask(&none).unwrap();
    let told = ["none of the 6 rows fits", "no row has with=never; there are none, obm+sector, sector"];
    assert_eq!((table.rows, notes), (0, strings(&told)));
}
