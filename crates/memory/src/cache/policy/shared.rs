//! What the policies of a cache share with those of others.

use super::{BypassKind, CoreTables, GranularityKind, InclusionKind, PolicySpec, PrefetchKind};
use crate::cache::spec::CacheSpec;

impl CacheSpec {
    /// What policies of caches like this one share with others, in words, by key.
    pub fn shares(&self) -> [(&'static str, Option<&'static str>); 4] {
        [
            ("inclusion", self.inclusion.shares()),
            ("bypass", self.bypass.shares()),
            ("granularity", self.granularity.shares()),
            ("prefetch", self.prefetch.shares()),
        ]
    }

    /// The policy bits that policies of caches like this one use, with the policies' names, by key.
    pub fn bits_used(&self) -> [(&'static str, &'static str, u16); 4] {
        let CacheSpec { inclusion, bypass, granularity, prefetch, .. } = self;
        [
            ("inclusion", InclusionKind::NAMES[*inclusion as usize], inclusion.bits_used()),
            ("bypass", BypassKind::NAMES[*bypass as usize], bypass.bits_used()),
            ("granularity", GranularityKind::NAMES[*granularity as usize], granularity.bits_used()),
            ("prefetch", PrefetchKind::NAMES[*prefetch as usize], prefetch.bits_used()),
        ]
    }

    /// Adds what they share, for so many cores.
    pub fn share(&self, policies: &PolicySpec, cores: u32, tables: &mut CoreTables) {
        self.inclusion.share(policies, cores, tables);
        self.bypass.share(policies, cores, tables);
        self.granularity.share(policies, cores, tables);
        self.prefetch.share(policies, cores, tables);
    }

    /// What they share if no other cache has such policies.
    pub fn tables(&self, policies: &PolicySpec, cores: u32) -> CoreTables {
        let mut tables = CoreTables::default();
        self.share(policies, cores, &mut tables);
        tables
    }
}
