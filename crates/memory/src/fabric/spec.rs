//! The description of a memory system, as machine files have it.
//!
//! Levels of caches are a list. A level names what is `below` it, another level or [`MEMORY`], and the `link` that leads
//! there: a network, or [`DIRECT`]. Levels that `serves` names paths for belong to a core each; others are shared by
//! `shared_by` cores an instance, and every instance has `slices`.

use super::agent::AgentSpec;
use crate::cache::{
    Allocate, BypassKind, CacheSpec, GranularityKind, InclusionKind, IndexKind, PolicySpec, PrefetchKind,
    ReplacementKind, WriteHit, WriteMiss,
};
use crate::choices::choices;
use crate::crossbar::CrossbarSpec;
use crate::dram::DramSpec;
use crate::request::Path;
use heddle_engine::units::Bytes;
use serde::{Deserialize, Serialize};

/// What is below the last level.
pub const MEMORY: &str = "dram";
/// A link without a network.
pub const DIRECT: &str = "direct";

/// A memory system.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FabricSpec {
    /// Levels of caches, from the cores down.
    pub caches: Vec<LevelSpec>,
    /// Networks.
    pub networks: Vec<NetworkSpec>,
    /// Units beside the caches that cores give commands to.
    pub agents: Vec<AgentSpec>,
    /// Parameters of the policies that the caches name.
    pub policies: PolicySpec,
    /// Memory.
    pub dram: DramSpec,
}

/// A network, by its name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NetworkSpec {
    /// Its name.
    pub name: String,
    /// What it is.
    pub crossbar: CrossbarSpec,
}

/// A level of caches.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LevelSpec {
    /// Its name: that of its table.
    #[serde(skip)]
    pub name: String,
    /// The level below, or `"dram"`.
    pub below: String,
    /// The network that leads there, or `"direct"`.
    #[serde(default = "direct", skip_serializing_if = "is_direct")]
    pub link: String,
    /// Cycles of a direct link.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub link_latency: u32,
    /// The paths of a core that go through it first; a level that serves any belongs to a core.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub serves: Vec<Path>,
    /// The clock that it runs at, by its name in `[clocks]`; without one, see `clocks`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock: Option<String>,
    /// Cores that share one instance; 0 for all.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub shared_by: u32,
    /// Slices of an instance, each a node with an endpoint of its own.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub slices: u32,
    /// Which slice a line belongs to.
    #[serde(default, skip_serializing_if = "is_default")]
    pub map: SliceMap,
    /// Bytes that lie together in a slice, with `map = "interleaved"`.
    #[serde(default, skip_serializing_if = "is_default")]
    pub interleave: Bytes,
    /// Requests of a slice that may wait for its tags, besides those in the `latency` stages of its pipeline.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub input_queue: u32,
    /// Replies of a slice that may wait for each link above.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub reply_queue: u32,
    /// Fetches and writes of a slice that may wait for their DRAM channel, where memory is below.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub dram_queue: u32,
    /// What a slice asks of DRAM, where an atom is larger than a sector.
    #[serde(default, skip_serializing_if = "is_default")]
    pub fetch: FetchUnit,
    /// How a slice answers a store.
    #[serde(default, skip_serializing_if = "is_default")]
    pub acknowledge: Acknowledge,
    /// Cycles that a slice's atomic unit takes for each word; it takes one request after another.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub atomic_cycles: u32,
    /// Whether a shared level tells hits to private and to shared data apart.
    #[serde(default, skip_serializing_if = "is_default")]
    pub count_sharing: bool,
    /// Capacity of one instance, all its slices together.
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
    /// Outstanding misses (lines) of a slice.
    pub mshrs: u32,
    /// Requests that may wait for one outstanding miss, the first included.
    pub merges: u32,
    /// Misses and writes that may wait for the link below, where a cache is below.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub miss_queue: u32,
    /// Cycles from a request to its data for a hit; of a shared level, from a request's arrival to its tags.
    pub latency: u32,
    /// Independently addressed banks of a slice, by line.
    pub banks: u32,
    /// Requests (of a shared level: sectors, if lines have several) that a bank takes per cycle.
    pub ports: u32,
    /// Lines of the victim cache beside it; 0 for none.
    #[serde(default, skip_serializing_if = "is_zero")]
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

fn direct() -> String {
    DIRECT.to_owned()
}

fn is_direct(link: &str) -> bool {
    link == DIRECT
}

fn one() -> u32 {
    1
}

fn is_one(number: &u32) -> bool {
    *number == 1
}

fn is_zero(number: &u32) -> bool {
    *number == 0
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

choices! {
    /// Which slice a line belongs to.
    ///
    /// Memory is cut into blocks, and block `b` belongs to slice `b mod slices`; the slice counts its own blocks to
    /// choose sets, so that all of them are used whatever the number of slices.
    #[derive(Default)]
    SliceMap {
        /// By its DRAM channel: a block is what lies together in a channel by `dram.address_map`, and `slices` is a
        /// multiple of the channels. Channel `c` has the slices `c`, `c + channels`, `c + 2 channels` …: its
        /// sub-partitions, which take turns in the channel's own blocks. With 6 channels above address bit 8 and 12
        /// slices this is the map of GPGPU-Sim's SM2_GTX480, whose two sub-partitions are told apart by the lowest
        /// bank bit.
        ByChannel = "by-channel",
        /// In turn, for blocks of `interleave` bytes. The numbers of slices and of channels have nothing to do with
        /// each other.
        #[default]
        Interleaved = "interleaved",
    }
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

impl LevelSpec {
    /// Whether each core has one of its own.
    pub fn is_private(&self) -> bool {
        !self.serves.is_empty()
    }

    /// Whether memory is below.
    pub fn is_last(&self) -> bool {
        self.below == MEMORY
    }

    /// Cores of an instance, of so many.
    pub fn cores_each(&self, cores: u32) -> u32 {
        match (self.is_private(), self.shared_by) {
            (true, _) => 1,
            (false, 0) => cores,
            (false, some) => some.min(cores),
        }
    }

    /// Instances, for so many cores.
    pub fn instances(&self, cores: u32) -> u32 {
        cores.div_ceil(self.cores_each(cores).max(1))
    }

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
            miss_queue: if self.is_last() && !self.is_private() { self.dram_queue } else { self.miss_queue },
            latency: self.latency,
            banks: self.banks,
            ports: self.ports,
            victim_lines: self.victim_lines,
            inclusion: self.inclusion,
            bypass: self.bypass,
            granularity: self.granularity,
            prefetch: self.prefetch,
        }
    }
}

/// Every key that the table of a level may have.
pub fn level_keys() -> Vec<String> {
    keys_of::<LevelSpec>().iter().map(|&key| key.to_owned()).collect()
}

/// Every key that a table has a place for, in the order of its description.
pub fn keys_of<'de, T: Deserialize<'de>>() -> &'static [&'static str] {
    let mut keys = KeyNames(&[]);
    let made = T::deserialize(&mut keys);
    debug_assert!(made.is_err(), "it tells which keys it has a place for, and is not made");
    keys.0
}

/// A source of values that has none, and notes the keys that it is asked for.
struct KeyNames(&'static [&'static str]);

impl<'de> serde::Deserializer<'de> for &mut KeyNames {
    type Error = serde::de::value::Error;

    fn deserialize_struct<V: serde::de::Visitor<'de>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        _: V,
    ) -> Result<V::Value, Self::Error> {
        self.0 = fields;
        Err(serde::de::Error::custom("asked for its keys alone"))
    }

    fn deserialize_any<V: serde::de::Visitor<'de>>(self, _: V) -> Result<V::Value, Self::Error> {
        Err(serde::de::Error::custom("asked for its keys alone"))
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit
        unit_struct newtype_struct seq tuple tuple_struct map enum identifier ignored_any
    }
}

impl FabricSpec {
    /// A level by its name.
    pub fn cache(&self, name: &str) -> Option<&LevelSpec> {
        self.caches.iter().find(|level| level.name == name)
    }

    /// A level by its name, to be changed.
    pub fn cache_mut(&mut self, name: &str) -> Option<&mut LevelSpec> {
        self.caches.iter_mut().find(|level| level.name == name)
    }

    /// The level of a core's caches that a path goes through first, if the cores have such a path.
    pub fn serving_level(&self, path: Path) -> Option<&LevelSpec> {
        self.caches.iter().find(|level| level.serves.contains(&path))
    }

    /// The same for a path that is known to be there: [`Path::Global`] of any checked description, and every path of a
    /// GPU's.
    pub fn serving(&self, path: Path) -> &LevelSpec {
        self.serving_level(path).expect("the path has a cache")
    }

    /// The last level that the data path of a core goes through, above memory.
    pub fn last_level(&self) -> &LevelSpec {
        let mut level = self.serving(Path::Global);
        while let Some(below) = self.cache(&level.below) {
            level = below;
        }
        level
    }
}
