//! `heddle run` in time, `heddle compare`, `heddle diff` and `heddle stats`, as a user types them.

use crate::common::{json, run, run_in, stdout};
use serde_json::Value;
use std::fs;
use std::path::Path;

const SMALL: [&str; 4] = ["--graph", "grid:width=8,height=8", "--source", "0"];

/// A run of a small search with more options, in a folder.
fn search<'a>(more: &[&'a str]) -> Vec<&'a str> {
    [&["run", "bfs"], &SMALL[..], more].concat()
}

fn result(folder: &Path) -> Value {
    serde_json::from_str(&fs::read_to_string(folder.join("result.json")).unwrap()).unwrap()
}

fn without_host(mut result: Value) -> Value {
    let keys = result.as_object_mut().unwrap();
    assert!(keys.remove("host").is_some() && keys.remove("wall_seconds").is_some());
    result
}

#[test]
fn the_first_command_gives_a_verified_answer_in_time_and_a_page() {
    let page = stdout(&["run", "bfs", "--graph", "rmat:scale=8"]);
    for words in [
        "machine               fermi",
        "verified              yes",
        "Where the issue slots went",
        "L1 accesses",
        "on-chip traffic",
        "Loads that warps waited for longest",
        "ld.global",
        "limited by",
        "Energy, by the table",
        "million warp instructions/s",
    ] {
        assert!(page.contains(words), "{words}:\n{page}");
    }
}

#[test]
fn a_machine_with_few_registers_runs_the_kernel_and_the_result_counts_what_is_spilled() {
    let folder = tempfile::tempdir().unwrap();
    let few = ["--set", "core.registers_per_thread=8", "--out", "out"];
    let run = run_in(folder.path(), &search(&few));
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let result = result(&folder.path().join("out"));
    let launch = &result["launches"][0];
    assert_eq!((&launch["registers"], &launch["registers_capped_by"]), (&8.into(), &"the machine".into()));
    let spilled = launch["spilled_registers"].as_u64().unwrap();
    assert!(spilled > 0);
    let words = format!("8 registers (capped by the machine, {spilled} more spilled)");
    assert!(run.stdout.contains(&words), "{words}:\n{}", run.stdout);
}

#[test]
fn the_page_in_the_readme_is_the_one_that_is_printed() {
    let readme = include_str!("../../../README.md");
    let shown =
        readme.split("$ heddle run bfs\n").nth(1).and_then(|rest| rest.split("\n```").next()).unwrap();
    let printed = stdout(&["run", "bfs"]);
    // What the host took is another matter every time.
    let lasting = |page: &str| -> Vec<String> {
        let host = |line: &&str| !line.contains("time in launches") && !line.contains("instructions/s");
        page.trim_end().lines().filter(host).map(str::to_owned).collect()
    };
    assert_eq!(lasting(shown), lasting(&printed));
}

/// Recorded figures: the same on every host, with and without optimisation. A change of a model or a machine file
/// changes them on purpose, and then here.
#[test]
fn cycles_and_counts_are_those_that_were_recorded() {
    for (machine, cycles, counts) in [
        ("fermi", 39_344, 3_479_032),
        ("gtx480", 34_965, 2_948_708),
        ("gtx480-mff", 112_777, 8_185_033),
        ("k40c", 103_991, 17_462_596),
    ] {
        let graph = ["--graph", "rmat:scale=7,degree=4", "--transform", "weights=1..9"];
        let result = json(&[&["run", "h-sssp", "--json", "--machine", machine], &graph[..]].concat());
        let stats = result["stats"].as_object().unwrap();
        let sum: u64 = stats.values().map(|count| count.as_u64().unwrap()).sum();
        assert_eq!((result["cycles"].as_u64(), sum), (Some(cycles), counts), "{machine}");
    }
}

#[test]
fn issue_slots_are_tiled_and_launches_add_up() {
    let result = json(&search(&["--machine", "gtx480", "--json"]));
    assert_eq!(result["verified"], true);
    let stats = result["stats"].as_object().unwrap();
    let count = |name: &str| stats[name].as_u64().unwrap();
    let slots: u64 =
        stats.iter().filter(|(name, _)| name.starts_with("slots.")).map(|(_, n)| n.as_u64().unwrap()).sum();
    let machine = &result["machine_figures"];
    let schedulers = machine["schedulers_per_core"].as_u64().unwrap();
    assert_eq!(count("core.cycles"), result["cycles"].as_u64().unwrap() * machine["cores"].as_u64().unwrap());
    assert_eq!(
        slots % (count("core.cycles") * schedulers),
        0,
        "a whole number of slots per scheduler and cycle"
    );
    assert_eq!(count("slots.busy"), result["warp_instructions"].as_u64().unwrap());
    assert_eq!(count("core.warp_instructions"), result["warp_instructions"].as_u64().unwrap());
    let launches = result["launches"].as_array().unwrap();
    let sum = |key: &str| launches.iter().map(|row| row[key].as_u64().unwrap()).sum::<u64>();
    assert_eq!(sum("cycles"), result["cycles"]);
    assert_eq!(sum("warp_instructions"), result["warp_instructions"]);
}

#[test]
fn two_runs_differ_in_the_host_alone_and_probes_change_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let at = |out: &str, more: &[&str]| {
        let run = run_in(folder.path(), &search(&[&["--out", out], more].concat()));
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        result(&folder.path().join(out))
    };
    let probes = ["--interval", "500", "--trace", "t.perfetto", "--capture-dram", "d.txt"];
    let (first, again, probed) = (at("a", &[]), at("a", &[]), at("b", &probes));
    assert_eq!(without_host(first.clone()), without_host(again));
    for key in ["cycles", "stats", "launches", "loads", "energy"] {
        assert_eq!(first[key], probed[key], "{key}");
    }
    assert!(!probed["intervals"].as_array().unwrap().is_empty());
    for file in ["t.perfetto", "d.txt", "b/machine.toml", "b/launches.csv", "b/intervals.csv"] {
        assert!(fs::metadata(folder.path().join(file)).unwrap().len() > 0, "{file}");
    }
}

#[test]
fn the_power_of_intervals_integrates_to_the_energy_of_the_run() {
    let result = json(&search(&["--interval", "200", "--json"]));
    let hertz = result["machine_figures"]["core_hertz"].as_f64().unwrap();
    let joules = |row: &Value| row["watts"].as_f64().unwrap() * row["cycles"].as_f64().unwrap() / hertz;
    let integrated: f64 = result["intervals"].as_array().unwrap().iter().map(joules).sum();
    let counted = result["energy"]["total_joules"].as_f64().unwrap();
    assert!((integrated - counted).abs() < 1e-6 * counted, "{integrated} {counted}");
}

#[test]
fn a_stored_machine_gives_the_same_result_again() {
    let folder = tempfile::tempdir().unwrap();
    let first = run_in(folder.path(), &search(&["--machine", "gtx480", "--set", "l1.ways=2", "--out", "a"]));
    assert_eq!(first.code, Some(0), "{}", first.stderr);
    let again = run_in(folder.path(), &search(&["--machine", "a/machine.toml", "--out", "b"]));
    assert_eq!(again.code, Some(0), "{}", again.stderr);
    let diff = run_in(folder.path(), &["diff", "a", "b"]);
    assert_eq!(diff.code, Some(0), "{}{}", diff.stdout, diff.stderr);
    assert!(diff.stdout.contains("equal in everything but the host's time"), "{}", diff.stdout);
}

#[test]
fn diff_shows_keys_and_statistics_and_says_so_to_the_shell() {
    let folder = tempfile::tempdir().unwrap();
    for (out, machine) in [("a", "fermi"), ("b", "gtx480")] {
        let run = run_in(folder.path(), &search(&["--machine", machine, "--out", out]));
        assert_eq!(run.code, Some(0), "{}", run.stderr);
    }
    let diff = run_in(folder.path(), &["diff", "a", "b/result.json"]);
    assert_eq!(diff.code, Some(1), "{}", diff.stderr);
    for words in ["clocks.core", "cycles", "slots.", "Cycles of launches"] {
        assert!(diff.stdout.contains(words), "{words}:\n{}", diff.stdout);
    }
    let missing = run_in(folder.path(), &["diff", "a", "nowhere"]);
    assert_eq!(missing.code, Some(2));
    assert!(missing.stderr.contains("nowhere"), "{}", missing.stderr);
}

#[test]
fn intervals_of_one_run_alone_do_not_make_it_another() {
    let folder = tempfile::tempdir().unwrap();
    for (out, more) in [("a", [].as_slice()), ("b", &["--interval", "200"])] {
        let run = run_in(folder.path(), &search(&[&["--out", out], more].concat()));
        assert_eq!(run.code, Some(0), "{}", run.stderr);
    }
    let diff = run_in(folder.path(), &["diff", "a", "b"]);
    assert_eq!(diff.code, Some(0), "{}{}", diff.stdout, diff.stderr);
    assert!(diff.stdout.contains("intervals are in B only"), "{}", diff.stdout);
    let diff = run_in(folder.path(), &["diff", "b", "a", "--json"]);
    let difference: Value = serde_json::from_str(&diff.stdout).unwrap();
    assert_eq!(difference["equal"], true);
    assert_eq!(difference["notes"][0], "intervals are in A only, and were not compared");
}

#[test]
fn a_mechanism_that_is_named_twice_is_applied_and_shown_once() {
    for words in [["--with", "obm+obm"].as_slice(), &["--with", "obm", "--with", "obm"]] {
        let result = json(&search(&[words, &["--json"]].concat()));
        assert_eq!(result["mechanisms"], serde_json::json!(["obm"]));
    }
}

#[test]
fn a_result_of_a_later_version_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("result.json"), "{ \"schema\": 3, \"version\": \"9.1.0\" }").unwrap();
    for (arguments, code) in [(["diff", ".", "."].as_slice(), 2), (&["energy", "."], 1)] {
        let told = run_in(folder.path(), arguments);
        assert_eq!(told.code, Some(code), "{}", told.stderr);
        for words in ["result.json: it has schema 3, newer than 2", "9.1.0"] {
            assert!(told.stderr.contains(words), "{}", told.stderr);
        }
    }
}

#[test]
fn a_comparison_does_not_depend_on_threads() {
    let folder = tempfile::tempdir().unwrap();
    let columns = ["--with", "none", "--with", "sector", "--with", "obm+sector"];
    let compared = |threads: &str| {
        let arguments = [&["compare", "bfs"], &SMALL[..], &columns, &["--threads", threads]].concat();
        let run = run_in(folder.path(), &arguments);
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        run.stdout
    };
    let page = compared("1");
    assert_eq!(page, compared("2"));
    for words in
        ["none", "sector", "obm+sector", "speedup", "L2 MPKI", "on-chip flits", "Speedup over the baseline"]
    {
        assert!(page.contains(words), "{words}:\n{page}");
    }
}

#[test]
fn only_some_launches_are_simulated_if_wanted() {
    let result = json(&search(&["--launches", "3..4", "--json"]));
    let timed = |row: &&Value| !row["cycles"].is_null();
    let launches = result["launches"].as_array().unwrap();
    assert_eq!(launches.iter().filter(timed).count(), 2);
    assert_eq!(result["skipped_launches"], launches.len() - 2);
    assert_eq!(result["verified"], true);
}

#[test]
fn statistics_are_explained() {
    let all = json(&["stats", "--json"]);
    let names: Vec<_> =
        all["counters"].as_array().unwrap().iter().map(|c| c["name"].as_str().unwrap()).collect();
    for name in ["slots.busy", "l1.reads", "l2.merges", "dram.row_hits", "traffic.l1_l2_data_flits"] {
        assert!(names.contains(&name), "{name}");
    }
    let page = stdout(&["stats", "mpki"]);
    assert!(page.contains("= 1000 * l1.read_misses / run.warp_instructions"), "{page}");
    assert!(!page.contains("slots.busy"), "{page}");
    let page = stdout(&["stats", "dram.row_*"]);
    assert!(page.contains("dram.row_conflicts") && !page.contains("dram.reads"), "{page}");
}

#[test]
fn mistakes_are_told_with_what_would_help() {
    let cases: &[(&[&str], i32, &str)] = &[
        (&["run", "bfs", "--machine", "fermy"], 1, "fermi"),
        (&["run", "bfs", "--with", "sectr"], 1, "sector"),
        (&["run", "bfs", "--set", "l1.wayz=3"], 1, "l1.ways"),
        (&["run", "bfs", "--energy-table", "fermy"], 1, "fermi"),
        (&["run", "bfs", "--launches", "5..3"], 2, "5 comes after 3"),
        (&["run", "bfs", "--launches", "1000.."], 2, "none of the run"),
        (&["run", "bfs", "--max-cycles", "10"], 1, "core cycle 10, the limit"),
        (&["run", "bfs", "--functional", "--trace", "t"], 2, "--trace concerns a machine with time"),
        (&["run", "bfs", "--functional", "--machine", "fermi"], 2, "--machine concerns"),
        (&["run", "bfs", "--sectors"], 2, "--functional"),
        (&["compare", "bfs"], 2, "--with"),
        (&["stats", "mkpi"], 1, "no statistic fits 'mkpi'"),
    ];
    for (arguments, code, words) in cases {
        let run = run(arguments);
        assert_eq!(run.code, Some(*code), "{arguments:?}: {}", run.stderr);
        assert!(run.stderr.contains(words), "{arguments:?}: {}", run.stderr);
    }
}

#[test]
fn plans_run_in_time_too() {
    let plan = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/plans/saxpy.toml");
    let result = json(&["run", plan.to_str().unwrap(), "--json"]);
    assert_eq!(result["verified"], true);
    assert!(result["cycles"].as_u64().unwrap() > 0);
    assert_eq!(result["provenance"]["programs"][0]["sha256"].as_str().unwrap().len(), 64);
}

#[test]
fn a_resolved_machine_given_back_has_its_mechanisms() {
    let folder = tempfile::tempdir().unwrap();
    for options in
        [&["--with", "sector", "--out", "first"], &["--machine", "first/machine.toml", "--out", "second"]]
    {
        let run = run_in(folder.path(), &search(options));
        assert_eq!(run.code, Some(0), "{}", run.stderr);
    }
    let [first, second] = ["first", "second"].map(|name| result(&folder.path().join(name)));
    assert_eq!(first["mechanisms"], serde_json::json!(["sector"]));
    assert_eq!(first["mechanisms"], second["mechanisms"]);
    assert_eq!(first["stats"], second["stats"]);
}

#[test]
fn what_could_not_be_written_is_told_before_anything_is_simulated() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("file"), "mine").unwrap();
    for (options, words) in [
        (&["--out", "file"][..], "it is a file, not a folder"),
        (&["--trace", "none/x"], "there is no folder none"),
        (&["--trace", "same", "--capture-dram", "same"], "name the same file"),
    ] {
        // A graph that is not there either would be told next.
        let options = [&["run", "bfs", "--graph", "absent.el"], options].concat();
        let run = run_in(folder.path(), &options);
        assert!(run.code != Some(0) && run.stderr.contains(words), "{options:?}: {}", run.stderr);
    }
    assert_eq!(fs::read_to_string(folder.path().join("file")).unwrap(), "mine");
}

#[test]
fn a_file_that_is_no_result_is_trouble_and_not_equal_to_itself() {
    let folder = tempfile::tempdir().unwrap();
    let with = |text: &str| fs::write(folder.path().join("x.json"), text).unwrap();
    let schema = json(&search(&["--json"]))["schema"].clone();
    for (rest, words) in [
        ("", "`verified`"),
        (r#","verified":true,"stats":[]"#, "`stats`"),
        (r#","verified":true,"stats":{"a":-1}"#, "`stats.a`"),
        (r#","verified":true,"cycles":"abc""#, "`cycles`"),
    ] {
        with(&format!(r#"{{"schema":{schema}{rest}}}"#));
        let run = run_in(folder.path(), &["diff", "x.json", "x.json"]);
        assert!(run.code == Some(2) && run.stderr.contains(words), "{rest}: {}", run.stderr);
    }
}

#[test]
fn a_table_that_leaves_out_what_a_run_has_counted_does_not_price_it() {
    let folder = tempfile::tempdir().unwrap();
    let run = run_in(folder.path(), &search(&["--out", "out"]));
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let energy = run_in(folder.path(), &["energy", "out", "--table", "gddr5"]);
    assert!(energy.code == Some(1) && energy.stderr.contains("`l1.reads`"), "{}", energy.stderr);
}

#[test]
fn mechanisms_of_a_machine_file_are_simulated_and_columns_name_them() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("mm.toml"), "inherits = \"fermi\"\nmechanisms = [\"sector\"]\n").unwrap();
    for (out, options) in
        [("a", ["--machine", "mm.toml"]), ("b", ["--with", "sector"]), ("c", ["--machine", "fermi"])]
    {
        let run = run_in(folder.path(), &search(&[&options[..], &["--out", out]].concat()));
        assert_eq!(run.code, Some(0), "{}", run.stderr);
    }
    let [listed, with, plain] = ["a", "b", "c"].map(|out| result(&folder.path().join(out)));
    assert_eq!((&listed["mechanisms"], &listed["stats"]), (&with["mechanisms"], &with["stats"]));
    assert_ne!(listed["stats"], plain["stats"]);
    let compare = |with: &str| {
        let options = ["--machine", "mm.toml", "--with", with, "--json"];
        run_in(folder.path(), &[&["compare", "bfs"], &SMALL[..], &options].concat())
    };
    let compared: Value = serde_json::from_str(&compare("obm").stdout).unwrap();
    assert_eq!(
        (&compared["columns"][0]["name"], &compared["columns"][1]["name"]),
        (&"sector".into(), &"sector+obm".into())
    );
    assert_eq!(compared["columns"][0]["cycles"], with["cycles"]);
    let again = compare("sector");
    assert!(again.code == Some(2) && again.stderr.contains("mm.toml has it already"), "{}", again.stderr);
}
