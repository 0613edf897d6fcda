//! Runs that are stopped before they have an answer show and store what was measured until then.

use crate::common::{heddle_in, run_in};
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

fn result(folder: &Path) -> Value {
    serde_json::from_str(&fs::read_to_string(folder.join("result.json")).unwrap()).unwrap()
}

const SEARCH: [&str; 6] = ["run", "bfs", "--graph", "grid:width=8,height=8", "--source", "0"];

#[test]
fn a_run_that_comes_to_its_limit_of_cycles_is_shown_and_stored_as_partial() {
    let folder = tempfile::tempdir().unwrap();
    let options = ["--max-cycles", "5000", "--out", "r", "--interval", "1000", "--trace", "t"];
    let run = run_in(folder.path(), &[&SEARCH[..], &options].concat());
    assert_eq!(run.code, Some(1));
    assert!(run.stderr.contains("core cycle 5000, the limit"), "{}", run.stderr);
    for words in [
        "partial               stopped by --max-cycles 5000 in launch 2 (Kernel2)",
        "verified              no",
    ] {
        assert!(run.stdout.contains(words), "{words}: {}", run.stdout);
    }
    let stored = result(&folder.path().join("r"));
    assert!(stored["partial"].as_str().unwrap().contains("--max-cycles 5000"));
    assert_eq!(stored["verified"], false);
    let cycles = stored["cycles"].as_u64().unwrap();
    assert!(cycles > 4000 && cycles <= 5000, "{cycles}");
    let launches = stored["launches"].as_array().unwrap();
    assert_eq!(launches.len(), 2);
    let sum: u64 = launches.iter().map(|row| row["cycles"].as_u64().unwrap()).sum();
    assert_eq!(sum, cycles);
    assert_eq!(stored["stats"]["core.warp_instructions"], stored["warp_instructions"]);
    // The launch that ended is what it is in a whole run.
    let whole = run_in(folder.path(), &[&SEARCH[..], &["--out", "whole"]].concat());
    assert_eq!(whole.code, Some(0), "{}", whole.stderr);
    let whole = result(&folder.path().join("whole"));
    assert_eq!(whole["partial"], Value::Null);
    assert_eq!(launches[0], whole["launches"][0]);
    assert!(fs::metadata(folder.path().join("t")).unwrap().len() > 0);
}

#[test]
fn cycles_of_an_iteration_that_was_simulated_in_part_say_so() {
    let folder = tempfile::tempdir().unwrap();
    let some = run_in(folder.path(), &[&SEARCH[..], &["--launches", "3..5", "--out", "some"]].concat());
    assert_eq!(some.code, Some(0), "{}", some.stderr);
    let stored = result(&folder.path().join("some"));
    let timed: Vec<&Value> =
        stored["iterations"].as_array().unwrap().iter().map(|row| &row["timed_launches"]).collect();
    assert_eq!(timed[..4], [&Value::Null, &2.into(), &1.into(), &Value::Null]);
    let table = some.stdout.split("\nIterations\n").nth(1).unwrap();
    let row = |number: usize| table.lines().nth(number).unwrap();
    let told = |row: &str| row.ends_with(" (1 of 2 launches)");
    assert!(told(row(3)) && !told(row(1)) && !told(row(2)), "{table}");
    // A whole run has only whole iterations.
    let whole = run_in(folder.path(), &[&SEARCH[..], &["--out", "whole"]].concat());
    assert!(!whole.stdout.contains("of 2 launches"), "{}", whole.stdout);
    let diff = run_in(folder.path(), &["diff", "some", "whole"]);
    let launches = result(&folder.path().join("whole"))["launches"].as_array().unwrap().len();
    let first = diff.stdout.lines().find(|line| line.contains("launches in time")).unwrap_or_default();
    assert!(first.contains(&format!("3..5 of {launches}")) && first.contains("all"), "{}", diff.stdout);
}

#[test]
fn a_comparison_with_columns_that_were_stopped_has_no_speedup() {
    let folder = tempfile::tempdir().unwrap();
    let mut arguments = SEARCH;
    arguments[0] = "compare";
    let run = run_in(
        folder.path(),
        &[&arguments[..], &["--with", "obm", "--max-cycles", "5000", "--json"]].concat(),
    );
    assert_eq!(run.code, Some(1), "{}", run.stderr);
    let comparison: Value = serde_json::from_str(&run.stdout).unwrap();
    for column in comparison["columns"].as_array().unwrap() {
        assert_eq!((&column["partial"], &column["speedup"]), (&true.into(), &Value::Null));
    }
}

#[test]
#[cfg(unix)]
fn an_interrupt_shows_and_stores_what_was_measured_so_far() {
    let in_time = ["run", "bfs", "--graph", "rmat:scale=17", "--interval", "10000000", "--out", "r"];
    let (page, told, stored) = interrupted(&in_time);
    assert!(page.contains("partial               interrupted in launch "), "{page}");
    assert!(told.contains("was interrupted at core cycle"), "{told}");
    assert!(stored["cycles"].as_u64().unwrap() > 0);
}

#[test]
#[cfg(unix)]
fn an_interrupt_shows_and_stores_what_was_executed_without_time() {
    // One that goes over all vertices some hundred times.
    let arguments = ["run", "h-sssp", "--functional", "--graph", "road:vertices=300000", "--out", "r"];
    let (page, told, stored) = interrupted(&arguments);
    assert!(page.contains("partial               interrupted in launch "), "{page}");
    assert!(told.contains("was interrupted at warp instruction"), "{told}");
    assert!(stored["warp_instructions"].as_u64().unwrap() > 0);
}

/// What a command that is interrupted prints, tells and stores.
fn interrupted(arguments: &[&str]) -> (String, String, Value) {
    let folder = tempfile::tempdir().unwrap();
    let child =
        heddle_in(folder.path(), arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let id = child.id().to_string();
    let catches = |id: &str| {
        let status = fs::read_to_string(format!("/proc/{id}/status")).unwrap_or_default();
        let mask = status.lines().find_map(|line| line.strip_prefix("SigCgt:")).unwrap_or("0").trim();
        u64::from_str_radix(mask, 16).unwrap() >> 1 & 1 == 1
    };
    // It watches for interrupts once the graph is there and the simulation begins.
    for _ in 0..3000 {
        if catches(&id) {
            break;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    std::thread::sleep(Duration::from_millis(500));
    assert!(Command::new("kill").args(["-s", "INT", &id]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    let (page, told) = (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
    assert_eq!(output.status.code(), Some(130), "{told}");
    let stored = result(&folder.path().join("r"));
    (page, told, stored)
}
