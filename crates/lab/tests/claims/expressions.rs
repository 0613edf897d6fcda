//! The language of expressions: values, errors with their columns, and that no text makes it panic.

use super::{labels, observations, row};
use heddle_lab::claims::expression::{Names, Problem, Value, evaluate, parse};
use heddle_lab::claims::observations::{Absent, Observations};

/// Two kernels on two graphs with and without a mechanism, two launches each for the first kernel.
fn results() -> Observations {
    let mut rows = Vec::new();
    for (with, factor) in [("none", 1.0), ("sector", 1.5)] {
        for (workload, cycles) in [("h-bfs", 100.0), ("mis-luby", 400.0)] {
            for graph in ["a", "b"] {
                for launch in ["1", "2"] {
                    let slower = if workload == "h-bfs" { factor } else { 1.0 };
                    let point =
                        [("with", with), ("workload", workload), ("graph", graph), ("launch", launch)];
                    let figures =
                        [("cycles", cycles / slower), ("warp_instructions", 200.0), ("l1.reads", 8.0)];
                    rows.push(row(&point, &figures));
                }
            }
        }
    }
    observations(rows)
}

fn value_on(text: &str, results: &Observations) -> Result<Value, Problem> {
    evaluate(&parse(text)?, results, &Names::new()).value
}

fn value(text: &str) -> Result<Value, Problem> {
    value_on(text, &results())
}

fn number(text: &str) -> f64 {
    match value(text) {
        Ok(Value::Number(number)) => number,
        other => panic!("{text}: {other:?}"),
    }
}

fn truth(text: &str) -> bool {
    match value(text) {
        Ok(Value::Truth(truth)) => truth,
        other => panic!("{text}: {other:?}"),
    }
}

fn problem(text: &str) -> String {
    value(text).expect_err(text).to_string()
}

#[test]
fn arithmetic_has_its_ranks_and_signs() {
    assert_eq!(number("1 + 2 * 3 - 8 / 4"), 5.0);
    assert_eq!(number("-(1 - 3) * 1e3 / 2.5"), 800.0);
    assert_eq!(number("10 - 3 - 2"), 5.0);
    assert!(truth("1 + 1 == 2 and not 2 < 1 or false"));
    assert!(truth("0.2 in 0.2..0.6 and not 0.61 in 0.2..0.6"));
    assert!(truth("[1, 2] == [1, 2] and \"a\" != \"b\""));
}

#[test]
fn a_ratio_of_series_is_taken_row_by_row() {
    assert_eq!(number("mean(by(workload, mean, ipc{with=sector} / ipc{with=none}))"), 1.25);
    assert_eq!(number("count(ipc{with=sector} / ipc{with=none})"), 8.0);
    assert_eq!(number("min(ipc{with=sector} / ipc{with=none})"), 1.0);
    assert!((number("max(ipc{with=sector} / ipc{with=none})") - 1.5).abs() < 1e-12);
    assert_eq!(number("sum(l1.reads{workload=h-bfs, with=none, graph=a})"), 16.0);
}

#[test]
fn means_are_those_of_their_names() {
    let series = "cycles{with=none, graph=a, launch=1}";
    assert_eq!(number(&format!("mean({series})")), 250.0);
    assert_eq!(number(&format!("hmean({series})")), 160.0);
    assert!((number(&format!("gmean({series})")) - 200.0).abs() < 1e-9);
    assert_eq!(number(&format!("median({series})")), 250.0);
    assert_eq!(number("only(cycles{with=none, graph=a, launch=1, workload=h-bfs})"), 100.0);
}

#[test]
fn conditions_choose_rows_and_sets_count() {
    assert_eq!(number("count(where(cycles{with=none}, cycles{with=none} > 300))"), 4.0);
    assert_eq!(number("count(cycles{with=none} > 300)"), 4.0);
    assert!(truth("all(cycles > 0) and any(cycles{with=none} < 101) and not all(cycles < 101)"));
    let gain = "by(workload, mean, ipc{with=sector} / ipc{with=none})";
    assert!(truth(&format!("contains(lowest(1, {gain}), \"mis-luby\")")));
    assert!(truth(&format!("contains(highest(1, {gain}), \"h-bfs\")")));
    assert_eq!(number(&format!("overlap(lowest(2, {gain}), [\"h-bfs\", \"stcon\"])")), 1.0);
    assert_eq!(number("count(cycles{workload!=h-bfs, with=none|sector})"), 8.0);
    assert_eq!(number("round(2 / 3, 2)"), 0.67);
}

#[test]
fn series_that_do_not_match_are_refused() {
    let words = problem("ipc{with=sector} / ipc{with=none, graph=a}");
    assert!(words.contains("do not match") && words.contains("column 1"), "{words}");
    let mut results = results();
    results.rows.remove(0);
    let words = value_on("ipc{with=sector} / ipc{with=none}", &results).unwrap_err().to_string();
    assert!(words.contains("only the left one has graph=a launch=1 workload=h-bfs"), "{words}");
    assert!(problem("ipc{graph=a|b} / ipc{graph=a}").contains("do not match"));
}

#[test]
fn a_slip_is_answered_with_the_nearest_name() {
    for (text, words) in [
        ("ipc{wiht=none}", "column 1: there is no label `wiht`; did you mean `with`?"),
        ("1 + ipc{with=sectors}", "column 5: there is no with called `sectors`; did you mean `sector`?"),
        ("ipc{workload=h-bfs|mis-lubi}", "did you mean `mis-luby`?"),
        ("cycle{with=none}", "column 1: there is no figure `cycle`; did you mean `cycles`?"),
        ("maen(cycles)", "column 1: there is no function `maen`; did you mean `mean`?"),
        ("by(workloads, mean, cycles)", "column 4: there is no label `workloads`; did you mean `workload`?"),
        ("by(workload, maen, cycles)", "column 14: there is no function of a series `maen`"),
        ("mean(cycles, 1)", "it is called as mean(series)"),
        ("lowest(1, cycles)", "by one label"),
        ("lowest(9, by(workload, mean, cycles))", "9 of 2 rows"),
        ("where(cycles, cycles < 0)", "true for no row"),
        ("1 / 0", "division by zero"),
        ("cycles / (cycles - cycles)", "no number for graph=a"),
        ("hmean(cycles - cycles)", "no hmean"),
        ("only(cycles)", "there are 16"),
        ("1 + true", "a number and true or false"),
        ("0.6..0.2", "the range is empty"),
    ] {
        let told = problem(text);
        assert!(told.contains(words), "{text}: {told}");
    }
}

#[test]
fn bad_text_has_a_column() {
    for (text, words) in [
        ("", "column 1: the expression ends"),
        ("1 +", "column 4: the expression ends"),
        ("(1", "column 3: `)` is missing"),
        ("1 2", "column 3: `2` is not expected"),
        ("ipc{with}", "column 9: `=` is missing"),
        ("ipc{with=}", "column 10: a value"),
        ("ipc{with=none", "`,` is missing"),
        ("\"abc", "column 1: the text has no closing quote"),
        ("mean(1,)", "column 8: `)` begins no operand"),
        ("and 1", "column 1: `and` stands"),
        ("1 < 2 < 3", "column 7: `<` is not expected"),
        ("é + ?", "column 5: `?` begins no operand"),
    ] {
        let told = problem(text);
        assert!(told.contains(words), "{text}: {told}");
    }
    assert!(problem(&"(".repeat(4000)).contains("nested deeper"));
    assert!(problem(&"-".repeat(4000)).contains("nested deeper"));
    assert!(problem(&"1+".repeat(4000)).contains("longer than"));
}

#[test]
fn no_text_makes_it_panic() {
    let parts = [
        "ipc", "{", "}", "with", "=", "none", "|", "(", ")", "mean", "by", "workload", ",", "1", "..", ".",
        "e", "-", "not", "in", "and", "<", "\"", "[", "]", "/", "0", "where", "lowest", " ", "é",
    ];
    let results = results();
    let mut state = 1u64;
    for _ in 0..20_000 {
        let mut text = String::new();
        for _ in 0..12 {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            text += parts[(state >> 33) as usize % parts.len()];
        }
        // Whatever comes out, it comes out.
        drop(value_on(&text, &results));
    }
    // The longest chain that is accepted is deep to evaluate.
    assert_eq!(number(&format!("1{}", "+1".repeat(200))), 201.0);
    assert!(problem(&format!("1{}", "+1".repeat(201))).contains("more than 200 operators"));
}

#[test]
fn points_without_figures_are_told_if_they_are_selected() {
    let mut results = results();
    let point = labels(&[("with", "sector"), ("workload", "stcon"), ("graph", "a")]);
    results.absent.push(Absent { labels: point, why: "out of time".to_owned() });
    let absent = |text: &str| evaluate(&parse(text).unwrap(), &results, &Names::new()).absent;
    assert!(absent("mean(ipc{with=none})").is_empty());
    assert!(absent("mean(ipc{with=sector, workload=h-bfs})").is_empty());
    assert_eq!(absent("mean(ipc{with=sector, launch=1})").len(), 1);
    assert!(absent("mean(ipc{with=sector})").first().unwrap().contains("out of time"));
}

#[test]
fn groups_by_several_labels_keep_them() {
    assert_eq!(number("count(by([workload, graph], mean, cycles{with=none}))"), 4.0);
    assert_eq!(number("max(by([workload, with], sum, cycles))"), 1600.0);
    let best = "cycles{with=none} / by([workload, graph, launch], min, cycles)";
    assert!((number(&format!("max({best})")) - 1.5).abs() < 1e-12);
    assert!(problem("by([workload, grpah], mean, cycles)").contains("did you mean `graph`?"));
    assert!(problem("by([], mean, cycles)").contains("it is called as by("));
    assert!(problem("by([1], mean, cycles)").contains("it is called as by("));
}

#[test]
fn ranks_and_sets_are_of_one_label() {
    let gain = "by(workload, mean, ipc{with=sector} / ipc{with=none})";
    assert_eq!(number(&format!("rank(\"h-bfs\", {gain})")), 1.0);
    assert_eq!(number(&format!("rank(\"mis-luby\", {gain})")), 2.0);
    assert!(problem(&format!("rank(\"h-bsf\", {gain})")).contains("did you mean `h-bfs`?"));
    assert!(truth(&format!("which({gain} > 1) == [\"h-bfs\"]")));
    assert!(truth(&format!("which({gain} > 1) != [\"h-bfs\", \"mis-luby\"]")));
    assert_eq!(number(&format!("count(which({gain} > 9))")), 0.0);
    assert!(problem("which(cycles > 1)").contains("by one label"));
    assert!(problem(&format!("which({gain} > 1) == [1]")).contains("compares a set with texts"));
}

#[test]
fn lists_of_numbers_and_truths_are_reduced() {
    assert_eq!(number("max([1, 3, 2]) - min([4, 5])"), -1.0);
    assert_eq!(number("count([1 < 2, 2 < 1, true])"), 2.0);
    assert!(truth("all([true, 1 < 2]) and any([false, true]) and not all([true, false])"));
    assert!(problem("count([1, 2])").contains("it is called as count("));
    assert!(problem("max([])").contains("no max"));
}

#[test]
fn figures_of_runs_and_of_groups_of_counters() {
    let mut results = results();
    results.runs = vec![row(&[("with", "none")], &[("iterations", 7.0)])];
    assert_eq!(value_on("only(run.iterations{with=none})", &results), Ok(Value::Number(7.0)));
    let counts = [("noc.bytes.up", 3), ("noc.bytes.down", 4), ("noc.bytes_per_flit", 32)];
    results.runs[0].row.counts = counts.map(|(name, count)| (name.to_owned(), count)).into();
    assert_eq!(value_on("only(run.noc.bytes.total{with=none})", &results), Ok(Value::Number(7.0)));
}
