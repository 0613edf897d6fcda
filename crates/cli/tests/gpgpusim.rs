//! `gtx480` beside GPGPU-Sim 4.0.0 with its configuration SM2_GTX480: cycles per launch.
//!
//! The figures, programs and plans are in `validation/gpgpusim`. A launch that is known to differ is asserted to differ,
//! so that a gap that closes is noticed.

use crate::common::run_in;
use std::fs;
use std::path::{Path, PathBuf};

/// A launch of the reference.
pub(crate) struct Launch {
    app: String,
    pub(crate) kernel: String,
    pub(crate) cycles: u64,
    pub(crate) warp_instructions: u64,
}

pub(crate) fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../validation/gpgpusim")
}

/// The launches of one application in a table of the reference.
pub(crate) fn reference(table: &str, app: &str) -> Vec<Launch> {
    let text = fs::read_to_string(folder().join(table)).unwrap();
    let launches = text.lines().skip(1).map(|line| {
        let columns: Vec<&str> = line.split('\t').collect();
        Launch {
            app: columns[0].to_owned(),
            kernel: columns[2].to_owned(),
            cycles: columns[3].parse().unwrap(),
            warp_instructions: columns[4].parse().unwrap(),
        }
    });
    launches.filter(|launch| launch.app == app).collect()
}

/// Cycles and warp instructions of the launches of a plan.
pub(crate) fn measured(folder: &Path, plan: &str, options: &[&str]) -> Vec<(u64, u64)> {
    let run = run_in(folder, &[&["run", plan, "--machine", "gtx480", "--json"], options].concat());
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    let result: serde_json::Value = serde_json::from_str(&run.stdout).unwrap();
    let launches = result["launches"].as_array().unwrap().iter();
    launches
        .map(|launch| {
            let stats = &launch["stats"];
            (launch["cycles"].as_u64().unwrap(), stats["core.warp_instructions"].as_u64().unwrap())
        })
        .collect()
}

/// By how much a figure lies above its reference.
pub(crate) fn error(measured: u64, reference: u64) -> f64 {
    measured as f64 / reference as f64 - 1.0
}

/// The bounds of a launch's error: those of `gaps.tsv` where it is known to differ.
pub(crate) fn bounds(app: &str, launch: usize, most: f64) -> (f64, f64) {
    let text = fs::read_to_string(folder().join("gaps.tsv")).unwrap();
    let rows = text.lines().skip(1).map(|line| line.split('\t').collect::<Vec<&str>>());
    let gap = rows.into_iter().find(|row| row[0] == app && row[1] == launch.to_string());
    gap.map_or((-most, most), |row| (row[2].parse().unwrap(), row[3].parse().unwrap()))
}

/// What is measured is committed, for the page that shows it beside the reference (docs/validation.md).
pub(crate) fn hold_to_committed(table: &str, rows: &[(String, usize, u64)]) {
    let mut text = "app\tlaunch\theddle\n".to_owned();
    rows.iter().for_each(|(app, launch, cycles)| text += &format!("{app}\t{launch}\t{cycles}\n"));
    let path = folder().join(table);
    if std::env::var_os("HEDDLE_RECORD").is_some() {
        fs::write(&path, &text).unwrap();
    }
    let committed = fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(text, committed, "{table}: HEDDLE_RECORD=1 records what moved");
}

#[test]
fn micro_kernels_take_the_cycles_of_gpgpu_sim_within_five_percent() {
    let (mut wrong, mut rows) = (String::new(), Vec::new());
    for (app, plan) in [("micro_alu", "micro/alu.toml"), ("micro_mem", "micro/mem.toml")] {
        let reference = reference("micro.tsv", app);
        let measured = measured(&folder(), plan, &[]);
        assert_eq!(reference.len(), measured.len());
        for (number, (launch, &(cycles, instructions))) in reference.iter().zip(&measured).enumerate() {
            rows.push((app.to_owned(), number, cycles));
            let (low, high) = bounds(app, number, 0.05);
            let error = error(cycles, launch.cycles);
            let name = format!("{app} {number} {}", launch.kernel);
            if error < low || error > high {
                wrong += &format!("{name}: {cycles} cycles, {} in GPGPU-Sim: {error:+.3}\n", launch.cycles);
            }
            // GPGPU-Sim counts what it issues for the lanes of a warp that has ended in part.
            let apart = instructions.abs_diff(launch.warp_instructions);
            assert!(apart <= 2, "{name}: {instructions} and {}", launch.warp_instructions);
        }
    }
    hold_to_committed("micro-measured.tsv", &rows);
    assert!(wrong.is_empty(), "\n{wrong}");
}

/// The graph of `validation/gpgpusim/README.md`: six arcs from each vertex, to targets by splitmix64 from 42.
fn graph(vertices: u64) -> (Vec<u32>, Vec<u32>) {
    let mut state = 42u64;
    let mut next = || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    };
    let rows = (0..=vertices).map(|vertex| vertex as u32 * 6).collect();
    let targets = (0..vertices * 6).map(|_| (((next() >> 32) * vertices) >> 32) as u32).collect();
    (rows, targets)
}

/// Runs the search on 2^`scale` vertices as the reference was run.
fn search(scale: u32) -> Vec<(u64, u64)> {
    let folder_of_run = tempfile::tempdir().unwrap();
    let vertices = 1usize << scale;
    let (rows, targets) = graph(1 << scale);
    let bytes = |values: &[u32]| values.iter().flat_map(|value| value.to_le_bytes()).collect::<Vec<u8>>();
    let first = |first: u8, rest: u8, size: usize| {
        let mut bytes = vec![rest; vertices * size];
        bytes[..size].fill(first);
        bytes
    };
    let files = [
        ("rows.bin", bytes(&rows)),
        ("targets.bin", bytes(&targets)),
        ("mask.bin", first(1, 0, 1)),
        ("updating.bin", first(0, 0, 1)),
        ("visited.bin", first(1, 0, 1)),
        ("cost.bin", first(0, 0xff, 4)),
    ];
    for (name, bytes) in files {
        fs::write(folder_of_run.path().join(name), bytes).unwrap();
    }
    let program = folder().join("bfs/bfs_kernels.ptx");
    let plan = fs::read_to_string(folder().join("bfs/plan.toml")).unwrap();
    let plan = plan
        .replace("bfs_kernels.ptx", program.to_str().unwrap())
        .replace("VERTICES", &(1u64 << scale).to_string());
    fs::write(folder_of_run.path().join("plan.toml"), plan).unwrap();
    measured(folder_of_run.path(), "plan.toml", &[])
}

#[test]
fn bfs_takes_the_cycles_of_gpgpu_sim_within_two_percent() {
    let mut rows = Vec::new();
    for scale in [14, 16] {
        let reference = reference("bfs.tsv", &format!("bfs_{scale}"));
        let measured = search(scale);
        assert_eq!(reference.len(), measured.len());
        let (mut total, mut total_reference, mut wrong) = (0, 0, String::new());
        for (number, (launch, &(cycles, instructions))) in reference.iter().zip(&measured).enumerate() {
            rows.push((format!("bfs_{scale}"), number, cycles));
            total += cycles;
            total_reference += launch.cycles;
            let error = error(cycles, launch.cycles);
            let name = format!("2^{scale} {number} {}", launch.kernel);
            if launch.cycles > 5000 && error.abs() > 0.05 {
                wrong += &format!("{name}: {cycles} cycles, {} in GPGPU-Sim: {error:+.3}\n", launch.cycles);
            }
            assert_eq!(instructions, launch.warp_instructions, "{name}");
        }
        assert!(wrong.is_empty(), "\n{wrong}");
        let error = error(total, total_reference);
        assert!(
            error.abs() <= 0.02,
            "2^{scale}: {total} cycles, {total_reference} in GPGPU-Sim: {error:+.4}"
        );
    }
    hold_to_committed("bfs-measured.tsv", &rows);
}
