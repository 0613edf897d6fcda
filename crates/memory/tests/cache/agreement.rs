//! Caches do what a simple model does, for random requests whose data arrives in any order and in pieces.

use super::common::*;
use super::model::Model;
use heddle_engine::units::Bytes;
use heddle_memory::cache::*;
use heddle_memory::request::*;
use proptest::prelude::*;

#[derive(Clone, Debug)]
enum Step {
    Access { kind: u8, line: u64, words: u32 },
    Fill { which: usize, pieces: bool },
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let words = prop_oneof![
        (0u32..32).prop_map(|word| 1 << word),
        (0u32..4).prop_map(|sector| 0xff << (sector * 8)),
        Just(u32::MAX),
        1u32..,
    ];
    let access = (0u8..8, 0u64..12, words).prop_map(|(kind, line, words)| Step::Access { kind, line, words });
    let fill = (any::<usize>(), any::<bool>()).prop_map(|(which, pieces)| Step::Fill { which, pieces });
    prop::collection::vec(prop_oneof![3 => access, 2 => fill], 1..160)
}

fn specs() -> impl Strategy<Value = CacheSpec> {
    let writes = prop::sample::select(vec![
        (WriteHit::Evict, WriteMiss::NoAllocate),
        (WriteHit::Through, WriteMiss::NoAllocate),
        (WriteHit::Through, WriteMiss::Allocate),
        (WriteHit::Back, WriteMiss::NoAllocate),
        (WriteHit::Back, WriteMiss::Allocate),
        (WriteHit::Back, WriteMiss::AllocateLazily),
    ]);
    let allocate = prop::sample::select(vec![Allocate::OnMiss, Allocate::OnFill]);
    let replacement = prop::sample::select(vec![ReplacementKind::Lru, ReplacementKind::Fifo]);
    let sectors = prop::sample::select(vec![
        (128, GranularityKind::Line),
        (32, GranularityKind::Line),
        (32, GranularityKind::Sector),
        (16, GranularityKind::Sector),
    ]);
    let shape = prop::sample::select(vec![(512, 2), (384, 1), (768, 2), (512, 4)]);
    (writes, allocate, replacement, sectors, shape, 1u32..6, 1u32..4).prop_map(
        |(
            (write_hit, write_miss),
            allocate,
            replacement,
            (sector, granularity),
            (size, ways),
            mshrs,
            merges,
        )| {
            let (size, sector) = (Bytes(size), Bytes(sector));
            CacheSpec {
                write_hit,
                write_miss,
                allocate,
                replacement,
                sector,
                granularity,
                size,
                ways,
                mshrs,
                merges,
                ..spec()
            }
        },
    )
}

/// A cache with what it has asked for.
struct Pair {
    cache: Cache,
    model: Model,
    fetches: Vec<Fetch>,
    effects: Effects,
    /// Tokens that wait.
    waiting: Vec<Token>,
    next: u32,
}

impl Pair {
    fn new(spec: &CacheSpec) -> Pair {
        Pair {
            cache: cache(spec).performing_atomics(),
            model: Model::new(spec),
            fetches: Vec::new(),
            effects: Effects::default(),
            waiting: Vec::new(),
            next: 0,
        }
    }

    fn access(&mut self, kind: u8, number: u64, words: u32) -> Result<(), TestCaseError> {
        let access = match kind {
            0..=3 => Access::Read,
            4..=6 => Access::Write,
            _ => Access::Atomic,
        };
        self.next += 1;
        let request = request(access, number, words, self.next);
        let outcome = self.cache.access(&request, &mut self.effects);
        prop_assert_eq!(outcome, self.model.access(&request));
        match outcome {
            Outcome::Miss(fetch) => {
                prop_assert!(!fetch.sectors.is_empty());
                self.fetches.push(fetch);
                self.waiting.push(request.token);
            }
            Outcome::Merged => self.waiting.push(request.token),
            _ => {}
        }
        self.compare()
    }

    /// Fills what was asked for, or its first sector.
    fn fill(&mut self, which: usize, pieces: bool) -> Result<(), TestCaseError> {
        if self.fetches.is_empty() {
            return Ok(());
        }
        let at = which % self.fetches.len();
        let fetch = &mut self.fetches[at];
        let line = fetch.line;
        let arrived =
            if pieces { Sectors(fetch.sectors.0 & fetch.sectors.0.wrapping_neg()) } else { fetch.sectors };
        fetch.sectors = fetch.sectors.without(arrived);
        if fetch.sectors.is_empty() {
            self.fetches.remove(at);
        }
        self.cache.fill(line, arrived, Answerer::MEMORY, 0, &mut self.effects);
        self.model.fill(line, arrived);
        self.compare()
    }

    fn compare(&mut self) -> Result<(), TestCaseError> {
        prop_assert_eq!(&self.effects.released, &self.model.released);
        for token in self.effects.released.drain(..) {
            let at = self.waiting.iter().position(|&waits| waits == token);
            prop_assert!(at.is_some(), "{token:?} was released but does not wait");
            self.waiting.remove(at.unwrap());
        }
        let written: Vec<_> =
            self.effects.writebacks.drain(..).map(|evicted| (evicted.line, evicted.dirty.0)).collect();
        prop_assert_eq!(&written, &self.model.written);
        self.model.released.clear();
        self.model.written.clear();
        for number in 0..12 {
            prop_assert_eq!(
                self.cache.probe(line(number)).0,
                self.model.valid(line(number)),
                "line {}",
                number
            );
        }
        Ok(())
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn caches_do_what_a_list_does_and_release_every_token_once(spec in specs(), steps in steps()) {
        let mut pair = Pair::new(&spec);
        for step in steps {
            match step {
                Step::Access { kind, line, words } => pair.access(kind, line, words)?,
                Step::Fill { which, pieces } => pair.fill(which, pieces)?,
            }
        }
        while !pair.fetches.is_empty() {
            pair.fill(0, false)?;
        }
        prop_assert!(pair.waiting.is_empty(), "{:?} wait for ever", pair.waiting);
        prop_assert_eq!(pair.cache.outstanding(), 0);
        pair.cache.invalidate_all(&mut pair.effects);
        let mut dirty: Vec<_> = pair.effects.writebacks.iter().map(|gone| (gone.line, gone.dirty.0)).collect();
        let mut expected = pair.model.dirty();
        dirty.sort_unstable();
        expected.sort_unstable();
        prop_assert_eq!(dirty, expected);
        let counted = &pair.cache.counters;
        prop_assert_eq!(counted.write_misses, pair.model.write_misses);
        prop_assert_eq!(counted.sector_misses, pair.model.sector_misses);
        prop_assert_eq!(counted.accesses, counted.reads + counted.writes + counted.atomics);
        prop_assert_eq!(counted.reads, counted.read_hits + counted.read_misses + counted.merges);
        prop_assert_eq!(counted.writes, counted.write_hits + counted.write_misses);
        prop_assert_eq!(counted.atomics, counted.atomic_hits + counted.atomic_misses);
        prop_assert_eq!(counted.sectors_fetched, counted.sectors_filled);
    }
}
