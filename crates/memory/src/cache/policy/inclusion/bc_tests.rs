//! Table 12 line by line, and what the parts of B+C make of it.

use super::super::super::context::read_at;
use super::super::super::{PcReuseSpec, PolicySpec};
use super::super::AfterHit;
use super::*;
use crate::cache::policy::{BypassKind, InclusionKind};
use crate::ids::RegionId;

fn policy() -> BypassCopyback {
    BypassCopyback::new(&BcSpec::default(), 0)
}

/// Tables of two cores with short periods; those of instructions only if asked for.
fn tables(of_instructions: bool) -> CoreTables {
    let policies = PolicySpec {
        bc: BcSpec { period: 128, ..BcSpec::default() },
        pc_reuse: PcReuseSpec { period: 128, ..PcReuseSpec::default() },
        ..PolicySpec::default()
    };
    let bypass = if of_instructions { BypassKind::PcReuse } else { BypassKind::Never };
    let mut tables = CoreTables::default();
    InclusionKind::BypassCopyback.share(&policies, 2, &mut tables);
    bypass.share(&policies, 2, &mut tables);
    tables
}

/// A period of fills of a region by core 0, of which so many found shared and private reuse.
fn fill(tables: &mut CoreTables, region: u16, shared: u32, private: u32) {
    let region = RegionId(region);
    for number in 0..128 {
        regions(tables).filled(region, number < shared, number < private);
    }
}

/// The table of core 0.
fn regions(tables: &mut CoreTables) -> &mut RegionTable {
    tables.of_core_mut(CoreId(0)).unwrap()
}

fn by(core: u16, policy_bits: u16) -> Visit {
    Visit { core: CoreId(core), policy_bits, ..read_at(0) }
}

#[test]
fn table_12_line_by_line() {
    let (no, yes, unknown) = (Some(false), Some(true), None);
    let action = |bypass_l1, at_l2| Decision { bypass_l1, at_l2 };
    let lines = [
        (no, Some((false, false)), action(true, AtL2::Bypass)),
        (no, Some((false, true)), action(false, AtL2::CopyBack)),
        (no, Some((true, false)), action(true, AtL2::Keep)),
        (no, Some((true, true)), action(true, AtL2::Keep)),
        (yes, Some((false, false)), action(false, AtL2::Bypass)),
        (yes, Some((false, true)), action(false, AtL2::CopyBack)),
        (yes, Some((true, false)), action(false, AtL2::Keep)),
        (yes, Some((true, true)), action(false, AtL2::Keep)),
        (no, None, action(true, AtL2::Keep)),
        (unknown, Some((false, true)), action(false, AtL2::CopyBack)),
    ];
    for (l1_reuse, region, expected) in lines {
        assert_eq!(decide(l1_reuse, region), expected, "{l1_reuse:?} {region:?}");
    }
}

#[test]
fn combinations_that_table_12_has_not_are_cached_normally() {
    let normally = Decision { bypass_l1: false, at_l2: AtL2::Keep };
    let regions = [None, Some((false, false)), Some((true, false)), Some((true, true))];
    assert!(regions.iter().all(|&region| decide(None, region) == normally));
    assert_eq!(decide(Some(true), None), normally);
}

#[test]
fn at_l2_alone_regions_without_shared_reuse_bypass_and_those_with_private_reuse_are_copied_back() {
    let mut tables = tables(false);
    let asked = |tables: &mut CoreTables| policy().asked(&by(0, 0), tables);
    assert_eq!(asked(&mut tables), 0, "nothing is known yet");
    fill(&mut tables, 1, 0, 0);
    assert_eq!(asked(&mut tables), BYPASS);
    fill(&mut tables, 1, 0, 64);
    assert_eq!(asked(&mut tables), EXCLUSIVE);
    fill(&mut tables, 1, 64, 0);
    assert_eq!(asked(&mut tables), 0);
    assert_eq!(policy().asked(&by(1, 0), &mut tables), 0, "each core has tables of its own");
}

#[test]
fn a_region_keeps_its_flags_and_is_not_judged_by_few_accesses() {
    let mut tables = tables(false);
    fill(&mut tables, 1, 64, 0);
    (0..20).for_each(|_| fill(&mut tables, 1, 0, 0));
    assert_eq!(regions(&mut tables).reuse(RegionId(1)), Some((true, false)));
    (0..63).for_each(|_| regions(&mut tables).filled(RegionId(2), false, false));
    (0..65).for_each(|_| regions(&mut tables).filled(RegionId(1), false, false));
    assert_eq!(regions(&mut tables).reuse(RegionId(2)), None, "63 accesses show no 64th");
}

#[test]
fn where_instructions_are_tracked_one_that_is_not_known_keeps_what_has_no_reuse() {
    let mut tables = tables(true);
    fill(&mut tables, 1, 0, 0);
    assert_eq!(policy().asked(&by(0, 0), &mut tables), 0);
    let pc = by(0, 0).pc;
    (0..128).for_each(|_| tables.of_core_mut::<PcTable>(CoreId(0)).unwrap().accessed(pc, None));
    assert_eq!(policy().asked(&by(0, 0), &mut tables), BYPASS);
}

#[test]
fn a_fetch_bypasses_as_its_request_says_and_is_counted() {
    let mut bc = policy();
    let mut fetch = |bits| bc.on_fetch(&by(0, bits), &mut CoreTables::default());
    assert_eq!(fetch(0), Fetched { then: OnFetch::Keep, policy_bits: 0 });
    for bits in [BYPASS, EXCLUSIVE] {
        assert_eq!(fetch(bits), Fetched { then: OnFetch::Bypass, policy_bits: bits });
    }
}

#[test]
fn a_core_that_waits_for_anothers_fetch_can_have_it_kept_and_shows_that_it_is_shared() {
    let shared = 2;
    let mut bc = policy();
    let mut merged = |core, bits, fetched| bc.merged(&by(core, bits), CoreId(0), fetched);
    assert_eq!(merged(1, 0, BYPASS), Fetched { then: OnFetch::Keep, policy_bits: shared });
    assert_eq!(merged(1, BYPASS, 0), Fetched { then: OnFetch::Keep, policy_bits: shared });
    assert_eq!(merged(0, BYPASS, BYPASS), Fetched { then: OnFetch::Bypass, policy_bits: BYPASS });
    let different = merged(1, BYPASS, EXCLUSIVE);
    assert_eq!(different, Fetched { then: OnFetch::Bypass, policy_bits: shared | BYPASS });
    let same = merged(1, EXCLUSIVE, EXCLUSIVE);
    assert_eq!(same, Fetched { then: OnFetch::Bypass, policy_bits: shared | EXCLUSIVE });
}

#[test]
fn a_line_that_was_copied_back_leaves_with_a_hit_of_its_core_alone() {
    let copied_back = policy().filled(
        &Fill {
            line: crate::request::LineAddress(0),
            core: CoreId(0),
            region: RegionId(1),
            policy_bits: EXCLUSIVE,
        },
        &mut tables(false),
    );
    assert!(policy().gives(copied_back) && !policy().gives(0));
    let line = HitLine { core: CoreId(0), policy_bits: copied_back };
    let after = |core| policy().hit(&by(core, 0), line, &mut CoreTables::default()).after;
    assert_eq!((after(0), after(1)), (AfterHit::MoveUp, AfterHit::Keep));
}

#[test]
fn the_cost_at_l2_is_that_of_the_document_and_that_of_a_core_follows_from_its_fields() {
    let l2 = Storage { lines: 6144, line_bytes: 128, sectors_per_line: 1, cores: 16 };
    assert_eq!(policy().bits(&l2), 5376 * 8);
    let l1 = Storage { lines: 384, ..l2 };
    let tables = 31 * (16 + 4 + 33) + 11 + 31 * 80;
    assert_eq!((policy().bits_above(&l1), policy().bits_of_core()), (384, tables));
}
