//! Flexclusion: exclusive or non-inclusive, whichever misses less, by set dueling (\[Lakshminarayana14\] section 4.4.2;
//! table 11: monitors of 16 sets and a counter of 11 bits; after \[Sim12\]).
//!
//! Some sets of the lower cache always work non-inclusively, as many others always exclusively: the two set dueling
//! monitors (SDM). All other sets follow the better of the two.
//!
//! ```text
//! miss in a set of the non-inclusive monitor:  PSEL + 1 (saturating)
//! miss in a set of the exclusive monitor:      PSEL - 1 (saturating)
//! other sets:                                  exclusive if the highest bit of PSEL is set, otherwise non-inclusive
//! ```
//!
//! What a set does, by its mode at that moment:
//!
//! | | non-inclusive | exclusive |
//! |---|---|---|
//! | fetch for a read | kept, and passed up | passed up only |
//! | hit of a read | stays | moves up |
//! | victim of the upper cache | dropped if clean | inserted |
//!
//! The upper cache does not know the sets of the lower one, nor its mode. A bit comes up with each reply and stays with
//! the line: whether its victim is given back. So a line is given back exactly if it was taken out of the lower cache, or
//! kept out of it, whatever the mode has become meanwhile.
//!
//! What the text leaves open:
//! - There is one counter for all slices of the cache, as there is one in table 11; each slice has sets of both monitors.
//! - The monitors' sets lie evenly apart, counted slice after slice (768 / 16 = 48 sets), those of one halfway between
//!   those of the other, so that no region of addresses decides alone.
//! - PSEL begins just below its middle: non-inclusive, as the machine without the mechanism.
//! - A miss is one of a read or an atomic that begins to fetch a line; those that join it are not counted again, and
//!   prefetches are not counted at all.
//! - What atomics fetch is kept in either mode, as they are performed here. Dirty sectors that move up are written below
//!   first.

use super::super::{
    BypassKind, CoreTables, Fill, Limit, Met, Parameters, Policy, SetNumbers, Storage, Surroundings,
};
use super::super::{Visit, Wants};
use super::{AfterHit, Fetched, Hit, HitLine, InclusionPolicy, OnFetch};
use crate::SpecError;
use crate::cache::spec::CacheSpec;
use crate::request::Access;
use serde::{Deserialize, Serialize};

/// Of a reply and of a line of the upper cache: its victim is given to the lower cache.
const GIVE_BACK: u16 = 32;

/// Flexclusion (\[Lakshminarayana14\] table 11).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct FlexclusionSpec {
    /// Sets of each of the two monitors, of all slices together.
    pub monitor_sets: u32,
    /// Bits of the policy selector PSEL.
    pub counter_bits: u32,
}

impl Default for FlexclusionSpec {
    fn default() -> FlexclusionSpec {
        FlexclusionSpec { monitor_sets: 16, counter_bits: 11 }
    }
}

impl Parameters for FlexclusionSpec {
    fn limits(&self) -> Vec<Limit> {
        vec![("monitor_sets", self.monitor_sets, 1, 1 << 16), ("counter_bits", self.counter_bits, 1, 31)]
    }

    fn rows(&self) -> Vec<(&'static str, u32)> {
        Vec::new()
    }
}

/// The policy selector, which all slices share.
#[derive(Clone, Debug)]
struct Selector {
    psel: u32,
    most: u32,
}

impl Selector {
    fn new(spec: &FlexclusionSpec) -> Selector {
        let most = (1 << spec.counter_bits) - 1;
        Selector { psel: most / 2, most }
    }

    /// Whether sets that follow are exclusive.
    #[inline(always)]
    fn is_exclusive(&self) -> bool {
        self.psel > self.most / 2
    }

    fn count_miss(&mut self, monitor: Mode) {
        self.psel = match monitor {
            Mode::NonInclusive => (self.psel + 1).min(self.most),
            Mode::Exclusive => self.psel.saturating_sub(1),
        };
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    NonInclusive,
    Exclusive,
}

#[derive(Clone, Debug)]
pub(crate) struct Flexclusion {
    spec: FlexclusionSpec,
    /// Of each set of the lower cache: the mode of its monitor, or nothing if it follows. Empty in an upper cache.
    monitors: Vec<Option<Mode>>,
}

impl Flexclusion {
    fn monitor(&self, set: u32) -> Option<Mode> {
        self.monitors.get(set as usize).copied().flatten()
    }

    fn is_exclusive(&self, set: u32, tables: &CoreTables) -> bool {
        match self.monitor(set) {
            Some(mode) => mode == Mode::Exclusive,
            None => tables.get().is_some_and(Selector::is_exclusive),
        }
    }
}

impl Policy for Flexclusion {
    type Spec = FlexclusionSpec;

    /// The upper part sees what comes, the lower part what it answers.
    const WANTS: Wants = Wants { fetches: true, replies: true, ..Wants::NOTHING };

    fn new(spec: &FlexclusionSpec, _: u32) -> Flexclusion {
        Flexclusion { spec: spec.clone(), monitors: Vec::new() }
    }

    const BITS: u16 = GIVE_BACK;

    const SHARES: Option<&'static str> = Some("the policy selector");

    fn share(spec: &FlexclusionSpec, _: u32, tables: &mut CoreTables) {
        let selector = Selector::new(spec);
        tables.set_mode(selector.is_exclusive());
        tables.share(selector);
    }

    fn numbered(&mut self, sets: SetNumbers) {
        let apart = sets.of_all / self.spec.monitor_sets.max(1);
        let of_set = |number: u32| match (number.checked_rem(apart), number.checked_div(apart)) {
            (Some(place), Some(turn)) if turn < self.spec.monitor_sets => match place {
                0 => Some(Mode::NonInclusive),
                place if place == apart / 2 => Some(Mode::Exclusive),
                _ => None,
            },
            _ => None,
        };
        self.monitors = (sets.first..sets.first + sets.here).map(of_set).collect();
    }

    fn check_cache(cache: &CacheSpec) -> Result<(), (&'static str, String)> {
        if cache.bypass != BypassKind::Never {
            let problem = "Flexclusion (inclusion = \"flexclusion\") decides itself which fills are kept; use \"never\"";
            return Err(("bypass", problem.to_string()));
        }
        if cache.victim_lines > 0 {
            let problem = "an exclusive cache is the victim cache of the level above; use 0 here";
            return Err(("victim_lines", problem.to_string()));
        }
        Ok(())
    }

    /// The sets of the level are enough for both monitors.
    fn check_place(spec: &FlexclusionSpec, place: &Surroundings<'_>) -> Result<(), SpecError> {
        let (sets, wanted) = (place.cache.sets() * place.slices, spec.monitor_sets);
        if wanted <= sets / 2 {
            return Ok(());
        }
        let problem = format!(
            "expected at most half of the {sets} sets of {name} ({name}.size, {name}.ways), as there are two monitors; \
             found {wanted}",
            name = place.name
        );
        Err(SpecError::new("policies.flexclusion", "monitor_sets", problem))
    }

    /// In the lower cache: a request has hit, or is the first to miss a line.
    fn answered(&mut self, visit: &Visit, tables: &mut CoreTables) -> u16 {
        let demanded = visit.met == Met::Miss && visit.access != Access::Prefetch;
        if let (true, Some(monitor), Some(selector)) =
            (demanded, self.monitor(visit.set), tables.get_mut::<Selector>())
        {
            selector.count_miss(monitor);
            let exclusive = selector.is_exclusive();
            tables.set_mode(exclusive);
        }
        0
    }

    /// In the upper cache: the line remembers what the lower one said.
    fn filled(&mut self, fill: &Fill, _: &mut CoreTables) -> u16 {
        fill.policy_bits & GIVE_BACK
    }

    /// The counter. The document has one for all slices; each of them needs to know it.
    fn bits(&self, _: &Storage) -> u64 {
        u64::from(self.spec.counter_bits)
    }
}

impl InclusionPolicy for Flexclusion {
    const MOVES_LINES: bool = true;

    fn hit(&mut self, visit: &Visit, _: HitLine, tables: &mut CoreTables) -> Hit {
        match self.is_exclusive(visit.set, tables) {
            true => Hit { after: AfterHit::MoveUp, line_bits: 0, reply_bits: GIVE_BACK },
            false => Hit { after: AfterHit::Keep, line_bits: 0, reply_bits: 0 },
        }
    }

    fn on_fetch(&mut self, visit: &Visit, tables: &mut CoreTables) -> Fetched {
        match self.is_exclusive(visit.set, tables) {
            true => Fetched { then: OnFetch::PassUp, policy_bits: GIVE_BACK },
            false => Fetched { then: OnFetch::Keep, policy_bits: 0 },
        }
    }

    fn gives(&self, line_bits: u16) -> bool {
        line_bits & GIVE_BACK != 0
    }

    /// A bit in each tag.
    fn bits_above(&self, storage: &Storage) -> u64 {
        storage.lines
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::context::read_at;
    use super::*;
    use crate::ids::{CoreId, RegionId};
    use crate::request::LineAddress;

    /// The slices of `fermi`: six of 128 sets.
    const SETS: u32 = 128;

    fn slice(number: u32) -> Flexclusion {
        let mut policy = Flexclusion::new(&FlexclusionSpec::default(), 0);
        policy.numbered(SetNumbers { first: number * SETS, here: SETS, of_all: 6 * SETS });
        policy
    }

    fn tables(spec: &FlexclusionSpec) -> CoreTables {
        let mut tables = CoreTables::default();
        Flexclusion::share(spec, 1, &mut tables);
        tables
    }

    fn psel(tables: &CoreTables) -> u32 {
        tables.get::<Selector>().map_or(0, |selector| selector.psel)
    }

    fn miss(policy: &mut Flexclusion, set: u32, tables: &mut CoreTables) {
        assert_eq!(policy.answered(&Visit { set, met: Met::Miss, ..read_at(0) }, tables), 0);
    }

    #[test]
    fn each_monitor_has_16_of_768_sets_and_every_slice_some_of_both() {
        let of = |mode: Mode| {
            let slices = (0..6).map(slice);
            let count = |policy: Flexclusion| {
                policy.monitors.iter().filter(|&&monitor| monitor == Some(mode)).count()
            };
            slices.map(count).collect::<Vec<usize>>()
        };
        assert_eq!(of(Mode::NonInclusive), [3, 3, 2, 3, 3, 2]);
        assert_eq!(of(Mode::Exclusive), [3, 2, 3, 3, 2, 3]);
        assert_eq!(slice(0).monitor(48), Some(Mode::NonInclusive));
        assert_eq!(slice(0).monitor(24), Some(Mode::Exclusive));
        assert_eq!(slice(0).monitor(25), None);
    }

    #[test]
    fn an_odd_number_of_sets_has_no_more_monitors_than_asked_for() {
        let mut policy = Flexclusion::new(&FlexclusionSpec { monitor_sets: 16, counter_bits: 11 }, 0);
        policy.numbered(SetNumbers { first: 0, here: 100, of_all: 100 });
        assert_eq!(policy.monitors.iter().flatten().count(), 32);
    }

    #[test]
    fn misses_of_the_monitors_move_the_selector_and_others_do_not() {
        let (mut policy, mut tables) = (slice(0), tables(&FlexclusionSpec::default()));
        assert_eq!(psel(&tables), 1023);
        miss(&mut policy, 25, &mut tables);
        let hit = Visit { set: 0, met: Met::Hit, ..read_at(0) };
        policy.answered(&hit, &mut tables);
        let prefetch = Visit { set: 0, access: Access::Prefetch, ..read_at(0) };
        policy.answered(&prefetch, &mut tables);
        assert_eq!(psel(&tables), 1023);
        miss(&mut policy, 0, &mut tables);
        assert_eq!((psel(&tables), policy.is_exclusive(25, &tables)), (1024, true));
        miss(&mut policy, 24, &mut tables);
        assert_eq!((psel(&tables), policy.is_exclusive(25, &tables)), (1023, false));
        let atomic = Visit { set: 24, access: Access::Atomic, ..read_at(0) };
        policy.answered(&atomic, &mut tables);
        assert_eq!(psel(&tables), 1022);
    }

    #[test]
    fn the_selector_saturates_at_both_ends() {
        let spec = FlexclusionSpec { counter_bits: 3, ..FlexclusionSpec::default() };
        let (mut policy, mut tables) = (slice(0), tables(&spec));
        (0..20).for_each(|_| miss(&mut policy, 0, &mut tables));
        assert_eq!(psel(&tables), 7);
        (0..4).for_each(|_| miss(&mut policy, 24, &mut tables));
        assert!(!policy.is_exclusive(25, &tables), "four misses lead from 7 below the middle");
        (0..20).for_each(|_| miss(&mut policy, 24, &mut tables));
        assert_eq!(psel(&tables), 0);
    }

    #[test]
    fn a_change_of_mode_is_told_once() {
        let (mut policy, mut tables) = (slice(0), tables(&FlexclusionSpec::default()));
        miss(&mut policy, 0, &mut tables);
        assert!(tables.has_switched());
        assert_eq!(tables.take_mode(), Some(true));
        miss(&mut policy, 0, &mut tables);
        assert!(!tables.has_switched());
    }

    #[test]
    fn monitors_keep_their_mode_and_the_others_follow() {
        let (mut policy, mut tables) = (slice(0), tables(&FlexclusionSpec::default()));
        let fetched = |policy: &mut Flexclusion, set, tables: &mut CoreTables| {
            policy.on_fetch(&Visit { set, ..read_at(0) }, tables)
        };
        let kept = Fetched { then: OnFetch::Keep, policy_bits: 0 };
        let passed = Fetched { then: OnFetch::PassUp, policy_bits: GIVE_BACK };
        let modes = |policy: &mut Flexclusion, tables: &mut CoreTables| {
            [0, 24, 25].map(|set| fetched(policy, set, tables))
        };
        assert_eq!(modes(&mut policy, &mut tables), [kept, passed, kept]);
        miss(&mut policy, 0, &mut tables);
        assert_eq!(modes(&mut policy, &mut tables), [kept, passed, passed]);
    }

    #[test]
    fn a_line_that_was_taken_out_is_given_back_whatever_the_mode_has_become() {
        let (mut policy, mut tables) = (slice(0), tables(&FlexclusionSpec::default()));
        let line = HitLine { core: CoreId(0), policy_bits: 0 };
        let exclusive = policy.hit(&Visit { set: 24, ..read_at(0) }, line, &mut tables);
        assert_eq!((exclusive.after, exclusive.reply_bits), (AfterHit::MoveUp, GIVE_BACK));
        let kept = policy.hit(&Visit { set: 25, ..read_at(0) }, line, &mut tables);
        assert_eq!((kept.after, kept.reply_bits), (AfterHit::Keep, 0));
        let mut upper = Flexclusion::new(&FlexclusionSpec::default(), 0);
        let fill =
            |policy_bits| Fill { line: LineAddress(0), core: CoreId(0), region: RegionId(1), policy_bits };
        let (given, dropped) = (
            upper.filled(&fill(exclusive.reply_bits), &mut tables),
            upper.filled(&fill(kept.reply_bits), &mut tables),
        );
        assert!(upper.gives(given) && !upper.gives(dropped));
    }

    #[test]
    fn the_cost_is_a_counter_below_and_a_bit_for_each_line_above() {
        let storage = Storage { lines: 384, line_bytes: 128, sectors_per_line: 4, cores: 16 };
        assert_eq!((slice(0).bits(&storage), slice(0).bits_above(&storage)), (11, 384));
    }
}
