//! What a cache's description must obey.

use super::policy::PolicySpec;
use super::spec::{Allocate, BypassKind, CacheSpec, GranularityKind, InclusionKind, WriteHit, WriteMiss};
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
        self.check_policies(prefix)
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

    fn check_policies(&self, prefix: &str) -> Result<(), SpecError> {
        let wrong = |key: &str, problem: &str| Err(SpecError::new(prefix, key, problem));
        if self.write_hit == WriteHit::Evict && self.write_miss == WriteMiss::Allocate {
            return wrong(
                "write_miss",
                "allocates what the next write would evict (write_hit = \"evict\"); use \"no-allocate\"",
            );
        }
        if self.inclusion == InclusionKind::Exclusive && self.bypass != BypassKind::Never {
            return wrong(
                "bypass",
                "exclusion (inclusion = \"exclusive\") already keeps fills out; use \"never\"",
            );
        }
        if self.granularity == GranularityKind::Sector && self.sector == self.line {
            return wrong(
                "granularity",
                "fetching by sector needs sectors smaller than the line; use \"line\" or set sector",
            );
        }
        if self.inclusion == InclusionKind::Exclusive
            && self.allocate == Allocate::OnMiss
            && self.victim_lines > 0
        {
            return wrong(
                "victim_lines",
                "an exclusive cache is the victim cache of the level above; use 0 here",
            );
        }
        Ok(())
    }
}

impl PolicySpec {
    /// Refuses what cannot be built or makes no sense; `prefix` is the name of the table that the keys are in.
    pub fn check(&self, prefix: &str) -> Result<(), SpecError> {
        let (obm, stride) = (&self.obm, &self.stride);
        let counts = [
            ("obm.history_entries", obm.history_entries, 1, COUNT_MAX),
            ("obm.insert_one_in", obm.insert_one_in, 1, COUNT_MAX),
            ("obm.counters", obm.counters, 1, COUNT_MAX),
            ("obm.counter_bits", obm.counter_bits, 1, 16),
            ("stride.entries", stride.entries, 1, COUNT_MAX),
            ("stride.region_bits", stride.region_bits, 7, 48),
            ("stride.degree", stride.degree, 1, 64),
        ];
        for (key, value, least, most) in counts {
            if !(least..=most).contains(&value) {
                return Err(SpecError::new(prefix, key, format!("{value} is not from {least} to {most}")));
            }
        }
        for (key, value) in [
            ("obm.insert_one_in", obm.insert_one_in),
            ("obm.counters", obm.counters),
            ("stride.entries", stride.entries),
        ] {
            if !value.is_power_of_two() {
                return Err(SpecError::new(prefix, key, format!("{value} is no power of two")));
            }
        }
        Ok(())
    }
}
