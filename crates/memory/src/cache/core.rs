//! The cache itself: its parts, how it is made, and what can be asked without consequences.

use super::counters::CacheCounters;
use super::foresight::{Budget, Future, Recorder};
use super::geometry::Geometry;
use super::mshr::Mshrs;
use super::policy::bypass::DecisionCounters;
use super::policy::replacement::Replacement;
use super::policy::{Block, Bypass, Granularity, Inclusion, InclusionKind, PolicySpec, Prefetcher, Wants};
use super::sharing::{Sharing, SharingCounters};
use super::slicing::Slicing;
use super::spec::{Allocate, CacheSpec, WriteHit, WriteMiss};
use super::tags::Tags;
use super::victim::VictimCache;
use crate::ids::SliceId;
use crate::request::{LineAddress, Sectors};
use std::sync::Arc;

/// A cache.
#[derive(Clone, Debug)]
pub struct Cache {
    /// What it saw.
    pub counters: CacheCounters,
    pub(super) geometry: Geometry,
    pub(super) tags: Tags,
    pub(super) mshrs: Mshrs,
    pub(super) victims: VictimCache,
    pub(super) replacement: Replacement,
    pub(super) inclusion: Inclusion,
    /// The inclusion policy of the cache below, of which this is the upper one.
    pub(super) beneath: Inclusion,
    pub(super) bypass: Bypass,
    pub(super) granularity: Granularity,
    pub(super) prefetcher: Prefetcher,
    pub(super) allocate: Allocate,
    pub(super) write_hit: WriteHit,
    pub(super) write_miss: WriteMiss,
    /// What the bypass policy decided last, until it is recorded.
    pub(super) pair: Option<(Block, Block, bool)>,
    /// No policy wants to know of reads that hit.
    pub(super) plain_hits: bool,
    pub(super) performs_atomics: bool,
    /// Lines move between this cache and the ones above.
    pub(super) moves_up: bool,
    /// Lines move between this cache and the one below.
    pub(super) gives_victims: bool,
    pub(super) wants: Wants,
    /// The bits that go up with the replies of the last access or fill.
    pub(super) reply_bits: u16,
    /// Whose data is hit, if that is counted.
    pub(super) sharing: Option<Box<Sharing>>,
    /// Records what it is asked, for policies that foresee it in another run.
    pub(super) recorder: Option<Box<Recorder>>,
}

impl Cache {
    /// An empty cache. The description must have passed [`CacheSpec::check`] and [`PolicySpec::check`]; `seed`
    /// is for policies that choose at random.
    pub fn new(spec: &CacheSpec, policies: &PolicySpec, seed: u32) -> Cache {
        let geometry = Geometry::new(spec);
        let inclusion = Inclusion::new(spec.inclusion, policies, seed);
        let bypass = Bypass::new(spec.bypass, policies, seed);
        let granularity = Granularity::new(spec.granularity, policies, seed);
        let prefetcher = Prefetcher::new(spec.prefetch, policies, seed);
        let wants = bypass.wants().or(granularity.wants()).or(prefetcher.wants());
        // Of an inclusion policy the upper part alone is told of fetches, the lower part alone of replies.
        let wants = wants.or(Wants { fetches: false, ..inclusion.wants() });
        let moves_up = inclusion.moves_lines();
        let wants = wants.or(Wants { visits: prefetcher.watches() || spec.foresees(), ..Wants::NOTHING });
        let plain_hits = !moves_up && !wants.visits && !wants.replies;
        let cache = Cache {
            counters: CacheCounters::default(),
            geometry,
            tags: Tags::new(&geometry),
            mshrs: Mshrs::new(spec.mshrs, spec.merges),
            victims: VictimCache::new(spec.victim_lines),
            replacement: Replacement::new(spec.replacement, geometry.lines()),
            inclusion,
            beneath: Inclusion::new(InclusionKind::NonInclusive, policies, seed),
            bypass,
            granularity,
            prefetcher,
            plain_hits,
            allocate: spec.allocate,
            write_hit: spec.write_hit,
            write_miss: spec.write_miss,
            pair: None,
            performs_atomics: false,
            moves_up,
            gives_victims: false,
            wants,
            reply_bits: 0,
            sharing: None,
            recorder: None,
        };
        cache.with_numbered_sets()
    }

    /// Tells policies which sets this cache has.
    fn with_numbered_sets(mut self) -> Cache {
        let numbers = self.geometry.set_numbers();
        self.inclusion.numbered(numbers);
        self.bypass.numbered(numbers);
        self.granularity.numbered(numbers);
        self.prefetcher.numbered(numbers);
        self
    }

    /// Hits to private and to shared data are told apart.
    pub fn counting_sharing(mut self) -> Cache {
        self.sharing = Some(Box::new(Sharing::new(self.geometry.lines())));
        self.plain_hits = false;
        self
    }

    /// This cache takes the place of another and continues its counts.
    pub fn continues(mut self, earlier: &mut Cache) -> Cache {
        self.counters = std::mem::take(&mut earlier.counters);
        if let (Some(new), Some(old)) = (self.bypass.decisions(), earlier.bypass.decisions()) {
            std::mem::swap(new, old);
        }
        if let (Some(new), Some(old)) = (&mut self.sharing, &mut earlier.sharing) {
            std::mem::swap(&mut new.counters, &mut old.counters);
        }
        self
    }

    /// What the bypass policy found out about its decisions, if it looks.
    pub fn decisions(&mut self) -> Option<&DecisionCounters> {
        self.bypass.decisions().map(|decisions| &*decisions)
    }

    /// Hits to private and to shared data, if they are told apart.
    pub fn sharing(&self) -> Option<&SharingCounters> {
        self.sharing.as_ref().map(|sharing| &sharing.counters)
    }

    /// Atomics are performed here instead of passing: this is L2.
    pub fn performing_atomics(mut self) -> Cache {
        self.performs_atomics = true;
        self
    }

    /// The cache below has this inclusion policy: the upper part of it is here. Lines that it is to get appear in
    /// [`Effects::victims`](super::Effects::victims).
    pub fn above(mut self, below: InclusionKind, policies: &PolicySpec) -> Cache {
        self.beneath = Inclusion::new(below, policies, 0);
        self.gives_victims = self.beneath.moves_lines();
        self.wants = self.wants.or(Wants { replies: false, ..self.beneath.wants() });
        self.plain_hits &= !self.wants.visits;
        self
    }

    /// This is one slice of several: sets and banks are chosen by the lines of this slice alone, as otherwise some would
    /// never be used. It may only be asked about its own lines.
    pub fn sliced(mut self, slicing: Slicing, slice: SliceId) -> Cache {
        self.geometry.slice(slicing, slice);
        self.with_numbered_sets()
    }

    /// From now on what it is asked is recorded.
    pub(crate) fn record(&mut self, budget: &Budget) {
        self.recorder = Some(Box::new(Recorder::new(budget)));
    }

    /// What was recorded, if it was; nothing is recorded any more.
    pub(crate) fn take_recorded(&mut self) -> Option<Future> {
        self.recorder.take().map(|recorder| recorder.into_future())
    }

    /// What it will be asked from now on, for policies that decide by it.
    pub(crate) fn foresee(&mut self, future: &Arc<Future>) {
        self.replacement.foresee(future);
        self.inclusion.foresee(future);
        self.bypass.foresee(future);
        self.granularity.foresee(future);
        self.prefetcher.foresee(future);
    }

    /// The valid sectors of a line, without changing anything.
    pub fn probe(&self, line: LineAddress) -> Sectors {
        let first = self.geometry.first_of(self.geometry.set_of(line));
        let place = self.tags.find(first, line);
        Sectors(place.map_or(self.victims.get(line), |place| self.tags[place]).valid)
    }

    /// A request for this line, or its data, will come soon: tells the host which memory that will touch.
    #[inline(always)]
    pub fn fetch_ahead(&self, line: LineAddress) {
        let first = self.geometry.first_of(self.geometry.set_of(line));
        self.tags.fetch_ahead(first);
        self.replacement.fetch_ahead(first);
        self.mshrs.fetch_ahead(line);
    }

    /// The policy bits that go up with the replies to the last access that hit, or of the last fill.
    #[inline(always)]
    pub fn reply_bits(&self) -> u16 {
        self.reply_bits
    }

    /// MSHRs in use.
    pub fn outstanding(&self) -> usize {
        self.mshrs.in_use() as usize
    }

    /// Whether two lines compete for the ways of one set.
    #[inline(always)]
    pub fn same_set(&self, one: LineAddress, other: LineAddress) -> bool {
        self.geometry.set_of(one) == self.geometry.set_of(other)
    }

    /// The bank that serves a line.
    #[inline(always)]
    pub fn bank_of(&self, line: LineAddress) -> u32 {
        self.geometry.bank_of(line)
    }
}
