//! A SIMT core.
//!
//! ```text
//! fetch ─ instruction buffers ─ scoreboard ─ schedule ─ issue ─┬─ arithmetic and special-function units
//!                                                              └─ load_store: coalescer, shared memory ─ caches
//! ```
//!
//! A warp is looked at when something happened to it ([`Core::look`], [`Core::evaluate`]) and is then either ready, or waits for
//! a cycle, a reply, a fetch or other warps. A cycle costs only the warps that do something in it, and a core
//! with nothing to do sleeps until it is woken.

mod bank_conflicts;
mod blocks;
mod caches;
mod coalescer;
mod collectors;
mod command;
mod fetch;
mod inject;
mod issue;
mod load_store;
mod ordering;
mod readiness;
mod reply;
mod schedule;
mod scoreboard;
mod stalls;
mod wake;

pub(crate) use blocks::BlockSlot;
pub(crate) use command::deliver_replies;
pub(crate) use inject::{
    CachePrefetchCounters, DetectionCounters, DistanceCounters, FoundBy, InjectedSlotCounters,
    InjectionCounters, InjectionPlan, Scheme, foresee_loads, prefetching_registers,
};
pub use inject::{RegisterPrefetch, hardware_detected_bits, register_prefetch_bits};
pub(crate) use reply::deliver;
pub(crate) use stalls::{Cause, SlotCounters, declare_answered};
pub use stalls::{SlotShare, slot_share};

use crate::agent::{Agent, AgentCounters};
use crate::flight::Flights;
use crate::gpu_spec::GpuSpec;
use crate::load_statistics::LoadStatistics;
use crate::operation_timing::{UNITS, Unit};
use crate::statics::Statics;
use crate::wakes::{ASLEEP, Wakes};
use caches::Caches;
use collectors::Collectors;
use fetch::FrontEnd;
use heddle_engine::{Tick, counters};
use heddle_memory::CoreId;
use heddle_memory::fabric::Fabric;
use heddle_ptx::exec::timed::Execution;
use heddle_ptx::exec::{InstructionCount, LaunchError};
use inject::Injection;
use load_store::LoadStoreUnit;
pub use ordering::OrderingRule;
pub(crate) use ordering::Waits;
use ordering::{UnderWay, Wait};
use schedule::{Candidates, Scheduler};
use scoreboard::Scoreboard;
use smallvec::SmallVec;
use stalls::StallTiling;
use wake::WakeRing;

counters! {
    /// What cores did beside issuing.
    pub struct CoreCounters {
        cycles: "cycles", "Cycles of launches, summed over cores.";
        active_cycles: "cycles", "Cycles in which a core had a resident warp, summed over cores.";
        idle_cycles: "cycles", "Cycles of launches in which a core had no resident warp, summed over cores.";
        resident_warp_cycles: "cycles", "Cycles that warps were resident, summed over warps.";
        blocks: "blocks", "Blocks that were executed.";
        warps: "warps", "Warps that were executed.";
        fetches: "accesses", "Fetches of instructions: accesses to the instruction cache.";
        fetch_misses: "accesses", "Fetches that missed the instruction cache or found it busy.";
        shared_accesses: "accesses", "Turns of accesses to shared memory, one warp at a time.";
        bank_conflict_cycles: "cycles", "Turns of accesses to shared memory beyond the first, because of bank conflicts.";
        load_store_stall_cycles: "cycles", "Cycles that the load/store unit waited for a cache that refused a request.";
        global_transactions: "requests", "Requests for lines that accesses to global memory became.";
    }
}

/// Everything around a core while it acts.
pub(crate) struct Around<'r, 'e> {
    pub(crate) execution: &'r mut Execution<'e>,
    pub(crate) statics: &'r Statics,
    pub(crate) fabric: &'r mut Fabric,
    pub(crate) flights: &'r mut Flights,
    pub(crate) loads: &'r mut LoadStatistics,
    /// The unit that takes commands, if there is one.
    pub(crate) agent: &'r mut Option<Box<dyn Agent>>,
    pub(crate) spec: &'r GpuSpec,
    /// When cores have something to do next.
    pub(crate) wakes: &'r mut Wakes,
    /// Cores and slots of blocks that have ended.
    pub(crate) left: &'r mut Vec<(usize, usize)>,
    /// Address of the kernel's first instruction.
    pub(crate) code_base: u64,
    /// Whether a core has found a loop in this cycle.
    pub(crate) found: &'r mut bool,
    /// The load that becomes a move on each core whose value is flipped, by number.
    pub(crate) flip_prefetched: Option<u64>,
    /// The core cycle.
    pub(crate) now: u64,
    /// Its beginning.
    pub(crate) tick: Tick,
}

/// What a resident warp waits for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Waiting {
    /// There is no warp.
    #[default]
    Nobody,
    /// Nothing.
    Ready,
    /// A cycle.
    Cycle,
    /// Its turn to fetch.
    FetchTurn,
    /// A fetch that is under way.
    Fetch,
    /// Data from memory.
    Memory,
    /// Other warps of the block.
    Barrier,
    /// Its outstanding accesses, at a fence or before a function of the machine.
    Fence,
    /// The same but for copies that it has gone on behind, before another.
    Requests,
    /// Its outstanding atomics.
    Atomics,
    /// The reply of an agent.
    Agent,
    /// Its outstanding accesses, after its last instruction.
    Drain,
}

impl From<Wait> for Waiting {
    fn from(wait: Wait) -> Waiting {
        match wait {
            Wait::Atomics => Waiting::Atomics,
            Wait::Requests => Waiting::Requests,
            Wait::Nothing | Wait::Accesses => Waiting::Fence,
        }
    }
}

impl Waiting {
    /// Whether what holds a warp at a fence, or before something that reads memory, is over with this under way.
    #[inline(always)]
    fn is_past(self, under_way: UnderWay) -> bool {
        match self {
            Waiting::Fence => Wait::Accesses.is_over(under_way),
            Waiting::Requests => Wait::Requests.is_over(under_way),
            _ => false,
        }
    }

    /// In words.
    pub(crate) fn words(self) -> &'static str {
        match self {
            Waiting::Nobody => "nobody",
            Waiting::Ready => "is ready",
            Waiting::Cycle => "waits for a result",
            Waiting::FetchTurn => "waits for its turn to fetch",
            Waiting::Fetch => "waits for instructions",
            Waiting::Memory => "waits for memory",
            Waiting::Barrier => "waits for other threads",
            Waiting::Fence => "waits for its accesses at a fence",
            Waiting::Requests => "waits for its accesses before it copies",
            Waiting::Atomics => "waits for its atomics",
            Waiting::Agent => "waits for the reply of an agent",
            Waiting::Drain => "has ended and waits for its accesses",
        }
    }
}

/// A place for a warp. One line of the host's cache.
#[derive(Clone, Debug, Default)]
#[repr(align(64))]
pub(crate) struct WarpSlot {
    /// The block's slot and the warp's number in the block.
    pub(crate) block: u8,
    pub(crate) index: u16,
    /// Decoded instructions that wait.
    buffered: u8,
    /// Its next instruction, if it has one.
    pc: u32,
    /// What is fetched on the wrong path, behind a branch that was taken.
    astray: Option<u32>,
    /// Accesses that are under way, and how many of them are atomics.
    outstanding: u32,
    atomics: u16,
    /// Those that are copies which it has gone on behind.
    copies: u16,
    /// When the last one that was answered is over, which keeps the warp on its core.
    drained_at: u64,
    pub(crate) waiting: Waiting,
    /// From when its next instruction can issue.
    ready_at: u64,
    /// What the last waiting was for.
    cause: Cause,
    started_at: u64,
}

impl WarpSlot {
    /// What it has under way.
    #[inline(always)]
    fn under_way(&self) -> UnderWay {
        UnderWay { accesses: self.outstanding, atomics: self.atomics, copies: self.copies }
    }
}

/// What a core has a few of is stored in the core itself: there are many cores, and a place elsewhere in memory for each
/// would cost a miss of the host's cache.
type Few<T> = SmallVec<[T; 4]>;

/// A core.
#[derive(Debug)]
pub(crate) struct Core {
    pub(crate) number: CoreId,
    caches: Caches,
    pub(crate) blocks: Vec<BlockSlot>,
    pub(crate) warps: Vec<WarpSlot>,
    ages: Vec<u64>,
    next_age: u64,
    /// Warps that can issue, if their unit is free.
    ready: u64,
    /// Those of them that the load/store unit held up when the core went to sleep.
    held: u64,
    /// All resident warps.
    resident: u64,
    /// Warps for which injected instructions wait, and those whose next instruction is a load that has become a move.
    injecting: u64,
    converting: u64,
    /// The warp whose every instruction a mechanism observes.
    watched: u64,
    /// What a mechanism injects, if there is one.
    injection: Option<Box<Injection>>,
    pub(crate) injected: InjectionCounters,
    pub(crate) distances: DistanceCounters,
    pub(crate) detected: DetectionCounters,
    pub(crate) agents: AgentCounters,
    /// By unit: warps whose next instruction is for it.
    wants: [u64; UNITS],
    scoreboard: Scoreboard,
    wake: WakeRing,
    front_end: FrontEnd,
    schedulers: Few<Scheduler>,
    /// By scheduler: its warps' bits.
    dealt: Few<u64>,
    /// When arithmetic and special-function units take the next instruction; with collectors, when their issue
    /// registers do.
    arithmetic_free: Few<u64>,
    special_free: Few<u64>,
    collectors: Collectors,
    load_store: LoadStoreUnit,
    pub(crate) stalls: StallTiling,
    pub(crate) counters: CoreCounters,
    resident_since: u64,
}

impl Core {
    pub(crate) fn new(number: CoreId, spec: &GpuSpec) -> Core {
        let core = &spec.core;
        let dealt = |scheduler: u32| {
            let own = (0..core.warps).filter(|warp| warp % core.schedulers == scheduler);
            own.fold(0, |mask: u64, warp| mask | 1 << warp)
        };
        Core {
            number,
            caches: Caches::new(&spec.memory),
            blocks: Vec::new(),
            warps: vec![WarpSlot::default(); core.warps as usize],
            ages: vec![0; core.warps as usize],
            next_age: 0,
            ready: 0,
            held: 0,
            resident: 0,
            injecting: 0,
            converting: 0,
            watched: 0,
            injection: None,
            injected: InjectionCounters::default(),
            distances: DistanceCounters::default(),
            detected: DetectionCounters::default(),
            agents: AgentCounters::default(),
            wants: [0; UNITS],
            scoreboard: Scoreboard::default(),
            wake: WakeRing::new(),
            front_end: FrontEnd::default(),
            schedulers: SmallVec::from_elem(Scheduler::new(core.scheduler), core.schedulers as usize),
            dealt: (0..core.schedulers).map(dealt).collect(),
            arithmetic_free: SmallVec::from_elem(0, core.arithmetic_units as usize),
            special_free: SmallVec::from_elem(0, core.special_units as usize),
            collectors: Collectors::new(core),
            load_store: LoadStoreUnit::default(),
            stalls: StallTiling::new(core.schedulers, core.issue_width, spec.memory.answerers().len()),
            counters: CoreCounters::default(),
            resident_since: 0,
        }
    }

    /// Gets ready for a launch.
    pub(crate) fn begin_launch(&mut self, now: u64, statics: &Statics, block_slots: usize, spec: &GpuSpec) {
        self.scoreboard.reset(self.warps.len(), statics.register_count);
        let scheme = spec.core.prefetch_registers.scheme();
        let planned = scheme.zip(statics.injection.as_ref());
        self.injection = planned.map(|(scheme, plan)| Box::new(Injection::new(scheme, plan, &spec.core)));
        self.watched = 0;
        self.blocks.resize_with(block_slots, BlockSlot::default);
        self.blocks.iter_mut().for_each(|slot| slot.resident.renew());
        self.stalls.begin(now);
    }

    /// The launch has ended: accounts for the last cycles.
    pub(crate) fn end_launch(&mut self, start: u64, now: u64) {
        for scheduler in 0..self.schedulers.len() {
            self.stalls.close(scheduler, now, Cause::NoWarp);
        }
        self.counters = self.counters_at(start, now);
    }

    /// How often each instruction was injected in this launch.
    pub(crate) fn injected_counts(&self) -> &[InstructionCount] {
        self.injection.as_ref().map_or(&[], |injection| injection.counts())
    }

    /// The counts as they are at a cycle of a launch that began at `start`.
    pub(crate) fn counters_at(&self, start: u64, now: u64) -> CoreCounters {
        let mut counters = self.counters.clone();
        counters.cycles += now - start;
        if self.resident != 0 {
            counters.active_cycles += now - self.resident_since;
        }
        counters.idle_cycles = counters.cycles - counters.active_cycles;
        counters
    }

    /// One cycle.
    pub(crate) fn cycle(&mut self, around: &mut Around<'_, '_>) -> Result<(), LaunchError> {
        if self.held != 0 {
            self.release_held(around.now);
        }
        let mut due = self.wake.take(around.now);
        while due != 0 {
            let warp = due.trailing_zeros() as usize;
            due &= due - 1;
            self.woken(warp, around);
        }
        self.load_store_cycle(around)?;
        // Units and the load/store queue are shared: the schedulers take turns in choosing first.
        let schedulers = self.schedulers.len();
        let mut turn = remainder(around.now, schedulers);
        for _ in 0..schedulers {
            self.issue_cycle(turn, around)?;
            turn = if turn + 1 == schedulers { 0 } else { turn + 1 };
        }
        self.fetch_cycle(around);
        let next = self.next_cycle(around.now, around.spec.core.load_store_queue);
        around.wakes.set(self.number, next);
        Ok(())
    }

    /// When there is something to do again.
    #[inline(always)]
    fn next_cycle(&mut self, now: u64, queue: u32) -> u64 {
        // Where all that are ready want a load/store unit that is full, nothing can issue before it has moved.
        let held = self.load_store.is_full(queue) && self.ready & !self.wants[Unit::Memory as usize] == 0;
        if self.front_end.wants_turn() || self.ready != 0 && !held {
            return now + 1;
        }
        self.held = self.ready;
        let unit = self.load_store.next_cycle(now);
        unit.min(self.wake.next_due().unwrap_or(ASLEEP))
    }

    /// The cycles since the core was looked at last belong to the load/store unit, for schedulers with warps that it
    /// held up.
    #[inline(always)]
    fn release_held(&mut self, now: u64) {
        for scheduler in 0..self.schedulers.len() {
            if self.held & self.dealt[scheduler] != 0 {
                self.stalls.close_before(scheduler, now, Cause::LoadStoreBusy);
            }
        }
        self.held = 0;
    }

    /// Wakes the core for a cycle.
    #[inline(always)]
    pub(crate) fn wake_at(&self, cycle: u64, around: &mut Around<'_, '_>) {
        around.wakes.wake(self.number, cycle);
    }

    /// A warp whose cycle has come.
    #[inline(always)]
    fn woken(&mut self, warp: usize, around: &mut Around<'_, '_>) {
        match self.warps[warp].waiting {
            Waiting::Fetch => self.fetched(warp, around),
            Waiting::Cycle => self.evaluate(warp, around),
            Waiting::Drain => self.end_warp(warp, around),
            _ => {}
        }
    }
}

/// A division that most machines, with two or four schedulers, can do without.
#[inline(always)]
fn remainder(cycle: u64, schedulers: usize) -> usize {
    match schedulers.is_power_of_two() {
        true => cycle as usize & (schedulers - 1),
        false => cycle as usize % schedulers,
    }
}
