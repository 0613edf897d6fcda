//! `heddle memory replay`: memory systems without cores, driven by traces.

use crate::common::{Run, heddle_in, run_in};
use serde_json::Value;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::Stdio;

const ALONE: &str = include_str!("../../../examples/machines/memory-alone.toml");

/// Every request far from the one before, so that each finds what the others have left.
const TRACE: &str = "\
# line 0: missed by all; then in the first requester's cache; then missed by another's, and in the shared one
0 0 read 0 4 7
1000 0 read 60 4
2000 1 read 0x20 8
# a write goes through the requester's cache to the shared one, which has the line
3000 0 write 0 16
# the shared cache performs atomics
4000 2 atomic 8 4
# lines 0 and 1: the first is in the shared cache, the second nowhere; two pieces
5000 3 read 60 8
# the shared cache fetches a line that is written in part
6000 3 write 4096 4
";

fn replay(trace: &str, more: &[&str]) -> Run {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("m.toml"), ALONE).unwrap();
    fs::write(folder.path().join("t"), trace).unwrap();
    let arguments: Vec<&str> = ["memory", "replay", "m.toml", "t"].iter().chain(more).copied().collect();
    run_in(folder.path(), &arguments)
}

fn report(trace: &str, more: &[&str]) -> Value {
    let run = replay(trace, &[more, &["--json"]].concat());
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    serde_json::from_str(&run.stdout).unwrap()
}

#[test]
fn a_trace_computed_by_hand_has_these_hits_misses_and_dram_reads() {
    let report = report(TRACE, &[]);
    let counts = |names: &[&str]| -> Vec<u64> {
        names.iter().map(|name| report["stats"][name].as_u64().unwrap_or_else(|| panic!("{name}"))).collect()
    };
    assert_eq!(report["requests"], 7);
    // Reads: 0, 60, 0x20, and both pieces of 60..68.
    assert_eq!(counts(&["l1.reads", "l1.read_hits", "l1.read_misses", "l1.merges"]), [5, 1, 4, 0]);
    assert_eq!(counts(&["l1.writes", "l1.atomics"]), [2, 1]);
    // What L1 missed; line 0 is in L2 for the second and the fifth.
    assert_eq!(counts(&["l2.reads", "l2.read_hits", "l2.read_misses"]), [4, 2, 2]);
    assert_eq!(counts(&["l2.writes", "l2.atomics"]), [2, 1]);
    // Lines 0, 1 and 64, a burst each; dirty lines stay in L2.
    assert_eq!(counts(&["dram.reads", "dram.bytes_read", "dram.writes"]), [3, 192, 0]);
    let by_level = &report["read_latency_by_level"];
    let requests: Vec<u64> =
        ["l1", "l2", "dram"].map(|level| by_level[level]["count"].as_u64().unwrap()).to_vec();
    assert_eq!(requests, [1, 1, 2]);
    // A hit takes l1.latency; the others what a lone read takes.
    assert_eq!(by_level["l1"]["max"], 4);
    assert_eq!(by_level["l2"]["max"], 32);
    assert_eq!(by_level["dram"]["max"], 70);
    let levels = report["levels"].as_array().unwrap();
    assert_eq!((levels[0]["name"].as_str(), levels[0]["read_hits"].as_u64()), (Some("l1"), Some(1)));
    assert_eq!(report["kind"], "memory");
    assert_eq!(report["energy"], Value::Null);
}

#[test]
fn the_page_has_every_section_and_mechanisms_and_settings_act() {
    let run = replay(TRACE, &[]);
    for words in [
        "memory-alone (kind memory)",
        "7 of 4 requesters, all answered",
        "by the cycles of the trace",
        "reads, L2",
        "L1-L2",
        "L2-DRAM",
        "Traffic and DRAM",
        "3 RD, 0 WR",
    ] {
        assert!(run.stdout.contains(words), "{words}: {}", run.stdout);
    }
    let faster = report(TRACE, &["--set", "l1.latency=1", "--with", "exclusive"]);
    assert_eq!(faster["read_latency_by_level"]["l1"]["max"], 1);
    assert_eq!(faster["mechanisms"], serde_json::json!(["exclusive"]));
    // Line 0 is in the first requester's cache alone, until the write to it brings it to the shared one.
    assert_eq!(faster["stats"]["l2.read_hits"], 1);
}

fn report_of(machine: &str, trace: &str) -> Value {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("m.toml"), machine).unwrap();
    fs::write(folder.path().join("t"), trace).unwrap();
    let run = run_in(folder.path(), &["memory", "replay", "m.toml", "t", "--json"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    serde_json::from_str(&run.stdout).unwrap()
}

#[test]
fn every_level_of_a_machine_answers_under_its_own_name() {
    let machine = include_str!("../../../examples/machines/cluster-cache.toml");
    // Missed by all; then by requesters 0 and 2, of which 1 shares the middle cache with 0.
    let trace = "0 0 read 0 4\n5000 0 read 0 4\n10000 1 read 0 4\n15000 2 read 0 4\n";
    let report = report_of(machine, trace);
    let by_level = report["read_latency_by_level"].as_object().unwrap();
    let counts = ["l1", "cluster", "l2", "dram"].map(|level| by_level[level]["count"].as_u64());
    assert_eq!((by_level.len(), counts), (4, [Some(1); 4]));
    let latency = ["l1", "cluster", "l2", "dram"].map(|level| by_level[level]["max"].as_u64().unwrap());
    assert!(latency.is_sorted_by(|near, far| near < far), "{latency:?}");
    // Below the requesters' own caches, the counters of the memory system say the same.
    for level in ["cluster", "l2", "dram"] {
        assert_eq!(report["stats"][format!("latency.{level}_reads")], 1, "{level}");
    }
}

#[test]
fn every_counter_of_a_replay_is_explained() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("m.toml"), ALONE).unwrap();
    let run = run_in(folder.path(), &["stats", "--machine", "m.toml", "--json"]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let explained: Value = serde_json::from_str(&run.stdout).unwrap();
    let names = explained["counters"].as_array().unwrap().iter().map(|counter| counter["name"].as_str());
    let explained: std::collections::BTreeSet<&str> = names.map(Option::unwrap).collect();
    let report = report(TRACE, &[]);
    let counted = report["stats"].as_object().unwrap().keys().map(String::as_str).collect();
    assert_eq!(explained, counted);
}

#[test]
fn a_renamed_level_of_a_memory_system_is_priced_by_the_name_that_it_gives() {
    let priced = format!("{ALONE}\n[energy]\ntable = \"gtx480\"\n");
    let renamed = priced.replace("\"l2\"", "\"llc\"").replace("[l2]", "[llc]");
    let by_its_name = report_of(&priced, TRACE);
    let like = report_of(&format!("{renamed}[energy.like]\nllc = \"l2\"\n"), TRACE);
    assert!(by_its_name["energy"]["joules"].as_f64().unwrap() > 0.0);
    assert_eq!(like["energy"]["joules"], by_its_name["energy"]["joules"]);
    assert_eq!(like["read_latency_by_level"]["llc"], by_its_name["read_latency_by_level"]["l2"]);
    let refused = |machine: &str, words: &str| {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("m.toml"), machine).unwrap();
        fs::write(folder.path().join("t"), TRACE).unwrap();
        let run = run_in(folder.path(), &["memory", "replay", "m.toml", "t"]);
        assert!(run.code != Some(0) && run.stderr.contains(words), "{}", run.stderr);
    };
    refused(&renamed, "llc.");
    refused(&format!("{renamed}[energy.like]\nllc = \"l22\"\n"), "has no prices for \"l22\"");
}

#[test]
fn traces_without_cycles_run_as_fast_as_caches_take_them() {
    let trace: String = (0..400).map(|line| format!("{} read {} 4\n", line % 4, line / 4 * 64)).collect();
    let free = report(&trace, &[]);
    assert_eq!((free["by_cycles"].as_bool(), free["requests"].as_u64()), (Some(false), Some(400)));
    // All four requesters go over the same 100 lines.
    assert_eq!(free["stats"]["dram.reads"], 100);
    assert_eq!(free["stats"]["l1.read_misses"], 400);
    let bounded = report(&trace, &["--outstanding", "1"]);
    assert!(bounded["cycles"].as_u64() > free["cycles"].as_u64());
    assert_eq!(bounded["stats"]["l1.read_misses"], 400);
    let timed: String = (0..400).map(|line| format!("0 {} read {} 4\n", line % 4, line / 4 * 64)).collect();
    assert_eq!(report(&timed, &["--ignore-cycles"])["cycles"], free["cycles"]);
}

#[test]
fn a_gpu_lends_its_memory_system_with_a_requester_for_each_core() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("t"), "0 14 read 0 4\n").unwrap();
    for (machine, cores) in [("fermi", 16), ("gtx480", 15), ("gtx480-mff", 15), ("k40c", 15)] {
        let run = run_in(folder.path(), &["memory", "replay", machine, "t", "--json"]);
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        let report: Value = serde_json::from_str(&run.stdout).unwrap();
        assert_eq!((report["requesters"].as_u64(), &report["kind"]), (Some(cores), &Value::from("gpu")));
        assert_eq!(report["stats"]["l1.read_misses"], 1, "{machine}");
        assert!(report["energy"]["joules"].as_f64().unwrap() > 0.0, "{machine}");
        assert!(report["stats"].get("core.active_cycles").is_none());
        // The latency is that of a lone read.
        let shown = run_in(folder.path(), &["machine", "show", machine, "--json"]);
        let shown: Value = serde_json::from_str(&shown.stdout).unwrap();
        assert_eq!(report["read_latency"]["max"].as_u64(), shown["zero_load"]["dram"].as_u64(), "{machine}");
    }
    fs::write(folder.path().join("t"), "0 15 read 0 4\n").unwrap();
    let told = run_in(folder.path(), &["memory", "replay", "gtx480", "t"]).stderr;
    assert!(told.contains("t:1: expected a requester from 0 to 14, found '15'"), "{told}");
}

#[test]
fn standard_input_may_be_compressed() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("m.toml"), ALONE).unwrap();
    let arguments = ["memory", "replay", "m.toml", "-", "--json"];
    let mut command = heddle_in(folder.path(), &arguments);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    // `0 read 0 4`, stored in a block of gzip as it is.
    let text = b"0 read 0 4\n";
    let mut gzip = vec![0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255, 1, 11, 0, 0xf4, 0xff];
    gzip.extend(text);
    gzip.extend(checksum(text).to_le_bytes());
    gzip.extend(11u32.to_le_bytes());
    child.stdin.take().unwrap().write_all(&gzip).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((report["requests"].as_u64(), &report["trace"]), (Some(1), &Value::from("<stdin>")));
}

/// The checksum of gzip.
fn checksum(bytes: &[u8]) -> u32 {
    let step = |sum: u32, _| if sum & 1 == 1 { sum >> 1 ^ 0xedb8_8320 } else { sum >> 1 };
    !bytes.iter().fold(!0u32, |sum, &byte| (0..8).fold(sum ^ u32::from(byte), step))
}

#[test]
fn what_is_wrong_is_told_with_place_and_advice() {
    for (trace, more, words) in [
        (
            "0 9 read 0 4\n",
            &[][..],
            "t:1: expected a requester from 0 to 3, found '9'\nhelp: a line is `cycle",
        ),
        ("5 0 read 0 4\n4 0 read 0 4\n", &[], "t:2: cycle 4 is before that of the request above\nhelp: sort"),
        ("5 0 read 0 4\n0 read 0 4\n", &[], "t:2: expected a cycle, as the requests above have"),
        (
            TRACE,
            &["--set", "core.warps=3"],
            "--set core.warps=3: `core`: [core] belongs to machines of kind gpu",
        ),
        (TRACE, &["--set", "l1.sise=3"], "`l1.sise`: no such key\nhelp: did you mean `l1.size`?"),
        (TRACE, &["--with", "c-spref1"], "[core] belongs to machines of kind gpu"),
    ] {
        let run = replay(trace, more);
        assert_eq!(run.code, Some(1), "{words}");
        assert!(run.stderr.contains(words), "{words}: {}", run.stderr);
    }
}

#[test]
fn programs_are_refused_by_a_memory_system_and_other_commands_know_it() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/machines");
    for arguments in [&["run", "bfs"][..], &["compare", "bfs", "--with", "obm"]] {
        let run = run_in(&folder, &[arguments, &["--machine", "memory-alone.toml"]].concat());
        let words = "memory-alone: a machine of kind memory runs no programs\nhelp: `heddle memory replay";
        assert!(run.code == Some(1) && run.stderr.contains(words), "{arguments:?}: {}", run.stderr);
    }
    let shown = run_in(&folder, &["machine", "show", "memory-alone.toml"]);
    assert_eq!(shown.code, Some(0), "{}", shown.stderr);
    assert!(shown.stdout.contains("one for each of 4 requesters, serves global  (by interconnect)"));
    assert!(shown.stdout.contains("  kind                  memory\n"));
    assert!(!shown.stdout.contains("warps"), "{}", shown.stdout);
    let differs = run_in(&folder, &["machine", "show", "memory-alone.toml", "--diff", "fermi"]);
    assert!(differs.stdout.lines().any(|line| line.split_whitespace().eq(["kind", "\"memory\"", "\"gpu\""])));
    let costs = run_in(&folder, &["mechanisms", "--machine", "memory-alone.toml"]);
    assert_eq!(costs.code, Some(0), "{}", costs.stderr);
    let dram = run_in(&folder, &["dram", "show", "memory-alone.toml", "--json"]);
    assert_eq!(dram.code, Some(0), "{}", dram.stderr);
    let listed = run_in(&folder, &["machine", "list", "--json"]);
    let listed: Value = serde_json::from_str(&listed.stdout).unwrap();
    assert!(listed.as_array().unwrap().iter().all(|machine| machine["kind"] == "gpu"));
}
