//! What policies cost in storage.

use super::replacement::Replacement;
use super::{Bypass, BypassKind, Granularity, Inclusion, InclusionKind, PolicySpec, Prefetcher, Storage};
use crate::cache::spec::CacheSpec;

/// Bits of storage that a cache's policies need, beside its tags and data: tables, and what they add to each tag.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PolicyBits {
    /// Order of the ways of each set.
    pub replacement: u64,
    /// Of the inclusion policy.
    pub inclusion: u64,
    /// Of the bypass policy.
    pub bypass: u64,
    /// Of the granularity policy.
    pub granularity: u64,
    /// Of the prefetcher.
    pub prefetch: u64,
}

impl PolicyBits {
    /// All of them together.
    pub fn total(&self) -> u64 {
        self.replacement + self.inclusion + self.bypass + self.granularity + self.prefetch
    }
}

impl CacheSpec {
    /// The storage that this cache's policies need, beside tags and data and [`CacheSpec::policy_bits_of_core`], in a
    /// machine with so many cores; of a checked
    /// description. `below` is the inclusion policy of the cache below, of which the upper part is here.
    pub fn policy_bits(&self, policies: &PolicySpec, below: InclusionKind, cores: u32) -> PolicyBits {
        let lines = u64::from(self.sets()) * u64::from(self.ways);
        self.policy_bits_for(lines, policies, below, cores)
    }

    /// Those of them that are in the tags of its lines: what there would not be without any line.
    pub fn policy_tag_bits(&self, policies: &PolicySpec, below: InclusionKind, cores: u32) -> u64 {
        let all = self.policy_bits(policies, below, cores).total();
        all - self.policy_bits_for(0, policies, below, cores).total()
    }

    /// The storage that its policies need in each core: tables that are a core's whatever caches it goes through.
    pub fn policy_bits_of_core(&self, policies: &PolicySpec) -> u64 {
        Inclusion::new(self.inclusion, policies, 0).bits_of_core()
            + Bypass::new(self.bypass, policies, 0).bits_of_core()
            + Granularity::new(self.granularity, policies, 0).bits_of_core()
            + Prefetcher::new(self.prefetch, policies, 0).bits_of_core()
    }

    fn policy_bits_for(
        &self,
        lines: u64,
        policies: &PolicySpec,
        below: InclusionKind,
        cores: u32,
    ) -> PolicyBits {
        let sectors_per_line = self.sectors_per_line();
        let storage = Storage { lines, line_bytes: self.line.0, sectors_per_line, cores };
        let here = Inclusion::new(self.inclusion, policies, 0).bits(&storage);
        let bypass = Bypass::new(self.bypass, policies, 0);
        PolicyBits {
            replacement: Replacement::new(self.replacement, 0).bits(self.sets(), self.ways),
            inclusion: here + Inclusion::new(below, policies, 0).bits_above(&storage),
            bypass: bypass.bits(&storage) + bypass.bits_of_sets(self.sets(), self.ways),
            granularity: Granularity::new(self.granularity, policies, 0).bits(&storage),
            prefetch: Prefetcher::new(self.prefetch, policies, 0).bits(&storage),
        }
    }
}

impl BypassKind {
    /// Whether the policy finds out which of its decisions were right.
    pub fn finds_out(self) -> bool {
        Bypass::new(self, &PolicySpec::default(), 0).decisions().is_some()
    }
}

impl InclusionKind {
    /// Whether lines move between the levels: whether the caches above one with this policy give it victims.
    pub fn moves_lines(self) -> bool {
        Inclusion::new(self, &PolicySpec::default(), 0).moves_lines()
    }
}
