//! Adaptive bypass: each set learns by itself how many of its fills should bypass it (\[Lakshminarayana14\] sections 4.5.2,
//! 4.5.8 and table 13; after Gao and Wilkerson, \[Gao10\]).
//!
//! A fill bypasses with the probability of its set. Which was right is seen from one pair at a time, that of an incoming
//! block (IB) and its victim (VB), of which one is in the cache and the tag of the other is remembered:
//!
//! ```text
//! OnBypass(IB, VB):               watch the pair: VB is here, IB's tag is remembered
//! OnInsertion(IB, VB):            once in 16 times (virtual bypass) watch it: IB is here, VB's tag is remembered
//! VB is accessed before IB:       bypassing is effective:    the set's probability is doubled
//! IB is accessed before VB:       bypassing is ineffective:  it is halved
//! the one that is here is evicted before: undetermined:      it stays
//! ```
//!
//! What the text leaves open:
//!
//! - By how much the probability changes: chosen as a factor of two, as all probabilities that table 13 has are powers of
//!   two, which hardware draws with a few bits of a shift register.
//! - The greatest probability: chosen as one in two. At one, a set none of whose blocks is used again would never evict
//!   the block that is watched and keep its lines for ever.
//! - Whether a new pair displaces one that is being watched: chosen as no, because one that is displaced teaches nothing,
//!   and blocks that are used late would never be seen to be.
//! - A block that bypasses has no place of its own to be evicted from: its victim has the place that it would have had, so
//!   the victim's eviction ends the watch, as for OBM.
//! - An access is a request that this cache serves: a store that evicts its line is an eviction, and no access.

use super::super::parameters::{Limit, Parameters, ROWS_MAX};
use super::super::{Block, CoreTables, Departure, Policy, Visit, Wants};
use super::{BypassPolicy, DecisionCounters};
use crate::request::LineAddress;
use heddle_engine::Random;
use serde::{Deserialize, Serialize};

/// Adaptive bypass (\[Lakshminarayana14\] table 13).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct AbSpec {
    /// One in so many fills bypasses a set that has learned nothing yet; a power of two.
    pub initial_one_in: u32,
    /// One in so many insertions is watched; a power of two.
    pub virtual_one_in: u32,
    /// The least probability: one in so many; a power of two.
    pub least_one_in: u32,
    /// The greatest probability: one in so many; a power of two.
    pub most_one_in: u32,
}

impl Default for AbSpec {
    fn default() -> AbSpec {
        AbSpec { initial_one_in: 64, virtual_one_in: 16, least_one_in: 256, most_one_in: 2 }
    }
}

impl Parameters for AbSpec {
    fn limits(&self) -> Vec<Limit> {
        vec![
            ("most_one_in", self.most_one_in, 1, ROWS_MAX),
            ("least_one_in", self.least_one_in, self.most_one_in, ROWS_MAX),
            ("initial_one_in", self.initial_one_in, self.most_one_in, self.least_one_in),
            ("virtual_one_in", self.virtual_one_in, 1, ROWS_MAX),
        ]
    }

    fn powers_of_two(&self) -> Vec<(&'static str, u32)> {
        vec![
            ("most_one_in", self.most_one_in),
            ("least_one_in", self.least_one_in),
            ("initial_one_in", self.initial_one_in),
            ("virtual_one_in", self.virtual_one_in),
        ]
    }

    fn rows(&self) -> Vec<(&'static str, u32)> {
        Vec::new()
    }
}

/// Bits of a line's address that are compared.
const TAG_BITS: u64 = 31;
/// No line has this address, as lines are aligned.
const NONE: LineAddress = LineAddress(u64::MAX);

/// A set: its probability, and the pair that it watches.
#[derive(Clone, Copy, Debug)]
struct Watch {
    /// A fill bypasses once in two to this.
    log2: u32,
    /// The block of the pair that is here; none if no pair is watched.
    here: LineAddress,
    /// The block whose tag is remembered.
    remembered: LineAddress,
    /// The incoming block is the one that is remembered: it has bypassed.
    bypassed: bool,
}

#[derive(Clone, Debug)]
pub(crate) struct Ab {
    /// By set, as far as any was filled.
    sets: Vec<Watch>,
    /// Of a set that has learned nothing.
    fresh: Watch,
    least_log2: u32,
    most_log2: u32,
    virtual_log2: u32,
    random: Random,
    decisions: DecisionCounters,
}

impl Ab {
    /// A set, which the table has from its first fill on.
    #[inline(always)]
    fn set(&mut self, set: u32) -> &mut Watch {
        let place = set as usize;
        if place >= self.sets.len() {
            self.sets.resize((place + 1).next_power_of_two(), self.fresh);
        }
        &mut self.sets[place]
    }

    /// A line of a set is accessed.
    #[inline(always)]
    fn accessed(&mut self, set: u32, line: LineAddress) {
        let Some(watch) = self.sets.get_mut(set as usize) else { return };
        if watch.here == NONE || watch.here != line && watch.remembered != line {
            return;
        }
        // Effective if the victim is accessed first: it is the one that is here if the incoming block has bypassed.
        if (watch.here == line) == watch.bypassed {
            watch.log2 = watch.log2.saturating_sub(1).max(self.most_log2);
            self.decisions.effective += 1;
        } else {
            watch.log2 = (watch.log2 + 1).min(self.least_log2);
            self.decisions.ineffective += 1;
        }
        watch.here = NONE;
    }

    /// A line leaves its set.
    #[inline(always)]
    fn evicted(&mut self, set: u32, line: LineAddress) {
        let Some(watch) = self.sets.get_mut(set as usize) else { return };
        if watch.here == line {
            watch.here = NONE;
            self.decisions.undetermined += 1;
        }
    }
}

impl Policy for Ab {
    type Spec = AbSpec;

    const WANTS: Wants = Wants { visits: true, departures: true, ..Wants::NOTHING };

    fn new(spec: &AbSpec, seed: u32) -> Ab {
        let log2 = spec.initial_one_in.ilog2();
        Ab {
            sets: Vec::new(),
            fresh: Watch { log2, here: NONE, remembered: NONE, bypassed: false },
            least_log2: spec.least_one_in.ilog2(),
            most_log2: spec.most_one_in.ilog2(),
            virtual_log2: spec.virtual_one_in.ilog2(),
            random: Random::new(seed),
            decisions: DecisionCounters::default(),
        }
    }

    #[inline(always)]
    fn visited(&mut self, visit: &Visit, _: &mut CoreTables) {
        self.accessed(visit.set, visit.line);
    }

    #[inline(always)]
    fn departed(&mut self, departure: &Departure, _: &mut CoreTables) {
        self.evicted(departure.set, departure.line);
    }
}

impl BypassPolicy for Ab {
    fn passes(&mut self, incoming: &Block, _: &Block, _: &mut CoreTables) -> bool {
        let log2 = self.set(incoming.set).log2;
        self.random.one_in_power_of_two(log2)
    }

    fn record(&mut self, incoming: &Block, victim: &Block, passed: bool) {
        if !passed && !self.random.one_in_power_of_two(self.virtual_log2) {
            return;
        }
        let watch = self.set(incoming.set);
        if watch.here != NONE {
            return;
        }
        (watch.here, watch.remembered) = match passed {
            true => (victim.line, incoming.line),
            false => (incoming.line, victim.line),
        };
        watch.bypassed = passed;
    }

    fn decisions(&mut self) -> Option<&mut DecisionCounters> {
        Some(&mut self.decisions)
    }

    /// For each set the exponent of its probability, whether a pair is watched and which of the two has bypassed, the way
    /// of one and the tag of the other.
    fn bits_of_sets(&self, sets: u32, ways: u32) -> u64 {
        let exponent = u64::from((self.least_log2 + 1).next_power_of_two().ilog2());
        let way = u64::from(ways.next_power_of_two().ilog2());
        u64::from(sets) * (exponent + 2 + way + TAG_BITS)
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::context::block;
    use super::*;

    /// Watches every insertion.
    fn watchful() -> Ab {
        Ab::new(&AbSpec { virtual_one_in: 1, ..AbSpec::default() }, 1)
    }

    fn line(number: u64) -> LineAddress {
        block(number, 0).line
    }

    fn log2(ab: &Ab) -> u32 {
        ab.sets[0].log2
    }

    fn seen(ab: &Ab) -> [u64; 3] {
        let DecisionCounters { effective, ineffective, undetermined } = ab.decisions;
        [effective, ineffective, undetermined]
    }

    #[test]
    fn a_bypass_is_effective_if_the_victim_is_accessed_first_and_ineffective_if_the_incoming_block_is() {
        let mut ab = watchful();
        ab.record(&block(1, 1), &block(2, 2), true);
        ab.accessed(0, line(2));
        assert_eq!((log2(&ab), seen(&ab)), (5, [1, 0, 0]), "1/64 is 1/32");
        ab.record(&block(3, 1), &block(4, 2), true);
        ab.accessed(0, line(3));
        assert_eq!((log2(&ab), seen(&ab)), (6, [1, 1, 0]));
    }

    #[test]
    fn a_virtual_bypass_teaches_the_same_of_a_block_that_was_inserted() {
        let mut ab = watchful();
        ab.record(&block(1, 1), &block(2, 2), false);
        ab.accessed(0, line(2));
        assert_eq!((log2(&ab), seen(&ab)), (5, [1, 0, 0]), "the victim should have stayed");
        ab.record(&block(3, 1), &block(4, 2), false);
        ab.accessed(0, line(3));
        assert_eq!((log2(&ab), seen(&ab)), (6, [1, 1, 0]));
    }

    #[test]
    fn a_pair_whose_resident_is_evicted_first_is_undetermined_and_teaches_nothing() {
        for passed in [true, false] {
            let mut ab = watchful();
            ab.record(&block(1, 1), &block(2, 2), passed);
            let (resident, other) = if passed { (2, 1) } else { (1, 2) };
            ab.evicted(0, line(other));
            assert_eq!(seen(&ab), [0, 0, 0], "it is not here");
            ab.evicted(0, line(resident));
            ab.accessed(0, line(1));
            ab.accessed(0, line(2));
            assert_eq!((log2(&ab), seen(&ab)), (6, [0, 0, 1]));
        }
    }

    #[test]
    fn a_pair_teaches_once_and_is_not_displaced() {
        let mut ab = watchful();
        ab.record(&block(1, 1), &block(2, 2), true);
        ab.record(&block(3, 1), &block(4, 2), true);
        ab.accessed(0, line(4));
        ab.accessed(0, line(3));
        assert_eq!(seen(&ab), [0, 0, 0]);
        ab.accessed(0, line(2));
        ab.accessed(0, line(1));
        assert_eq!(seen(&ab), [1, 0, 0]);
    }

    #[test]
    fn sets_learn_by_themselves() {
        let mut ab = watchful();
        let of_set = |set, number| Block { set, ..block(number, 0) };
        ab.record(&of_set(3, 1), &of_set(3, 2), true);
        ab.accessed(2, line(2));
        ab.accessed(3, line(2));
        assert_eq!([0, 1, 2, 3].map(|set| ab.sets[set].log2), [6, 6, 6, 5]);
        assert_eq!(ab.set(1000).log2, 6);
    }

    #[test]
    fn the_probability_stays_between_its_bounds() {
        let mut ab = watchful();
        for _ in 0..20 {
            ab.record(&block(1, 1), &block(2, 2), true);
            ab.accessed(0, line(2));
        }
        assert_eq!(log2(&ab), 1);
        for _ in 0..20 {
            ab.record(&block(1, 1), &block(2, 2), true);
            ab.accessed(0, line(1));
        }
        assert_eq!(log2(&ab), 8);
    }

    #[test]
    fn a_set_bypasses_with_its_probability_the_same_way_with_the_same_seed() {
        let decisions = || {
            let mut ab = Ab::new(&AbSpec::default(), 7);
            let mut pass = || ab.passes(&block(1, 1), &block(2, 2), &mut CoreTables::default());
            (0..64_000).map(|_| pass()).collect::<Vec<bool>>()
        };
        let bypassed = decisions().iter().filter(|&&passed| passed).count();
        assert!((800..1200).contains(&bypassed), "{bypassed} of 64,000 are about one in 64");
        assert_eq!(decisions(), decisions());
    }

    #[test]
    fn it_costs_a_tag_a_way_an_exponent_and_two_bits_for_each_set() {
        assert_eq!(watchful().bits_of_sets(64, 6), 64 * (4 + 2 + 3 + 31));
    }
}
