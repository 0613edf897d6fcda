//! Power over time and samples, as `heddle run --interval` gives them.

use crate::common::run_in;
use serde_json::Value;
use std::fs;
use std::path::Path;

const SEARCH: [&str; 4] = ["run", "bfs", "--graph", "rmat:scale=8"];

/// Runs a search with options in a folder, and gives its result.
fn search(folder: &Path, options: &[&str]) -> Value {
    let run = run_in(folder, &[&SEARCH[..], options, &["--out", "out", "--force"]].concat());
    assert_eq!(run.code, Some(0), "{options:?}: {}", run.stderr);
    serde_json::from_str(&fs::read_to_string(folder.join("out/result.json")).unwrap()).unwrap()
}

/// The points of `power.csv`.
fn points(folder: &Path) -> Vec<(f64, f64)> {
    let text = fs::read_to_string(folder.join("out/power.csv")).unwrap();
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some("seconds,watts"));
    let point = |line: &str| {
        let (seconds, watts) = line.split_once(',').unwrap();
        (seconds.parse().unwrap(), watts.parse().unwrap())
    };
    lines.map(point).collect()
}

fn trapezoid(points: &[(f64, f64)]) -> f64 {
    points.windows(2).map(|pair| (pair[1].0 - pair[0].0) * (pair[0].1 + pair[1].1) / 2.0).sum()
}

/// The integral of `power.csv` is the energy, it ends with the run, and `result.json` has the same points.
fn assert_agrees(folder: &Path, result: &Value, what: &str) {
    let near = |a: f64, b: f64, bound: f64| (a - b).abs() <= bound * b.abs();
    let number = |value: &Value| value.as_f64().unwrap();
    let points = points(folder);
    let (integrated, counted) = (trapezoid(&points), number(&result["energy"]["total_joules"]));
    assert!(near(integrated, counted, 1e-6), "{what}: {integrated} {counted}");
    assert!(near(points.last().unwrap().0, number(&result["seconds"]), 1e-9), "{what}");
    let stored = result["power"].as_array().unwrap();
    assert_eq!(stored.len(), points.len(), "{what}");
    for (stored, point) in stored.iter().zip(points) {
        // Readers of JSON may be off by a last digit.
        let same = near(number(&stored["seconds"]), point.0, 1e-15)
            && near(number(&stored["watts"]), point.1, 1e-15);
        assert!(same, "{what}: {stored} {point:?}");
    }
}

#[test]
fn the_trapezoidal_rule_over_power_gives_the_energy_of_the_run() {
    let folder = tempfile::tempdir().unwrap();
    for machine in ["fermi", "k40c"] {
        for interval in ["97", "1000", "1000000000000"] {
            for launches in [&[][..], &["--launches", "2..3"]] {
                let options = ["--machine", machine, "--interval", interval];
                let result = search(folder.path(), &[&options[..], launches].concat());
                assert_agrees(folder.path(), &result, &format!("{machine} {interval} {launches:?}"));
            }
        }
    }
}

#[test]
fn a_run_that_was_not_sampled_has_no_power_over_time() {
    let folder = tempfile::tempdir().unwrap();
    search(folder.path(), &["--interval", "1000"]);
    let result = search(folder.path(), &[]);
    assert_eq!((&result["power"], &result["interval"]), (&serde_json::json!([]), &Value::Null));
    assert!(!folder.path().join("out/power.csv").exists(), "that of the run before is gone");
}

#[test]
fn too_many_samples_are_merged_and_a_note_says_the_interval_in_force() {
    let folder = tempfile::tempdir().unwrap();
    let search = |interval: u64| search(folder.path(), &["--interval", &interval.to_string()]);
    // Some 190,000 cycles.
    let result = search(16);
    let (interval, rows) = (result["interval"].as_u64().unwrap(), result["intervals"].as_array().unwrap());
    assert_eq!(interval, 32);
    assert!((4096..=8192 + 100).contains(&rows.len()), "{}", rows.len());
    let notes = result["notes"].as_array().unwrap().iter().filter_map(Value::as_str);
    let note = format!("the interval in force is {interval} core cycles");
    assert!(notes.filter(|words| words.contains(&note)).count() == 1, "{}", result["notes"]);
    assert_agrees(folder.path(), &result, "merged");
    // The same as with that interval from the start.
    let asked = search(interval);
    let cycles = |result: &Value| -> Vec<Value> {
        result["intervals"].as_array().unwrap().iter().map(|row| row["cycles"].clone()).collect()
    };
    assert_eq!(cycles(&result), cycles(&asked));
    assert_eq!(result["energy"], asked["energy"]);
}

#[test]
fn a_run_without_launches_has_its_table_and_no_energy() {
    let folder = tempfile::tempdir().unwrap();
    let words = ["run", "stcon", "--graph", "grid:width=1,height=1", "--interval", "10", "--out", "out"];
    let run = run_in(folder.path(), &words);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let text = fs::read_to_string(folder.path().join("out/result.json")).unwrap();
    let result: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(result["launches"], serde_json::json!([]));
    assert_eq!((&result["energy_table"], &result["energy"]["total_joules"]), (&"fermi".into(), &0.0.into()));
    let priced = run_in(folder.path(), &["energy", "out", "--json"]);
    assert_eq!(priced.code, Some(0), "{}", priced.stderr);
    let priced: Value = serde_json::from_str(&priced.stdout).unwrap();
    assert_eq!(priced["total_joules"], 0.0);
}
