//! The description of the shared cache, as machine files have it.

use crate::cache::{
    Allocate, BypassKind, CacheSpec, GranularityKind, InclusionKind, IndexKind, PrefetchKind,
    ReplacementKind, WriteHit, WriteMiss,
};
use crate::choices::choices;
use heddle_engine::units::Bytes;
use serde::{Deserialize, Serialize};

/// The shared cache: slices with tags, queues and an atomic unit each.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct L2Spec {
    /// Slices, each with a port of the crossbar.
    pub slices: u32,
    /// Which slice a line belongs to.
    pub map: SliceMap,
    /// Bytes that lie together in a slice, with `map = "interleaved"`.
    #[serde(default)]
    pub interleave: Bytes,
    /// Requests of a slice that may wait for its tags, besides those in the `latency` stages of its pipeline.
    pub input_queue: u32,
    /// Replies of a slice that may wait for the crossbar.
    pub reply_queue: u32,
    /// Fetches and writes of a slice that may wait for their DRAM channel.
    pub dram_queue: u32,
    /// What a slice asks of DRAM, where an atom is larger than a sector.
    #[serde(default)]
    pub fetch: FetchUnit,
    /// How a slice answers a store.
    #[serde(default)]
    pub acknowledge: Acknowledge,
    /// L2 cycles that a slice's atomic unit takes for each word; it takes one request after another.
    pub atomic_cycles: u32,
    /// Capacity of all slices together.
    pub size: Bytes,
    /// Ways of a set.
    pub ways: u32,
    /// A line.
    pub line: Bytes,
    /// A sector.
    pub sector: Bytes,
    /// How an address chooses its set.
    pub index: IndexKind,
    /// Which line of a full set is the victim.
    pub replacement: ReplacementKind,
    /// When a line gets its place.
    pub allocate: Allocate,
    /// What a write does to a line that is there.
    pub write_hit: WriteHit,
    /// What a write does if the line is not there.
    pub write_miss: WriteMiss,
    /// Outstanding misses (lines) of a slice.
    pub mshrs: u32,
    /// Requests that may wait for one outstanding miss, the first included.
    pub merges: u32,
    /// L2 cycles from a request's arrival to its tags.
    pub latency: u32,
    /// Independently addressed banks of a slice, by line.
    pub banks: u32,
    /// Requests (sectors, if lines have several) that a bank takes per cycle.
    pub ports: u32,
    /// Which level may hold what the other holds.
    pub inclusion: InclusionKind,
    /// Which fills are not kept.
    pub bypass: BypassKind,
    /// How much of a line is fetched.
    pub granularity: GranularityKind,
    /// What is fetched ahead.
    pub prefetch: PrefetchKind,
}

/// Which slice a line belongs to.
///
/// Memory is cut into blocks, and block `b` belongs to slice `b mod slices`; the slice's sets are chosen by `b div slices`,
/// so that all of them are used whatever the number of slices.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum SliceMap {
    /// By its DRAM channel: a block is what lies together in a channel by `dram.address_map`, and `slices` is a
    /// multiple of the channels. Channel `c` has the slices `c`, `c + channels`, `c + 2 channels` …: its
    /// sub-partitions, which take turns in the channel's own blocks. With 6 channels above address bit 8 and 12
    /// slices this is the map of GPGPU-Sim's SM2_GTX480, whose two sub-partitions are told apart by the lowest
    /// bank bit.
    #[serde(rename = "by-channel")]
    ByChannel,
    /// In turn, for blocks of `interleave` bytes. The numbers of slices and of channels have nothing to do with
    /// each other.
    #[serde(rename = "interleaved")]
    Interleaved,
}

impl SliceMap {
    /// The names that machine files use.
    pub const NAMES: &'static [&'static str] = &["by-channel", "interleaved"];
}

choices! {
    /// How a slice answers a store.
    #[derive(Default)]
    Acknowledge {
        /// With one packet for the request.
        #[default]
        Requests = "requests",
        /// With one packet for each sector of the request, which is the smallest aligned power of two of sectors
        /// that holds what is stored.
        Sectors = "sectors",
    }
}

choices! {
    /// What a slice asks of DRAM, where an atom is larger than a sector.
    #[derive(Default)]
    FetchUnit {
        /// An atom serves all missing sectors that lie in it.
        #[default]
        Atoms = "atoms",
        /// Each missing sector costs a burst of its own.
        Sectors = "sectors",
    }
}

impl L2Spec {
    /// The cache of one slice.
    pub fn slice(&self) -> CacheSpec {
        CacheSpec {
            size: Bytes(self.size.0 / u64::from(self.slices.max(1))),
            ways: self.ways,
            line: self.line,
            sector: self.sector,
            index: self.index,
            replacement: self.replacement,
            allocate: self.allocate,
            write_hit: self.write_hit,
            write_miss: self.write_miss,
            mshrs: self.mshrs,
            merges: self.merges,
            miss_queue: self.dram_queue,
            latency: self.latency,
            banks: self.banks,
            ports: self.ports,
            victim_lines: 0,
            inclusion: self.inclusion,
            bypass: self.bypass,
            granularity: self.granularity,
            prefetch: self.prefetch,
        }
    }
}
