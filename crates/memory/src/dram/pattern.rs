//! Streams of requests with a known shape, for measuring a part.

use super::address_map::{AddressMap, Place};
use super::spec::DramSpec;
use super::trace::{DramTraceRequest, LAST_CYCLE};
use crate::spec_error::SpecError;

/// A shape.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pattern {
    /// Consecutive atoms.
    Sequential,
    /// Any atom, all with the same chance.
    Random,
    /// Consecutive columns of one row of one bank, again and again.
    SameRow,
    /// Consecutive rows of one bank.
    RowConflict,
}

impl Pattern {
    /// All of them, by name.
    pub const ALL: &'static [(&'static str, Pattern)] = &[
        ("sequential", Pattern::Sequential),
        ("random", Pattern::Random),
        ("same-row", Pattern::SameRow),
        ("row-conflict", Pattern::RowConflict),
    ];
}

/// The requests of a pattern, without end.
#[derive(Clone, Debug)]
pub struct PatternRequests {
    pattern: Pattern,
    map: AddressMap,
    atom: u64,
    atoms: u64,
    columns: u32,
    /// Percent of requests that write.
    writes: u32,
    /// Cycles between requests.
    every: u64,
    number: u64,
    state: u64,
}

impl PatternRequests {
    /// A pattern on a part: `writes` percent of its requests are writes, chosen by chance, and one comes every
    /// so many cycles.
    pub fn new(
        spec: &DramSpec,
        pattern: Pattern,
        writes: u32,
        every: u64,
        seed: u64,
    ) -> Result<PatternRequests, SpecError> {
        spec.check()?;
        let map = AddressMap::new(spec)?;
        let columns = (spec.row.0 / spec.atom()) as u32;
        let per_row = u64::from(columns) * u64::from(spec.banks) * u64::from(spec.channels);
        let atoms = u64::from(map.rows()).saturating_mul(per_row);
        let state = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
        Ok(PatternRequests {
            pattern,
            map,
            atom: spec.atom(),
            atoms,
            columns,
            writes,
            every,
            number: 0,
            state,
        })
    }

    /// xorshift64*.
    fn draw(&mut self, bound: u64) -> u64 {
        self.state ^= self.state >> 12;
        self.state ^= self.state << 25;
        self.state ^= self.state >> 27;
        let bits = self.state.wrapping_mul(0x2545_F491_4F6C_DD1D);
        ((u128::from(bits) * u128::from(bound)) >> 64) as u64
    }
}

impl Iterator for PatternRequests {
    type Item = DramTraceRequest;

    fn next(&mut self) -> Option<DramTraceRequest> {
        let number = self.number;
        self.number += 1;
        let address = match self.pattern {
            Pattern::Sequential => number % self.atoms * self.atom,
            Pattern::Random => self.draw(self.atoms) * self.atom,
            Pattern::SameRow => {
                let column = (number % u64::from(self.columns)) as u32;
                self.map.address(&Place { column, ..Place::default() })
            }
            Pattern::RowConflict => {
                let row = (number % u64::from(self.map.rows())) as u32;
                self.map.address(&Place { row, ..Place::default() })
            }
        };
        let write = self.draw(100) < u64::from(self.writes);
        let cycle = number.saturating_mul(self.every).min(LAST_CYCLE);
        Some(DramTraceRequest { address, write, cycle: Some(cycle) })
    }
}
