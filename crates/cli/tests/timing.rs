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
    let (first, again, probed) = (at("a", &[]), at("a", &["--force"]), at("b", &probes));
    let without_command = |result: Value| {
        let mut result = without_host(result);
        result["provenance"].as_object_mut().unwrap().remove("command");
        result
    };
    assert_eq!(without_command(first.clone()), without_command(again));
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
    for cache in ["l1", "l2"] {
        assert!(page.contains(&format!("= 1000 * {cache}.read_misses / run.warp_instructions")), "{page}");
    }
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
        (&["run", "bfs", "--launches", "1000.."], 2, "names launch 1000, and the run has"),
        (&["run", "bfs", "--launches", "1,900..1000"], 2, "names launch 900, and the run has"),
        (&["run", "bfs", "--launches", "kernel=expand,1000"], 2, "names launch 1000, and the run has"),
        // Before the graph, which is not there, is looked for.
        (&["run", "bfs", "--graph", "absent", "--registers", "Kernl=40"], 2, "did you mean `Kernel`?"),
        (&["run", "bfs", "--graph", "absent", "--energy-table", "fermy"], 1, "did you mean `fermi`?"),
        (&["dram", "replay", "ddr4-2400", "absent", "--energy", "gdr5"], 1, "did you mean `gddr5`?"),
        (&["run", "kernel.ptx"], 2, "heddle ptx run kernel.ptx"),
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

#[test]
fn what_was_set_and_the_name_of_a_machine_file_are_told_everywhere() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("m.toml"), "inherits = \"fermi\"\n[l1]\nmshrs = 7\n").unwrap();
    let options = ["--machine", "./m.toml", "--set", "l2.latency=50", "--set", "l1.size=16KiB"];
    let page = run_in(folder.path(), &search(&[&options[..], &["--out", "r"]].concat()));
    assert_eq!(page.code, Some(0), "{}", page.stderr);
    let words = "m.toml (./m.toml), set l2.latency=50, l1.size=16KiB";
    assert!(page.stdout.contains(words) && page.stdout.contains("l1.ways is 4"), "{}", page.stdout);
    let stored = result(&folder.path().join("r"));
    assert_eq!(stored["set"], serde_json::json!(["l2.latency=50", "l1.size=16KiB"]));
    assert_eq!((&stored["machine"], &stored["machine_file"]), (&"m.toml".into(), &"./m.toml".into()));
    let compared = [&["compare", "bfs"], &SMALL[..], &options, &["--with", "obm"]].concat();
    let compared = run_in(folder.path(), &compared);
    assert!(compared.stdout.contains(words), "{}", compared.stdout);
    // What the machine is decides whether two results are equal, not how it was asked for.
    let again = run_in(folder.path(), &search(&["--machine", "r/machine.toml", "--out", "again"]));
    assert_eq!(again.code, Some(0), "{}", again.stderr);
    let diff = run_in(folder.path(), &["diff", "r", "again"]);
    assert_eq!(diff.code, Some(0), "{}", diff.stdout);
}

#[test]
fn what_was_not_simulated_has_a_dash_and_no_zero() {
    let page = stdout(&search(&["--launches", "3..4", "--all"]));
    let row = |section: &str, number: &str| -> Vec<String> {
        let rows = page.split(&format!("\n{section}\n")).nth(1).unwrap().lines();
        let cells = |line: &str| line.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        rows.map(cells).find(|cells| cells.first().is_some_and(|cell| cell == number)).unwrap()
    };
    assert_eq!(row("Iterations", "1")[5], "-");
    assert_ne!(row("Iterations", "2")[5], "-");
    assert_eq!(row("Launches", "1")[4], "-");
    assert_ne!(row("Launches", "3")[4], "-");
}

#[test]
fn loads_that_pass_l1_are_counted_on_the_page() {
    let folder = tempfile::tempdir().unwrap();
    let body = "ld.param.u64 %rd1, [a];\nld.global.cg.u32 %r1, [%rd1];\nst.global.u32 [%rd1], %r1;\nret;\n";
    let text = format!(
        ".version 6.0\n.target sm_35\n.address_size 64\n.visible .entry k(.param .u64 a)\n{{\n.reg .b32 %r<2>;\n\
         .reg .b64 %rd<2>;\n{body}}}\n"
    );
    fs::write(folder.path().join("k.ptx"), text).unwrap();
    let launch = ["ptx", "run", "k.ptx", "--buffer", "a=u32[1]:5", "--arg", "a", "--block", "1"];
    let run = run_in(folder.path(), &[&launch[..], &["--machine", "fermi", "--print", "a"]].concat());
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert!(run.stdout.contains("L1 passed by          1 reads"), "{}", run.stdout);
    assert!(run.stdout.contains("Time on the simulated machine"), "{}", run.stdout);
    assert!(run.stdout.ends_with("  5\n"), "{}", run.stdout);
}
