//! `heddle dram`: replays, traces, parts, and what is said about wrong ones.

use crate::common::{heddle_in, json, run, run_in, stdout};
use std::fs;
use std::io::Write;
use std::path::Path;
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

/// A command line, words of its error, and words of the help below.
type Mistake<'a> = (&'a [&'a str], &'a str, &'a str);

/// A folder with traces and parts, most of them wrong.
fn wrong_files() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in [
        ("bad", "0 READ 0\n64 FETCH 3\n"),
        ("short", "0 READ 0\n\n64 READ\n"),
        ("part.toml", "clock = \"1GHz\"\nbanks = \"many\"\n"),
        ("good", "0 READ 0\n"),
        ("slip.toml", "inherits = \"ddr4-2400\"\nchanels = 2\n"),
        ("bare.toml", "inherits = \"ddr4-2400\"\ntCL = 2\n"),
        ("lost.toml", "inherits = \"ddr4-240\"\n"),
        ("circle.toml", "inherits = \"circle.toml\"\n"),
    ] {
        fs::write(folder.path().join(name), text).unwrap();
    }
    folder
}

fn assert_told(mistakes: &[Mistake<'_>]) {
    let folder = wrong_files();
    for &(arguments, problem, help) in mistakes {
        let run = run_in(folder.path(), arguments);
        assert_eq!(run.code, Some(1), "{arguments:?}: {}", run.stderr);
        assert!(run.stdout.is_empty());
        assert!(run.stderr.contains(problem) && run.stderr.contains(help), "{arguments:?}: {}", run.stderr);
    }
}

#[test]
fn wrong_lines_and_parts_are_named_with_help() {
    assert_told(&[
        (&["dram", "replay", "ddr4-2400", "bad"], "bad:2: expected READ or WRITE, found 'FETCH'", "READ"),
        (&["dram", "replay", "ddr4-2400", "short"], "short:3: expected a cycle", "--outstanding"),
        (
            &["dram", "show", "ddr4-2401"],
            "no DRAM part and no machine is called `ddr4-2401`",
            "did you mean `ddr4-2400`?",
        ),
        (&["dram", "show", "part.toml"], "part.toml:2:9: `banks`: expected a whole number", ""),
        (&["dram", "show", "slip.toml"], "slip.toml:2:1: `chanels`: no such key", "did you mean `channels`?"),
        (&["dram", "show", "bare.toml"], "bare.toml:2:1: `tCL`: no such key", "did you mean `timing.tCL`?"),
        (
            &["dram", "show", "lost.toml"],
            "lost.toml:1:12: `inherits`: no DRAM part is called 'ddr4-240'",
            "ddr4-2400",
        ),
        (&["dram", "show", "circle.toml"], "circle.toml:1:12: `inherits`: goes round in a circle", ""),
        (
            &["dram", "replay", "ddr4-2400", "good", "--energy", "fermi"],
            "the run has no statistic",
            "choose one with --energy",
        ),
        (&["dram", "replay", "ddr4-2400", "nothing"], "nothing: no such file", ""),
    ]);
    let usage = run(&["dram", "replay", "ddr4-2400", "t", "--outstanding", "0"]);
    assert_eq!(usage.code, Some(2));
}

#[test]
fn wrong_settings_are_named_with_help() {
    assert_told(&[
        (
            &["dram", "show", "ddr4-2400", "--set", "timing.tCLL=1"],
            "`timing.tCLL`: no such key",
            "did you mean `timing.tCL`?",
        ),
        (
            &["dram", "replay", "ddr4-2400", "short", "--set", "tRFCC=1"],
            "`tRFCC`: no such key",
            "did you mean `timing.tRFC`?",
        ),
        (&["dram", "show", "ddr4-2400", "--set", "colour=red"], "`colour`: no such key", "lists all keys"),
        (
            &["dram", "show", "ddr4-2400", "--set", "timing.tRAS=0"],
            "`timing.tRAS`: expected at least tRCD = 17, found 0",
            "set on top of the part",
        ),
        (
            &["dram", "show", "ddr4-2400", "--set", "timing.tRC=20"],
            "`timing.tRC`: expected at least tRAS = 39, found 20",
            "set on top of the part",
        ),
        (
            &["dram", "replay", "ddr4-2400", "short", "--set", "timing.tFAW=1"],
            "`timing.tFAW`: expected at least the distance of two activates (or 0 for no window), tRRD_S = 4, found 1",
            "set on top of the part",
        ),
        (
            &["dram", "show", "ddr4-2400", "--set", "banks=3"],
            "`banks`: expected a power of two",
            "set on top",
        ),
    ]);
}

#[test]
fn nothing_is_left_behind_where_a_trace_is_wrong() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("bad"), "0 READ 0\n64 FETCH 3\n").unwrap();
    run_in(folder.path(), &["dram", "replay", "ddr4-2400", "bad", "--per-request", "out"]);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

/// The figures of a replay of `stream`, and the sum of the latencies of its reads, one by one.
fn replayed(folder: &Path, machine: &str) -> (serde_json::Value, u64) {
    let each = ["--per-request", "each", "--json", "--force"];
    let run = run_in(folder, &[&["dram", "replay", machine, "stream"], &each[..]].concat());
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let lines = fs::read_to_string(folder.join("each")).unwrap();
    let reads = lines.lines().filter(|line| line.contains(" READ "));
    let total = reads.map(|line| line.rsplit(' ').next().unwrap().parse::<u64>().unwrap()).sum();
    (serde_json::from_str(&run.stdout).unwrap(), total)
}

#[test]
fn the_stream_of_a_whole_run_replays_with_its_latencies_by_the_name_of_its_machine() {
    // Writes of a launch are still under way when the next one begins. The second machine is changed in its DRAM.
    for (machine, more, line) in [
        (
            "fermi",
            [].as_slice(),
            "# DRAM requests of the machine fermi; to replay: heddle dram replay fermi TRACE",
        ),
        (
            "k40c",
            &["--set", "dram.tCL=30", "--set", "dram.queue.entries=32"],
            "heddle dram replay RESULT/machine.toml",
        ),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let run = [
            "run",
            "bfs",
            "--machine",
            machine,
            "--capture-dram",
            "stream",
            "--out",
            "r",
            "--json",
            "--quiet",
        ];
        let run = run_in(folder.path(), &[&run, more].concat());
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        let result: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
        let first = fs::read_to_string(folder.path().join("stream")).unwrap();
        assert!(first.lines().next().unwrap().contains(line), "{line}");
        let names = if more.is_empty() { vec!["fermi", "r/machine.toml"] } else { vec!["r/machine.toml"] };
        for name in names {
            let (report, total) = replayed(folder.path(), name);
            for key in
                ["reads", "writes", "row_hits", "forwarded_reads", "read_latency_cycles", "queue_wait_cycles"]
            {
                let key = format!("dram.{key}");
                assert_eq!(result["stats"][&key], report["stats"][&key], "{name}: {key}");
            }
            assert_eq!(result["stats"]["dram.read_latency_cycles"], total, "{name}");
            assert!(report["energy"]["static_joules"].as_f64().unwrap() > 0.0, "{name}");
        }
    }
}

#[test]
fn a_part_inherits_and_says_what_prices_it() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    fs::create_dir(folder.path().join("parts")).unwrap();
    write("t", "0 READ 0\n");
    write("parts/slow.toml", "inherits = \"ddr4-2400\"\n[timing]\ntCL = 30\n");
    write("parts/slower.toml", "inherits = \"slow.toml\"\nenergy = \"own.toml\"\ntiming = { tRCD = 20 }\n");
    let own = "name = \"own\"\ndescription = \"d\"\n[technology]\n[[action]]\nname = \"a\"\ncomponent = \"DRAM\"\n\
        count = \"dram.activates\"\nenergy = \"7pJ\"\nsource = \"s\"\n";
    write("parts/own.toml", own);
    write(
        "m.toml",
        "name = \"m\"\ninherits = \"fermi\"\n[dram]\npart = \"parts/slower.toml\"\nchannels = 1\n",
    );
    let replay = |part: &str| {
        let run = run_in(folder.path(), &["dram", "replay", part, "t", "--json"]);
        assert_eq!(run.code, Some(0), "{part}: {}", run.stderr);
        serde_json::from_str::<serde_json::Value>(&run.stdout).unwrap()
    };
    let slow = replay("parts/slow.toml");
    assert_eq!(slow["read_latency"]["max"], 17 + 30 + 4);
    assert_eq!(slow["energy"]["table"], "ddr4-2400");
    let slower = replay("parts/slower.toml");
    assert_eq!(slower["read_latency"]["max"], 20 + 30 + 4);
    assert_eq!(slower["energy"]["table"], "own");
    // A part that nobody has priced says so, and how to.
    let whole = stdout(&["dram", "show", "ddr4-2400"]);
    let unpriced: String =
        whole.lines().filter(|line| !line.starts_with("energy")).map(|l| format!("{l}\n")).collect();
    write("unpriced.toml", &unpriced);
    let report = replay("unpriced.toml");
    assert!(report["energy"].is_null());
    assert!(report["notes"][0].as_str().unwrap().contains("--energy TABLE"), "{}", report["notes"]);
    let page = run_in(folder.path(), &["dram", "replay", "unpriced.toml", "t"]).stdout;
    assert!(page.contains("--energy TABLE"), "{page}");
    assert_eq!(replay("ddr4-2400")["notes"].as_array().unwrap().len(), 0);
    // A machine takes the part, by a path from its own file.
    let shown = run_in(folder.path(), &["dram", "show", "m.toml", "--json"]);
    let shown: serde_json::Value = serde_json::from_str(&shown.stdout).expect(&shown.stderr);
    assert_eq!((&shown["timing"]["tRCD"], &shown["clock"]), (&20.into(), &"1.2GHz".into()));
}

#[test]
fn bare_keys_work_for_parts_and_machines() {
    for (part, setting) in [
        ("ddr4-2400", "tCL=30"),
        ("ddr4-2400", "dram.tCL=30"),
        ("fermi", "tCL=30"),
        ("fermi", "dram.timing.tCL=30"),
    ] {
        assert_eq!(
            json(&["dram", "show", part, "--set", setting, "--json"])["timing"]["tCL"],
            30,
            "{part} {setting}"
        );
    }
    let shared = json(&["dram", "show", "ddr4-2400", "--set", "write_queue.entries=0", "--json"]);
    assert_eq!(shared["write_queue"]["high"], 0);
    assert_eq!(json(&["dram", "show", "gddr5-fermi", "--set", "age_limit=9", "--json"])["age_limit"], 9);
    assert!(stdout(&["machine", "show", "fermi", "--set", "tCL=30", "--toml"]).contains("tCL = 30"));
}
