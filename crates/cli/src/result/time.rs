//! The part of a result that a machine with time adds.

use super::interval::{IntervalRow, interval_rows};
use super::load::{LoadRow, load_rows};
use crate::ratio::{Context, Counts, MachineFigures, RunFigures};
use heddle_energy::{Energy, PowerPoint, PowerTrace};
use heddle_engine::Statistics;
use heddle_gpu::{LaunchTiming, Record};
use serde::Serialize;
use std::collections::BTreeMap;

/// What a finished run of a machine with time is described by.
pub(crate) struct Timing<'a> {
    pub(crate) name: &'a str,
    pub(crate) mechanisms: &'a [String],
    /// The machine as the user named it, where that is not its name.
    pub(crate) file: Option<String>,
    /// Keys that were set on the command line.
    pub(crate) set: &'a [String],
    pub(crate) figures: &'a MachineFigures,
    pub(crate) record: &'a Record,
    /// Energy of all launches; nothing where it was not asked for.
    pub(crate) energy: Option<Energy>,
    /// Power over time, if intervals were sampled and priced.
    pub(crate) power: Option<PowerTrace>,
}

/// A run in time.
#[derive(Debug, Serialize)]
pub(crate) struct Time {
    /// Core cycles of all launches that were simulated in time, overheads included.
    pub(crate) cycles: u64,
    /// Simulated seconds of them.
    pub(crate) seconds: f64,
    /// Warp instructions per core cycle.
    pub(crate) ipc: Option<f64>,
    /// Mechanisms that the machine contains, in the order of their application.
    pub(crate) mechanisms: Vec<String>,
    /// The machine as the user named it, where that is not its name.
    pub(crate) machine_file: Option<String>,
    /// Keys that were set on the command line, as they were typed.
    pub(crate) set: Vec<String>,
    /// Figures of the machine that ratios use.
    pub(crate) machine_figures: MachineFigures,
    /// Launches that were executed functionally only, and are in no figure.
    pub(crate) skipped_launches: u64,
    pub(crate) energy_table: Option<String>,
    pub(crate) energy: Option<Energy>,
    /// Ratios of the whole run; null where one is undefined.
    pub(crate) ratios: BTreeMap<String, Option<f64>>,
    /// Counts by dotted name, of all launches together.
    pub(crate) stats: Counts,
    /// Static loads and atomics, the one that kept warps waiting longest first.
    pub(crate) loads: Vec<LoadRow>,
    /// Core cycles between samples, if there are any.
    pub(crate) interval: Option<u64>,
    pub(crate) intervals: Vec<IntervalRow>,
    /// Power over time: its integral by the trapezoidal rule is the energy.
    pub(crate) power: Vec<PowerPoint>,
    /// What the statistics mean, for pages.
    #[serde(skip)]
    pub(crate) meanings: BTreeMap<String, String>,
}

/// A launch in time.
#[derive(Debug, Serialize)]
pub(crate) struct LaunchTime {
    pub(crate) start_cycle: u64,
    pub(crate) cycles: u64,
    pub(crate) seconds: f64,
    pub(crate) ipc: Option<f64>,
    pub(crate) resident_blocks: u32,
    pub(crate) resident_warps: u32,
    pub(crate) limited_by: String,
    pub(crate) registers: u32,
    /// Registers above the cap, whose values would be spilled.
    pub(crate) spilled_registers: u32,
    /// What capped the registers, if anything did.
    pub(crate) registers_capped_by: Option<String>,
    pub(crate) l1_bytes: u64,
    pub(crate) stats: Counts,
}

impl Time {
    pub(super) fn new(timing: &Timing<'_>, warp_instructions: u64, thread_instructions: u64) -> Time {
        let Timing { record, figures, energy, .. } = timing;
        let total = record.total();
        let cycles = record.launches.iter().map(|launch| launch.cycles).sum();
        let seconds = record.seconds();
        let stats = counts(&total);
        let run = RunFigures { cycles, seconds, warp_instructions, thread_instructions };
        let context = Context { counts: &stats, machine: figures, run };
        let mean = |(name, meaning): (&str, &heddle_engine::Meaning)| {
            (name.to_owned(), meaning.description.clone().into_owned())
        };
        Time {
            cycles,
            seconds,
            ipc: context.ratio("core.ipc"),
            mechanisms: timing.mechanisms.to_vec(),
            machine_file: timing.file.clone(),
            set: timing.set.to_vec(),
            machine_figures: (*figures).clone(),
            skipped_launches: record.skipped_launches,
            energy_table: energy.as_ref().map(|energy| energy.table.clone()),
            energy: energy.clone(),
            ratios: context.ratios(),
            loads: load_rows(record),
            interval: record.interval,
            intervals: interval_rows(&record.launches, figures, timing.power.as_ref()),
            power: timing.power.as_ref().map_or(Vec::new(), |power| power.points.clone()),
            meanings: record.catalogue.iter().map(mean).collect(),
            stats,
        }
    }

    /// A ratio of the run by name, where it is defined.
    pub(crate) fn ratio(&self, name: &str) -> Option<f64> {
        self.ratios.get(name).copied().flatten()
    }
}

impl LaunchTime {
    pub(super) fn new(launch: &LaunchTiming, warp_instructions: u64) -> LaunchTime {
        LaunchTime {
            start_cycle: launch.start_cycle,
            cycles: launch.cycles,
            seconds: launch.seconds,
            ipc: (launch.cycles > 0).then(|| warp_instructions as f64 / launch.cycles as f64),
            resident_blocks: launch.resident_blocks,
            resident_warps: launch.resident_warps,
            limited_by: launch.limited_by.clone(),
            registers: launch.registers,
            spilled_registers: launch.spilled_registers,
            registers_capped_by: launch.registers_capped_by.clone(),
            l1_bytes: launch.l1_bytes,
            stats: counts(&launch.statistics),
        }
    }
}

/// Counts as a map that JSON can hold.
pub(crate) fn counts(statistics: &Statistics) -> Counts {
    statistics.iter().map(|(name, count)| (name.to_owned(), count)).collect()
}
