//! Stall attribution: the cause that owns each issue slot.
//!
//! A scheduler has `issue_width` slots in every cycle. A slot in which an instruction issues is busy. While a
//! scheduler has nothing to issue, its slots are one interval, which is charged as a whole when it ends: to what
//! the warp had been waiting for that ended it, with the level of memory that the reply came from. Every slot has
//! exactly one owner, and their sum is asserted.

use super::{Few, InjectedSlotCounters};
use crate::agent::AgentSlotCounters;
use heddle_engine::{Catalogue, counters};
use heddle_memory::fabric::{FabricSpec, in_prose};
use heddle_memory::request::Answerer;
use smallvec::SmallVec;

/// What takes the slots of a scheduler, in the five shares of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names are the field's own")]
pub enum SlotShare {
    Busy,
    Compute,
    Data,
    Synchronisation,
    Idle,
}

/// Declares the causes: name, counter (of all cores, or of those that have what it counts), the share that it belongs to.
/// Any number of them: the scoreboard has room for as many as a byte counts, answerers included.
macro_rules! causes {
    ($($(#[$meta:meta])* $cause:ident, $group:ident.$counter:ident, $share:ident;)*) => {
        /// What a slot without an instruction was lost to.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        pub(crate) enum Cause {
            $($(#[$meta])* $cause,)*
            /// Data, by who answered.
            Answered(Answerer),
        }

        /// Causes besides answerers, by number.
        #[repr(u8)]
        enum Number { $($cause,)* }

        impl Cause {
            const OTHERS: &'static [Cause] = &[$(Cause::$cause),*];

            /// Its number, below 256.
            #[inline(always)]
            pub(super) fn number(self) -> u64 {
                match self {
                    $(Cause::$cause => Number::$cause as u64,)*
                    Cause::Answered(answerer) => (Cause::OTHERS.len() + answerer.index()) as u64,
                }
            }

            /// The counter of its slots.
            #[inline(always)]
            fn counter(self, tiling: &mut StallTiling) -> &mut u64 {
                match self {
                    $(Cause::$cause => &mut tiling.$group.$counter,)*
                    Cause::Answered(answerer) => &mut tiling.answered[answerer.index()],
                }
            }
        }

        /// The share that a counter of the group `slots` belongs to, unless it is that of an answerer: they are all data.
        pub fn slot_share(counter: &str) -> Option<SlotShare> {
            match counter {
                "busy" | "injected" => Some(SlotShare::Busy),
                $(stringify!($counter) => Some(SlotShare::$share),)*
                _ => None,
            }
        }
    };
}

causes! {
    /// The result of an earlier instruction of the warp.
    #[default]
    ResultPending, counters.result_pending, Compute;
    /// A unit that was busy.
    UnitBusy, counters.unit_busy, Compute;
    /// A load/store unit that was busy.
    LoadStoreBusy, counters.load_store_busy, Data;
    /// Data from shared memory.
    Shared, counters.shared, Data;
    /// Constants or parameters.
    Constant, counters.constant, Data;
    /// The old value of an atomic operation.
    Atomic, counters.atomic, Synchronisation;
    /// Other warps of the block.
    Barrier, counters.barrier, Synchronisation;
    /// Accesses that a fence waits for.
    Fence, counters.fence, Synchronisation;
    /// Instructions: decoding, branches, the instruction cache.
    Fetch, counters.fetch, Idle;
    /// No second instruction of the warp could issue in the cycle.
    SecondIssue, counters.second_issue, Compute;
    /// Outstanding accesses of warps that have ended.
    Drain, counters.drain, Idle;
    /// No warp.
    NoWarp, counters.no_warp, Idle;
    /// The reply of an agent.
    Agent, agents.agent, Synchronisation;
}

impl Cause {
    /// The cause of a number that was made from one.
    #[inline(always)]
    pub(super) fn of_number(number: u64) -> Cause {
        let number = number as usize;
        match Cause::OTHERS.get(number) {
            Some(cause) => *cause,
            None => Cause::Answered(Answerer::of_number((number - Cause::OTHERS.len()) as u8)),
        }
    }

    /// What an access waited for of which two parts waited for these: the farther answerer names the wait.
    #[inline(always)]
    pub(super) fn and_then(self, later: Cause) -> Cause {
        match (self, later) {
            (Cause::Answered(one), Cause::Answered(other)) => Cause::Answered(one.farther(other)),
            _ => later,
        }
    }
}

/// Declares the slots of answerers.
pub(crate) fn declare_answered(memory: &FabricSpec, catalogue: &mut Catalogue) {
    for (_, name) in memory.answerers() {
        let description = format!("Data: waited for a load that {} answered.", in_prose(name));
        catalogue.declare_one(format!("slots.{name}"), "slots", description);
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
    pub(crate) agents: AgentSlotCounters,
    /// By answerer.
    pub(crate) answered: Few<u64>,
}

impl StallTiling {
    pub(super) fn new(schedulers: u32, width: u32, answerers: usize) -> StallTiling {
        StallTiling {
            answered: SmallVec::from_elem(0, answerers),
            since: SmallVec::from_elem(0, schedulers as usize),
            width: u64::from(width),
            counters: SlotCounters::default(),
            injected: InjectedSlotCounters::default(),
            agents: AgentSlotCounters::default(),
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
        cause.counter(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use heddle_engine::{CounterGroup, Declaration};

    #[test]
    fn every_counter_of_slots_begins_with_its_share() {
        let all = SlotCounters::DECLARATIONS.iter().chain(InjectedSlotCounters::DECLARATIONS);
        let all = all.chain(AgentSlotCounters::DECLARATIONS);
        for Declaration { name, description, .. } in all {
            let share = slot_share(name).unwrap_or_else(|| panic!("{name} has no share"));
            assert!(description.starts_with(&format!("{share:?}: ")), "{name}: {description}");
        }
        assert_eq!(slot_share("owned by nobody"), None);
    }

    #[test]
    fn causes_are_numbered_as_the_scoreboard_keeps_them() {
        let answered = (0..66).map(|number| Cause::Answered(Answerer::of_number(number)));
        for (number, cause) in Cause::OTHERS.iter().copied().chain(answered).enumerate() {
            assert_eq!(Cause::of_number(cause.number()), cause);
            assert_eq!(cause.number(), number as u64);
        }
    }
}
