//! Where a request's line is, and what policies see of the request.

use super::core::Cache;
use super::policy::{Met, Visit};
use crate::request::{ByteAddress, LineAddress, Request, Sectors};

/// Where a request's line is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lookup {
    pub(super) line: LineAddress,
    /// The first place of its set.
    pub(super) first: u32,
    /// Its place among the sets.
    pub(super) found: Option<u32>,
    /// Its valid sectors, those in the victim cache included.
    pub(super) here: Sectors,
    /// Those and the ones that were written in part.
    pub(super) held: Sectors,
    /// The sectors that the request touches.
    pub(super) touched: Sectors,
    /// A prefetch brought it, and nothing has touched it.
    pub(super) prefetched: bool,
    /// What policies note about it.
    pub(super) line_bits: u16,
}

impl Cache {
    #[inline(always)]
    pub(super) fn look_up(&self, line: LineAddress, touched: Sectors) -> Lookup {
        let first = self.geometry.first_of(self.geometry.set_of(line));
        self.look_further(line, first, self.tags.find(first, line), touched)
    }

    #[inline(always)]
    pub(super) fn look_further(
        &self,
        line: LineAddress,
        first: u32,
        found: Option<u32>,
        touched: Sectors,
    ) -> Lookup {
        let known = match found {
            Some(place) => self.tags[place],
            None => self.victims.get(line),
        };
        Lookup {
            line,
            first,
            found,
            here: Sectors(known.valid),
            held: known.held(),
            touched,
            prefetched: known.prefetched,
            line_bits: known.policy_bits,
        }
    }

    /// A request as policies see it.
    #[inline(always)]
    pub(super) fn visit(&self, request: &Request, lookup: Lookup, met: Met) -> Visit {
        let offset = u64::from(request.words.trailing_zeros() % 32) * 4;
        Visit {
            line: lookup.line,
            address: ByteAddress(lookup.line.0 + offset),
            line_bytes: 1 << self.geometry.line_shift(),
            touched: lookup.touched,
            set: lookup.first / self.geometry.ways,
            way: lookup.found.map(|place| place - lookup.first),
            pc: request.pc,
            region: request.region,
            core: request.core,
            warp: request.warp,
            access: request.access,
            met,
            first_use: lookup.prefetched,
            policy_bits: request.policy_bits,
            line_bits: lookup.line_bits,
        }
    }
}
