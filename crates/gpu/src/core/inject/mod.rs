//! Instructions beside the program's: a warp's next instruction comes from the program, or from a queue that a
//! mechanism fills.
//!
//! A mechanism is a file of its own, which says by whom loads are found, how far ahead they are made and where they go
//! ([`Scheme`]), and what that costs. What they share is told of instructions that are observed, in plain data, and answers
//! which load becomes a move from spare registers, and for which lanes a sequence of instructions follows. The core acts
//! (`act`): injected instructions take issue slots, wait for their operands and occupy units as all others do.
//!
//! - `prefetcher`: which loads become moves, and which lanes prefetch; with `shadow_counts`, `distance`, `allocated_reg`;
//! - `training`: how hardware finds loops and loads; with `value_tags`, `load_id_tags`, `loop_body`, `decoded`;
//! - `plan`: what can be observed and injected in a kernel; `install`: what hardware has found joins it;
//! - `perfect`: the limit of all mechanisms;
//! - `cost`: bits.

mod act;
mod allocated_reg;
mod cost;
mod counters;
mod decoded;
mod distance;
mod install;
mod load_id_tags;
mod loop_body;
mod perfect;
mod plan;
mod prefetcher;
#[cfg(test)]
mod sample;
mod shadow_counts;
#[cfg(test)]
mod tests;
mod training;
mod value_tags;

pub(super) use act::Observed;
pub use cost::hardware_detected_bits;
pub(crate) use counters::{
    CachePrefetchCounters, DetectionCounters, DistanceCounters, InjectedSlotCounters, InjectionCounters,
};
pub(crate) use perfect::foresee_loads;
pub(crate) use plan::{InjectionPlan, prefetching_registers};

use crate::spec::CoreSpec;
use distance::{Distance, LONGEST};
use heddle_ptx::early::LoopTest;
use heddle_ptx::exec::{InstructionCount, LANES, Mask};
use loop_body::FoundLoop;
use prefetcher::Prefetcher;
use std::collections::VecDeque;
use training::Training;

/// Who finds the loads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FoundBy {
    /// The compiler.
    Compiler,
    /// The core, while warps run.
    Hardware,
}

/// Where prefetched values go, beside the caches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Into {
    /// To spare registers.
    Registers,
    /// Nowhere, as far as no prefetch of a tail needs them.
    Cache,
}

/// What a mechanism is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Scheme {
    pub(crate) found_by: FoundBy,
    distance: Distance,
    into: Into,
}

impl Scheme {
    /// Whether invocations of loops differ in their distance.
    pub(crate) fn is_dynamic(self) -> bool {
        self.distance == Distance::Dynamic
    }

    /// Whether some prefetches go to the caches alone.
    pub(crate) fn fills_cache(self) -> bool {
        self.into == Into::Cache
    }
}

/// Makes, of a line per mechanism, its module, the names that machine files use, and what it is.
macro_rules! mechanisms {
    ($($(#[$meta:meta])* $variant:ident = $name:literal => $file:ident;)*) => {
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
                $(RegisterPrefetch::$variant => $file::bits(core),)*
            }
        }

        impl RegisterPrefetch {
            /// What the mechanism is.
            pub(crate) fn scheme(self) -> Option<Scheme> {
                match self {
                    RegisterPrefetch::None | RegisterPrefetch::Perfect => None,
                    $(RegisterPrefetch::$variant => Some($file::SCHEME),)*
                }
            }
        }
    };
}

mechanisms! {
    /// Loads of loops that the compiler has found, one iteration ahead.
    CSpref1 = "c-spref1" => c_spref1;
    /// The same with a distance that follows from the iterations of a loop invocation.
    CSpref = "c-spref" => c_spref;
    /// Loads of loops that the core finds while warps run, one iteration ahead.
    Spref1 = "spref1" => spref1;
    /// The same with a distance that follows from the iterations of a loop invocation.
    Spref = "spref" => spref;
    /// As `spref1`, but what no prefetch needs as an index goes to the caches alone.
    Spref1C = "spref1-c" => spref1_c;
}

/// A load that a mechanism prefetches, by number in the kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TargetNumber(pub(crate) u16);

/// What is known of a loop.
#[derive(Clone, Copy, Debug)]
struct LoopFacts {
    test: LoopTest,
    /// The longest distance for which its loads have registers.
    distance: u32,
    /// Its loads.
    first_target: usize,
    targets: usize,
}

/// What is known of a load that can be prefetched.
#[derive(Clone, Copy, Debug)]
struct TargetFacts {
    in_loop: usize,
    /// The load that brings its index.
    head: Option<TargetNumber>,
    /// Whether iterations may leave it out.
    conditional: bool,
    /// Whether it goes to the caches alone.
    in_cache: bool,
}

/// An instruction that waits to be injected.
#[derive(Clone, Copy, Debug)]
struct Queued {
    step: SequenceStep,
    lanes: Mask,
}

/// An instruction of a sequence.
#[derive(Clone, Copy, Debug)]
struct SequenceStep {
    /// Its number behind the instructions of the program.
    operation: u32,
    purpose: Purpose,
    /// The load whose prefetched value it is the first to need.
    needs: Option<u32>,
}

/// What is known when an injected instruction has been issued.
#[derive(Clone, Copy, Debug)]
enum Purpose {
    /// An index or an address: nothing.
    Address,
    /// A load was prefetched, into its spare register of this number.
    Prefetch(TargetNumber, u8),
    /// The operands of a loop's test are seen.
    Compare(usize),
}

/// What a core injects while a kernel runs.
#[derive(Debug)]
pub(super) struct Injection {
    prefetcher: Prefetcher,
    /// What finds loads, if the compiler has not.
    training: Option<Training>,
    /// A loop that was found in this cycle.
    found: Option<FoundLoop>,
    /// The loops of the plan that this core knows.
    known_loops: u64,
    warps: usize,
    /// By warp: what is to be issued before its next instruction of the program.
    queues: Vec<VecDeque<Queued>>,
    /// By target, spare register and warp: where lanes prefetched from. No part of the hardware: every move is held to
    /// it.
    addresses: Vec<[u64; LANES]>,
    /// By warp: when its load that became a move, or its injected instruction, came to the head of its instructions.
    came_at: Vec<u64>,
    /// Warps whose injected instruction has come there.
    came: u64,
    /// By injected instruction: how often.
    counts: Vec<InstructionCount>,
}

impl Injection {
    /// For a launch.
    pub(super) fn new(scheme: Scheme, plan: &InjectionPlan, core: &CoreSpec) -> Injection {
        let warps = core.warps as usize;
        let by_hardware = scheme.found_by == FoundBy::Hardware;
        let mut injection = Injection {
            prefetcher: Prefetcher::new(scheme.distance, warps),
            training: by_hardware.then(|| Training::new(core.prefetch_pairs as usize)),
            found: None,
            known_loops: if by_hardware { 0 } else { u64::MAX },
            warps,
            queues: vec![VecDeque::new(); warps],
            addresses: Vec::new(),
            came_at: vec![0; warps],
            came: 0,
            counts: Vec::new(),
        };
        injection.extend(plan);
        injection
    }

    /// The plan has grown.
    fn extend(&mut self, plan: &InjectionPlan) {
        let (loops, targets) = self.prefetcher.known();
        self.prefetcher.extend(&plan.loops[loops..], &plan.facts[targets..]);
        self.addresses.resize(plan.facts.len() * LONGEST as usize * self.warps, [0; LANES]);
        self.counts.resize(plan.operations(), InstructionCount::default());
    }

    /// Whether the core knows a loop.
    fn knows(&self, number: usize) -> bool {
        self.known_loops >> number & 1 == 1
    }

    /// Where the addresses of a prefetch are.
    fn place(&self, warp: usize, target: TargetNumber, register: u8) -> usize {
        (usize::from(target.0) * LONGEST as usize + usize::from(register)) * self.warps + warp
    }

    /// How often each injected instruction was issued.
    pub(super) fn counts(&self) -> &[InstructionCount] {
        &self.counts
    }

    /// A warp begins.
    pub(super) fn began(&mut self, warp: usize) {
        self.prefetcher.began(warp);
        self.queues[warp].clear();
        if let Some(training) = &mut self.training {
            training.began(warp);
        }
    }

    /// The warp whose every instruction is observed, as a bit.
    fn watched(&self) -> u64 {
        self.training.as_ref().and_then(Training::watched).map_or(0, |warp| 1 << warp)
    }
}
