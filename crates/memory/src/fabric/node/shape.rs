//! Figures of a level as its nodes use them.

use crate::fabric::spec::{Acknowledge, LevelSpec};
use crate::request::Sectors;
use heddle_engine::Clock;

/// What has to be known of a node besides its tags.
#[derive(Clone, Copy, Debug)]
pub(in crate::fabric) struct Shape {
    pub(in crate::fabric) clock: Clock,
    pub(in crate::fabric) words_per_sector: u32,
    pub(in crate::fabric) sectored: bool,
    /// Core cycles of a hit in a core's own cache.
    pub(in crate::fabric) hit: u32,
    /// Of the pipeline of a shared one, in ticks.
    pub(in crate::fabric) latency: u64,
    /// Requests that a shared one holds before its tags.
    pub(in crate::fabric) input: u32,
    pub(in crate::fabric) ports: usize,
    /// Of one word in the atomic unit, in ticks.
    pub(in crate::fabric) atomic: u64,
    /// Whether each sector of a store is acknowledged.
    acknowledges_sectors: bool,
    /// Flits of a fetch that goes to memory.
    pub(in crate::fabric) fetch_flits: u64,
}

impl Shape {
    pub(in crate::fabric) fn new(spec: &LevelSpec, clock: Clock, fetch_flits: u64) -> Shape {
        Shape {
            clock,
            words_per_sector: (spec.sector.0 / 4) as u32,
            sectored: spec.sector != spec.line,
            hit: spec.latency,
            latency: clock.ticks(spec.latency.into()),
            input: spec.latency + spec.input_queue,
            ports: spec.ports as usize,
            atomic: clock.ticks(spec.atomic_cycles.into()),
            acknowledges_sectors: spec.acknowledge == Acknowledge::Sectors,
            fetch_flits,
        }
    }

    /// The sectors that some words lie in.
    #[inline(always)]
    pub(in crate::fabric) fn sectors_touched(self, words: u32) -> Sectors {
        sectors_touched(words, self.words_per_sector)
    }

    /// Packets that a store of some words is answered with.
    #[inline(always)]
    pub(in crate::fabric) fn acknowledgements(self, words: u32) -> u16 {
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
    pub(in crate::fabric) fn sectors_covered(self, words: u32) -> Sectors {
        self.sectors_touched(words).without(self.sectors_touched(!words))
    }
}

/// The sectors that some words lie in.
#[inline(always)]
pub(in crate::fabric) fn sectors_touched(words: u32, words_per_sector: u32) -> Sectors {
    Sectors::of_words(words, words_per_sector)
}

/// The words of some sectors.
#[inline(always)]
pub(in crate::fabric) fn words_of(sectors: Sectors, words_per_sector: u32) -> u32 {
    let whole = u32::MAX >> (32 - words_per_sector);
    let (mut rest, mut words) = (u32::from(sectors.0), 0);
    while rest != 0 {
        words |= whole << (rest.trailing_zeros() * words_per_sector);
        rest &= rest - 1;
    }
    words
}
