//! `heddle energy`: tables, and results priced again.

use crate::common::{json, run, run_in, stdout};
use serde_json::{Value, json};
use std::path::Path;

/// A result as a run in time leaves it, with all that `gddr5` counts.
fn result() -> Value {
    json!({
        "machine": "gtx480", "cycles": 700, "seconds": 1e-6, "energy_table": "gddr5",
        "stats": {
            "dram.activates": 100, "dram.bytes_read": 6400, "dram.bytes_written": 640, "dram.reads": 100,
            "dram.active_standby_cycles": 924, "dram.precharged_standby_cycles": 0,
        },
    })
}

fn write(folder: &Path, result: &Value) {
    std::fs::write(folder.join("result.json"), result.to_string()).unwrap();
}

#[test]
fn every_table_is_listed_and_shown_with_its_sources() {
    let list = stdout(&["energy", "--list"]);
    for name in ["fermi", "gtx480", "gtx480-raw", "k40c", "gddr5", "ddr4-2400"] {
        assert!(list.contains(&format!("\n  {name} ")), "{name}\n{list}");
        let page = stdout(&["energy", "--show", name]);
        let sources = page.lines().filter(|line| line.starts_with("      source: ")).count();
        let table = json(&["energy", "--show", name, "--json"]);
        let rows = ["actions", "statics"].map(|key| table[key].as_array().unwrap().len());
        assert_eq!(sources, rows.iter().sum::<usize>(), "{name}");
    }
    assert!(stdout(&["energy", "--show", "k40c"]).contains("scaled from           gtx480, times 0.57"));
}

#[test]
fn a_result_is_priced_by_counts_and_time_alone() {
    let folder = tempfile::tempdir().unwrap();
    write(folder.path(), &result());
    let priced = run_in(folder.path(), &["energy", "result.json", "--json"]);
    assert_eq!(priced.code, Some(0), "{}", priced.stderr);
    let energy: Value = serde_json::from_str(&priced.stdout).unwrap();
    let dynamic = (100.0 * 12988.0 + 100.0 * 4091.0 + 10.0 * 4611.0) * 1e-12;
    assert!((energy["dynamic_joules"].as_f64().unwrap() / dynamic - 1.0).abs() < 1e-9);
    assert!((energy["static_joules"].as_f64().unwrap() / 1.35e-6 - 1.0).abs() < 1e-9);
    let page = run_in(folder.path(), &["energy", "."]).stdout;
    for words in ["table                 gddr5", "By component", "DRAM activate and precharge", "1.299 uJ"] {
        assert!(page.contains(words), "{words}\n{page}");
    }
}

#[test]
fn a_priced_result_says_of_what_machine_it_is_and_that_it_is_partial() {
    let folder = tempfile::tempdir().unwrap();
    let mut partial = result();
    partial["partial"] = json!("stopped by --max-cycles 5000 in launch 2 (Kernel2)");
    partial["machine_file"] = json!("mine.toml");
    partial["mechanisms"] = json!(["obm"]);
    partial["set"] = json!(["l1.size=16KiB"]);
    partial["skipped_launches"] = json!(3);
    write(folder.path(), &partial);
    let page = run_in(folder.path(), &["energy", "result.json"]).stdout;
    for words in [
        "gtx480 (mine.toml) with obm, set l1.size=16KiB",
        "stopped by --max-cycles 5000 in launch 2 (Kernel2); the energy is that of what was done until then",
        "3 were executed functionally",
    ] {
        assert!(page.contains(words), "{words}: {page}");
    }
    let priced = run_in(folder.path(), &["energy", "result.json", "--json"]);
    let priced: Value = serde_json::from_str(&priced.stdout).unwrap();
    for key in ["partial", "machine", "machine_file", "mechanisms", "set", "skipped_launches"] {
        assert_eq!(priced[key], partial[key], "{key}");
    }
    write(folder.path(), &result());
    let page = run_in(folder.path(), &["energy", "result.json"]).stdout;
    assert!(!page.contains("partial") && !page.contains("functionally"), "{page}");
}

#[test]
fn a_clock_that_the_result_states_goes_before_the_table_s() {
    let folder = tempfile::tempdir().unwrap();
    let mut slower = result();
    slower["clocks"] = json!({ "dram": 462_000_000u64 });
    write(folder.path(), &slower);
    let priced = run_in(folder.path(), &["energy", "result.json", "--json"]);
    let energy: Value = serde_json::from_str(&priced.stdout).unwrap();
    assert!((energy["static_joules"].as_f64().unwrap() / 2.7e-6 - 1.0).abs() < 1e-9);
}

#[test]
fn what_cannot_be_priced_is_refused_with_a_reason() {
    let folder = tempfile::tempdir().unwrap();
    let refused = |change: &dyn Fn(&mut Value), arguments: &[&str]| {
        let mut result = result();
        change(&mut result);
        write(folder.path(), &result);
        let run = run_in(folder.path(), arguments);
        assert_eq!((run.code, run.stdout.as_str()), (Some(1), ""), "{arguments:?}");
        run.stderr
    };
    let plain = ["energy", "result.json"];
    let unknown = refused(&|_| (), &["energy", "result.json", "--table", "gtx48"]);
    assert!(
        unknown.contains("no energy table is called `gtx48`") && unknown.contains("did you mean `gtx480`?")
    );
    let missing = refused(&|_| (), &["energy", "result.json", "--table", "ddr4-2400"]);
    assert!(missing.contains("row `DRAM refresh`: the run has no statistic `dram.refreshes`"), "{missing}");
    let functional = refused(&|result| drop(result.as_object_mut().unwrap().remove("stats")), &plain);
    assert!(functional.contains("has no key `stats`") && functional.contains("run in time"), "{functional}");
    let negative = refused(&|result| result["stats"]["dram.reads"] = json!(-1), &plain);
    assert!(negative.contains("`stats.dram.reads` is -1, and no count"), "{negative}");
    let time = refused(&|result| result["seconds"] = json!(-1.0), &plain);
    assert!(time.contains("-1 is no number of seconds"), "{time}");
    let unnamed = refused(&|result| result["energy_table"] = Value::Null, &plain);
    assert!(unnamed.contains("names no `energy_table`") && unnamed.contains("--table"), "{unnamed}");
    std::fs::write(folder.path().join("result.json"), "{").unwrap();
    assert!(run_in(folder.path(), &plain).stderr.contains("is not JSON"));
    assert!(run(&["energy", "absent.json"]).stderr.contains("absent.json: no such file"));
    assert_eq!(run(&["energy"]).code, Some(2));
}

/// A run of a workload, and the same time spent with idle cores and nothing else.
fn busy_and_idle(folder: &Path, machine: &str, workload: &str) -> [Value; 2] {
    let words = ["run", workload, "--graph", "rmat:scale=9,degree=8", "--machine", machine, "--json"];
    let busy = json(&words);
    let mut idle = busy.clone();
    let cycles = busy["stats"]["core.cycles"].clone();
    idle["stats"].as_object_mut().unwrap().values_mut().for_each(|count| *count = 0.into());
    idle["stats"]["core.cycles"] = cycles.clone();
    idle["stats"]["core.idle_cycles"] = cycles;
    [busy, idle].map(|result| {
        write(folder, &result);
        let priced = run_in(folder, &["energy", "result.json", "--json"]);
        assert_eq!(priced.code, Some(0), "{machine} {workload}: {}", priced.stderr);
        serde_json::from_str(&priced.stdout).unwrap()
    })
}

/// Energy of the component `core` alone.
fn of_cores(energy: &Value) -> f64 {
    let components = energy["components"].as_array().unwrap().iter();
    let cores = components.filter(|component| component["component"] == "core");
    cores.map(|core| core["dynamic_joules"].as_f64().unwrap() + core["static_joules"].as_f64().unwrap()).sum()
}

#[test]
fn cores_that_work_draw_no_less_power_than_idle_ones() {
    let folder = tempfile::tempdir().unwrap();
    for machine in ["fermi", "gtx480", "k40c"] {
        for workload in ["bfs-push", "bfs-dd", "h-bfs", "pagerank-pull"] {
            let [busy, idle] = busy_and_idle(folder.path(), machine, workload);
            let what = format!("{machine} {workload}");
            assert!(of_cores(&busy) > of_cores(&idle), "{what}: the same core-seconds");
            let watts = |energy: &Value| energy["average_watts"].as_f64().unwrap();
            assert!(watts(&busy) > watts(&idle), "{what}: {} W and {} W", watts(&busy), watts(&idle));
            assert!(idle["dynamic_joules"] == 0.0 && idle["static_joules"].as_f64().unwrap() > 0.0, "{what}");
        }
    }
}

#[test]
fn dynamic_and_static_energy_are_shown_apart_in_total_and_by_component() {
    let folder = tempfile::tempdir().unwrap();
    let words = ["run", "bfs", "--graph", "rmat:scale=7", "--out", "out"];
    let page = run_in(folder.path(), &words).stdout;
    let energy = page.split("Energy, by the table fermi").nth(1).unwrap();
    for words in
        ["\n  dynamic energy        ", "\n  static energy         ", "dynamic energy  static energy  "]
    {
        assert!(energy.contains(words), "{words}:\n{page}");
    }
    assert!(!page.contains("switched on"));
    let priced = run_in(folder.path(), &["energy", "out"]).stdout;
    assert!(priced.contains("\n  dynamic energy        ") && priced.contains("\n  static energy         "));
    assert!(priced.contains("dynamic energy  static energy  "), "{priced}");
    let text = std::fs::read_to_string(folder.path().join("out/result.json")).unwrap();
    let result: Value = serde_json::from_str(&text).unwrap();
    let sum = |key: &str| -> f64 {
        let components = result["energy"]["components"].as_array().unwrap().iter();
        components.map(|component| component[key].as_f64().unwrap()).sum()
    };
    for key in ["dynamic_joules", "static_joules"] {
        let total = result["energy"][key].as_f64().unwrap();
        assert!(total > 0.0 && (sum(key) / total - 1.0).abs() < 1e-9, "{key}");
    }
}
