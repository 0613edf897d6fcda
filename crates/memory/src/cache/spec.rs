//! The description of a cache, as machine files have it.

use super::policy::replacement::ReplacementKind;
use super::policy::{BypassKind, GranularityKind, InclusionKind, PrefetchKind};
use crate::choices::choices;
use heddle_engine::units::Bytes;
use serde::{Deserialize, Serialize};

/// A cache.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CacheSpec {
    /// Capacity of one instance (one core's L1; one slice of L2).
    pub size: Bytes,
    /// Ways of a set.
    pub ways: u32,
    /// A line.
    pub line: Bytes,
    /// A sector: what is valid, dirty and (with `granularity = "sector"`) fetched by itself.
    pub sector: Bytes,
    /// How an address chooses its set.
    pub index: IndexKind,
    /// Which line of a full set is the victim.
    pub replacement: ReplacementKind,
    /// When a line is allocated.
    pub allocate: Allocate,
    /// What a write does that hits.
    pub write_hit: WriteHit,
    /// What a write does that misses.
    pub write_miss: WriteMiss,
    /// Outstanding misses (lines).
    pub mshrs: u32,
    /// Requests that may wait for one outstanding miss, the first included.
    pub merges: u32,
    /// Misses and writes that may wait in the miss queue.
    pub miss_queue: u32,
    /// Cycles from a request to its data for a hit, of the clock the cache runs at.
    pub latency: u32,
    /// Independently addressed banks.
    pub banks: u32,
    /// Requests that a bank takes per cycle.
    pub ports: u32,
    /// Lines of the victim cache beside it; 0 for none.
    pub victim_lines: u32,
    /// Which level may hold what the other holds. Looked at in the lower of two caches.
    pub inclusion: InclusionKind,
    /// Which fills bypass the cache: they are not inserted.
    pub bypass: BypassKind,
    /// How much of a line is fetched.
    pub granularity: GranularityKind,
    /// What is prefetched.
    pub prefetch: PrefetchKind,
}

impl CacheSpec {
    /// Whether one of its policies decides by what a recorded run tells of this cache.
    pub fn foresees(&self) -> bool {
        self.replacement == ReplacementKind::Oracle
            || self.bypass == BypassKind::Oracle
            || self.granularity == GranularityKind::Oracle
    }
}

choices! {
    /// How an address chooses its set.
    IndexKind {
        /// By the bits above the line's.
        Plain = "plain",
        /// As the L1 of Fermi does \[Nugteren14\]: those bits mixed with some higher ones; for 32 or 64 sets of lines of
        /// 128 bytes.
        Fermi = "fermi",
        /// All higher bits folded onto those bits by exclusive-or.
        Xor = "xor",
    }
}
choices! {
    /// When a line is allocated.
    Allocate {
        /// When its miss is sent below: the place is reserved, and a set may be full of reservations.
        OnMiss = "on-miss",
        /// When its data arrives.
        OnFill = "on-fill",
    }
}
choices! {
    /// What a write does that hits.
    WriteHit {
        /// The line is invalidated and the write goes below.
        Evict = "evict",
        /// The line is updated and the write goes below.
        Through = "through",
        /// The line is updated and marked dirty.
        Back = "back",
    }
}
choices! {
    /// What a write does that misses.
    WriteMiss {
        /// It goes below.
        NoAllocate = "no-allocate",
        /// The line is allocated; sectors that the write does not fill whole are fetched.
        Allocate = "allocate",
        /// The line is allocated and nothing is fetched: a sector that writes have not filled whole is dirty but
        /// cannot be read, and is fetched when it is (the lazy fetch on read of GPGPU-Sim's L2). Needs
        /// `write_hit = "back"`.
        AllocateLazily = "allocate-lazily",
    }
}
