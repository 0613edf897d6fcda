//! Samples over time, each as what happened since the one before.

use crate::ratio::{Context, Counts, MachineFigures, RunFigures};
use heddle_energy::{PowerInterval, PowerTrace};
use heddle_engine::Statistics;
use heddle_gpu::LaunchTiming;
use serde::Serialize;
use std::collections::BTreeMap;

/// The counters that say how many instructions an interval executed.
const WARP_INSTRUCTIONS: &str = "core.warp_instructions";
const THREAD_INSTRUCTIONS: &str = "core.thread_instructions";

/// How a note begins that says that samples were merged.
pub(crate) const MERGED: &str = "--interval ";

/// What happened between two samples.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct IntervalRow {
    /// The launch, from 1.
    pub(crate) launch: u64,
    /// First core cycle, since the machine was made.
    pub(crate) start_cycle: u64,
    pub(crate) cycles: u64,
    pub(crate) ipc: Option<f64>,
    /// Misses of each shared level per thousand warp instructions, by names such as `l2_mpki`.
    #[serde(flatten)]
    pub(crate) mpki: BTreeMap<String, Option<f64>>,
    pub(crate) dram_bytes_per_second: Option<f64>,
    /// Average power, if the run was priced.
    pub(crate) watts: Option<f64>,
    /// Counts of the interval; what is not named is 0.
    pub(crate) stats: Counts,
}

/// The intervals of a launch: first cycle since its begin, cycles, counts. The last one ends with the launch.
pub(crate) fn intervals(launch: &LaunchTiming) -> impl Iterator<Item = (u64, u64, Statistics)> + '_ {
    let sampled = launch.intervals.iter().map(|sample| (sample.cycle, &sample.statistics));
    let is_rest = launch.intervals.last().is_some_and(|last| last.cycle < launch.cycles);
    let rest = is_rest.then_some((launch.cycles, &launch.statistics));
    let (mut before, mut counted) = (0, Statistics::default());
    sampled.chain(rest).map(move |(cycle, statistics)| {
        let since = statistics.since(&counted);
        let start = before;
        (before, counted) = (cycle, statistics.clone());
        (start, cycle.saturating_sub(start), since)
    })
}

fn mpki(context: &Context<'_>) -> BTreeMap<String, Option<f64>> {
    let levels = context.machine.levels.shared_caches.iter();
    levels.map(|level| (format!("{level}_mpki"), context.ratio(&format!("{level}.mpki")))).collect()
}

/// The intervals of all launches.
pub(super) fn interval_rows(
    launches: &[LaunchTiming],
    machine: &MachineFigures,
    power: Option<&PowerTrace>,
) -> Vec<IntervalRow> {
    let all = launches.iter().flat_map(|launch| intervals(launch).map(move |interval| (launch, interval)));
    let watts = |index: usize| power.and_then(|power| power.intervals.get(index)).map(PowerInterval::watts);
    let row =
        |(index, (launch, (start, cycles, statistics))): (usize, (&LaunchTiming, (u64, u64, Statistics)))| {
            let all = super::time::counts(&statistics);
            let count = |name: &str| all.get(name).copied().unwrap_or_default();
            let run = RunFigures {
                cycles,
                seconds: cycles as f64 / machine.core_hertz.max(1) as f64,
                warp_instructions: count(WARP_INSTRUCTIONS),
                thread_instructions: count(THREAD_INSTRUCTIONS),
            };
            let context = Context { counts: &all, machine, run };
            IntervalRow {
                launch: launch.launch + 1,
                start_cycle: launch.start_cycle + start,
                cycles,
                ipc: context.ratio("core.ipc"),
                mpki: mpki(&context),
                dram_bytes_per_second: context.ratio("dram.bandwidth"),
                watts: watts(index),
                stats: all.into_iter().filter(|&(_, count)| count != 0).collect(),
            }
        };
    all.enumerate().map(row).collect()
}
