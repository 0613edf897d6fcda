//! A cache without any notion of time: tags, outstanding misses, and the policies that decide.
//!
//! Whoever owns a cache asks it with [`Cache::access`], carries out what it answers, and gives it back what
//! arrives from below with [`Cache::fill`]:
//!
//! ```text
//! access ─ look up ─┬─ hit ─────────────────────────────▶ Hit
//!                   ├─ write or atomic that passes ─────▶ Below
//!                   └─ MSHR, place if allocated on miss ─▶ Miss, Merged, Blocked
//! fill ─ place if allocated on fill ─ release the waiting requests
//! ```
//!
//! Data itself is not kept: a machine executes on its memory, and caches decide when. Atomics that are performed
//! here make their sectors dirty whatever the write policy, as in GPGPU-Sim; those that pass evict
//! their line.

mod access;
mod check;
mod core;
mod counters;
mod effects;
mod evict;
mod fill;
mod foresight;
mod geometry;
mod lookup;
mod miss;
mod mshr;
pub mod policy;
mod sharing;
mod slicing;
mod spec;
mod tags;
mod victim;
mod write;

pub use self::core::Cache;
pub use counters::{CacheCounters, Role};
pub use effects::{Blocked, Effects, Evicted, Fetch, Outcome, Prefetch};
pub(crate) use foresight::Budget;
pub use foresight::{Foresight, Future, LaunchFutures, RECORDING_BYTES};
pub use policy::replacement::ReplacementKind;
pub use policy::{
    ADDRESS_BITS, AbSpec, BcSpec, BimSpec, BypassKind, CoreTables, FlexclusionSpec, GhbSpec, GranularityKind,
    InclusionKind, MatSpec, NapSpec, ObmSpec, PcReuseSpec, PolicyBits, PolicySpec, PrefetchKind, RexSpec,
    SppSpec, StrideSpec,
};
pub use sharing::SharingCounters;
pub use slicing::Slicing;
pub use spec::{Allocate, CacheSpec, IndexKind, WriteHit, WriteMiss};
