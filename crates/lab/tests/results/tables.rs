//! Records to tables.

use super::{about, labels, launch, points, record, row, tables_of};
use heddle_lab::record::{Outcome, Row};
use heddle_lab::results::{Role, Table, Values, load, write_folder};

fn names(table: &Table) -> Vec<&str> {
    table.names().collect()
}

#[test]
fn columns_are_labels_then_identity_then_figures_by_name() {
    let tables = tables_of(&points());
    let identity = ["key", "status", "error", "made.version", "made.build", "made.behaviour", "made.program"];
    let figures = ["cycles", "ipc", "l1.double_hits", "l1.read_hits", "seconds", "warp_instructions"];
    let mut expected = vec!["workload", "graph", "with", "seed"];
    expected.extend(identity);
    expected.extend(["made.graph", "made.machine"]);
    expected.extend(figures);
    assert_eq!(names(&tables.runs), expected);
    expected.retain(|name| *name != "error");
    let at = expected.iter().position(|name| *name == "key").unwrap() + 1;
    expected.splice(at..at, ["launch", "kernel"]);
    assert_eq!(names(&tables.launches), expected);
    assert_eq!((tables.runs.rows, tables.launches.rows), (6, 10));
}

#[test]
fn a_failed_run_is_a_row_without_figures_and_without_launches() {
    let runs = tables_of(&points()).runs;
    let text = |name: &str, row| runs.column(name).unwrap().values.text(row);
    assert_eq!(text("status", 5).as_deref(), Some("failed"));
    assert_eq!(text("error", 5).as_deref(), Some("it ran into the limit"));
    assert_eq!((text("cycles", 5), text("ipc", 5), text("error", 0)), (None, None, None));
    assert_eq!(text("status", 0).as_deref(), Some("done"));
    assert_eq!(text("ipc", 0).as_deref(), Some("0.5"));
}

#[test]
fn labels_are_text_but_for_those_that_are_known_to_be_numbers() {
    let mut all = points();
    let seeds = |points: &[_]| tables_of(points).runs.column("seed").unwrap().values.type_name();
    assert_eq!(seeds(&all), "count");
    all[1].0.insert("seed".to_owned(), "any".to_owned());
    assert_eq!(seeds(&all), "text");
    all[1].0.insert("depth".to_owned(), "8".to_owned());
    let runs = tables_of(&all).runs;
    assert_eq!(runs.column("depth").unwrap().values.text(1).as_deref(), Some("8"));
    assert_eq!(runs.column("depth").unwrap().values.type_name(), "text");
    assert_eq!(runs.column("depth").unwrap().values.text(0), None);
}

#[test]
fn the_labels_of_who_ran_a_point_first_are_in_no_table() {
    assert!(tables_of(&points()).runs.column("first").is_none());
}

#[test]
fn a_name_has_one_type_in_both_tables() {
    let mut run = row(1, 1, 1);
    run.counts.insert("share".to_owned(), 3);
    let mut one = launch(1, "k", 1);
    one.reals.insert("share".to_owned(), 1.5);
    let outcome = Outcome::Done { run, launches: vec![one] };
    let tables = tables_of(&[(labels(&[("workload", "w")]), record("a", outcome))]);
    assert_eq!(tables.runs.column("share").unwrap().values, Values::Real(vec![Some(3.0)]));
    assert_eq!(tables.launches.column("share").unwrap().values, Values::Real(vec![Some(1.5)]));
}

#[test]
fn a_label_that_has_the_name_of_a_figure_gives_way_to_it() {
    let outcome = Outcome::Done { run: row(1, 1, 1), launches: vec![launch(1, "Kernel2", 1)] };
    let label = |kernel| labels(&[("workload", "w"), ("kernel", kernel)]);
    let tables = tables_of(&[(label("largest"), record("a", outcome.clone()))]);
    assert_eq!(tables.runs.column("kernel").unwrap().role, Role::Label);
    assert_eq!(tables.launches.column("kernel").unwrap().values.text(0).as_deref(), Some("Kernel2"));
    assert_eq!(tables.launches.column("label.kernel").unwrap().values.text(0).as_deref(), Some("largest"));
    let tables = tables_of(&[(label("Kernel2"), record("a", outcome))]);
    assert!(tables.launches.column("label.kernel").is_none());
}

#[test]
fn a_label_that_has_the_name_of_a_figure_of_the_other_table_gives_way_in_both() {
    let mut run = row(1, 1, 1);
    run.counts.insert("launches".to_owned(), 1);
    let mut one = launch(1, "Kernel", 1);
    one.counts.insert("depth".to_owned(), 4);
    let outcome = Outcome::Done { run, launches: vec![one] };
    let label = labels(&[("workload", "w"), ("launches", "largest=1"), ("depth", "deep")]);
    let tables = tables_of(&[(label, record("a", outcome))]);
    for name in ["launches", "depth"] {
        for table in [&tables.runs, &tables.launches] {
            assert_eq!(table.column(&format!("label.{name}")).unwrap().role, Role::Label, "{name}");
            assert!(table.column(name).is_none_or(|column| column.role == Role::Figure), "{name}");
        }
    }
    // One file says the types of both.
    let folder = tempfile::tempdir().unwrap();
    let path = write_folder(folder.path(), &about(), &tables).unwrap();
    for (file, table) in [("runs.csv", &tables.runs), ("launches.csv", &tables.launches)] {
        assert_eq!(&load(&path.join(file), None).unwrap().table, table, "{file}");
    }
    let columns = std::fs::read_to_string(path.join("columns.csv")).unwrap();
    for line in ["\nlaunches,", "\nlabel.launches,", "\nlabel.depth,"] {
        assert_eq!(columns.matches(line).count(), 1, "{line} in {columns}");
    }
}

#[test]
fn values_of_several_types_are_exact_in_the_widest() {
    let big = (1 << 53) + 1;
    let run = |number: usize| {
        let mut run = row(1, 1, 1);
        match number {
            0 => drop(run.counts.insert("mixed".to_owned(), big)),
            1 => drop(run.reals.insert("mixed".to_owned(), 0.5)),
            2 => drop(run.texts.insert("mixed".to_owned(), "none".to_owned())),
            _ => {}
        }
        let outcome = Outcome::Done { run, launches: Vec::new() };
        (labels(&[("workload", "w")]), record(&number.to_string(), outcome))
    };
    let mixed = |numbers: &[usize]| {
        let points: Vec<_> = numbers.iter().map(|&number| run(number)).collect();
        tables_of(&points).runs.column("mixed").unwrap().values.clone()
    };
    let text = |text: &str| Some(text.to_owned());
    let texts = vec![None, text("9007199254740993"), text("0.5"), text("none"), None];
    assert_eq!(mixed(&[3, 0, 1, 2, 3]), Values::Text(texts));
    assert_eq!(mixed(&[1, 3, 0]), Values::Real(vec![Some(0.5), None, Some(big as f64)]));
    assert_eq!(mixed(&[0, 3]), Values::Count(vec![Some(big), None]));
}

#[test]
fn every_column_has_a_meaning_and_counters_have_those_of_the_catalogue() {
    let tables = tables_of(&points());
    let hits = tables.runs.column("l1.read_hits").unwrap();
    assert_eq!((hits.meaning.unit.as_str(), hits.role), ("requests", Role::Figure));
    let known = |name: &str| name != "l1.double_hits";
    for column in tables.runs.columns.iter().chain(&tables.launches.columns).filter(|c| known(&c.name)) {
        assert!(!column.meaning.description.is_empty(), "{}", column.name);
    }
    assert_eq!(tables.runs.column("seconds").unwrap().meaning.unit, "s");
}

#[test]
fn points_that_are_no_simulations_have_a_run_row_alone() {
    let run = Row { counts: [("registers".to_owned(), 21)].into(), ..Row::default() };
    let outcome = Outcome::Done { run, launches: Vec::new() };
    let tables = tables_of(&[(labels(&[("kernel", "Kernel")]), record("a", outcome))]);
    assert_eq!(tables.launches.rows, 0);
    assert!(tables.runs.column("ipc").is_none());
    assert_eq!(tables.runs.column("registers").unwrap().values.number(0), Some(21.0));
}
