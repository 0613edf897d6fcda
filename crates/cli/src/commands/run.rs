//! `heddle run`.

use super::job::Job;
use super::save::save;
use super::simulate::{Simulated, simulate};
use crate::arguments::{CommonArguments, RunArguments};
use crate::failure::Failure;
use crate::progress::Bar;
use crate::result::{self, RunResult};
use crate::timed::{HostTime, Timed};
use crate::timing::Build;
use crate::{output, view};
use heddle_device::Device;
use heddle_gpu::RunSettings;
use heddle_graph::progress::Progress;
use heddle_graph::write::whole_file;
use heddle_ptx::exec::Functional;
use std::io::{self, Write};
use std::path::Path;

/// Runs a workload or a plan and shows what it did.
pub(super) fn run(arguments: &RunArguments, common: CommonArguments, build: &Build) -> Result<(), Failure> {
    let result = match arguments.functional {
        true => functional(arguments, common)?,
        false => in_time(arguments, common, build)?,
    };
    match arguments.json {
        true => output::json(&result),
        false => output::page(&view::run::page(&result, arguments.all)),
    }
}

fn functional(arguments: &RunArguments, common: CommonArguments) -> Result<RunResult, Failure> {
    refuse_time_options(arguments)?;
    let progress = Bar::new(common.quiet);
    let job = Job::load(&arguments.work, &progress)?;
    let (mut device, time) = device(arguments);
    progress.begin(job.name(), 0);
    let told = |_: usize, _: u64| progress.advance(1);
    let (result, saved) = job.run(&mut device, &time, arguments.sectors, &told)?;
    drop(progress);
    saved.iter().try_for_each(save)?;
    if let Some(folder) = &arguments.out {
        result::write_folder(folder, &result, None)?;
    }
    Ok(result)
}

/// A run on a machine with time, with the files that were asked for.
pub(super) fn in_time(
    arguments: &RunArguments,
    common: CommonArguments,
    build: &Build,
) -> Result<RunResult, Failure> {
    check_targets(arguments)?;
    let progress = Bar::new(common.quiet);
    let job = Job::load(&arguments.work, &progress)?;
    let choice = arguments.time.choice(arguments.with.concat());
    let settings = RunSettings {
        trace: arguments.trace.is_some(),
        capture_dram: arguments.capture_dram.is_some(),
        ..arguments.time.settings()
    };
    let simulated = simulate(&job, &choice, settings, progress.simulation(job.name()), build);
    drop(progress);
    let Simulated { result, resolved, trace, dram, saved } = simulated?;
    saved.iter().try_for_each(save)?;
    if let Some((path, bytes)) = arguments.trace.as_deref().zip(trace) {
        write_bytes(path, &bytes)?;
    }
    if let Some((path, text)) = arguments.capture_dram.as_deref().zip(dram) {
        result::write_text(path, &text)?;
    }
    if let Some(folder) = &arguments.out {
        result::write_folder(folder, &result, Some(&resolved))?;
    }
    Ok(result)
}

/// Refuses targets that could not be written, before anything is simulated for them.
fn check_targets(arguments: &RunArguments) -> Result<(), Failure> {
    if let Some(folder) = &arguments.out {
        check_folder(folder)?;
    }
    let files = [&arguments.trace, &arguments.capture_dram].map(Option::as_deref);
    if files[0].is_some() && files[0] == files[1] {
        let problem = "--trace and --capture-dram name the same file";
        return Err(Failure::usage(problem, "give each a file of its own"));
    }
    files.into_iter().flatten().try_for_each(check_file)
}

/// A folder that results go to is made if there is none.
pub(super) fn check_folder(folder: &Path) -> Result<(), Failure> {
    match folder.exists() && !folder.is_dir() {
        true => Err(Failure::new(format!("{}: it is a file, not a folder", folder.display()))
            .with_help("name a folder after --out; it is made if there is none")),
        false => Ok(()),
    }
}

fn check_file(path: &Path) -> Result<(), Failure> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    match folder {
        Some(folder) if !folder.is_dir() => {
            Err(Failure::new(format!("{}: there is no folder {}", path.display(), folder.display())))
        }
        _ if path.is_dir() => {
            Err(Failure::new(format!("{}: it is a folder", path.display())).with_help("name a file"))
        }
        _ => Ok(()),
    }
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

/// A functional device, and the time that its launches take.
fn device(arguments: &RunArguments) -> (Device, HostTime) {
    let machine = Timed::new(Box::new(Functional {
        count_sectors: arguments.sectors,
        instruction_limit: arguments.limit,
        ..Functional::default()
    }));
    let time = machine.time();
    (Device::new(Box::new(machine)), time)
}
