//! The rows of a result: iterations, launches, buffers.

use super::time::LaunchTime;
use heddle_device::LaunchReport;
use heddle_workloads::library::{Iteration, LaunchRecord};
use serde::Serialize;

/// One iteration of the host's loop.
#[derive(Debug, Serialize)]
pub(crate) struct IterationRow {
    pub(crate) iteration: usize,
    /// Active vertices, where the algorithm has a frontier.
    pub(crate) frontier: Option<u64>,
    pub(crate) launches: usize,
    pub(crate) warp_instructions: u64,
    pub(crate) thread_instructions: u64,
    /// Core cycles of those launches that were simulated in time; none where none was.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) cycles: Option<u64>,
    /// How many launches the cycles are of. Where that is fewer than `launches`, they are not those of the iteration.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) timed_launches: Option<usize>,
}

/// One launch.
#[derive(Debug, Serialize)]
pub(crate) struct LaunchRow {
    pub(crate) launch: usize,
    /// The iteration it belongs to, from 1; none before the first.
    pub(crate) iteration: Option<usize>,
    pub(crate) kernel: String,
    pub(crate) grid: [u32; 3],
    pub(crate) block: [u32; 3],
    pub(crate) warp_instructions: u64,
    pub(crate) thread_instructions: u64,
    /// Warp instructions, as everything down to the barriers.
    pub(crate) global_loads: u64,
    pub(crate) global_stores: u64,
    pub(crate) atomics: u64,
    pub(crate) shared_accesses: u64,
    pub(crate) branches: u64,
    pub(crate) divergent_branches: u64,
    pub(crate) barriers: u64,
    /// The same instructions, each as often as lanes executed it.
    pub(crate) thread_global_loads: u64,
    pub(crate) thread_global_stores: u64,
    pub(crate) thread_atomics: u64,
    pub(crate) thread_shared_accesses: u64,
    /// Sectors of 32 bytes, if they were counted.
    pub(crate) global_load_sectors: Option<u64>,
    pub(crate) global_store_sectors: Option<u64>,
    /// What a machine with time adds; nothing where the launch was executed functionally.
    #[serde(flatten)]
    pub(crate) time: Option<LaunchTime>,
}

/// One buffer.
#[derive(Debug, Serialize)]
pub(crate) struct RegionRow {
    pub(crate) name: String,
    pub(crate) bytes: u64,
}

/// What the machine noticed in any launch, each text once.
pub(super) fn notices(launches: &[LaunchRecord]) -> Vec<String> {
    let mut notes: Vec<String> = Vec::new();
    for launch in launches {
        let kernel = &launch.report.kernel;
        for text in launch.report.notices.iter().map(|notice| format!("{kernel}: {}", notice.text)) {
            if !notes.contains(&text) {
                notes.push(text);
            }
        }
    }
    notes
}

pub(super) fn iteration_rows(iterations: &[Iteration], launches: &[LaunchRecord]) -> Vec<IterationRow> {
    let row = |(index, iteration): (usize, &Iteration)| {
        let own = launches.iter().skip(iteration.first_launch);
        let own: Vec<&LaunchReport> =
            own.take_while(|launch| launch.iteration == Some(index)).map(|launch| &launch.report).collect();
        IterationRow {
            iteration: index + 1,
            frontier: iteration.frontier,
            launches: own.len(),
            warp_instructions: own.iter().map(|report| report.warp_instructions).sum(),
            thread_instructions: own.iter().map(|report| report.lane_instructions).sum(),
            cycles: None,
            timed_launches: None,
        }
    };
    iterations.iter().enumerate().map(row).collect()
}

pub(super) fn launch_row(index: usize, launch: &LaunchRecord, sectors: bool) -> LaunchRow {
    let LaunchReport { kernel, grid, block, classes, .. } = &launch.report;
    LaunchRow {
        launch: index + 1,
        iteration: launch.iteration.map(|iteration| iteration + 1),
        kernel: kernel.clone(),
        grid: [grid.x, grid.y, grid.z],
        block: [block.x, block.y, block.z],
        warp_instructions: launch.report.warp_instructions,
        thread_instructions: launch.report.lane_instructions,
        global_loads: classes.global_loads[0],
        global_stores: classes.global_stores[0],
        atomics: classes.atomics[0],
        shared_accesses: classes.shared_accesses[0],
        branches: classes.branches[0],
        divergent_branches: classes.divergent_branches,
        barriers: classes.barriers[0],
        thread_global_loads: classes.global_loads[1],
        thread_global_stores: classes.global_stores[1],
        thread_atomics: classes.atomics[1],
        thread_shared_accesses: classes.shared_accesses[1],
        global_load_sectors: sectors.then_some(classes.global_load_sectors),
        global_store_sectors: sectors.then_some(classes.global_store_sectors),
        time: None,
    }
}
