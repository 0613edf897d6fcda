//! A registry of its own, with a policy of each family: what CONTRIBUTING.md says of adding one is all that there is to
//! it. The files beside this one are as they would stand in their families' folders, and a line each makes them names
//! of machine files, parameters, checks, tables and dispatch.
#![allow(
    clippy::duplicate_mod,
    reason = "the traits of the families are those of the other registry's, in their own files"
)]
#![expect(
    dead_code,
    unreachable_pub,
    reason = "a registry makes all that caches call, and no cache is made of this one"
)]

use super::{
    Block, CoreTables, Departure, Fill, Limit, Met, Parameters, Policy, ROWS_MAX, SetNumbers, Storage,
    Surroundings,
};
use super::{Visit, Wants, context, parameters};

policies! { $
    /// Which level may hold what the other holds.
    mod inclusion {
        #[path = "../../inclusion/family.rs"]
        mod family;
        pub use family::{AfterHit, Fetched, Hit, HitLine, InclusionPolicy, OnFetch};
    }
    Inclusion, InclusionKind, each_inclusion {
        /// What cores that come back fetch is kept below.
        Returning = "returning" => returning::Returning, ReturningSpec;
    }

    /// Which fills bypass the cache: they are not inserted.
    mod bypass {
        #[path = "../../bypass/family.rs"]
        mod family;
        pub use family::BypassPolicy;
    }
    Bypass, BypassKind, each_bypass {
        /// Those of instructions whose lines are used in one sector at most.
        OneUse = "one-use" => one_use::OneUse, OneUseSpec;
    }

    /// How much of a line is fetched.
    mod granularity {
        #[path = "../../granularity/family.rs"]
        mod family;
        pub(super) use family::needs_sectors;
        pub use family::{GranularityPolicy, Lack};
        pub(super) use family::lack_of;
    }
    Granularity, GranularityKind, each_granularity {
        /// The sectors that are asked for and their neighbours.
        Pairs = "pairs" => pairs::Pairs;
    }

    /// What is prefetched.
    mod prefetch {
        #[path = "../../prefetch/family.rs"]
        mod family;
        pub use family::{PrefetchPolicy, Wish};
    }
    Prefetcher, PrefetchKind, each_prefetcher {
        /// The next line.
        NextLine = "next-line" => next_line::NextLine;
    }
}

#[test]
fn a_line_of_the_registry_gives_a_policy_its_name_parameters_and_checks() {
    assert_eq!(BypassKind::NAMES, ["one-use"]);
    let text = "[one-use]\ncounters = 24\n[returning]\nhits = 3\n";
    let policies: PolicySpec = toml::from_str(text).unwrap();
    assert_eq!((policies.one_use.counters, policies.returning.hits), (24, 3));
    assert_eq!(policies.check("policies").unwrap_err().key, "policies.one-use.counters");
    assert_eq!(PolicySpec::default().rows(), [("one-use.counters".to_owned(), 16)]);
}

#[test]
fn a_policy_makes_and_finds_the_tables_that_it_shares() {
    let policies = PolicySpec::default();
    let mut tables = CoreTables::default();
    InclusionKind::Returning.share(&policies, 2, &mut tables);
    assert_eq!(InclusionKind::Returning.shares(), Some("the hits of cores"));
    assert_eq!(BypassKind::OneUse.shares(), None);
    let mut policy = Inclusion::new(InclusionKind::Returning, &policies, 0);
    let visit = |core| Visit { core: crate::CoreId(core), ..context::read_at(0) };
    let line = inclusion::HitLine { core: crate::CoreId(0), policy_bits: 0 };
    for _ in 0..2 {
        assert_eq!(policy.on_fetch(&visit(1), &mut tables).then, inclusion::OnFetch::PassUp);
        policy.hit(&visit(1), line, &mut tables);
    }
    assert_eq!(policy.on_fetch(&visit(1), &mut tables).then, inclusion::OnFetch::Keep);
    assert_eq!(policy.on_fetch(&visit(0), &mut tables).then, inclusion::OnFetch::PassUp);
}

#[test]
fn the_families_ask_the_policies_of_the_registry() {
    let (policies, tables) = (PolicySpec::default(), &mut CoreTables::default());
    let mut bypass = Bypass::new(BypassKind::OneUse, &policies, 0);
    assert!(bypass.decides() && bypass.wants().departures);
    (0..4).for_each(|_| bypass.departed(&context::departure_of(0), tables));
    assert!(bypass.passes(&context::block(1, 7), &context::block(2, 8), tables));
    let mut granularity = Granularity::new(GranularityKind::Pairs, &policies, 0);
    let fetched = granularity.fetch(&granularity::lack_of(0b0100), tables);
    assert_eq!(fetched, crate::request::Sectors(0b1100));
    let mut prefetcher = Prefetcher::new(PrefetchKind::NextLine, &policies, 0);
    let mut wished = Vec::new();
    prefetcher.observe(&context::read_at(130), tables, |wish| wished.push(wish));
    let next = prefetch::Wish { policy_bits: prefetch::next_line::AHEAD, ..prefetch::Wish::at(256) };
    assert_eq!(wished, [next]);
    assert_eq!(PrefetchKind::NextLine.bits_used(), prefetch::next_line::AHEAD);
    // A machine may have it beside any policy of the real registry.
    let real = [super::InclusionKind::BypassCopyback, super::InclusionKind::Flexclusion];
    assert!(real.iter().all(|inclusion| inclusion.bits_used() & prefetch::next_line::AHEAD == 0));
    assert_eq!(super::BypassKind::PcReuse.bits_used() & prefetch::next_line::AHEAD, 0);
}
