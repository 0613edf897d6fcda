//! Runs in time: keys, totals, pages, files.

use super::{run, words};
use crate::timing::{Hook, MachineChoice, synthetic};
use crate::view;
use heddle_gpu::RunSettings;
use serde_json::Value;

/// What a result is, without what depends on the host.
fn json(more: &[&str]) -> Value {
    let mut json = serde_json::to_value(run(more).unwrap()).unwrap();
    let keys = json.as_object_mut().unwrap();
    assert!(keys.remove("host").unwrap()["warp_instructions_per_second"].is_f64());
    assert!(keys.remove("wall_seconds").unwrap().is_f64());
    json
}

#[test]
fn two_runs_are_equal_in_everything_but_the_host() {
    let options = ["--interval", "100", "--with", "fast"];
    assert_eq!(json(&options), json(&options));
}

#[test]
fn a_result_has_the_keys_that_readers_rely_on() {
    let result = json(&["--interval", "100"]);
    for key in ["verified", "cycles", "warp_instructions", "thread_instructions", "seconds", "ipc", "stats"] {
        assert!(!result[key].is_null(), "{key}");
    }
    assert_eq!(result["verified"], true);
    assert_eq!(result["machine"], "fermi");
    assert_eq!(result["energy_table"], "synthetic");
    let instructions = result["warp_instructions"].as_u64().unwrap();
    assert_eq!(result["cycles"], 10 * instructions);
    assert_eq!(result["stats"]["core.warp_instructions"], instructions);
    assert_eq!(result["ratios"]["core.ipc"], 0.1);
    assert_eq!(result["ratios"]["dram.bytes"], result["stats"]["dram.bytes_read"].as_f64().unwrap());
    let launches = result["launches"].as_array().unwrap();
    let sum: u64 = launches.iter().map(|row| row["cycles"].as_u64().unwrap()).sum();
    assert_eq!(result["cycles"], sum);
    let sum: u64 = launches.iter().map(|row| row["stats"]["slots.busy"].as_u64().unwrap()).sum();
    assert_eq!(result["stats"]["slots.busy"], sum);
    // Nobody waits for the store.
    let loads = result["loads"].as_array().unwrap();
    assert!(
        loads.iter().all(|load| load["place"].as_str().unwrap().contains("ld.global")) && loads.len() == 2
    );
    let provenance = &result["provenance"];
    assert_eq!(provenance["schema"], result["schema"]);
    assert_eq!(provenance["programs"][0]["sha256"].as_str().unwrap().len(), 64);
    for key in ["graph", "machine"] {
        assert_eq!(provenance[key]["sha256"].as_str().unwrap().len(), 64, "{key}");
    }
}

#[test]
fn intervals_add_up_to_the_run() {
    let result = json(&["--interval", "100"]);
    let intervals = result["intervals"].as_array().unwrap();
    assert_eq!(intervals.len(), 2 * result["launches"].as_array().unwrap().len());
    let sum: u64 = intervals.iter().map(|row| row["cycles"].as_u64().unwrap()).sum();
    assert_eq!(result["cycles"], sum);
    let busy = |row: &Value| row["stats"]["slots.busy"].as_u64().unwrap_or(0);
    assert_eq!(result["stats"]["slots.busy"], intervals.iter().map(busy).sum::<u64>());
    let joules: f64 = intervals
        .iter()
        .map(|row| row["watts"].as_f64().unwrap() * row["cycles"].as_f64().unwrap() / 1e9)
        .sum();
    let total = result["energy"]["total_joules"].as_f64().unwrap();
    assert!((joules - total).abs() < 1e-9 * total, "{joules} {total}");
}

#[test]
fn launches_that_are_not_simulated_are_in_no_total() {
    let result = json(&["--launches", "3..5"]);
    let launches = result["launches"].as_array().unwrap();
    let timed: Vec<u64> = launches
        .iter()
        .filter(|row| !row["cycles"].is_null())
        .map(|row| row["launch"].as_u64().unwrap())
        .collect();
    assert_eq!(timed, [3, 4, 5]);
    assert_eq!(result["skipped_launches"], launches.len() - 3);
    let sum: u64 = launches[2..5].iter().map(|row| row["warp_instructions"].as_u64().unwrap()).sum();
    assert_eq!(result["warp_instructions"], sum);
    let none = run(&["--launches", "1000.."]).unwrap_err();
    assert!(none.words().contains("names launch 1000, and the run has"), "{}", none.words());
}

#[test]
fn the_page_tells_a_newcomer_what_happened() {
    let page = view::run::page(&run(&["--with", "fast"]).unwrap(), false);
    for line in [
        "machine               fermi with fast",
        "verified              yes",
        "IPC                   0.200 warp instructions per cycle on 2 cores, 0.100 on each",
        "Busy               10.0 %",
        "waited for a load that DRAM answered.",
        "% hit, 0.0 % merged into an outstanding miss",
        "1.50 sectors of a line used before its eviction, on average",
        "of the peak of 64.0 GB/s",
        "kernel.ptx:9:5 (from bfs.cu:12): ld.global.s32",
        "24 of 48 warps on a core (3 blocks), limited by registers; 20 registers, L1 of 16 KiB",
        "Energy, by the table synthetic",
        "million warp instructions/s",
    ] {
        assert!(page.contains(line), "{line}:\n{page}");
    }
}

#[test]
fn shares_of_slots_sum_to_a_hundred() {
    let page = view::run::page(&run(&[]).unwrap(), false);
    let section = page.split("Where the issue slots went").nth(1).unwrap();
    let groups = section.lines().skip(2).take_while(|line| !line.is_empty());
    let shares: f64 = groups
        .filter(|line| !line.starts_with("    "))
        .map(|line| line.split_whitespace().nth(1).unwrap().parse::<f64>().unwrap())
        .sum();
    assert!((shares - 100.0).abs() < 1e-6, "{shares}:\n{page}");
}

#[test]
fn a_folder_holds_result_machine_tables_and_what_else_was_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let (out, trace, dram) = (at("deep/out"), at("t.perfetto"), at("d.trace"));
    let options = ["--out", words(&out), "--trace", words(&trace), "--capture-dram", words(&dram)];
    let result = run(&[&options[..], &["--interval", "100"]].concat()).unwrap();
    let stored: Value =
        serde_json::from_str(&std::fs::read_to_string(out.join("result.json")).unwrap()).unwrap();
    assert_eq!(stored["cycles"], result.time.as_ref().unwrap().cycles);
    assert!(std::fs::read_to_string(out.join("machine.toml")).unwrap().contains("name = \"fermi\""));
    let rows = std::fs::read_to_string(out.join("launches.csv")).unwrap();
    assert_eq!(rows.lines().count(), 1 + result.launches.len());
    let columns = |line: &str| line.split(',').count();
    assert!(rows.lines().all(|line| columns(line) == columns(rows.lines().next().unwrap())));
    assert!(
        std::fs::read_to_string(out.join("intervals.csv")).unwrap().starts_with("launch,start_cycle,cycles")
    );
    let captured = std::fs::read_to_string(dram).unwrap();
    let (head, requests) = captured.split_once('\n').unwrap();
    assert!(head.starts_with("# ") && head.contains("fermi"), "{head}");
    assert!(requests.starts_with("0x80 READ 0\n0x80 WRITE 1\n"));
    assert_eq!(std::fs::read(trace).unwrap()[0], 0x0a);
}

#[test]
fn a_folder_that_cannot_be_written_in_the_end_does_not_cost_the_result() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("out");
    let arguments = super::run_arguments(&["--graph", "grid:width=8,height=4", "--out", words(&out)]);
    // Somebody takes the name after it was found free: when the run has ended and is priced.
    let taken = out.clone();
    let build = move |choice: &MachineChoice, settings: RunSettings, hook: Hook| {
        let (mut built, taken) = (synthetic::build(choice, settings, hook)?, taken.clone());
        let pricer = built.pricer.take().unwrap();
        built.pricer = Some(Box::new(move |statistics, seconds| {
            std::fs::write(&taken, "mine").unwrap();
            pricer(statistics, seconds)
        }));
        Ok(built)
    };
    let finished = super::running::in_time(&arguments, super::QUIET, &build).unwrap();
    assert!(finished.result.verified);
    let told = finished.problems.into_result().unwrap_err();
    assert!(told.words().contains(words(&out)), "{}", told.words());
    assert_eq!(std::fs::read_to_string(&out).unwrap(), "mine");
}
