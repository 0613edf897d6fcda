//! Listings 3 and 4 step by step.

use super::super::super::context::read_at;
use super::super::region_table::{Region, RegionTable};
use super::*;
use crate::ids::CoreId;
use crate::ids::RegionId;

fn rex() -> Rex {
    Rex::new(&RexSpec::default(), 0)
}

fn by(core: u16, policy_bits: u16) -> Visit {
    let core = CoreId(core);
    Visit { core, policy_bits, ..read_at(0) }
}

fn table(entries: u32, period: u32) -> RegionTable {
    RegionTable::new(&RexSpec { entries, period, ..RexSpec::default() })
}

/// Fills of a region, of which so many found shared and private reuse.
fn fill(table: &mut RegionTable, region: u16, accesses: u32, shared: u32, private: u32) {
    let region = RegionId(region);
    for number in 0..accesses {
        table.filled(region, number < shared, number < private);
    }
}

#[test]
fn listing_3_a_fill_clears_the_bits_and_notes_the_core() {
    let fetched = rex().on_fetch(&by(3, 0), &mut CoreTables::default());
    assert_eq!(fetched, Fetched { then: OnFetch::Keep, policy_bits: 0 });
}

#[test]
fn listing_3_the_first_core_sets_private_reuse_and_another_shared_reuse() {
    let mut rex = rex();
    let line = |policy_bits| HitLine { core: CoreId(3), policy_bits };
    let own = rex.hit(&by(3, 0), line(0), &mut CoreTables::default());
    assert_eq!(own, Hit { after: AfterHit::Keep, line_bits: PRIVATE, reply_bits: PRIVATE });
    let other = rex.hit(&by(4, 0), line(0), &mut CoreTables::default());
    assert_eq!(other, Hit { after: AfterHit::Keep, line_bits: SHARED, reply_bits: SHARED });
    // "If the first core … accesses the block again after intervening accesses by other cores": both.
    let again = rex.hit(&by(3, 0), line(other.line_bits), &mut CoreTables::default());
    assert_eq!((again.line_bits, again.reply_bits), (SHARED | PRIVATE, SHARED | PRIVATE));
}

#[test]
fn listing_3_a_line_that_was_copied_back_leaves_with_a_hit_of_its_core_alone() {
    let mut rex = rex();
    let line = HitLine { core: CoreId(3), policy_bits: COPY_BACK };
    let other = rex.hit(&by(4, 0), line, &mut CoreTables::default());
    assert_eq!((other.after, other.reply_bits), (AfterHit::Keep, SHARED));
    let own = rex.hit(&by(3, EXCLUSIVE), line, &mut CoreTables::default());
    assert_eq!((own.after, own.reply_bits), (AfterHit::MoveUp, PRIVATE | EXCLUSIVE));
}

#[test]
fn a_fetch_for_an_exclusive_region_bypasses_unless_a_core_that_waits_wants_it_kept() {
    let mut rex = rex();
    let fetched = rex.on_fetch(&by(3, EXCLUSIVE), &mut CoreTables::default());
    assert_eq!(fetched, Fetched { then: OnFetch::PassUp, policy_bits: EXCLUSIVE });
    let both = rex.merged(&by(4, EXCLUSIVE), CoreId(3), EXCLUSIVE);
    assert_eq!(both, Fetched { then: OnFetch::PassUp, policy_bits: EXCLUSIVE | SHARED });
    let one = rex.merged(&by(4, 0), CoreId(3), EXCLUSIVE);
    assert_eq!(one, Fetched { then: OnFetch::Keep, policy_bits: SHARED });
}

#[test]
fn listing_4_counts_are_halved_and_flags_compare_with_a_64th_of_the_accesses() {
    let mut table = table(32, 256);
    // 256 accesses are 128 after halving; 128 / 64 = 2, and 4 hits halved are 2, which is not more.
    fill(&mut table, 1, 256, 4, 4);
    let entry = Region {
        region: RegionId(1),
        trained: true,
        accesses: 128,
        shared_hits: 2,
        private_hits: 2,
        ..Region::default()
    };
    assert_eq!(table.entries[0], entry);
    assert!(!table.is_exclusive(RegionId(1)));
    // 128 + 256 are 192 after halving, a 64th of which is 3; 2 + 6 are 4.
    fill(&mut table, 1, 256, 0, 6);
    let entry = &table.entries[0];
    assert_eq!((entry.accesses, entry.shared_hits, entry.private_hits), (192, 1, 4));
    assert!(entry.private_reuse && !entry.shared_reuse && table.is_exclusive(RegionId(1)));
}

#[test]
fn a_region_with_shared_reuse_is_not_exclusive_and_can_become_so() {
    let mut table = table(32, 64);
    fill(&mut table, 7, 64, 64, 64);
    assert!(table.entries[0].shared_reuse && !table.is_exclusive(RegionId(7)));
    for _ in 0..12 {
        fill(&mut table, 7, 64, 0, 64);
    }
    assert!(table.is_exclusive(RegionId(7)), "shared hits have faded");
}

#[test]
fn before_the_first_period_ends_nothing_is_exclusive_and_unknown_allocations_never_are() {
    let mut table = table(32, 64);
    fill(&mut table, 7, 63, 0, 63);
    assert!(!table.is_exclusive(RegionId(7)));
    fill(&mut table, 0, 1000, 0, 1000);
    assert_eq!((table.fills, table.is_exclusive(RegionId(0))), (63, false));
    fill(&mut table, 7, 1, 0, 1);
    assert!(table.is_exclusive(RegionId(7)));
}

#[test]
fn a_region_without_entry_takes_that_of_the_least_used_if_it_is_used_more() {
    let mut table = table(2, 64);
    fill(&mut table, 1, 20, 0, 0);
    fill(&mut table, 2, 10, 0, 0);
    fill(&mut table, 3, 9, 0, 0);
    fill(&mut table, 1, 25, 0, 0);
    let known = |table: &RegionTable| [table.entries[0].region.0, table.entries[1].region.0];
    assert_eq!((known(&table), table.untracked), ([1, 2], 0), "9 are not more than 10");
    fill(&mut table, 4, 20, 0, 0);
    fill(&mut table, 3, 20, 0, 0);
    fill(&mut table, 1, 24, 0, 0);
    assert_eq!(known(&table), [1, 4], "the first of the regions without entry");
    assert_eq!(table.entries[1], Region { region: RegionId(4), ..Region::default() });
}

#[test]
fn counters_saturate() {
    let mut table = RegionTable::new(&RexSpec { counter_bits: 3, period: 100, ..RexSpec::default() });
    fill(&mut table, 1, 99, 99, 99);
    let entry = &table.entries[0];
    assert_eq!((entry.accesses, entry.shared_hits, entry.private_hits), (7, 7, 7));
}

#[test]
fn the_upper_cache_asks_trains_and_copies_back_by_the_table_of_its_core() {
    let spec = RexSpec { period: 4, ..RexSpec::default() };
    let mut tables = CoreTables::default();
    Rex::share(&spec, 2, &mut tables);
    let mut rex = Rex::new(&spec, 0);
    let reply = |policy_bits| Fill {
        line: crate::request::LineAddress(0),
        core: CoreId(1),
        region: RegionId(1),
        policy_bits,
    };
    for _ in 0..4 {
        assert_eq!(rex.filled(&reply(PRIVATE), &mut tables), 0);
    }
    assert_eq!(rex.asked(&by(1, 0), &mut tables), EXCLUSIVE);
    assert_eq!(rex.asked(&by(0, 0), &mut tables), 0, "each core has its own table");
    assert_eq!(rex.asked(&Visit { access: Access::Write, ..by(1, 0) }, &mut tables), 0);
    assert_eq!(rex.filled(&reply(EXCLUSIVE), &mut tables), COPY_BACK);
    assert!(rex.gives(COPY_BACK) && !rex.gives(0));
}

#[test]
fn the_cost_is_that_of_the_figures() {
    let l2 = Storage { lines: 6144, line_bytes: 128, sectors_per_line: 1, cores: 16 };
    // The document's own sum of the tags of L2 (section 4.5.6): 5376 bytes.
    assert_eq!(rex().bits(&l2), 5376 * 8);
    let l1 = Storage { lines: 384, ..l2 };
    assert_eq!((rex().bits_above(&l1), rex().bits_of_core()), (384, 32 * (16 + 4 + 30) + 10));
}
