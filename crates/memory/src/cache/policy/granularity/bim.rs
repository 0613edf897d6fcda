//! BIM, the bimodal granularity predictor of a locality-aware memory hierarchy (LAMAR): a line is fetched by sectors or
//! whole, as it was used the last time that it was here (\[Lakshminarayana14\] section 4.6.3 and table 14, after
//! \[Rhu13\]).
//!
//! ```text
//! eviction of a line:  fine = at most 2 of its sectors were used
//!                      if the line is not as the default says: insert its address into the Bloom filter
//! miss:                in the filter: the opposite of the default, otherwise the default (it begins coarse)
//!                      fine: the sectors that are asked for; coarse: the whole line
//! 512 insertions:      if they are more than 0.7 of the evictions meanwhile: the default flips, and with it what
//!                      the filter tracks
//! ```
//!
//! A Bloom filter forgets nothing, so that there are two bit arrays, used in turn: insertions go to one, a line is in the
//! filter if it is in either, and after each period the older array is cleared and takes the insertions of the next.
//! So a line is remembered for 512 to 1024 insertions.
//!
//! What the text leaves open:
//! - The **hashes** are three, which gives the fewest false positives for 512 insertions into 2048 bits
//!   (2048 / 512 × ln 2 = 2.8); each is the upper bits of a product of the line's number with an odd constant.
//! - The **ratio** of insertions to evictions is taken at the end of a refresh period and over it.
//! - After a **flip** both arrays are cleared: what they hold means the opposite from then on.
//! - Every miss asks the filter, also one for a sector of a line that is here.
//! - A line teaches when it leaves for whatever reason, unless no miss brought it or nothing has touched it since a
//!   prefetch did.

use super::super::{CoreTables, Departure, Limit, Parameters, Policy, ROWS_MAX, Storage, Wants};
use super::{GranularityPolicy, Lack, needs_sectors};
use crate::cache::spec::CacheSpec;
use crate::request::{LineAddress, Sectors};
use serde::{Deserialize, Serialize};

/// Odd constants of the hashes: the golden ratio, and constants of splitmix64 and MurmurHash3 for the others.
const HASHES: [u64; 4] =
    [0x9e37_79b9_7f4a_7c15, 0xbf58_476d_1ce4_e5b9, 0x94d0_49bb_1331_11eb, 0xff51_afd7_ed55_8ccd];

/// The bimodal granularity predictor (\[Lakshminarayana14\] table 14).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct BimSpec {
    /// Bits of each of the two bit arrays; a power of two.
    pub array_bits: u32,
    /// Insertions after which the arrays take turns.
    pub refresh_period: u32,
    /// The default flips if insertions are above this many percent of evictions.
    pub skew_percent: u32,
    /// A line is fine-grained if at most this many of its sectors were used.
    pub fine_sectors: u32,
    /// Hash functions. Chosen: those with the fewest false positives for the other figures.
    pub hashes: u32,
}

impl Default for BimSpec {
    fn default() -> BimSpec {
        BimSpec { array_bits: 2048, refresh_period: 512, skew_percent: 70, fine_sectors: 2, hashes: 3 }
    }
}

impl Parameters for BimSpec {
    fn limits(&self) -> Vec<Limit> {
        vec![
            ("array_bits", self.array_bits, 64, 1 << 20),
            ("refresh_period", self.refresh_period, 1, 1 << 24),
            ("skew_percent", self.skew_percent, 1, 100),
            ("fine_sectors", self.fine_sectors, 1, 7),
            ("hashes", self.hashes, 1, HASHES.len() as u32),
        ]
    }

    fn powers_of_two(&self) -> Vec<(&'static str, u32)> {
        vec![("array_bits", self.array_bits)]
    }

    fn rows(&self) -> Vec<(&'static str, u32)> {
        vec![("array_bits", self.array_bits.min(ROWS_MAX))]
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Bim {
    spec: BimSpec,
    arrays: [Vec<u64>; 2],
    /// The array that takes insertions.
    current: usize,
    /// What a line is fetched as if the filter does not know it.
    default_is_coarse: bool,
    /// Of this period.
    insertions: u32,
    evictions: u32,
}

impl Bim {
    /// Word and bit of each hash of a line.
    fn places(&self, line: LineAddress) -> impl Iterator<Item = (usize, u64)> + use<> {
        let shift = 64 - self.spec.array_bits.ilog2();
        // Lines are aligned to 32 bytes at least.
        let number = line.0 >> 5;
        HASHES.into_iter().take(self.spec.hashes as usize).map(move |odd| {
            let bit = number.wrapping_mul(odd) >> shift;
            ((bit / 64) as usize, 1 << (bit % 64))
        })
    }

    /// Whether the filter says that a line was inserted.
    fn contains(&self, line: LineAddress) -> bool {
        self.arrays.iter().any(|array| self.places(line).all(|(word, bit)| array[word] & bit != 0))
    }

    fn insert(&mut self, line: LineAddress) {
        for (word, bit) in self.places(line) {
            self.arrays[self.current][word] |= bit;
        }
        self.insertions += 1;
        if self.insertions == self.spec.refresh_period {
            self.refresh();
        }
    }

    /// The end of a period.
    fn refresh(&mut self) {
        let skewed =
            u64::from(self.insertions) * 100 > u64::from(self.evictions) * u64::from(self.spec.skew_percent);
        self.current ^= 1;
        self.arrays[self.current].fill(0);
        if skewed {
            self.default_is_coarse = !self.default_is_coarse;
            self.arrays[self.current ^ 1].fill(0);
        }
        (self.insertions, self.evictions) = (0, 0);
    }
}

impl Policy for Bim {
    type Spec = BimSpec;

    const WANTS: Wants = Wants { departures: true, ..Wants::NOTHING };

    fn new(spec: &BimSpec, _: u32) -> Bim {
        let words = spec.array_bits as usize / 64;
        Bim {
            spec: spec.clone(),
            arrays: [vec![0; words], vec![0; words]],
            current: 0,
            default_is_coarse: true,
            insertions: 0,
            evictions: 0,
        }
    }

    fn check_cache(cache: &CacheSpec) -> Result<(), (&'static str, String)> {
        needs_sectors(cache)
    }

    fn departed(&mut self, departure: &Departure, _: &mut CoreTables) {
        if departure.first_missed.is_empty() || departure.prefetched {
            return;
        }
        self.evictions = self.evictions.saturating_add(1);
        let was_coarse = departure.used.count() > self.spec.fine_sectors;
        if was_coarse != self.default_is_coarse {
            self.insert(departure.line);
        }
    }

    /// Both arrays, the default, a counter of insertions and one of evictions, which saturates where their ratio is below
    /// the threshold, and for each line the sectors that were used.
    fn bits(&self, storage: &Storage) -> u64 {
        let insertions = u64::from(self.spec.refresh_period.next_power_of_two().ilog2());
        let evictions = u64::from(self.spec.refresh_period) * 100 / u64::from(self.spec.skew_percent) + 1;
        let counters = 1 + insertions + u64::from(evictions.next_power_of_two().ilog2());
        2 * u64::from(self.spec.array_bits) + counters + storage.lines * u64::from(storage.sectors_per_line)
    }
}

impl GranularityPolicy for Bim {
    fn fetch(&mut self, lack: &Lack, _: &mut CoreTables) -> Sectors {
        let coarse = self.contains(lack.line) != self.default_is_coarse;
        if coarse { lack.all } else { lack.missing }
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::context::departure_of;
    use super::super::lack_of;
    use super::*;

    fn bim(refresh_period: u32) -> Bim {
        Bim::new(&BimSpec { refresh_period, ..BimSpec::default() }, 0)
    }

    fn leave(bim: &mut Bim, number: u64, used: u8) {
        bim.departed(&Departure { used: Sectors(used), ..departure_of(number) }, &mut CoreTables::default());
    }

    fn fetch(bim: &mut Bim, number: u64) -> u8 {
        let line = LineAddress(number * 128);
        bim.fetch(&Lack { line, ..lack_of(0b0010) }, &mut CoreTables::default()).0
    }

    #[test]
    fn it_begins_coarse_and_lines_of_which_at_most_two_sectors_were_used_are_fetched_by_sectors() {
        let mut bim = bim(512);
        assert_eq!(fetch(&mut bim, 1), 0b1111);
        leave(&mut bim, 1, 0b0010);
        leave(&mut bim, 2, 0b1010);
        leave(&mut bim, 3, 0b1011);
        assert_eq!([1, 2, 3, 4].map(|number| fetch(&mut bim, number)), [0b0010, 0b0010, 0b1111, 0b1111]);
        assert_eq!((bim.insertions, bim.evictions), (2, 3));
    }

    #[test]
    fn the_arrays_take_turns_and_a_line_is_forgotten_after_two_periods() {
        let mut bim = bim(4);
        // Half of the evictions are insertions, which is no skew.
        let period = |bim: &mut Bim, first: u64| {
            for number in first..first + 4 {
                leave(bim, 1000 + number, 0b1111);
                leave(bim, number, 0b0001);
            }
        };
        period(&mut bim, 0);
        assert_eq!((bim.current, bim.default_is_coarse), (1, true));
        assert_eq!(fetch(&mut bim, 0), 0b0010, "the other array still knows it");
        period(&mut bim, 10);
        assert_eq!(fetch(&mut bim, 10), 0b0010);
        assert_eq!(fetch(&mut bim, 0), 0b1111, "its array has been cleared");
        assert_eq!(bim.current, 0);
    }

    #[test]
    fn the_default_and_what_the_filter_tracks_flip_above_the_threshold() {
        let mut bim = bim(7);
        // Seven insertions of ten evictions are 0.7, which is not above it.
        for number in 0..3 {
            leave(&mut bim, 100 + number, 0b1111);
        }
        for number in 0..7 {
            leave(&mut bim, number, 0b0001);
        }
        assert!(bim.default_is_coarse);
        // Seven of nine are.
        for number in 0..2 {
            leave(&mut bim, 100 + number, 0b1111);
        }
        for number in 0..7 {
            leave(&mut bim, number, 0b0001);
        }
        assert!(!bim.default_is_coarse);
        assert_eq!((fetch(&mut bim, 0), fetch(&mut bim, 99)), (0b0010, 0b0010), "all are fine now");
        leave(&mut bim, 5, 0b0001);
        assert_eq!((bim.insertions, bim.evictions), (0, 1), "fine lines are not tracked");
        leave(&mut bim, 6, 0b0111);
        assert_eq!((fetch(&mut bim, 6), fetch(&mut bim, 5)), (0b1111, 0b0010));
        // And back: coarse lines are most of the evictions.
        for number in 0..6 {
            leave(&mut bim, number, 0b1111);
        }
        assert!(bim.default_is_coarse && fetch(&mut bim, 6) == 0b1111, "both arrays are empty");
        assert!(bim.arrays.iter().flatten().all(|&word| word == 0));
    }

    #[test]
    fn a_filter_of_512_lines_has_few_false_positives() {
        let mut bim = bim(513);
        (0..512).for_each(|number| bim.insert(LineAddress(number * 128 * 7)));
        assert!((0..512).all(|number| bim.contains(LineAddress(number * 128 * 7))));
        let wrong = (0..10_000).filter(|number| bim.contains(LineAddress((1 << 20) + number * 128 * 5)));
        // (1 - e^(-3 × 512 / 2048))^3 is 0.147.
        let wrong = wrong.count();
        assert!((1_000..2_000).contains(&wrong), "{wrong} of 10000");
    }

    #[test]
    fn lines_that_no_miss_brought_or_nothing_touched_teach_nothing() {
        let mut bim = bim(512);
        let brought = Departure { first_missed: Sectors::NONE, ..departure_of(1) };
        let untouched = Departure { prefetched: true, used: Sectors::NONE, ..departure_of(1) };
        bim.departed(&brought, &mut CoreTables::default());
        bim.departed(&untouched, &mut CoreTables::default());
        assert_eq!((bim.evictions, fetch(&mut bim, 1)), (0, 0b1111));
    }

    #[test]
    fn the_cost_is_that_of_the_filter_and_of_the_tags() {
        let storage = Storage { lines: 384, line_bytes: 128, sectors_per_line: 4, cores: 16 };
        // 512 of 732 evictions are above 0.7, so that ten bits are enough to tell.
        assert_eq!(bim(512).bits(&storage), 2 * 2048 + 1 + 9 + 10 + 384 * 4);
    }
}
