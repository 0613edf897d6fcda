//! Stall attribution: the cause that owns each issue slot.
//!
//! A scheduler has `issue_width` slots in every cycle. A slot in which an instruction issues is busy. While a
//! scheduler has nothing to issue, its slots are one interval, which is charged as a whole when it ends: to what
//! the warp had been waiting for that ended it, with the level of memory that the reply came from. Every slot has
//! exactly one owner, and their sum is asserted.

use super::{Few, InjectedSlotCounters};
use heddle_engine::counters;
use smallvec::SmallVec;

/// What a slot without an instruction was lost to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Cause {
    /// The result of an earlier instruction of the warp.
    #[default]
    ResultPending,
    /// A unit that was busy.
    UnitBusy,
    /// A load/store unit that was busy.
    LoadStoreBusy,
    /// Data from L1.
    L1,
    /// Data from L2.
    L2,
    /// Data from DRAM.
    Dram,
    /// Data from shared memory.
    Shared,
    /// Constants or parameters.
    Constant,
    /// The old value of an atomic operation.
    Atomic,
    /// Other warps of the block.
    Barrier,
    /// Accesses that a fence waits for.
    Fence,
    /// Instructions: decoding, branches, the instruction cache.
    Fetch,
    /// No second instruction of the warp could issue in the cycle.
    SecondIssue,
    /// Outstanding accesses of warps that have ended.
    Drain,
    /// No warp.
    NoWarp,
}

impl Cause {
    const ALL: [Cause; 15] = [
        Cause::ResultPending,
        Cause::UnitBusy,
        Cause::LoadStoreBusy,
        Cause::L1,
        Cause::L2,
        Cause::Dram,
        Cause::Shared,
        Cause::Constant,
        Cause::Atomic,
        Cause::Barrier,
        Cause::Fence,
        Cause::Fetch,
        Cause::SecondIssue,
        Cause::Drain,
        Cause::NoWarp,
    ];

    /// The cause of a number that was made from one.
    #[inline(always)]
    pub(super) fn of_number(number: u64) -> Cause {
        Cause::ALL[(number % Cause::ALL.len() as u64) as usize]
    }
}

counters! {
    /// Issue slots by owner.
    pub struct SlotCounters {
        busy: "slots", "Busy: a warp instruction issued.";
        result_pending: "slots", "Compute: waited for the result of an earlier arithmetic instruction of the warp.";
        unit_busy: "slots", "Compute: a warp was ready, but its arithmetic or special-function unit was taken.";
        second_issue: "slots", "Compute: the warp that issued had no second instruction that could issue with it.";
        load_store_busy: "slots", "Data: a warp was ready, but the queue of the load/store unit was full.";
        l1: "slots", "Data: waited for a load that L1 answered.";
        l2: "slots", "Data: waited for a load that L2 answered.";
        dram: "slots", "Data: waited for a load that DRAM answered.";
        shared: "slots", "Data: waited for a load from shared memory.";
        constant: "slots", "Data: waited for a load of a constant or of a kernel parameter.";
        atomic: "slots", "Synchronisation: waited for the old value of an atomic operation.";
        barrier: "slots", "Synchronisation: waited for other warps at a barrier.";
        fence: "slots", "Synchronisation: waited for accesses before a fence.";
        fetch: "slots", "Idle: warps had no decoded instruction (branch, decoding, instruction cache).";
        drain: "slots", "Idle: all warps had ended and waited for their outstanding accesses.";
        no_warp: "slots", "Idle: no warp was resident (launch, distribution of blocks, tail of the grid).";
    }
}

/// The slots of one core.
#[derive(Clone, Debug)]
pub(crate) struct StallTiling {
    /// By scheduler: since when nothing was issued.
    since: Few<u64>,
    width: u64,
    pub(crate) counters: SlotCounters,
    /// Those of the busy ones that injected instructions had.
    pub(crate) injected: InjectedSlotCounters,
}

impl StallTiling {
    pub(super) fn new(schedulers: u32, width: u32) -> StallTiling {
        StallTiling {
            since: SmallVec::from_elem(0, schedulers as usize),
            width: u64::from(width),
            counters: SlotCounters::default(),
            injected: InjectedSlotCounters::default(),
        }
    }

    /// A launch begins.
    pub(super) fn begin(&mut self, now: u64) {
        self.since.fill(now);
    }

    /// The cycle before which every slot of every scheduler may have an owner already.
    pub(crate) fn owned_before(&self) -> u64 {
        self.since.iter().copied().max().unwrap_or(0)
    }

    /// Charges the cycles before `now` in which a scheduler had nothing to issue.
    #[inline(always)]
    pub(super) fn close(&mut self, scheduler: usize, now: u64, cause: Cause) {
        let cycles = now - self.since[scheduler];
        if cycles > 0 {
            *self.place(cause) += cycles * self.width;
            self.since[scheduler] = now;
        }
    }

    /// The same, where the scheduler may have had its turn in this cycle already.
    pub(super) fn close_before(&mut self, scheduler: usize, now: u64, cause: Cause) {
        if self.since[scheduler] < now {
            self.close(scheduler, now, cause);
        }
    }

    /// Instructions issued in this cycle; the rest of its slots goes to `rest`.
    #[inline(always)]
    pub(super) fn issued(&mut self, scheduler: usize, now: u64, count: u64, rest: Cause) {
        self.counters.busy += count;
        if count < self.width {
            *self.place(rest) += self.width - count;
        }
        self.since[scheduler] = now + 1;
    }

    fn place(&mut self, cause: Cause) -> &mut u64 {
        let counters = &mut self.counters;
        match cause {
            Cause::ResultPending => &mut counters.result_pending,
            Cause::UnitBusy => &mut counters.unit_busy,
            Cause::LoadStoreBusy => &mut counters.load_store_busy,
            Cause::L1 => &mut counters.l1,
            Cause::L2 => &mut counters.l2,
            Cause::Dram => &mut counters.dram,
            Cause::Shared => &mut counters.shared,
            Cause::Constant => &mut counters.constant,
            Cause::Atomic => &mut counters.atomic,
            Cause::Barrier => &mut counters.barrier,
            Cause::Fence => &mut counters.fence,
            Cause::Fetch => &mut counters.fetch,
            Cause::SecondIssue => &mut counters.second_issue,
            Cause::Drain => &mut counters.drain,
            Cause::NoWarp => &mut counters.no_warp,
        }
    }
}
