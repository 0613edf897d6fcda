//! `gtx480` beside GPGPU-Sim 4.0.0 on applications that were written after it had its figures. Programs,
//! plans and figures are in `validation/gpgpusim`.

mod inputs;

use crate::gpgpusim::{bounds, error, folder, hold_to_committed, measured, reference};
use std::fs;

const APPLICATIONS: [&str; 11] = [
    "sssp",
    "sssp_inplace",
    "atomics",
    "pull",
    "worklist",
    "histogram",
    "strided",
    "burst",
    "chase",
    "triad",
    "dense",
];

/// What GPGPU-Sim was told that a thread of each kernel needs.
const REGISTERS: &[&str] = &[
    "relax=16",
    "relax_inplace=16",
    "add_red=8",
    "add_ret=12",
    "pull=16",
    "append=12",
    "append_block=8",
    "consume=16",
    "drain=16",
    "hist_global=8",
    "hist_shared=8",
    "matmul=24",
    "transpose=12",
    "reduce=12",
    "stencil=24",
    "copy_read=8",
    "copy_write=8",
    "triad=8",
    "triad_loop=12",
    "chase=8",
    "burst=8",
];

/// By how much the instructions of an application may differ: the order of atomics decides what these two do.
fn racing(app: &str) -> f64 {
    if matches!(app, "sssp_inplace" | "worklist") { 0.05 } else { 0.0 }
}

#[test]
fn held_out_applications_take_the_cycles_of_gpgpu_sim_within_three_percent_on_average() {
    let folder_of_run = tempfile::tempdir().unwrap();
    inputs::write(folder_of_run.path());
    for file in fs::read_dir(folder().join("held-out")).unwrap() {
        let file = file.unwrap();
        fs::copy(file.path(), folder_of_run.path().join(file.file_name())).unwrap();
    }
    let options: Vec<&str> = REGISTERS.iter().flat_map(|registers| ["--registers", registers]).collect();
    let (mut wrong, mut rows, mut errors) = (String::new(), Vec::new(), Vec::new());
    for app in APPLICATIONS {
        let reference = reference("held-out.tsv", app);
        let measured = measured(folder_of_run.path(), &format!("{app}.toml"), &options);
        assert_eq!(reference.len(), measured.len());
        for (number, (launch, &(cycles, instructions))) in reference.iter().zip(&measured).enumerate() {
            rows.push((app.to_owned(), number, cycles));
            let off = error(cycles, launch.cycles);
            let (low, high) = bounds(app, number, 0.1);
            let name = format!("{app} {number} {}", launch.kernel);
            if off < low || off > high {
                wrong += &format!("{name}: {cycles} cycles, {} in GPGPU-Sim: {off:+.3}\n", launch.cycles);
            }
            errors.push(off.abs());
            let apart = error(instructions, launch.warp_instructions);
            assert!(apart.abs() <= racing(app), "{name}: {instructions} and {}", launch.warp_instructions);
        }
        let cycles = measured.iter().map(|&(cycles, _)| cycles).sum();
        let off = error(cycles, reference.iter().map(|launch| launch.cycles).sum());
        if off.abs() > 0.05 {
            wrong += &format!("{app}: {off:+.3} in total\n");
        }
    }
    hold_to_committed("held-out-measured.tsv", &rows);
    assert!(wrong.is_empty(), "\n{wrong}");
    let mean = errors.iter().sum::<f64>() / errors.len() as f64;
    assert!(mean <= 0.03, "a launch is {:.2} % off on average", mean * 100.0);
}
