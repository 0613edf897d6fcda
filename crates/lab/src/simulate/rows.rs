//! Figures of runs and launches as rows.

use crate::record::Row;
use heddle_engine::Statistics;
use heddle_gpu::{LaunchTiming, Record};
use heddle_graph::Graph;
use heddle_workloads::library::{LaunchRecord, Outcome};

/// The row of a whole run: of all launches that were simulated in time.
pub(super) fn run_row(graph: &Graph, record: &Record, outcome: &Outcome) -> Row {
    let timed = || record.launches.iter().filter_map(|launch| report(launch, &outcome.launches));
    let mut counts = vec![
        ("vertices", u64::from(graph.num_vertices())),
        ("arcs", graph.num_arcs()),
        ("iterations", outcome.iterations.len() as u64),
        ("launches", outcome.launches.len() as u64),
        ("timed_launches", record.launches.len() as u64),
    ];
    let of_time = [
        ("cycles", record.launches.iter().map(|launch| launch.cycles).sum()),
        ("warp_instructions", timed().map(|launch| launch.report.warp_instructions).sum()),
        ("thread_instructions", timed().map(|launch| launch.report.lane_instructions).sum()),
    ];
    // What was not simulated has no figures, rather than figures of nothing.
    let is_timed = !record.launches.is_empty();
    counts.extend(of_time.into_iter().filter(|_| is_timed));
    let statistics = if is_timed { record.total() } else { Statistics::default() };
    let mut row = row(&counts, &statistics);
    row.reals.extend(is_timed.then(|| ("seconds".to_owned(), record.seconds())));
    // A run whose answer is wrong has no row.
    row.texts.insert("verified".to_owned(), "yes".to_owned());
    row
}

/// The row of one launch.
pub(super) fn launch_row(launch: &LaunchTiming, launches: &[LaunchRecord]) -> Row {
    let mut counts = vec![
        ("launch", launch.launch + 1),
        ("cycles", launch.cycles),
        ("resident_blocks", u64::from(launch.resident_blocks)),
        ("resident_warps", u64::from(launch.resident_warps)),
        ("registers", u64::from(launch.registers)),
        ("spilled_registers", u64::from(launch.spilled_registers)),
        ("l1_bytes", launch.l1_bytes),
        ("head_wait_cycles", launch.pairs.head_cycles),
        ("tail_wait_cycles", launch.pairs.tail_cycles),
    ];
    if let Some(executed) = report(launch, launches) {
        counts.push(("warp_instructions", executed.report.warp_instructions));
        counts.push(("thread_instructions", executed.report.lane_instructions));
        counts.push(("blocks", executed.report.grid.count()));
        counts.push(("block_threads", executed.report.block.count()));
        counts.extend(executed.iteration.map(|iteration| ("iteration", iteration as u64 + 1)));
    }
    let mut row = row(&counts, &launch.statistics);
    row.reals.insert("seconds".to_owned(), launch.seconds);
    row.texts.insert("kernel".to_owned(), launch.kernel.clone());
    row.texts.insert("limited_by".to_owned(), launch.limited_by.clone());
    row
}

fn report<'a>(launch: &LaunchTiming, launches: &'a [LaunchRecord]) -> Option<&'a LaunchRecord> {
    launches.get(usize::try_from(launch.launch).ok()?)
}

fn row(counts: &[(&str, u64)], statistics: &Statistics) -> Row {
    let own = counts.iter().map(|&(name, count)| (name.to_owned(), count));
    let counted = statistics.iter().map(|(name, count)| (name.to_owned(), count));
    Row { counts: own.chain(counted).collect(), ..Row::default() }
}
