//! The record of a run: per launch, counts by name; on request, samples and spans over time.

use heddle_engine::{Catalogue, Statistics};
use heddle_memory::cache::{Foresight, RECORDING_BYTES};
use heddle_ptx::exec::LaunchReport;
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

/// The record that a machine writes and its owner reads after the run.
pub type SharedRecord = Rc<RefCell<Record>>;

/// The record of a run.
#[derive(Clone, Debug, Default)]
pub struct Record {
    /// What every statistic means.
    pub catalogue: Catalogue,
    /// Who can answer a transaction, the nearest first: the core's own caches, shared levels, memory.
    pub answerers: Vec<String>,
    /// The launches that were simulated in time, in order.
    pub launches: Vec<LaunchTiming>,
    /// Core cycles between samples, if they were asked for; longer than it was asked for where there were too many.
    pub interval: Option<u64>,
    /// Launches that were executed functionally only.
    pub skipped_launches: u64,
    /// What the last of the launches had executed when the run was stopped in its midst.
    pub cut_off: Option<LaunchReport>,
    /// DRAM transactions, if they were asked for; their clocks since the machine was made.
    pub dram_stream: Vec<heddle_memory::fabric::Captured>,
    /// Spans for a timeline, if they were asked for.
    pub spans: Vec<Span>,
    /// What caches were asked, where a machine has policies that decide by it, for another run.
    pub foresight: Foresight,
}

impl Record {
    /// What was recorded for another run; an error if there was no room for all of it.
    pub fn take_foresight(&mut self) -> Result<Arc<Foresight>, String> {
        let foresight = std::mem::take(&mut self.foresight);
        match foresight.is_cut_off {
            false => Ok(Arc::new(foresight)),
            true => Err(format!(
                "what the caches are asked does not fit into the {} MiB that an oracle's recording may take",
                RECORDING_BYTES >> 20
            )),
        }
    }

    /// Seconds of simulated time of all launches together.
    pub fn seconds(&self) -> f64 {
        // The sum of nothing would be −0.
        self.launches.iter().fold(0.0, |seconds, launch| seconds + launch.seconds)
    }

    /// The counts of all launches together; every statistic is there, also if there was no launch.
    pub fn total(&self) -> Statistics {
        let mut total: Statistics = self.catalogue.iter().map(|(name, _)| (name.to_owned(), 0)).collect();
        self.launches.iter().for_each(|launch| total.add(&launch.statistics));
        total
    }
}

/// One launch in time.
#[derive(Clone, Debug)]
pub struct LaunchTiming {
    /// Its number in the run, from 0, counting those that were not simulated in time.
    pub launch: u64,
    /// The kernel.
    pub kernel: String,
    /// Core cycle at which it began, since the machine was made.
    pub start_cycle: u64,
    /// Core cycles that it took, overhead included.
    pub cycles: u64,
    /// Seconds of simulated time.
    pub seconds: f64,
    /// Counts of this launch alone.
    pub statistics: Statistics,
    /// Waiting by static load.
    pub loads: Vec<LoadWait>,
    /// Waiting for the heads and for the tails of pairs of loads from read-only arrays.
    pub pairs: PairWaits,
    /// Resident blocks of a core, as limited by the kernel's needs.
    pub resident_blocks: u32,
    /// Resident warps of a core.
    pub resident_warps: u32,
    /// What limits them, in words.
    pub limited_by: String,
    /// Registers of a thread.
    pub registers: u32,
    /// Registers above the cap, whose values would be spilled; a spill costs nothing yet (DEVIATIONS.md, 51).
    pub spilled_registers: u32,
    /// What capped the registers, in words; nothing where all that were wanted were granted.
    pub registers_capped_by: Option<String>,
    /// L1 data cache of a core during the launch, in bytes.
    pub l1_bytes: u64,
    /// Samples, if they were asked for: counts since the launch began.
    pub intervals: Vec<IntervalSample>,
}

/// How long pairs of a strided load and one that takes its index from it, both from read-only arrays, kept their warps
/// waiting (\[Lakshminarayana14\] figure 13): loads as they stand, from issue to the last reply; loads that had been
/// prefetched, from their turn to their value; of heads also injected instructions that need a prefetched index.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PairWaits {
    /// Core cycles of heads.
    pub head_cycles: u64,
    /// Core cycles of tails.
    pub tail_cycles: u64,
}

/// How long a static load (or atomic) kept its warps waiting.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LoadWait {
    /// The static instruction, by number in the kernel's code.
    pub pc: u32,
    /// `file:line:column`, source line if known, mnemonic.
    pub place: String,
    /// Warp instructions executed.
    pub count: u64,
    /// Lines that its lanes touched, summed over warp instructions.
    pub transactions: u64,
    /// Core cycles from issue to the last reply, summed.
    pub wait_cycles: u64,
    /// Transactions by who answered them: [`Record::answerers`].
    pub answered: Vec<u64>,
}

/// Counts at a point in time.
#[derive(Clone, Debug)]
pub struct IntervalSample {
    /// Core cycle since the launch began.
    pub cycle: u64,
    /// Counts since the launch began.
    pub statistics: Statistics,
}

/// Something that lasted, for a timeline.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Span {
    /// The core, or none for the whole machine.
    pub core: Option<u32>,
    /// The row on its core: the block's slot.
    pub row: u32,
    /// What.
    pub name: String,
    /// First core cycle, since the machine was made.
    pub start_cycle: u64,
    /// Core cycles.
    pub cycles: u64,
}
