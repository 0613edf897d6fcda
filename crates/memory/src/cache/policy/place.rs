//! What policies refuse of the place that a cache has among others.

use super::{BypassKind, Inclusion, PolicySpec, Surroundings};
use crate::SpecError;

impl Surroundings<'_> {
    /// Whether the policies of the cache can be where it is.
    pub fn check(&self, policies: &PolicySpec) -> Result<(), SpecError> {
        self.cache.bypass.check_place(policies, self)?;
        self.cache.inclusion.check_place(policies, self)?;
        self.cache.granularity.check_place(policies, self)?;
        self.cache.prefetch.check_place(policies, self)?;
        self.check_bypass_above()
    }

    /// Whether caches above one that lines move to and from keep what they get, so that there is something to move.
    fn check_bypass_above(&self) -> Result<(), SpecError> {
        let inclusion = Inclusion::new(self.cache.inclusion, &PolicySpec::default(), 0);
        let starves = |bypass: BypassKind| bypass != BypassKind::Never && !inclusion.decides_for(bypass);
        match self.above.iter().find(|above| starves(above.cache.bypass)) {
            Some(above) if inclusion.moves_lines() => {
                let problem = format!(
                    "an exclusive cache below ({}.inclusion) lives on what this one kept and gave up; use \"never\"",
                    self.name
                );
                Err(SpecError::new(above.name, "bypass", problem))
            }
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::check::tests::good;
    use super::super::{FlexclusionSpec, InclusionKind, Neighbour};
    use super::*;
    use crate::cache::spec::CacheSpec;

    /// What a level of a machine with two is refused for, if it is.
    fn refused(place: &Surroundings<'_>, policies: &PolicySpec) -> Option<(String, String)> {
        place.check(policies).err().map(|error| (error.key, error.problem))
    }

    fn below(cache: CacheSpec, above: BypassKind) -> Surroundings<'static> {
        let above = Neighbour { name: "l1", cache: CacheSpec { bypass: above, ..good() } };
        Surroundings { name: "l2", cache, slices: 6, is_private: false, above: vec![above], below: None }
    }

    #[test]
    fn a_policy_refuses_where_it_would_be_by_the_keys_of_the_machine() {
        let policies = PolicySpec::default();
        let shared = below(CacheSpec { bypass: BypassKind::PcReuse, ..good() }, BypassKind::Never);
        let (key, problem) = refused(&shared, &policies).unwrap();
        assert!(key == "l2.bypass" && problem.contains("in a cache of its own"), "{key}: {problem}");
        assert_eq!(refused(&Surroundings { is_private: true, ..shared }, &policies), None);
        let dueling = below(CacheSpec { inclusion: InclusionKind::Flexclusion, ..good() }, BypassKind::Never);
        assert_eq!(refused(&dueling, &policies), None);
        // Six slices of 96 sets have room for twice 288.
        let of = |monitor_sets| PolicySpec {
            flexclusion: FlexclusionSpec { monitor_sets, ..FlexclusionSpec::default() },
            ..PolicySpec::default()
        };
        assert_eq!(refused(&dueling, &of(288)), None);
        let (key, problem) = refused(&dueling, &of(289)).unwrap();
        assert_eq!(key, "policies.flexclusion.monitor_sets");
        assert!(problem.contains("half of the 576 sets of l2 (l2.size, l2.ways)"), "{problem}");
    }

    #[test]
    fn what_bypasses_an_upper_cache_is_missing_below_unless_one_policy_decides_for_both() {
        let refused = |inclusion, above| {
            refused(&below(CacheSpec { inclusion, ..good() }, above), &PolicySpec::default())
        };
        use InclusionKind::{BypassCopyback, Exclusive, Flexclusion, NonInclusive, RegionExclusive};
        for inclusion in [Exclusive, RegionExclusive, Flexclusion] {
            let (key, problem) = refused(inclusion, BypassKind::PcReuse).unwrap();
            assert!(key == "l1.bypass" && problem.contains("below (l2.inclusion)"), "{key}: {problem}");
        }
        assert_eq!(refused(BypassCopyback, BypassKind::PcReuse), None);
        assert!(refused(BypassCopyback, BypassKind::Obm).is_some());
        assert_eq!(refused(NonInclusive, BypassKind::Obm), None);
    }
}
