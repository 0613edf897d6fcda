//! Machine files, settings, mechanisms, and tables of energies.

use crate::MEMORY_BYTES;
use heddle_device::{Argument, Device, Launch};
use heddle_energy::Run;
use heddle_engine::Statistics;
use heddle_gpu::{Gpu, GpuSpec, RunSettings};
use heddle_machine::Machine;
use std::path::Path;

/// A kernel that uses every part of a machine: shared memory and barrier, loads, stores, an atomic, a division.
const KERNEL: &str = include_str!("kernel.ptx");
/// Core cycles of its launch.
const CYCLES: u64 = 50_000;

/// Reads the bytes up to the first zero as a machine file, and each line of the others as a setting, or as a
/// mechanism if it begins with `+`. What is accepted gives the same machine when its resolved file is read, can be
/// measured without load, and runs a kernel, as far as that goes in some cycles.
pub fn machine(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let (file, lines) = text.split_once('\0').unwrap_or((&text, ""));
    let folder = Path::new("/nowhere/at/all");
    let lines = || lines.lines().take(8);
    let mechanisms: Vec<&str> = lines().filter_map(|line| line.strip_prefix('+')).collect();
    let settings: Vec<&str> = lines().filter(|line| !line.starts_with('+')).collect();
    let machine = Machine::from_text("fuzz.toml", file, folder);
    let resolved = match machine.and_then(|machine| machine.with(&mechanisms).set(&settings).resolve()) {
        Ok(resolved) => resolved,
        Err(error) => return assert!(!error.to_string().is_empty() && !error.problem.is_empty()),
    };
    let again = Machine::from_text("again.toml", resolved.to_toml(), folder);
    let again = again.and_then(|machine| machine.resolve()).expect("a resolved file is a machine file");
    assert_eq!(again, resolved);
    assert!(again.differences(&resolved).is_empty());
    let spec = &resolved.spec;
    heddle_machine::derived(spec);
    heddle_machine::cache_bits(spec);
    heddle_machine::zero_load(spec).expect("a machine answers a lone read");
    run_kernel(spec);
}

/// Launches the kernel, in blocks that every machine takes, twice: with cold and with warm caches.
fn run_kernel(spec: &GpuSpec) {
    let settings = RunSettings { max_cycles: Some(CYCLES), ..RunSettings::default() };
    let gpu = Gpu::new(spec.clone(), settings).expect("a checked machine can be built");
    let record = gpu.record();
    let mut device = Device::with_memory(Box::new(gpu), MEMORY_BYTES);
    let module = device.load_module("kernel.ptx", KERNEL).expect("the kernel is sound");
    let function = device.function(module, "everything").expect("it is there");
    let buffer = device.allocate_zeroed("data", 64 << 10).expect("there is room");
    for _ in 0..2 {
        let launch = Launch::new([3, 1, 1], [64, 1, 1]);
        if let Err(error) = device.launch(function, launch, &[Argument::from(buffer)]) {
            return assert!(!error.to_string().is_empty());
        }
    }
    // The atomic counts threads: whatever the machine, none is lost.
    assert_eq!(device.read_element::<u32>(buffer, 0).expect("it has elements"), 2 * 3 * 64);
    let record = record.borrow();
    assert!(record.launches.len() == 2 && record.launches.iter().all(|launch| launch.cycles > 0));
}

/// A table that is read prices nothing, one of each and the largest counts, whole and over time, without an infinite
/// sum.
pub fn energy_table(data: &[u8]) {
    let table = match heddle_energy::load::parse("fuzz.toml", &String::from_utf8_lossy(data)) {
        Ok(table) => table,
        Err(error) => return assert!(!error.to_string().is_empty()),
    };
    let fermi = Machine::named("fermi").and_then(|machine| machine.resolve()).expect("a preset is a machine");
    if let Err(error) = heddle_energy::cover::check(&table, &heddle_gpu::catalogue(&fermi.spec)) {
        assert!(!error.to_string().is_empty());
    }
    let counts =
        |each: u64| -> Statistics { table.counted().map(|(_, count)| (count.to_owned(), each)).collect() };
    let mut run = Run::new(1.0).expect("a second is a time");
    for clock in ["core", "interconnect", "l2", "dram"] {
        run = run.with_clock(clock, 1e9).expect("a gigahertz is a frequency");
    }
    for each in [0, 1, u64::MAX] {
        match heddle_energy::price(&table, &counts(each), &run) {
            Ok(energy) => assert!(energy.total_joules.is_finite() && energy.total_joules >= 0.0),
            Err(error) => assert!(!error.to_string().is_empty()),
        }
    }
    let samples = [(0.25, counts(7)), (1.0, counts(1 << 40)), (1e6, counts(u64::MAX))];
    match heddle_energy::power_trace(&table, &samples, &run) {
        Ok(trace) => assert!(trace.points.iter().all(|point| point.watts.is_finite() && point.watts >= 0.0)),
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}
