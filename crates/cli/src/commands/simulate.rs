//! One run of a job on one machine with time: everything that is known afterwards, as plain data.

use super::job::{Job, Ran, beyond};
use crate::failure::Failure;
use crate::provenance::Hashed;
use crate::result::{MERGED, OF_MACHINE, RunResult, Timing, intervals};
use crate::timed::Timed;
use crate::timing::{Build, Built, Hook, MachineChoice, Pricer};
use crate::trace;
use crate::view::text::thousands;
use heddle_device::Device;
use heddle_energy::{Energy, EnergyError, PowerInterval, PowerTrace};
use heddle_gpu::{Record, RunSettings};
use heddle_workloads::plan::SavedBuffer;

/// A finished run, or one that was stopped.
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
    /// Why it was stopped before its end.
    pub(super) stopped: Option<Failure>,
}

/// The settings of a run on a machine that decides by what a run before it recorded, after that run; those of any other
/// machine as they are. `told` hears of iterations.
pub(super) fn rehearsed(
    job: &Job,
    choice: &MachineChoice,
    settings: RunSettings,
    build: &Build,
    hook: Hook,
) -> Result<RunSettings, Failure> {
    let plain = RunSettings { interval: None, trace: false, capture_dram: false, ..settings.clone() };
    let built = build(choice, plain, hook)?;
    if !built.rehearses {
        return Ok(settings);
    }
    let machine = Timed::new(built.machine);
    let time = machine.time();
    let mut device = Device::new(Box::new(machine));
    let cut_off = || built.record.borrow_mut().cut_off.take();
    let ran = job.run(&mut device, &time, false, &|_, _| (), &cut_off)?;
    if let Some(stopped) = ran.stopped {
        return Err(stopped);
    }
    let foresight = built.record.borrow_mut().take_foresight();
    let help = "simulate fewer launches in time: --launches largest=1";
    let foresight = foresight.map_err(|problem| Failure::new(problem).with_help(help))?;
    Ok(RunSettings { foresight: Some(foresight), ..settings })
}

/// Runs `job` on a machine that was made for `choice` with these settings; `told` hears of iterations.
pub(super) fn simulate(
    job: &Job,
    choice: &MachineChoice,
    settings: &RunSettings,
    built: Built,
    told: &dyn Fn(usize, u64),
) -> Result<Simulated, Failure> {
    let machine = Timed::new(built.machine);
    let time = machine.time();
    let mut device = Device::new(Box::new(machine));
    let cut_off = || built.record.borrow_mut().cut_off.take();
    let Ran { mut result, saved, stopped } = job.run(&mut device, &time, false, told, &cut_off)?;
    drop(device);
    let record = built.record.borrow();
    if stopped.is_none() {
        refuse_missing(&record, settings, &result)?;
    }
    let (energy, power) = priced(&record, built.pricer.as_ref(), built.figures.core_hertz)?;
    result.notes.extend(merged(settings.interval, record.interval));
    result.notes.extend(built.notes.iter().map(|note| format!("{OF_MACHINE}{note}")));
    result.notes.extend(never_launched(settings, &result));
    let timing = Timing {
        name: &built.name,
        mechanisms: &built.mechanisms,
        file: file(choice, &built.name),
        set: &choice.set,
        figures: &built.figures,
        record: &record,
        energy,
        power,
    };
    result.provenance.machine = Some(Hashed::text(&built.name, built.resolved.as_bytes()));
    let result = result.in_time(&timing);
    let trace = settings.trace.then(|| trace::encode(&record, &result, built.figures.core_hertz));
    Ok(Simulated {
        trace,
        dram: settings.capture_dram.then(|| replay_line(choice, &built.name) + &captured(&record)),
        resolved: built.resolved,
        result,
        saved,
        stopped,
    })
}

/// How the user named the machine, where that is not its name.
pub(super) fn file(choice: &MachineChoice, name: &str) -> Option<String> {
    (choice.machine != name).then(|| choice.machine.clone())
}

/// Launches that do not exist are a misunderstanding.
fn refuse_missing(record: &Record, settings: &RunSettings, result: &RunResult) -> Result<(), Failure> {
    let launches = result.launches.len();
    let named = settings.launches.as_ref().and_then(|set| set.beyond(launches as u64));
    match named {
        _ if launches == 0 => Ok(()),
        Some(number) => Err(beyond(number + 1, launches)),
        None if record.launches.is_empty() => Err(Failure::usage(
            format!("--launches names none of the run: it has {launches}"),
            format!("name launches from 1 to {launches}"),
        )),
        None => Ok(()),
    }
}

/// Registers that were given for a kernel and not needed: the user may have meant another one.
fn never_launched(settings: &RunSettings, result: &RunResult) -> Vec<String> {
    let is_launched = |name: &&str| result.launches.iter().any(|row| row.kernel == **name);
    let unused = settings.registers.kernels().filter(|name| !is_launched(name));
    unused.map(|name| format!("--registers {name}: the run did not launch this kernel")).collect()
}

/// Energy of the whole run, and power over time if it was sampled.
fn priced(
    record: &Record,
    pricer: Option<&Pricer>,
    core_hertz: u64,
) -> Result<(Option<Energy>, Option<PowerTrace>), Failure> {
    let Some(pricer) = pricer else { return Ok((None, None)) };
    // A run without launches takes no time and no energy, and still has its table.
    let energy = pricer(&record.total(), record.seconds())?;
    let seconds = |cycle: u64| cycle as f64 / core_hertz.max(1) as f64;
    let powers = record.launches.iter().flat_map(|launch| {
        intervals(launch).map(|(start, cycles, statistics)| {
            let start = launch.start_cycle + start;
            let (from, to) = (seconds(start), seconds(start + cycles));
            Ok(PowerInterval::new(from, to, &pricer(&statistics, to - from)?))
        })
    });
    let powers = powers.collect::<Result<Vec<PowerInterval>, EnergyError>>()?;
    let trace = (!powers.is_empty()).then(|| PowerTrace::new(powers, energy.total_joules));
    Ok((Some(energy), trace))
}

/// What is to be said if samples were further apart than it was asked for.
fn merged(asked: Option<u64>, in_force: Option<u64>) -> Option<String> {
    let (asked, in_force) = asked.zip(in_force).filter(|(asked, in_force)| asked != in_force)?;
    let [asked, in_force] = [asked, in_force].map(thousands);
    Some(format!(
        "{MERGED}{asked}: more samples than are kept; neighbours were merged, and the interval in force is {in_force} \
         core cycles"
    ))
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
