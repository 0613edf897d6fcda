//! The parameters of policies, as machine files have them, with their published values.

use serde::{Deserialize, Serialize};

/// The parameters of every policy that has some.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct PolicySpec {
    /// The optimal bypass monitor.
    pub obm: ObmSpec,
    /// The stride prefetcher.
    pub stride: StrideSpec,
}

/// The optimal bypass monitor (\[Lakshminarayana14\] table 13).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ObmSpec {
    /// Entries of the replacement history table.
    pub history_entries: u32,
    /// A pair is entered once in this many times; a power of two.
    pub insert_one_in: u32,
    /// Counters of the bypass decision counter table.
    pub counters: u32,
    /// Bits of a counter.
    pub counter_bits: u32,
}

impl Default for ObmSpec {
    fn default() -> ObmSpec {
        ObmSpec { history_entries: 64, insert_one_in: 8, counters: 32, counter_bits: 5 }
    }
}

/// The stride prefetcher (\[Lakshminarayana14\] table 6).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct StrideSpec {
    /// Entries of the reference prediction table.
    pub entries: u32,
    /// Bits of an address within its region: an entry follows one instruction in one region of 2 to the power of
    /// this many bytes.
    pub region_bits: u32,
    /// How many strides ahead of the last access is fetched.
    pub degree: u32,
}

impl Default for StrideSpec {
    fn default() -> StrideSpec {
        StrideSpec { entries: 1024, region_bits: 16, degree: 1 }
    }
}
