//! The worked example of CONTRIBUTING.md, "How to add a cache policy": all that the file of a policy has to say. Blocks of
//! instructions whose lines are used in one sector at most bypass the cache.

use super::super::{Block, CoreTables, Departure, Limit, Parameters, Policy, ROWS_MAX, Storage, Wants};
use super::BypassPolicy;
use crate::ids::Pc;
use serde::{Deserialize, Serialize};

/// The keys of `[policies.one-use]`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct OneUseSpec {
    /// Counters, by instruction; a power of two.
    pub counters: u32,
}

impl Default for OneUseSpec {
    fn default() -> OneUseSpec {
        OneUseSpec { counters: 16 }
    }
}

impl Parameters for OneUseSpec {
    fn limits(&self) -> Vec<Limit> {
        vec![("counters", self.counters, 1, ROWS_MAX)]
    }

    fn powers_of_two(&self) -> Vec<(&'static str, u32)> {
        vec![("counters", self.counters)]
    }

    fn rows(&self) -> Vec<(&'static str, u32)> {
        vec![("counters", self.counters)]
    }
}

/// Bypasses what an instruction fetches if its last four lines left with at most one sector used.
#[derive(Clone, Debug)]
pub(crate) struct OneUse {
    wasted: Vec<u8>,
}

impl OneUse {
    fn counter_of(&self, pc: Pc) -> usize {
        pc.index() & (self.wasted.len() - 1)
    }
}

impl Policy for OneUse {
    type Spec = OneUseSpec;

    const WANTS: Wants = Wants { departures: true, ..Wants::NOTHING };

    fn new(spec: &OneUseSpec, _seed: u32) -> OneUse {
        OneUse { wasted: vec![0; spec.counters as usize] }
    }

    fn departed(&mut self, departure: &Departure, _: &mut CoreTables) {
        let counter = self.counter_of(departure.pc);
        self.wasted[counter] = match departure.used.count() > 1 {
            true => 0,
            false => (self.wasted[counter] + 1).min(4),
        };
    }

    fn bits(&self, storage: &Storage) -> u64 {
        let index = u64::from(self.wasted.len().ilog2());
        self.wasted.len() as u64 * 3 + storage.lines * (index + u64::from(storage.sectors_per_line))
    }
}

impl BypassPolicy for OneUse {
    fn passes(&mut self, incoming: &Block, _victim: &Block, _: &mut CoreTables) -> bool {
        self.wasted[self.counter_of(incoming.pc)] == 4
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::context::{block, departure_of};
    use super::*;
    use crate::request::Sectors;

    #[test]
    fn four_lines_of_one_used_sector_make_an_instruction_pass() {
        let mut policy = OneUse::new(&OneUseSpec::default(), 0);
        let tables = &mut CoreTables::default();
        let left = |used| Departure { pc: Pc(3), used: Sectors(used), ..departure_of(0) };
        for _ in 0..4 {
            assert!(!policy.passes(&block(1, 3), &block(2, 4), tables));
            policy.departed(&left(0b0100), tables);
        }
        assert!(policy.passes(&block(1, 3), &block(2, 4), tables));
        assert!(!policy.passes(&block(1, 4), &block(2, 3), tables));
        policy.departed(&left(0b0110), tables);
        assert!(!policy.passes(&block(1, 3), &block(2, 4), tables));
        let storage = Storage { lines: 384, line_bytes: 128, sectors_per_line: 4, cores: 16 };
        assert_eq!(policy.bits(&storage), 16 * 3 + 384 * (4 + 4));
    }
}
