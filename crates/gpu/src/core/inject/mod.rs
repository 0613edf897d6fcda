//! Instructions beside the program's: a warp's next instruction comes from the program, or from a queue that a
//! mechanism fills.
//!
//! A mechanism is a policy in a file of its own. It is told of instructions that it observes, in plain data: loops
//! that lanes enter, operands of comparisons, loads that were issued. It answers which load becomes a move from spare
//! registers, and for which lanes a sequence of instructions follows. The core acts (`act`): injected
//! instructions take issue slots, wait for their operands and occupy units as all others do.
//!
//! - `plan`: what can be observed and injected in a kernel, from the compiler's analysis;
//! - `c_spref1`: the mechanism;
//! - `perfect`: the limit of all mechanisms;
//! - `cost`: what detection in hardware would cost.

mod act;
mod cost;
mod counters;
mod perfect;
mod plan;

pub use cost::hardware_detected_bits;
pub(crate) use counters::{InjectedSlotCounters, InjectionCounters};
pub(crate) use perfect::foresee_loads;
pub(crate) use plan::InjectionPlan;

use crate::spec::CoreSpec;
use heddle_ptx::analysis::LoopTest;
use heddle_ptx::exec::timed::Compared;
use heddle_ptx::exec::{InstructionCount, LANES, Mask};
use std::collections::VecDeque;

/// A load that a mechanism prefetches, by number in the kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TargetNumber(pub(crate) u16);

/// What mechanisms know of the loops of a kernel.
#[derive(Clone, Debug, Default)]
pub(crate) struct Loops {
    /// By loop: its test.
    pub(crate) tests: Vec<LoopTest>,
    pub(crate) targets: Vec<Target>,
}

/// A load that can be prefetched.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Target {
    pub(crate) in_loop: usize,
    /// The load that brings its index.
    pub(crate) head: Option<TargetNumber>,
}

/// Makes, of a line per mechanism, its module, the names that machine files use, and an enum over all mechanisms that
/// hands on what each of them does.
macro_rules! mechanisms {
    ($($(#[$meta:meta])* $variant:ident = $name:literal => $file:ident::$policy:ident;)*) => {
        $(mod $file;)*

        /// What is prefetched into registers that no thread uses.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
        pub enum RegisterPrefetch {
            /// Nothing.
            #[default]
            #[serde(rename = "none")]
            None,
            /// Everything that the compiler has found, always in time: no mechanism, but the limit of all (`perfect`).
            #[serde(rename = "perfect")]
            Perfect,
            $($(#[$meta])* #[serde(rename = $name)] $variant,)*
        }

        /// Bits that the mechanism of a core takes.
        pub fn register_prefetch_bits(core: &CoreSpec) -> u64 {
            match core.prefetch_registers {
                RegisterPrefetch::None | RegisterPrefetch::Perfect => 0,
                $(RegisterPrefetch::$variant => $file::$policy::bits(core),)*
            }
        }

        /// The mechanism of a core.
        #[derive(Clone, Debug)]
        enum Mechanism { $($variant($file::$policy),)* }

        impl Mechanism {
            fn new(kind: RegisterPrefetch, loops: Loops, warps: usize) -> Option<Mechanism> {
                match kind {
                    RegisterPrefetch::None | RegisterPrefetch::Perfect => None,
                    $(RegisterPrefetch::$variant => {
                        Some(Mechanism::$variant($file::$policy::new(loops, warps)))
                    })*
                }
            }

            /// A warp begins.
            fn began(&mut self, warp: usize) {
                match self { $(Mechanism::$variant(policy) => policy.began(warp),)* }
            }

            /// Lanes enter a loop.
            fn entered(&mut self, warp: usize, number: usize, lanes: Mask) {
                match self { $(Mechanism::$variant(policy) => policy.entered(warp, number, lanes),)* }
            }

            /// Lanes compare the induction variable of a loop with its bound.
            fn compared(&mut self, warp: usize, number: usize, lanes: Mask, operands: &Compared) {
                match self { $(Mechanism::$variant(policy) => policy.compared(warp, number, lanes, operands),)* }
            }

            /// Whether a load is to become a move.
            fn converts(&self, warp: usize, target: TargetNumber, lanes: Mask) -> bool {
                match self { $(Mechanism::$variant(policy) => policy.converts(warp, target, lanes),)* }
            }

            /// A load was issued: the lanes for which its prefetch follows.
            fn loaded(&mut self, warp: usize, target: TargetNumber, lanes: Mask) -> Mask {
                match self { $(Mechanism::$variant(policy) => policy.loaded(warp, target, lanes),)* }
            }

            /// A prefetch was issued for some lanes.
            fn issued(&mut self, warp: usize, target: TargetNumber, lanes: Mask) {
                match self { $(Mechanism::$variant(policy) => policy.issued(warp, target, lanes),)* }
            }
        }
    };
}

mechanisms! {
    /// Loads of loops that the compiler has found, one iteration ahead.
    CSpref1 = "c-spref1" => c_spref1::CSpref1;
}

/// An instruction that waits to be injected.
#[derive(Clone, Copy, Debug)]
struct Queued {
    /// Its number behind the instructions of the program.
    operation: u32,
    lanes: Mask,
    purpose: Purpose,
}

/// What is known when an injected instruction has been issued.
#[derive(Clone, Copy, Debug)]
enum Purpose {
    /// An index or an address: nothing.
    Address,
    /// A load was prefetched.
    Prefetch(TargetNumber),
    /// The operands of a loop's test are seen.
    Compare(usize),
}

/// What a core injects while a kernel runs.
#[derive(Debug)]
pub(super) struct Injection {
    mechanism: Mechanism,
    /// By warp: what is to be issued before its next instruction of the program.
    queues: Vec<VecDeque<Queued>>,
    /// By warp and target: where lanes prefetched from. No part of the hardware: every move is held to it.
    addresses: Vec<[u64; LANES]>,
    targets: usize,
    /// By warp: when its load that became a move came to the head of its instructions.
    came_at: Vec<u64>,
    /// By injected instruction: how often.
    counts: Vec<InstructionCount>,
}

impl Injection {
    /// For a launch, if its kernel has loops to act on.
    pub(super) fn new(kind: RegisterPrefetch, plan: &InjectionPlan, warps: usize) -> Option<Injection> {
        let targets = plan.loops.targets.len();
        Some(Injection {
            mechanism: Mechanism::new(kind, plan.loops.clone(), warps)?,
            queues: vec![VecDeque::new(); warps],
            addresses: vec![[0; LANES]; warps * targets],
            targets,
            came_at: vec![0; warps],
            counts: vec![InstructionCount::default(); plan.operations()],
        })
    }

    /// How often each injected instruction was issued.
    pub(super) fn counts(&self) -> &[InstructionCount] {
        &self.counts
    }

    /// A warp begins.
    pub(super) fn began(&mut self, warp: usize) {
        self.mechanism.began(warp);
        self.queues[warp].clear();
    }
}
