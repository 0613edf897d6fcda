//! Verdicts, and the ledger as it is committed and shown.

use super::{labels, row};
use heddle_lab::claims::book::Book;
use heddle_lab::claims::ledger::{Committed, Heading, Ledger, Verdict};
use heddle_lab::claims::observations::{Absent, Observations};
use heddle_lab::claims::summary::{BEGIN, END, summary, updated};
use heddle_lab::hash::Key;
use heddle_lab::record::{Made, Outcome, Record, Row, SCHEMA};
use heddle_lab::scale::Scale;
use std::convert::Infallible;

const TABLE: &str = "id\tsource\twhat\tpublished\tagrees_when
gain\t[Che13] table 1\ta gain\t+10%\t+5..+20%
other\t[Che13] table 1\tanother\t+10%\t+5..+20%
missing\t[Che13] table 2\tfar\t1\tholds
";
const EVALUATION: &str = "
[[claim]]
id = 'gain'
experiment = 'e'
each = 'ipc{with=b} / ipc{with=a} - 1'
value = 'mean(each)'
shown = 'gain'
[[claim]]
id = 'other'
experiment = 'e'
each = 'ipc{with=c} / ipc{with=a} - 1'
value = 'mean(each)'
shown = 'gain'
[[claim]]
id = 'missing'
needs = ['a machine', 'a mechanism']
";
const CAUSE: &str = "[[cause]]\nclaim = 'gain'\ncause = 'Lines are shorter.'\nexperiment = 'lines'";

fn book(causes: &str) -> Book {
    Book::new(TABLE, &[("x.toml".to_owned(), EVALUATION)], causes).unwrap()
}

/// Three mechanisms, of which the second and third are faster by these gains, in two invocations.
fn results(gain: f64, other: f64) -> Observations {
    let speeds = [("a", 1.0), ("b", 1.0 + gain), ("c", 1.0 + other)];
    let rows = speeds.iter().flat_map(|&(with, speed)| {
        ["1", "2"].map(|launch| {
            let slower = if launch == "2" && with != "a" { 0.02 } else { 0.0 };
            let figures = [("warp_instructions", 1e6 * (speed - slower)), ("cycles", 1e6)];
            row(&[("with", with), ("launch", launch)], &figures)
        })
    });
    Observations { rows: rows.collect(), ..Observations::default() }
}

fn heading() -> Heading {
    let command = "heddle claims --scale study".to_owned();
    Heading { command, version: "0.1.0".to_owned(), date: "2026-01-31".to_owned() }
}

fn judged(book: &Book, scale: Scale, results: &Observations, committed: &[Committed]) -> Ledger {
    let given = |_: &str| Ok::<_, Infallible>(results.clone());
    Ledger::judge(book, scale, heading(), |_| true, given, committed).unwrap()
}

#[test]
fn a_claim_agrees_or_has_a_cause_or_an_unknown_one() {
    let ledger = judged(&book(CAUSE), Scale::Study, &results(0.11, 0.11), &[]);
    let first = &ledger.entries[0];
    assert_eq!(first.verdict, Verdict::Agrees);
    assert_eq!(first.ours.as_deref(), Some("+10.0 %"));
    assert_eq!(first.invocations, Some(2));
    let (minimum, maximum) = (first.minimum.unwrap(), first.maximum.unwrap());
    assert!((minimum - 0.09).abs() < 1e-9 && (maximum - 0.11).abs() < 1e-9);
    assert_eq!(ledger.entries[2].verdict, Verdict::NotYet);
    assert_eq!(ledger.entries[2].why, "needs a machine; a mechanism");
    let ledger = judged(&book(CAUSE), Scale::Study, &results(0.5, 0.5), &[]);
    assert_eq!(ledger.entries[0].verdict, Verdict::DoesNotAgree);
    assert_eq!(ledger.entries[0].why, "Lines are shorter. (experiment lines)");
    assert_eq!(ledger.entries[1].why, "unknown");
    let remark = "[[remark]]\nclaim = 'other'\nremark = 'The text has no figure.'";
    let ledger = judged(&book(&format!("{CAUSE}\n{remark}")), Scale::Study, &results(0.5, 0.5), &[]);
    assert_eq!(ledger.entries[1].why, "unknown: The text has no figure.");
    let ledger = judged(&book(remark), Scale::Study, &results(0.11, 0.11), &[]);
    assert_eq!((ledger.entries[1].verdict, ledger.entries[1].why.as_str()), (Verdict::Agrees, ""));
}

#[test]
fn a_point_without_figures_leaves_the_claims_incomplete_that_need_it() {
    let mut results = results(0.11, 0.11);
    results.rows.retain(|row| row.labels["with"] != "c");
    let point = labels(&[("with", "c")]);
    results.absent.push(Absent { labels: point, why: "limit of time".to_owned() });
    let ledger = judged(&book(""), Scale::Study, &results, &[]);
    assert_eq!(ledger.entries[0].verdict, Verdict::Agrees);
    assert_eq!(ledger.entries[1].verdict, Verdict::Incomplete);
    assert!(ledger.entries[1].why.contains("with=c: limit of time"), "{}", ledger.entries[1].why);
    assert!(ledger.entries[1].why.starts_with("1 of its points has no figures"), "{}", ledger.entries[1].why);
    // All that are missing are counted, although the first is enough to give up.
    let names = ["a", "b", "c"].map(|with| labels(&[("with", with)]));
    let none = names.map(|labels| Absent { labels, why: "it has not run".to_owned() });
    let none = Observations { absent: none.into(), ..Observations::default() };
    let ledger = judged(&book(""), Scale::Study, &none, &[]);
    assert!(
        ledger.entries[0].why.starts_with("2 of its points have no figures"),
        "{}",
        ledger.entries[0].why
    );
    let ledger = judged(&book(""), Scale::Study, &Observations::default(), &[]);
    assert_eq!(ledger.entries[0].verdict, Verdict::Incomplete);
    assert!(
        ledger.entries[0].why.contains("experiment e has no results at the scale study"),
        "{}",
        ledger.entries[0].why
    );
}

#[test]
fn a_sign_that_turns_with_the_scale_is_not_judged() {
    let book = book("");
    let study = judged(&book, Scale::Study, &results(-0.1, 0.11), &[]);
    let committed = Committed::parse("ledger.tsv", &study.to_tsv()).unwrap();
    let quick = judged(&book, Scale::Quick, &results(0.11, 0.11), std::slice::from_ref(&committed));
    assert_eq!(quick.entries[0].verdict, Verdict::NotJudged);
    assert!(quick.entries[0].why.contains("at study (-11.0 %)"), "{}", quick.entries[0].why);
    assert_eq!(quick.entries[1].verdict, Verdict::Agrees);
    // The larger scale is not called into question by the smaller one, nor a scale by itself.
    let quick = Committed { scale: Scale::Quick, ..committed.clone() };
    let study = judged(&book, Scale::Study, &results(0.11, 0.11), &[quick, committed]);
    assert_eq!(study.entries[0].verdict, Verdict::Agrees);
    // Next to nothing has no sign.
    let nothing = judged(&book, Scale::Study, &results(-0.001 + 0.01, 0.0), &[]);
    let committed = Committed::parse("ledger.tsv", &nothing.to_tsv()).unwrap();
    let quick = judged(&book, Scale::Quick, &results(0.11, 0.11), &[committed]);
    assert_eq!(quick.entries[0].verdict, Verdict::Agrees);
}

#[test]
fn a_committed_ledger_is_read_as_it_was_written() {
    let ledger = judged(&book(""), Scale::Study, &results(0.11, 0.5), &[]);
    let committed = Committed::parse("ledger.tsv", &ledger.to_tsv()).unwrap();
    assert_eq!((&committed.heading, committed.scale), (&ledger.heading, ledger.scale));
    for entry in &ledger.entries {
        assert_eq!(committed.verdicts[&entry.id], (entry.verdict, entry.value));
    }
    for verdict in Verdict::ALL {
        assert_eq!(committed.count(verdict), ledger.count(verdict));
    }
    let text = ledger.to_tsv();
    for (from, to, words) in [
        ("# date", "# day", "`# date: …` is missing"),
        ("scale: study", "scale: huge", "the scale is unknown"),
        ("\tinvocations\t", "\truns\t", "the columns"),
        ("\tagrees\t", "\tpasses\t", "line 6: it is no row"),
        ("\nother\t", "\ngain\t", "line 7: the claim is a duplicate"),
    ] {
        let error = Committed::parse("ledger.tsv", &text.replacen(from, to, 1)).unwrap_err().to_string();
        assert!(error.contains(words), "{to}: {error}");
    }
}

#[test]
fn the_summary_stands_between_its_markers() {
    let committed = |scale| {
        let ledger = judged(&book(""), scale, &results(0.11, 0.5), &[]);
        Committed::parse("ledger.tsv", &ledger.to_tsv()).unwrap()
    };
    let text = summary(&[committed(Scale::Study), committed(Scale::Quick)]);
    let rows: Vec<&str> = text.lines().collect();
    let quick = "| [quick](records/quick/ledger.tsv) | 1 | 1 | 0 | 0 | 1 |";
    assert!(rows[2].starts_with(quick), "{text}");
    assert!(rows[3].contains("`heddle claims --scale study`, version 0.1.0, 2026-01-31"), "{text}");
    let page = format!("# Page\n{BEGIN}\nold\n{END}\nend\n");
    assert_eq!(updated(&page, "new\n").unwrap(), format!("# Page\n{BEGIN}\nnew\n{END}\nend\n"));
    assert_eq!(updated("# Page\n", "new\n"), None);
}

#[test]
fn launches_of_a_record_are_rows_and_failed_points_are_absent() {
    let launch = |number: u64| Row {
        counts: [("launch".to_owned(), number), ("cycles".to_owned(), 5)].into(),
        texts: [("kernel".to_owned(), "Kernel".to_owned())].into(),
        ..Row::default()
    };
    let record = |outcome| Record {
        schema: SCHEMA,
        key: Key::of("x"),
        labels: labels(&[("workload", "of another experiment")]),
        made: Made {
            version: String::new(),
            build: String::new(),
            behaviour: 1,
            program: String::new(),
            graph: String::new(),
            machine: String::new(),
        },
        outcome,
    };
    let timed = record(Outcome::Done { run: Row::default(), launches: vec![launch(3), launch(7)] });
    let still = record(Outcome::Done { run: launch(1), launches: Vec::new() });
    let failed = record(Outcome::Failed { error: "no memory".to_owned(), timed_out: false });
    let names = ["a", "b", "c", "d"].map(|name| labels(&[("workload", name)]));
    let points =
        [(&names[0], Some(&timed)), (&names[1], Some(&still)), (&names[2], Some(&failed)), (&names[3], None)];
    let found = Observations::of_points(points);
    let called: Vec<_> = found.rows.iter().map(|row| row.labels.clone()).collect();
    assert_eq!(called[0], labels(&[("workload", "a"), ("launch", "3"), ("kernel", "Kernel")]));
    assert_eq!(called[1]["launch"], "7");
    assert_eq!(called[2], labels(&[("workload", "b")]));
    let why: Vec<&str> = found.absent.iter().map(|point| point.why.as_str()).collect();
    assert_eq!(why, ["no memory", "it has not run"]);
}
