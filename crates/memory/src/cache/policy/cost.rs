//! What policies cost in storage.

use super::PolicySpec;
use super::bypass::Bypass;
use super::prefetch::Prefetcher;
use super::replacement::Replacement;
use crate::cache::spec::CacheSpec;

/// Bits of storage that a cache's policies need, beside its tags and data.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PolicyBits {
    /// Order of the ways of each set.
    pub replacement: u64,
    /// Tables of the bypass policy and what it adds to each tag.
    pub bypass: u64,
    /// Tables of the prefetcher and what it adds to each tag.
    pub prefetch: u64,
}

impl CacheSpec {
    /// The storage that this cache's policies need, beside tags and data; of a checked description. Inclusion and
    /// granularity have members without tables only.
    pub fn policy_bits(&self, policies: &PolicySpec) -> PolicyBits {
        let lines = u64::from(self.sets()) * u64::from(self.ways);
        PolicyBits {
            replacement: Replacement::new(self.replacement, 0).bits(self.sets(), self.ways),
            bypass: Bypass::new(self.bypass, policies, 0).bits(lines),
            prefetch: Prefetcher::new(self.prefetch, policies).bits(lines),
        }
    }
}
