//! `heddle query` as its users call it.

use crate::common::{Run, results, run_in};
use serde_json::Value;
use std::fs;
use std::path::Path;

/// A folder with the results of a small experiment.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    results::write(folder.path());
    folder
}

fn query(folder: &Path, arguments: &[&str]) -> Run {
    run_in(folder, &[&["query"], arguments].concat())
}

fn rows(folder: &Path, arguments: &[&str]) -> Vec<Value> {
    let run = query(folder, &[arguments, &["--json"]].concat());
    assert_eq!(run.code, Some(0), "{arguments:?}: {}", run.stderr);
    let json: Value = serde_json::from_str(&run.stdout).unwrap();
    json["rows"].as_array().unwrap().clone()
}

#[test]
fn a_page_has_what_varies_and_the_usual_figures() {
    let run = query(folder().path(), &["results"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let lines: Vec<&str> = run.stdout.lines().collect();
    let words = |line: &str| line.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(words(lines[0])[..4], ["workload", "with", "status", "cycles"]);
    assert_eq!(words(lines[1])[..4], ["h-bfs", "none", "done", "7,500"]);
    assert_eq!(words(lines[6])[..4], ["h-sssp", "obm+sector", "failed", "-"]);
}

#[test]
fn ratios_and_means_are_those_of_the_rows() {
    let folder = folder();
    let arguments = ["results", "--table", "launches", "--baseline", "with=none", "--ratio", "ipc"];
    let mean = ["--where", "with!=none", "--group", "with", "--harmonic", "ipc_ratio"];
    let expected = results::speedups();
    let found = rows(folder.path(), &[&arguments[..], &mean[..]].concat());
    assert_eq!(found.len(), expected.len());
    for row in found {
        let (with, mean) = (row["with"].as_str().unwrap(), row["ipc_ratio_harmonic"].as_f64().unwrap());
        assert!((mean - expected[with]).abs() < 1e-12, "{with}: {mean}");
        assert_eq!(row["n"], if with == "sector" { 4 } else { 2 });
    }
}

#[test]
fn ratios_of_the_statistics_are_columns() {
    let folder = folder();
    let found =
        rows(folder.path(), &["results", "--where", "l2.mpki>9", "--columns", "l2.mpki,core.ipc,ipc"]);
    assert_eq!(found.len(), 5);
    assert_eq!(found[0]["l2.mpki"], 10.0);
    assert_eq!(found[0]["core.ipc"], found[0]["ipc"]);
    let run = query(folder.path(), &["results", "--columns", "core.occupancy"]);
    assert_eq!(run.code, Some(1));
    assert!(run.stderr.contains("`core.occupancy` needs what no row of the table has"), "{}", run.stderr);
}

#[test]
fn what_is_missing_is_said_and_quiet_is_quiet() {
    let folder = folder();
    let arguments = ["results", "--group", "workload", "--mean", "cycles"];
    let run = query(folder.path(), &arguments);
    assert!(run.stderr.contains("note: 1 of 6 rows have no cycles"), "{}", run.stderr);
    assert!(run.stdout.contains("cycles_n"), "{}", run.stdout);
    let run = query(folder.path(), &[&arguments[..], &["--quiet", "--csv"]].concat());
    assert_eq!(run.stderr, "");
    assert_eq!(run.stdout.lines().next(), Some("workload,n,cycles_n,cycles_mean"));
}

#[test]
fn columns_are_listed_with_units_and_a_wrong_one_gets_the_nearest() {
    let folder = folder();
    let run = query(folder.path(), &["results", "--list"]);
    for text in ["Do sectors pay?", "l1.read_hits", "requests", "Reads that found their data.", "l2.mpki"] {
        assert!(run.stdout.contains(text), "{text}: {}", run.stdout);
    }
    assert!(!run.stdout.contains("core.occupancy"));
    let run = query(folder.path(), &["results", "--where", "workloda=h-bfs"]);
    assert_eq!(run.code, Some(1));
    assert!(
        run.stderr.contains("did you mean `workload`?") && run.stderr.contains("--list"),
        "{}",
        run.stderr
    );
    let run = query(folder.path(), &["results", "--where", "workload"]);
    assert_eq!(run.code, Some(2));
    assert!(run.stderr.contains("expected COLUMN=VALUE"), "{}", run.stderr);
}

#[test]
fn what_is_no_table_of_results_is_refused_by_name() {
    let folder = folder();
    let failed = |path: &str, words: &str| {
        let run = query(folder.path(), &[path]);
        assert_eq!(run.code, Some(1), "{path}");
        assert!(run.stderr.contains(path) && run.stderr.contains(words), "{path}: {}", run.stderr);
        assert!(!run.stderr.contains("panicked"), "{path}: {}", run.stderr);
    };
    fs::create_dir(folder.path().join("nothing")).unwrap();
    failed("nothing", "it is no folder of results");
    failed("absent.parquet", "no such file");
    failed("/dev/zero", "neither a file nor a folder");
    let path = folder.path().join("results/granularity/runs.parquet");
    let mut bytes = fs::read(&path).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 4;
    fs::write(&path, bytes).unwrap();
    failed("results/granularity/runs.parquet", "it is damaged");
    fs::write(folder.path().join("other.parquet"), "PAR1PAR1").unwrap();
    failed("other.parquet", "it is no table of heddle");
}

#[test]
fn a_table_without_rows_is_said_to_have_none() {
    let folder = tempfile::tempdir().unwrap();
    results::write_empty(folder.path());
    let run = query(folder.path(), &["results"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert!(run.stderr.contains("the table has no rows"), "{}", run.stderr);
    assert!(rows(folder.path(), &["results", "--group", "status"]).is_empty());
}
