//! Figures of L2 as its slices use them.

use super::{Acknowledge, L2Spec};
use crate::request::Sectors;
use heddle_engine::Clock;

/// What has to be known of L2 besides its tags.
#[derive(Clone, Copy, Debug)]
pub(super) struct L2Shape {
    words_per_sector: u32,
    pub(super) sectored: bool,
    /// Requests that a slice holds before its tags.
    pub(super) input: u32,
    pub(super) reply_queue: u32,
    pub(super) dram_queue: u32,
    pub(super) ports: usize,
    /// Of the pipeline, in ticks.
    pub(super) latency: u64,
    /// Of one word in the atomic unit, in ticks.
    pub(super) atomic: u64,
    /// Whether each sector of a store is acknowledged.
    acknowledges_sectors: bool,
}

impl L2Shape {
    pub(super) fn new(spec: &L2Spec, clock: Clock) -> L2Shape {
        L2Shape {
            words_per_sector: (spec.sector.0 / 4) as u32,
            sectored: spec.sector != spec.line,
            input: spec.latency + spec.input_queue,
            reply_queue: spec.reply_queue,
            dram_queue: spec.dram_queue,
            ports: spec.ports as usize,
            latency: clock.ticks(spec.latency.into()),
            atomic: clock.ticks(spec.atomic_cycles.into()),
            acknowledges_sectors: spec.acknowledge == Acknowledge::Sectors,
        }
    }

    /// The sectors that some words lie in.
    #[inline(always)]
    pub(super) fn sectors_touched(self, words: u32) -> Sectors {
        Sectors::of_words(words, self.words_per_sector)
    }

    /// Words of the sectors that some words lie in.
    #[inline(always)]
    pub(super) fn words_touched(self, words: u32) -> u32 {
        self.sectors_touched(words).count() * self.words_per_sector
    }

    /// Packets that a store of some words is answered with.
    #[inline(always)]
    pub(super) fn acknowledgements(self, words: u32) -> u16 {
        let sectors = u32::from(self.sectors_touched(words).0);
        if !self.acknowledges_sectors || sectors == 0 {
            return 1;
        }
        // Those from the first that differ from the last by no higher bit lie in one aligned block.
        let (first, last) = (sectors.trailing_zeros(), sectors.ilog2());
        match first ^ last {
            0 => 1,
            differing => 2 << differing.ilog2(),
        }
    }

    /// The sectors that some words cover whole.
    pub(super) fn sectors_covered(self, words: u32) -> Sectors {
        let missing = self.sectors_touched(!words);
        self.sectors_touched(words).without(missing)
    }
}
