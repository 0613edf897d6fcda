//! `heddle dram`: replays, traces, parts, and what is said about wrong ones.

mod common;

use common::{heddle_in, json, run, run_in, stdout};
use std::fs;
use std::io::Write;
use std::process::Stdio;

#[test]
fn a_replay_by_cycles_reports_idle_latencies_and_bandwidth() {
    let folder = tempfile::tempdir().unwrap();
    // Closed, hit, conflict; far apart.
    fs::write(folder.path().join("t"), "0x0 READ 0\n64 R 500 # hit\n0x80000 read 1000\n").unwrap();
    let run =
        run_in(folder.path(), &["dram", "replay", "ddr4-2400", "t", "--json", "--per-request", "latencies"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let report: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(report["requests"], 3);
    assert_eq!(report["cycles"], 1000 + 55);
    assert_eq!(report["read_latency"]["max"], 17 + 17 + 17 + 4);
    assert_eq!(report["read_latency"]["p50"], 17 + 17 + 4);
    assert_eq!(report["stats"]["dram.activates"], 2);
    assert_eq!(report["stats"]["dram.row_conflicts"], 1);
    // Two activates, three reads, and standby; the table's figures.
    let joules = report["energy"]["dynamic_joules"].as_f64().unwrap();
    assert!((joules - (2.0 * 3463.0 + 3.0 * 2943.0) * 1e-12).abs() < 1e-15, "{joules}");
    assert!(report["energy"]["static_joules"].as_f64().unwrap() > 0.0);
    let fraction = report["bandwidth_fraction"].as_f64().unwrap();
    assert!((fraction - 3.0 * 4.0 / 1055.0).abs() < 1e-9, "{fraction}");
    let latencies = fs::read_to_string(folder.path().join("latencies")).unwrap();
    assert_eq!(latencies, "0x0 READ 0 38\n0x40 READ 500 21\n0x80000 READ 1000 55\n");
}

#[test]
fn standard_input_and_a_closed_loop_need_no_cycles() {
    let folder = tempfile::tempdir().unwrap();
    let arguments = ["dram", "replay", "ddr4-2400", "-", "--outstanding", "4"];
    let mut child =
        heddle_in(folder.path(), &arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let lines: String = (0..200).map(|line| format!("{} W\n", line * 64)).collect();
    child.stdin.take().unwrap().write_all(lines.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    let page = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success());
    for word in ["closed loop, 4 outstanding", "WR                    200", "% of the peak of 19.200 GB/s"] {
        assert!(page.contains(word), "{word}: {page}");
    }
}

#[test]
fn a_trace_of_a_pattern_replays_within_its_bounds() {
    let folder = tempfile::tempdir().unwrap();
    let made =
        run_in(folder.path(), &["dram", "trace", "gddr5-gtx480", "row-conflict", "-n", "1000", "-o", "t"]);
    assert_eq!((made.code, made.stdout.as_str()), (Some(0), ""), "{}", made.stderr);
    let replayed = run_in(folder.path(), &["dram", "replay", "gddr5-gtx480", "t", "--json"]);
    let report: serde_json::Value = serde_json::from_str(&replayed.stdout).unwrap();
    // One bank: a row every tRC.
    let cycles = report["cycles"].as_u64().unwrap();
    assert!((40_000..40_200).contains(&cycles), "{cycles}");
    assert_eq!(report["stats"]["dram.row_hits"], 0);
}

#[test]
fn parts_are_listed_shown_and_changed() {
    let list = stdout(&["dram", "list"]);
    for name in ["gddr5-gtx480", "gddr5-fermi", "gddr5-k40c", "ddr4-2400"] {
        assert!(list.contains(name), "{name}");
        assert!(stdout(&["dram", "show", name]).contains("tCL = "));
    }
    assert_eq!(json(&["dram", "list", "--json"]).as_array().unwrap().len(), 4);
    let changed =
        json(&["dram", "show", "ddr4-2400", "--set", "timing.tCL=20", "--set", "clock=1GHz", "--json"]);
    assert_eq!(changed["timing"]["tCL"], 20);
    assert_eq!(changed["clock"], "1GHz");
}

#[test]
fn a_shown_part_is_a_part_file() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("t"), "0 READ 0\n").unwrap();
    let shown = stdout(&["dram", "show", "gddr5-fermi", "--set", "timing.tCL=30"]);
    fs::write(folder.path().join("mine.toml"), shown).unwrap();
    let run = run_in(folder.path(), &["dram", "replay", "mine.toml", "t", "--json"]);
    let report: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(report["read_latency"]["max"], 28 + 30 + 2);
}

#[test]
fn wrong_lines_parts_and_settings_are_named_with_help() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("bad"), "0 READ 0\n64 FETCH 3\n").unwrap();
    fs::write(folder.path().join("short"), "0 READ 0\n\n64 READ\n").unwrap();
    fs::write(folder.path().join("part.toml"), "clock = \"1GHz\"\nbanks = \"many\"\n").unwrap();
    let missing = ["dram", "replay", "ddr4-2400", "nothing"].as_slice();
    for (arguments, problem, help) in [
        (
            ["dram", "replay", "ddr4-2400", "bad"].as_slice(),
            "bad:2: expected READ or WRITE, found 'FETCH'",
            "READ",
        ),
        (&["dram", "replay", "ddr4-2400", "short"], "short:3: expected a cycle", "--outstanding"),
        (&["dram", "show", "ddr4-2401"], "ddr4-2401: no built-in part", "did you mean `ddr4-2400`?"),
        (&["dram", "show", "part.toml"], "part.toml: line 2, column 9: ", "heddle dram show"),
        (
            &["dram", "show", "ddr4-2400", "--set", "timing.tCLL=1"],
            "timing.tCLL: no such key",
            "did you mean `timing.tCL`?",
        ),
        (
            &["dram", "replay", "ddr4-2400", "short", "--set", "tRFC=1"],
            "tRFC: no such key",
            "did you mean `timing.tRFC`?",
        ),
        (&["dram", "show", "ddr4-2400", "--set", "colour=red"], "colour: no such key", "heddle dram show"),
        (
            &["dram", "show", "ddr4-2400", "--set", "timing.tRAS=0"],
            "timing.tRAS: expected at least tRCD = 17, found 0",
            "dram show",
        ),
        (
            &["dram", "show", "ddr4-2400", "--set", "timing.tRC=20"],
            "timing.tRC: expected at least tRAS = 39, found 20",
            "dram show",
        ),
        (
            &["dram", "replay", "ddr4-2400", "short", "--set", "timing.tFAW=1"],
            "timing.tFAW: expected at least the distance of two activates (or 0 for no window), tRRD_S = 4, found 1",
            "dram show",
        ),
        (&["dram", "show", "ddr4-2400", "--set", "banks=3"], "banks: expected a power of two", "dram show"),
        (missing, "nothing: no such file", ""),
    ] {
        let run = run_in(folder.path(), arguments);
        assert_eq!(run.code, Some(1), "{arguments:?}: {}", run.stderr);
        assert!(run.stdout.is_empty());
        assert!(run.stderr.contains(problem) && run.stderr.contains(help), "{arguments:?}: {}", run.stderr);
    }
    let usage = run(&["dram", "replay", "ddr4-2400", "t", "--outstanding", "0"]);
    assert_eq!(usage.code, Some(2));
}

#[test]
fn nothing_is_left_behind_where_a_trace_is_wrong() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("bad"), "0 READ 0\n64 FETCH 3\n").unwrap();
    run_in(folder.path(), &["dram", "replay", "ddr4-2400", "bad", "--per-request", "out"]);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn the_stream_of_a_whole_run_replays_with_its_latencies() {
    // Writes of a launch are still under way when the next one begins.
    let folder = tempfile::tempdir().unwrap();
    let run = run_in(folder.path(), &["run", "bfs", "--capture-dram", "stream", "--json", "--quiet"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let result: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
    // What `fermi` sets besides its part.
    let settings = ["--set", "extra_latency=140"];
    let replay = [&["dram", "replay", "gddr5-fermi", "stream", "--json", "--quiet"], &settings[..]].concat();
    let replay = run_in(folder.path(), &replay);
    assert_eq!(replay.code, Some(0), "{}", replay.stderr);
    let report: serde_json::Value = serde_json::from_str(&replay.stdout).unwrap();
    for name in ["reads", "writes", "row_hits", "read_latency_cycles", "queue_wait_cycles"] {
        let name = format!("dram.{name}");
        assert_eq!(result["stats"][&name], report["stats"][&name], "{name}");
    }
}
