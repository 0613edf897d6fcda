//! Where an address belongs: its set, its bank, its sectors.
//!
//! The number of sets need not be a power of two; the block number (the address in lines) is taken modulo the
//! sets then, whatever the index kind. Otherwise
//!
//! - a `plain` index is the low bits of the block number;
//! - `fermi`, for 32 or 64 sets of 128-byte lines, is the one found in the L1 of Fermi (\[Nugteren14\]):
//!   address bits 7 to 11 exclusive-or bits 13, 14, 15, 17 and 19, and bit 12 on top if there are 64 sets;
//! - `xor` has all bits of the block number folded onto the index by exclusive-or.
//!
//! A slice of a cache that is interleaved over several sees only every so many lines. Its sets are chosen by the lines
//! of its own ([`Slicing`]), so that all of them are used.

use super::policy::SetNumbers;
use super::slicing::Slicing;
use super::spec::{CacheSpec, IndexKind};
use crate::ids::SliceId;
use crate::request::{LineAddress, Request, Sectors};

#[derive(Clone, Copy, Debug)]
enum Index {
    Modulo,
    Mask,
    Fermi,
    Fold { bits: u32 },
}

/// How addresses are divided.
#[derive(Clone, Copy, Debug)]
pub(super) struct Geometry {
    line_shift: u32,
    index: Index,
    sets: u32,
    pub(super) ways: u32,
    words_per_sector: u32,
    pub(super) all: Sectors,
    banks: u32,
    slicing: Slicing,
    /// Which of the slices this is.
    slice: SliceId,
}

impl Geometry {
    pub(super) fn new(spec: &CacheSpec) -> Geometry {
        let sets = spec.sets();
        let index = match spec.index {
            _ if !sets.is_power_of_two() => Index::Modulo,
            IndexKind::Plain => Index::Mask,
            IndexKind::Fermi => Index::Fermi,
            IndexKind::Xor if sets == 1 => Index::Mask,
            IndexKind::Xor => Index::Fold { bits: sets.ilog2() },
        };
        Geometry {
            line_shift: spec.line.0.ilog2(),
            index,
            sets,
            ways: spec.ways,
            words_per_sector: (spec.sector.0 / 4) as u32,
            all: Sectors::first(spec.sectors_per_line()),
            banks: spec.banks,
            slicing: Slicing::whole(),
            slice: SliceId(0),
        }
    }

    pub(super) fn slice(&mut self, slicing: Slicing, slice: SliceId) {
        (self.slicing, self.slice) = (slicing, slice);
    }

    /// Its sets among those of all slices.
    pub(super) fn set_numbers(&self) -> SetNumbers {
        let (here, slice) = (self.sets, u32::from(self.slice.0));
        SetNumbers { first: slice * here, here, of_all: self.slicing.slices() * here }
    }

    pub(super) fn lines(&self) -> usize {
        self.sets as usize * self.ways as usize
    }

    /// The set.
    #[inline(always)]
    pub(super) fn set_of(&self, line: LineAddress) -> u32 {
        debug_assert_eq!(self.slicing.slice_of(line), self.slice, "{line:?} belongs to another slice");
        let address = self.slicing.within(line);
        let block = address >> self.line_shift;
        match self.index {
            Index::Mask => block as u32 & (self.sets - 1),
            Index::Modulo => (block % u64::from(self.sets)) as u32,
            Index::Fermi => fermi(address) & (self.sets - 1),
            Index::Fold { bits } => fold(block, bits),
        }
    }

    /// The line's place in the order of all places: the first of its set.
    #[inline(always)]
    pub(super) fn first_of(&self, set: u32) -> u32 {
        set * self.ways
    }

    /// The bank: banks share out the sets.
    #[inline(always)]
    pub(super) fn bank_of(&self, line: LineAddress) -> u32 {
        if self.banks == 1 { 0 } else { self.set_of(line) % self.banks }
    }

    /// The sectors that a request touches. One that names no word means the whole line.
    #[inline(always)]
    pub(super) fn touched(&self, request: &Request) -> Sectors {
        if request.words == 0 || self.all.0 == 1 {
            return self.all;
        }
        Sectors(request.sectors(self.words_per_sector).0 & self.all.0)
    }

    /// The sectors all of whose words are among these.
    #[inline(always)]
    pub(super) fn covered(&self, words: u32) -> Sectors {
        let mut covered = 0;
        for sector in 0..self.all.count() {
            let whole = self.words_of(sector);
            covered |= u8::from(words & whole == whole) << sector;
        }
        Sectors(covered)
    }

    /// The words of the sector with this number.
    #[inline(always)]
    fn words_of(&self, sector: u32) -> u32 {
        let whole = u32::MAX >> (32 - self.words_per_sector.clamp(1, 32));
        whole << (sector * self.words_per_sector)
    }

    /// Those of some words that lie outside of some sectors.
    pub(super) fn words_outside(&self, words: u32, sectors: Sectors) -> u32 {
        let inside = (0..self.all.count()).filter(|sector| sectors.0 >> sector & 1 == 1);
        inside.fold(words, |rest, sector| rest & !self.words_of(sector))
    }

    /// The sector of a byte of the line.
    #[inline(always)]
    pub(super) fn sector_of(&self, offset: u64) -> Sectors {
        Sectors((1u32 << (offset / (u64::from(self.words_per_sector) * 4))) as u8)
    }

    pub(super) fn line_shift(&self) -> u32 {
        self.line_shift
    }
}

/// How many sectors there are in a set of sectors, by its bits.
const COUNTS: [u8; 256] = {
    let mut counts = [0; 256];
    let mut bits = 1;
    while bits < 256 {
        counts[bits] = counts[bits / 2] + (bits % 2) as u8;
        bits += 1;
    }
    counts
};

/// How many sectors; looked up, as the plainest processors have no instruction that counts bits.
#[inline(always)]
pub(super) fn count(sectors: Sectors) -> u64 {
    u64::from(COUNTS[usize::from(sectors.0)])
}

/// Bits 7 to 11, mixed with bits 13, 14, 15, 17 and 19, below bit 12.
fn fermi(address: u64) -> u32 {
    let low = (address >> 7) as u32 & 0x3f;
    low ^ ((address >> 13) as u32 & 7) ^ ((address >> 14) as u32 & 8) ^ ((address >> 15) as u32 & 16)
}

fn fold(mut block: u64, bits: u32) -> u32 {
    let mut folded = 0;
    while block != 0 {
        folded ^= block;
        block >>= bits;
    }
    folded as u32 & ((1 << bits) - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_index_of_fermi_mixes_the_bits_that_were_measured() {
        assert_eq!(fermi(0b1_0101 << 7), 0b1_0101);
        for (bit, index) in [(12, 32), (13, 1), (14, 2), (15, 4), (16, 0), (17, 8), (18, 0), (19, 16)] {
            assert_eq!(fermi(1 << bit), index, "bit {bit}");
        }
        assert_eq!(fermi(1 << 7 | 1 << 13), 0);
    }

    #[test]
    fn folding_uses_every_bit_and_spreads_power_of_two_strides() {
        for bits in 1..12 {
            for bit in 0..57 {
                assert_ne!(fold(1 << bit, bits), 0, "bit {bit} of {bits}");
            }
            let mut sets: Vec<u32> = (0..1 << bits).map(|n| fold(n << bits, bits)).collect();
            sets.sort_unstable();
            assert!(sets.into_iter().eq(0..1 << bits));
        }
    }
}
