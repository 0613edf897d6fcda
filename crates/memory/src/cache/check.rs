//! What a cache's description must obey.

use super::spec::{CacheSpec, IndexKind, WriteHit, WriteMiss};
use crate::SpecError;

/// The longest line: a request names its words by 32 bits.
const LINE_MAX: u64 = 128;
/// The most sectors of a line.
const SECTORS_MAX: u64 = 8;
/// The largest cache, and the most of anything counted by itself; beyond this a key was mistyped.
const SIZE_MAX: u64 = 1 << 32;
const COUNT_MAX: u32 = 1 << 16;

impl CacheSpec {
    /// Sets; of a checked description.
    pub fn sets(&self) -> u32 {
        (self.size.0 / (self.line.0 * u64::from(self.ways))) as u32
    }

    /// Sectors of a line; of a checked description.
    pub fn sectors_per_line(&self) -> u32 {
        (self.line.0 / self.sector.0) as u32
    }

    /// Refuses what cannot be built or makes no sense; `prefix` is the name of the table that the keys are in.
    pub fn check(&self, prefix: &str) -> Result<(), SpecError> {
        self.check_figures(prefix)?;
        self.check_policies(prefix)
    }

    /// The part of [`CacheSpec::check`] that is about sizes and numbers, from which that of sets follows.
    pub fn check_figures(&self, prefix: &str) -> Result<(), SpecError> {
        let wrong = |key: &str, problem: String| Err(SpecError::new(prefix, key, problem));
        self.check_counts(prefix)?;
        let (line, sector) = (self.line.0, self.sector.0);
        if !line.is_power_of_two() || !(4..=LINE_MAX).contains(&line) {
            return wrong("line", format!("{} is no power of two from 4B to {LINE_MAX}B", self.line));
        }
        if !sector.is_power_of_two() || !(4..=line).contains(&sector) {
            return wrong(
                "sector",
                format!("{} is no power of two from 4B to the line's {}", self.sector, self.line),
            );
        }
        if line / sector > SECTORS_MAX {
            let problem =
                format!("{} makes {} sectors of a line; at most {SECTORS_MAX}", self.sector, line / sector);
            return wrong("sector", problem);
        }
        let set = line * u64::from(self.ways);
        if self.size.0 == 0 || self.size.0 > SIZE_MAX || !self.size.0.is_multiple_of(set) {
            let problem =
                format!("{} is no whole number of sets of {} lines of {}", self.size, self.ways, self.line);
            return wrong("size", problem);
        }
        // Sets that are no power of two are taken modulo their number, whatever the index.
        let is_fermi = line == 128 && matches!(self.sets(), 32 | 64);
        if self.index == IndexKind::Fermi && self.sets().is_power_of_two() && !is_fermi {
            let problem = format!(
                "\"fermi\" is for 32 or 64 sets of lines of 128B, and this has {} sets of lines of {}; expected \
                 \"xor\" or \"plain\"",
                self.sets(),
                self.line
            );
            return wrong("index", problem);
        }
        Ok(())
    }

    fn check_counts(&self, prefix: &str) -> Result<(), SpecError> {
        let counts = [
            ("ways", self.ways, 1),
            ("mshrs", self.mshrs, 1),
            ("merges", self.merges, 1),
            ("miss_queue", self.miss_queue, 1),
            ("latency", self.latency, 0),
            ("banks", self.banks, 1),
            ("ports", self.ports, 1),
            ("victim_lines", self.victim_lines, 0),
        ];
        for (key, value, least) in counts {
            if !(least..=COUNT_MAX).contains(&value) {
                let problem = format!("{value} is not from {least} to {COUNT_MAX}");
                return Err(SpecError::new(prefix, key, problem));
            }
        }
        Ok(())
    }

    /// The other part of [`CacheSpec::check`]: whether its policies go together.
    pub fn check_policies(&self, prefix: &str) -> Result<(), SpecError> {
        let wrong = |key: &str, problem: &str| Err(SpecError::new(prefix, key, problem));
        if self.write_hit == WriteHit::Evict && self.write_miss == WriteMiss::Allocate {
            return wrong(
                "write_miss",
                "allocates what the next write would evict (write_hit = \"evict\"); use \"no-allocate\"",
            );
        }
        if self.write_hit != WriteHit::Back && self.write_miss == WriteMiss::AllocateLazily {
            return wrong(
                "write_miss",
                "keeps what is written until it is read or evicted (\"allocate-lazily\"), which needs \
                 write_hit = \"back\"; use that or \"no-allocate\"",
            );
        }
        let policies = [
            self.inclusion.check(self),
            self.bypass.check(self),
            self.granularity.check(self),
            self.prefetch.check(self),
        ];
        policies.into_iter().collect::<Result<(), _>>().map_err(|(key, why)| SpecError::new(prefix, key, why))
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::cache::ReplacementKind;
    use crate::cache::policy::{BypassKind, GranularityKind, InclusionKind, PolicySpec, PrefetchKind};
    use crate::cache::spec::Allocate;
    use heddle_engine::units::Bytes;

    pub(in crate::cache) fn good() -> CacheSpec {
        CacheSpec {
            size: Bytes(48 << 10),
            ways: 4,
            line: Bytes(128),
            sector: Bytes(32),
            index: IndexKind::Xor,
            replacement: ReplacementKind::Lru,
            allocate: Allocate::OnFill,
            write_hit: WriteHit::Evict,
            write_miss: WriteMiss::NoAllocate,
            mshrs: 32,
            merges: 8,
            miss_queue: 8,
            latency: 4,
            banks: 1,
            ports: 1,
            victim_lines: 0,
            inclusion: InclusionKind::NonInclusive,
            bypass: BypassKind::Never,
            granularity: GranularityKind::Sector,
            prefetch: PrefetchKind::None,
        }
    }

    #[test]
    fn a_sensible_description_passes_also_with_an_odd_number_of_sets() {
        assert_eq!(good().check("l1"), Ok(()));
        assert_eq!(good().sets(), 96);
        assert_eq!(PolicySpec::default().check("policies"), Ok(()));
    }

    #[test]
    fn nonsense_is_refused_by_key() {
        type Spoil = fn(&mut CacheSpec);
        let cases: [(&str, Spoil); 20] = [
            ("l1.ways", |spec| spec.ways = 0),
            ("l1.ways", |spec| spec.ways = u32::MAX),
            ("l1.mshrs", |spec| spec.mshrs = 0),
            ("l1.merges", |spec| spec.merges = 0),
            ("l1.miss_queue", |spec| spec.miss_queue = 0),
            ("l1.banks", |spec| spec.banks = 0),
            ("l1.ports", |spec| spec.ports = 0),
            ("l1.line", |spec| spec.line = Bytes(96)),
            ("l1.line", |spec| spec.line = Bytes(256)),
            ("l1.line", |spec| spec.line = Bytes(0)),
            ("l1.sector", |spec| spec.sector = Bytes(0)),
            ("l1.sector", |spec| spec.sector = Bytes(256)),
            ("l1.sector", |spec| spec.sector = Bytes(8)),
            ("l1.size", |spec| spec.size = Bytes(1000)),
            ("l1.size", |spec| spec.size = Bytes(1 << 60)),
            ("l1.write_miss", |spec| spec.write_miss = WriteMiss::Allocate),
            ("l1.write_miss", |spec| spec.write_miss = WriteMiss::AllocateLazily),
            ("l1.write_miss", |spec| {
                spec.write_hit = WriteHit::Through;
                spec.write_miss = WriteMiss::AllocateLazily;
            }),
            ("l1.granularity", |spec| spec.sector = Bytes(128)),
            ("l1.bypass", |spec| {
                spec.inclusion = InclusionKind::Exclusive;
                spec.bypass = BypassKind::Obm;
            }),
        ];
        for (key, spoil) in cases {
            let mut spec = good();
            spoil(&mut spec);
            let error = spec.check("l1").expect_err(key);
            assert_eq!(error.key, key, "{error}");
        }
    }

    #[test]
    fn nonsense_of_policies_is_refused_by_key() {
        let mut policies = PolicySpec::default();
        policies.obm.counters = 33;
        assert_eq!(policies.check("policies").unwrap_err().key, "policies.obm.counters");
        let mut policies = PolicySpec::default();
        policies.stride.region_bits = 64;
        assert_eq!(policies.check("").unwrap_err().key, "stride.region_bits");
    }
}
