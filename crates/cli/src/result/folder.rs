//! A result as a folder of files, each whole or not there.

use super::{IntervalRow, LaunchRow, RunResult};
use crate::failure::Failure;
use heddle_energy::PowerPoint;
use heddle_graph::write::whole_file;
use std::collections::BTreeSet;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

/// The file of a folder that holds the result.
const RESULT: &str = "result.json";

/// The file of a folder that holds the machine with every key.
pub(crate) const MACHINE: &str = "machine.toml";

/// All files of a folder, the result first.
pub(crate) const FILES: [&str; 5] = [RESULT, MACHINE, "launches.csv", "intervals.csv", "power.csv"];

/// The result's file in a folder.
pub(crate) fn result_file(folder: &Path) -> PathBuf {
    folder.join(RESULT)
}

/// Writes the folder; the result itself comes last, so that where it is everything is.
pub(crate) fn write(folder: &Path, result: &RunResult, machine: Option<&str>) -> Result<(), Failure> {
    std::fs::create_dir_all(folder).map_err(|error| Failure::at_path(folder, &error))?;
    remove_files(folder)?;
    if let Some(machine) = machine {
        write_text(&folder.join(MACHINE), machine)?;
    }
    if let Some(time) = &result.time {
        write_text(&folder.join("launches.csv"), &launches_csv(&result.launches))?;
        if !time.intervals.is_empty() {
            write_text(&folder.join("intervals.csv"), &intervals_csv(&time.intervals))?;
        }
        if !time.power.is_empty() {
            write_text(&folder.join("power.csv"), &power_csv(&time.power))?;
        }
    }
    let json = serde_json::to_string_pretty(result);
    let json = json.map_err(|error| Failure::new(format!("cannot be written as JSON: {error}")))?;
    write_text(&result_file(folder), &(json + "\n"))
}

/// What an earlier run left must not stand beside another's; its result goes first, so that nobody takes what is left
/// for a whole.
fn remove_files(folder: &Path) -> Result<(), Failure> {
    for name in FILES {
        match std::fs::remove_file(folder.join(name)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                return Err(Failure::at_path(&folder.join(name), &error));
            }
            _ => {}
        }
    }
    Ok(())
}

/// Takes a result away, and its folder unless there is something else in it.
pub(crate) fn remove(folder: &Path) -> Result<(), Failure> {
    remove_files(folder)?;
    match std::fs::remove_dir(folder) {
        Err(error) if error.kind() != io::ErrorKind::DirectoryNotEmpty => {
            Err(Failure::at_path(folder, &error))
        }
        _ => Ok(()),
    }
}

/// Writes a text file, whole or not at all.
pub(crate) fn write_text(path: &Path, text: &str) -> Result<(), Failure> {
    let written = whole_file(path, |file| file.write_all(text.as_bytes()));
    written.map_err(|error: io::Error| Failure::at_path(path, &error))
}

/// A cell that may hold commas or quotes.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('"', "\"\""))
}

/// A figure, or nothing.
fn cell(value: Option<f64>) -> String {
    value.map_or(String::new(), |value| value.to_string())
}

fn launches_csv(launches: &[LaunchRow]) -> String {
    let timed = || launches.iter().filter_map(|row| Some((row, row.time.as_ref()?)));
    let names: BTreeSet<&str> = timed().flat_map(|(_, time)| time.stats.keys().map(String::as_str)).collect();
    let mut text = "launch,kernel,cycles,ipc,warp_instructions,thread_instructions".to_owned();
    names.iter().for_each(|name| text += &format!(",{name}"));
    text.push('\n');
    for (row, time) in timed() {
        let (kernel, ipc) = (quoted(&row.kernel), cell(time.ipc));
        let instructions = (row.warp_instructions, row.thread_instructions);
        text +=
            &format!("{},{kernel},{},{ipc},{},{}", row.launch, time.cycles, instructions.0, instructions.1);
        for name in &names {
            text += &format!(",{}", time.stats.get(*name).copied().unwrap_or_default());
        }
        text.push('\n');
    }
    text
}

fn power_csv(power: &[PowerPoint]) -> String {
    let row = |point: &PowerPoint| format!("{},{}\n", point.seconds, point.watts);
    std::iter::once("seconds,watts\n".to_owned()).chain(power.iter().map(row)).collect()
}

fn intervals_csv(intervals: &[IntervalRow]) -> String {
    let names: BTreeSet<&str> =
        intervals.iter().flat_map(|row| row.stats.keys().map(String::as_str)).collect();
    let levels = intervals.iter().flat_map(|row| row.mpki.keys());
    let levels: Vec<&String> = levels.collect::<BTreeSet<_>>().into_iter().collect();
    let mut text = "launch,start_cycle,cycles,ipc".to_owned();
    levels.iter().for_each(|name| text += &format!(",{name}"));
    text += ",dram_bytes_per_second,watts";
    names.iter().for_each(|name| text += &format!(",{name}"));
    text.push('\n');
    for row in intervals {
        let mpki = levels.iter().map(|name| row.mpki.get(*name).copied().flatten());
        let ratios = [row.ipc].into_iter().chain(mpki).chain([row.dram_bytes_per_second, row.watts]);
        let ratios = ratios.map(cell).collect::<Vec<String>>().join(",");
        text += &format!("{},{},{},{ratios}", row.launch, row.start_cycle, row.cycles);
        for name in &names {
            text += &format!(",{}", row.stats.get(*name).copied().unwrap_or_default());
        }
        text.push('\n');
    }
    text
}
