//! `heddle run`.

use super::job::{Job, Ran};
use super::save::save;
use super::simulate::{Simulated, rehearsed, simulate};
use super::task::Task;
use crate::arguments::{CommonArguments, RunArguments};
use crate::failure::{Failure, Problems};
use crate::interrupt::Interrupt;
use crate::outputs::Outputs;
use crate::progress::Bar;
use crate::result::{self, RunResult};
use crate::timed::Timed;
use crate::timing::Build;
use crate::{output, view};
use heddle_device::Device;
use heddle_gpu::RunSettings;
use heddle_graph::progress::Progress;
use heddle_graph::write::whole_file;
use heddle_ptx::exec::Functional;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// A run with its result, and what did not go as it was asked for.
#[derive(Debug)]
pub(crate) struct Finished {
    pub(crate) result: RunResult,
    pub(crate) problems: Problems,
}

/// Runs a workload or a plan and shows what it did; what was wrong in the end is told after that.
pub(super) fn run(arguments: &RunArguments, common: CommonArguments, build: &Build) -> Result<(), Failure> {
    let Finished { result, problems } = match arguments.functional {
        true => functional(arguments, common)?,
        false => in_time(arguments, common, build)?,
    };
    match arguments.json {
        true => output::json(&result)?,
        false => output::page(&view::run::page(&result, arguments.all))?,
    }
    problems.into_result()
}

fn functional(arguments: &RunArguments, common: CommonArguments) -> Result<Finished, Failure> {
    refuse_time_options(arguments)?;
    let task = Task::find(&arguments.work)?;
    check_outputs(arguments, &task, &[])?;
    let progress = Bar::new(common.quiet);
    let job = Job::load(task, &arguments.work, &progress)?;
    let interrupt = Interrupt::default();
    interrupt.watch()?;
    let functional = Functional {
        count_sectors: arguments.sectors,
        instruction_limit: arguments.limit,
        interrupt: Some(interrupt.flag()),
        ..Functional::default()
    };
    let cut_off = functional.cut_off.clone();
    let machine = Timed::new(Box::new(functional)).telling(progress.launches());
    let time = machine.time();
    let mut device = Device::new(Box::new(machine));
    progress.begin(job.name(), 0);
    let told = |iteration: usize, _: u64| progress.iteration(iteration);
    let Ran { result, saved, stopped } =
        job.run(&mut device, &time, arguments.sectors, &told, &|| cut_off.take())?;
    drop(progress);
    let mut problems = Problems::default();
    if let Some(folder) = &arguments.out {
        problems.note(result::write_folder(folder, &result, None));
    }
    saved.iter().for_each(|saved| problems.note(save(saved)));
    problems.note(stopped.map_or(Ok(()), Err));
    Ok(Finished { result, problems })
}

/// A run on a machine with time, with the files that were asked for.
pub(super) fn in_time(
    arguments: &RunArguments,
    common: CommonArguments,
    build: &Build,
) -> Result<Finished, Failure> {
    let task = Task::find(&arguments.work)?;
    let choice = arguments.time.choice(arguments.with.concat());
    let settings = RunSettings {
        trace: arguments.trace.is_some(),
        capture_dram: arguments.capture_dram.is_some(),
        ..arguments.time.settings()
    };
    task.check_registers(&settings.registers)?;
    let (progress, interrupt) = (Bar::new(common.quiet), Interrupt::default());
    let hook = || progress.simulation(&task.name, &interrupt);
    // A machine that cannot be is told before a graph is read.
    let checked = build(&choice, settings.clone(), hook())?;
    check_outputs(arguments, &task, &checked.files)?;
    let hook = hook();
    let job = Job::load(task, &arguments.work, &progress)?;
    progress.begin(job.name(), 0);
    let settings = RunSettings { launches: job.chosen(arguments.time.launches.as_ref())?, ..settings };
    let settings = match checked.rehearses {
        true => rehearsed(&job, &choice, settings, build, progress.simulation(job.name(), &interrupt))?,
        false => settings,
    };
    let built = build(&choice, settings.clone(), hook)?;
    let told = |iteration: usize, _: u64| progress.iteration(iteration);
    interrupt.watch()?;
    let simulated = simulate(&job, &choice, &settings, built, &told);
    drop(progress);
    let Simulated { result, resolved, trace, dram, saved, stopped } = simulated?;
    let mut problems = Problems::default();
    if let Some(folder) = &arguments.out {
        problems.note(result::write_folder(folder, &result, Some(&resolved)));
    }
    saved.iter().for_each(|saved| problems.note(save(saved)));
    if let Some((path, bytes)) = arguments.trace.as_deref().zip(trace) {
        problems.note(write_bytes(path, &bytes));
    }
    if let Some((path, text)) = arguments.capture_dram.as_deref().zip(dram) {
        problems.note(result::write_text(path, &text));
    }
    problems.note(stopped.map_or(Ok(()), Err));
    Ok(Finished { result, problems })
}

/// Refuses files that could not be written, or should not be, before anything is simulated for them; `files` were read
/// for the machine.
fn check_outputs(
    arguments: &RunArguments,
    task: &Task,
    files: &[(&'static str, PathBuf)],
) -> Result<(), Failure> {
    let mut outputs = Outputs::new(arguments.output.force);
    task.claim(&mut outputs, arguments.output.allow_outside)?;
    outputs.reads_all(files);
    if let Some(folder) = &arguments.out {
        outputs.folder("--out", folder, &result::FILES);
    }
    for (option, file) in [("--trace", &arguments.trace), ("--capture-dram", &arguments.capture_dram)] {
        file.iter().for_each(|file| outputs.writes(option, file));
    }
    outputs.check()
}

fn write_bytes(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    let written = whole_file(path, |file| file.write_all(bytes));
    written.map_err(|error: io::Error| Failure::at_path(path, &error))
}

/// An option that would be ignored is a misunderstanding, so it is not.
fn refuse_time_options(arguments: &RunArguments) -> Result<(), Failure> {
    let own = [
        ("--with", !arguments.with.is_empty()),
        ("--trace", arguments.trace.is_some()),
        ("--capture-dram", arguments.capture_dram.is_some()),
    ];
    let own = own.into_iter().find(|(_, given)| *given).map(|(option, _)| option);
    match arguments.time.given().or(own) {
        Some(option) => {
            let problem = format!("{option} concerns a machine with time; --functional has none");
            Err(Failure::usage(problem, "leave one of the two out"))
        }
        None => Ok(()),
    }
}
