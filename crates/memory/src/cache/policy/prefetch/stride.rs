//! A reference prediction table: follows the addresses of each load and fetches the next ones once their
//! distance is constant (\[Lakshminarayana14\] table 6: 1024 entries, 16 region bits; the states are those of
//! Chen and Baer, \[Chen95\]).
//!
//! An entry follows one instruction of one warp of one core in one region of 2^`region_bits` bytes, as threads of
//! other warps walk their own addresses; the text says no more than the number of bits. The table is direct
//! mapped, and a load that finds the entry of another one replaces it. Distances are taken between the first bytes that
//! successive requests touch, within the region. Only an entry in the steady state fetches: the next `degree` addresses,
//! which may lie beyond the region.

use super::super::parameters::{Limit, Parameters, ROWS_MAX};
use super::super::{ADDRESS_BITS, CoreTables, Policy, Storage, Visit};
use super::{PrefetchPolicy, Wish};
use crate::ids::{CoreId, Pc, WarpId};
use serde::{Deserialize, Serialize};

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

impl Parameters for StrideSpec {
    fn limits(&self) -> Vec<Limit> {
        vec![
            ("entries", self.entries, 1, ROWS_MAX),
            ("region_bits", self.region_bits, 7, 48),
            ("degree", self.degree, 1, 64),
        ]
    }

    fn powers_of_two(&self) -> Vec<(&'static str, u32)> {
        vec![("entries", self.entries)]
    }

    fn rows(&self) -> Vec<(&'static str, u32)> {
        vec![("entries", self.entries)]
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum State {
    #[default]
    Initial,
    Transient,
    Steady,
    NoPrediction,
}

impl State {
    /// The state after the distance was as expected or not.
    fn after(self, as_expected: bool) -> State {
        match (self, as_expected) {
            (State::Initial | State::Transient | State::Steady, true) => State::Steady,
            (State::NoPrediction, true) => State::Transient,
            (State::Initial, false) => State::Transient,
            (State::Transient | State::NoPrediction, false) => State::NoPrediction,
            (State::Steady, false) => State::Initial,
        }
    }
}

#[derive(Clone, Copy, Debug, Default)]
struct StrideEntry {
    taken: bool,
    state: State,
    warp: WarpId,
    core: CoreId,
    pc: Pc,
    region: u64,
    offset: u64,
    stride: i64,
}

#[derive(Clone, Debug)]
pub(crate) struct Stride {
    entries: Vec<StrideEntry>,
    region_bits: u32,
    degree: u32,
}

impl Stride {
    fn index(&self, read: &Visit, region: u64) -> usize {
        let key =
            u64::from(read.pc.0) ^ u64::from(read.warp.0) << 20 ^ u64::from(read.core.0) << 36 ^ region << 28;
        // The high bits of a product depend on all bits below.
        let mixed = key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
        mixed as usize & (self.entries.len() - 1)
    }
}

impl Policy for Stride {
    type Spec = StrideSpec;

    fn new(spec: &StrideSpec, _: u32) -> Stride {
        Stride {
            entries: vec![StrideEntry::default(); spec.entries as usize],
            region_bits: spec.region_bits,
            degree: spec.degree,
        }
    }

    /// Of an entry: the instruction, warp and region (the high bits of an address) that the index does not tell, the last
    /// address in the region, the signed distance, the state and whether it is taken; a mark for each line.
    fn bits(&self, storage: &Storage) -> u64 {
        let (pc, warp, region) = (32, 16, u64::from(self.region_bits));
        let tag = pc + warp + ADDRESS_BITS.saturating_sub(region) - u64::from(self.entries.len().ilog2());
        let entry = tag + region + (region + 1) + 2 + 1;
        self.entries.len() as u64 * entry + storage.lines
    }
}

impl PrefetchPolicy for Stride {
    fn observe(&mut self, read: &Visit, _: &mut CoreTables, mut wish: impl FnMut(Wish)) {
        let region = read.address.0 >> self.region_bits;
        let offset = read.address.0 & ((1 << self.region_bits) - 1);
        let index = self.index(read, region);
        let entry = &mut self.entries[index];
        let same = entry.taken
            && (entry.pc, entry.warp, entry.core, entry.region) == (read.pc, read.warp, read.core, region);
        if !same {
            let (pc, warp, core) = (read.pc, read.warp, read.core);
            *entry = StrideEntry { taken: true, pc, warp, core, region, offset, ..StrideEntry::default() };
            return;
        }
        let stride = offset as i64 - entry.offset as i64;
        let as_expected = stride == entry.stride;
        if !as_expected && entry.state != State::Steady {
            entry.stride = stride;
        }
        entry.state = entry.state.after(as_expected);
        entry.offset = offset;
        if entry.state == State::Steady && stride != 0 {
            for ahead in 1..=i64::from(self.degree) {
                wish(Wish::at(read.address.0.wrapping_add_signed(stride.wrapping_mul(ahead))));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::context::read_at;
    use super::*;
    use heddle_engine::Random;

    fn wishes(stride: &mut Stride, address: u64, warp: u16) -> Vec<u64> {
        let warp = WarpId(warp);
        let mut wished = Vec::new();
        let read = Visit { warp, ..read_at(address) };
        stride.observe(&read, &mut CoreTables::default(), |wish| wished.push(wish.address.0));
        wished
    }

    #[test]
    fn a_constant_stride_is_learned_from_the_third_access_on_in_either_direction() {
        let mut table = Stride::new(&StrideSpec { degree: 2, ..StrideSpec::default() }, 0);
        assert!(wishes(&mut table, 1000, 0).is_empty());
        assert!(wishes(&mut table, 1256, 0).is_empty());
        assert_eq!(wishes(&mut table, 1512, 0), [1768, 2024]);
        assert!(wishes(&mut table, 5000, 1).is_empty(), "another warp");
        assert!(wishes(&mut table, 4900, 1).is_empty());
        assert_eq!(wishes(&mut table, 4800, 1), [4700, 4600]);
    }

    #[test]
    fn one_odd_address_does_not_unlearn_a_stride() {
        let mut table = Stride::new(&StrideSpec::default(), 0);
        for step in 0..4 {
            wishes(&mut table, step * 256, 0);
        }
        assert!(wishes(&mut table, 9000, 0).is_empty());
        assert!(wishes(&mut table, 9256, 0).len() == 1, "the stride is as before");
    }

    #[test]
    fn equal_addresses_and_random_ones_fetch_nothing() {
        let mut table = Stride::new(&StrideSpec::default(), 0);
        assert!((0..100).all(|_| wishes(&mut table, 4096, 0).is_empty()));
        let mut random = Random::new(3);
        let mut address = || (0..16).fold(0, |bits, _| bits << 1 | u64::from(random.one_in_power_of_two(1)));
        let wished: usize = (0..1000).map(|_| wishes(&mut table, address(), 1).len()).sum();
        assert!(wished < 5, "{wished}");
    }

    #[test]
    fn the_cost_is_that_of_the_entries() {
        let storage = Storage { lines: 384, line_bytes: 128, sectors_per_line: 1, cores: 16 };
        let of =
            |region_bits| Stride::new(&StrideSpec { region_bits, ..StrideSpec::default() }, 0).bits(&storage);
        // Instruction, warp and the 24 high bits of an address without ten of the index, 16 low ones, a distance.
        assert_eq!(of(16), 1024 * (32 + 16 + 24 - 10 + 16 + 17 + 3) + 384);
        // A region may be more than all memory.
        assert_eq!(of(48), 1024 * (32 + 16 - 10 + 48 + 49 + 3) + 384);
    }
}
