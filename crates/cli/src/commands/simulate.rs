//! One run of a job on one machine with time: everything that is known afterwards, as plain data.

use super::job::Job;
use crate::failure::Failure;
use crate::provenance::Hashed;
use crate::result::{RunResult, Timing, intervals};
use crate::timed::Timed;
use crate::timing::{Build, Hook, MachineChoice, Pricer};
use crate::trace;
use heddle_device::Device;
use heddle_energy::{Energy, EnergyError};
use heddle_gpu::{Record, RunSettings};
use heddle_workloads::plan::SavedBuffer;

/// A finished run.
pub(super) struct Simulated {
    pub(super) result: RunResult,
    /// The machine file with every key.
    pub(super) resolved: String,
    /// The timeline, if it was asked for.
    pub(super) trace: Option<Vec<u8>>,
    /// The DRAM transactions, if they were asked for.
    pub(super) dram: Option<String>,
    /// Buffers that a plan wants saved.
    pub(super) saved: Vec<SavedBuffer>,
}

/// Runs `job` on the machine of `choice`.
pub(super) fn simulate(
    job: &Job<'_>,
    choice: &MachineChoice,
    settings: RunSettings,
    hook: Hook,
    build: &Build,
) -> Result<Simulated, Failure> {
    let wanted = (settings.trace, settings.capture_dram);
    let named: Vec<String> = settings.registers.kernels().map(str::to_owned).collect();
    let built = build(choice, settings, hook)?;
    let machine = Timed::new(built.machine);
    let time = machine.time();
    let mut device = Device::new(Box::new(machine));
    let (mut result, saved) = job.run(&mut device, &time, false, &|_, _| ())?;
    drop(device);
    let record = built.record.borrow();
    refuse_nothing(&record, &result)?;
    refuse_unknown(&named, &result)?;
    let (energy, watts) = priced(&record, built.pricer.as_ref(), built.figures.core_hertz)?;
    let timing = Timing {
        name: &built.name,
        mechanisms: &built.mechanisms,
        figures: &built.figures,
        record: &record,
        energy,
        watts,
    };
    result.provenance.machine = Some(Hashed::text(&built.name, built.resolved.as_bytes()));
    let result = result.in_time(&timing);
    let trace = wanted.0.then(|| trace::encode(&record, &result, built.figures.core_hertz));
    Ok(Simulated {
        trace,
        dram: wanted.1.then(|| replay_line(choice, &built.name) + &captured(&record)),
        resolved: built.resolved,
        result,
        saved,
    })
}

/// Launches that do not exist are a misunderstanding.
fn refuse_nothing(record: &Record, result: &RunResult) -> Result<(), Failure> {
    let launches = result.launches.len();
    match record.launches.is_empty() && launches > 0 {
        true => Err(Failure::usage(
            format!("--launches names none of the run: it has {launches}"),
            format!("name launches from 1 to {launches}"),
        )),
        false => Ok(()),
    }
}

/// Registers of a kernel that is never launched are a misunderstanding, too.
fn refuse_unknown(named: &[String], result: &RunResult) -> Result<(), Failure> {
    let mut kernels: Vec<&str> = result.launches.iter().map(|row| row.kernel.as_str()).collect();
    kernels.sort_unstable();
    kernels.dedup();
    match named.iter().find(|name| !kernels.contains(&name.as_str())) {
        Some(name) => Err(Failure::usage(
            format!("--registers {name}: the run launches no kernel of this name"),
            format!("it launches {}", kernels.join(", ")),
        )),
        None => Ok(()),
    }
}

/// Energy of the whole run, and the average power of each interval.
fn priced(
    record: &Record,
    pricer: Option<&Pricer>,
    core_hertz: u64,
) -> Result<(Option<Energy>, Vec<f64>), Failure> {
    let Some(pricer) = pricer else { return Ok((None, Vec::new())) };
    // A run without launches takes no time and no energy.
    if record.launches.is_empty() {
        return Ok((None, Vec::new()));
    }
    let energy = pricer(&record.total(), record.seconds())?;
    let watts = record.launches.iter().flat_map(intervals).map(|(_, cycles, statistics)| {
        let seconds = cycles as f64 / core_hertz.max(1) as f64;
        pricer(&statistics, seconds).map(|energy| energy.average_watts)
    });
    let watts = watts.collect::<Result<Vec<f64>, EnergyError>>()?;
    Ok((Some(energy), watts))
}

/// The first line of a captured trace: whose requests these are, and how to replay them as they were. A machine that
/// was changed on the command line is found again in the folder of its result.
fn replay_line(choice: &MachineChoice, name: &str) -> String {
    let is_changed = choice.with.iter().any(|with| with != "none") || !choice.set.is_empty();
    let (what, machine) = match is_changed {
        true => (" with what was set on the command line", "RESULT/machine.toml"),
        false => ("", choice.machine.as_str()),
    };
    format!("# DRAM requests of the machine {name}{what}; to replay: heddle dram replay {machine} TRACE\n")
}

/// The DRAM transactions as a text trace: address, direction, DRAM clock.
fn captured(record: &Record) -> String {
    let mut text = String::with_capacity(record.dram_stream.len() * 24);
    for transaction in &record.dram_stream {
        let direction = if transaction.write { "WRITE" } else { "READ" };
        text += &format!("{:#x} {direction} {}\n", transaction.address, transaction.cycle);
    }
    text
}
