//! `heddle graph generate` and `heddle graph convert`.

use crate::common::run_in;
use std::fs;
use std::path::Path;

const TINY: &str = "uniform:scale=5,degree=3";

#[track_caller]
fn done(folder: &Path, arguments: &[&str]) -> crate::common::Run {
    let run = run_in(folder, arguments);
    assert_eq!(run.code, Some(0), "{arguments:?}: {}", run.stderr);
    run
}

fn info(folder: &Path, graph: &str) -> serde_json::Value {
    serde_json::from_str(&done(folder, &["graph", "info", graph, "--json"]).stdout).unwrap()
}

#[test]
fn every_extension_holds_the_graph_in_its_format() {
    let folder = tempfile::tempdir().unwrap();
    for (file, format) in [
        ("a.mtx", "matrix-market"),
        ("a.tsv.gz", "edge-list"),
        ("a.el.zst", "edge-list"),
        ("a.sg", "gap"),
        ("a.sg.gz", "gap"),
    ] {
        let run = done(folder.path(), &["graph", "generate", TINY, "-o", file]);
        assert!(run.stdout.is_empty());
        assert!(
            run.stderr.contains(&format!("wrote {file}: {format}, 32 vertices, 96 arcs")),
            "{}",
            run.stderr
        );
        let read = info(folder.path(), file);
        assert_eq!((&read["format"], &read["arcs"]), (&format.into(), &96.into()), "{file}");
    }
}

#[test]
fn the_format_can_be_named() {
    let folder = tempfile::tempdir().unwrap();
    for format in ["dimacs", "galois"] {
        let weights = ["--transform", "weights=1..9"];
        let arguments = ["graph", "generate", TINY, "-o", "a.gr", "--to", format, "--force"];
        done(folder.path(), &[arguments.as_slice(), &weights].concat());
        assert_eq!(info(folder.path(), "a.gr")["format"], format);
    }
}

#[test]
fn an_existing_file_is_replaced_only_by_force() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("precious.el");
    fs::write(&file, "0 1\n").unwrap();
    let refused = run_in(folder.path(), &["graph", "generate", TINY, "-o", "precious.el"]);
    assert_eq!(refused.code, Some(1));
    assert!(refused.stderr.contains("precious.el: exists already"), "{}", refused.stderr);
    assert!(refused.stderr.contains("--force"), "{}", refused.stderr);
    assert_eq!(fs::read_to_string(&file).unwrap(), "0 1\n");
    done(folder.path(), &["graph", "generate", TINY, "-o", "precious.el", "--force"]);
    assert_ne!(fs::read_to_string(&file).unwrap(), "0 1\n");
}

#[test]
fn a_failed_run_leaves_no_file_behind() {
    let folder = tempfile::tempdir().unwrap();
    for arguments in [
        ["graph", "generate", "uniform:scale=99", "-o", "a.el"].as_slice(),
        &["graph", "convert", "missing.el", "a.el"],
        &["graph", "generate", TINY, "-o", "a.wsg"],
        &["graph", "generate", TINY, "-o", "inner/a.el"],
    ] {
        assert_eq!(run_in(folder.path(), arguments).code, Some(1), "{arguments:?}");
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn standard_output_gets_the_graph_and_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let run = done(folder.path(), &["graph", "generate", TINY, "-o", "-"]);
    let arcs = run.stdout.lines().filter(|line| !line.starts_with('#')).count();
    assert_eq!(arcs, 96);
    assert!(!run.stderr.contains("wrote"));
}

#[test]
fn a_conversion_states_its_transforms_on_standard_error_or_in_json() {
    let folder = tempfile::tempdir().unwrap();
    done(folder.path(), &["graph", "generate", TINY, "-o", "a.mtx", "--quiet"]);
    let convert = ["graph", "convert", "a.mtx", "b.sg", "--transform", "symmetrise"];
    let told = done(folder.path(), &convert);
    assert!(told.stderr.contains("heddle: note: ") && told.stderr.contains("wrote b.sg"), "{}", told.stderr);
    let json = done(folder.path(), &[convert.as_slice(), &["--force", "--json"]].concat());
    let report: serde_json::Value = serde_json::from_str(&json.stdout).unwrap();
    assert_eq!((&report["output"], &report["format"]), (&"b.sg".into(), &"gap".into()));
    assert!(!report["notes"].as_array().unwrap().is_empty());
    assert!(json.stderr.is_empty());
    let quiet = done(folder.path(), &[convert.as_slice(), &["--force", "--quiet"]].concat());
    assert!(quiet.stderr.is_empty());
}

#[test]
fn real_weights_are_described_but_not_converted_unasked() {
    let folder = tempfile::tempdir().unwrap();
    let text = "%%MatrixMarket matrix coordinate real general\n2 2 2\n1 2 0.5\n2 1 1.5\n";
    fs::write(folder.path().join("real.mtx"), text).unwrap();
    let described = info(folder.path(), "real.mtx");
    assert_eq!((&described["weighted"], &described["weights"]), (&true.into(), &"dropped".into()));
    let refused = run_in(folder.path(), &["graph", "convert", "real.mtx", "b.wsg"]);
    assert_eq!(refused.code, Some(1));
    assert!(refused.stderr.contains("real.mtx:3:"), "{}", refused.stderr);
    assert!(refused.stderr.contains("--weights"), "{}", refused.stderr);
    done(folder.path(), &["graph", "convert", "real.mtx", "b.wsg", "--weights", "scale=2"]);
    assert_eq!(info(folder.path(), "b.wsg")["weights"], "held");
}
