//! Everything that is accepted is answered, and nothing is lost on the way.

use super::driver::{drive, mixed};
use super::machines::{Figures, clocks, domains, fermi, gtx480, one_clock, tiny};
use heddle_engine::Statistics;
use heddle_engine::units::Bytes;
use heddle_memory::cache::{
    Allocate, BypassKind, GranularityKind, InclusionKind, PrefetchKind, WriteHit, WriteMiss,
};
use heddle_memory::fabric::Fabric;
use proptest::prelude::*;

/// Machines that differ in everything that changes the ways of requests.
fn variants() -> Vec<(&'static str, Figures)> {
    let mut exclusive = fermi();
    exclusive.l2.inclusion = InclusionKind::Exclusive;
    let mut victims = exclusive.clone();
    victims.l1.victim_lines = 8;
    let mut sectors = fermi();
    for cache in [&mut sectors.l1, &mut sectors.constant] {
        (cache.sector, cache.granularity) = (Bytes(32), GranularityKind::Sector);
    }
    (sectors.l2.sector, sectors.l2.granularity) = (Bytes(32), GranularityKind::Sector);
    let mut policies = gtx480();
    (policies.l1.prefetch, policies.l2.prefetch) = (PrefetchKind::Stride, PrefetchKind::Stride);
    (policies.l1.bypass, policies.l2.bypass) = (BypassKind::Obm, BypassKind::Obm);
    let mut regions = fermi();
    (regions.l2.inclusion, regions.policies.rex.period) = (InclusionKind::RegionExclusive, 4);
    let mut neighbours = sectors.clone();
    (neighbours.l1.granularity, neighbours.l2.granularity) = (GranularityKind::Nap, GranularityKind::Nap);
    let mut history = gtx480();
    (history.l1.prefetch, history.l2.prefetch) = (PrefetchKind::Ghb, PrefetchKind::Ghb);
    let mut all = neighbours.clone();
    (all.l2.inclusion, all.policies.rex.period) = (InclusionKind::RegionExclusive, 3);
    (all.l1.prefetch, all.l2.prefetch) = (PrefetchKind::Ghb, PrefetchKind::Ghb);
    (all.l1.allocate, all.l2.allocate) = (Allocate::OnMiss, Allocate::OnMiss);
    (all.l2.write_hit, all.l2.write_miss) = (WriteHit::Back, WriteMiss::Allocate);
    all.l1.victim_lines = 2;
    let mut small_lines = gtx480();
    (small_lines.constant.line, small_lines.constant.sector) = (Bytes(64), Bytes(64));
    let mut whole_lines = gtx480();
    (whole_lines.l2.inclusion, whole_lines.policies.rex.period) = (InclusionKind::RegionExclusive, 4);
    let mut dueling = fermi();
    (dueling.l2.inclusion, dueling.l1.victim_lines) = (InclusionKind::Flexclusion, 2);
    (dueling.policies.flexclusion.monitor_sets, dueling.policies.flexclusion.counter_bits) = (2, 2);
    let mut patterns = sectors.clone();
    (patterns.l1.granularity, patterns.l2.granularity) = (GranularityKind::Spp, GranularityKind::Spp);
    let mut bimodal = sectors.clone();
    (bimodal.l1.granularity, bimodal.l2.granularity) = (GranularityKind::Bim, GranularityKind::Bim);
    bimodal.policies.bim.refresh_period = 16;
    let mut banks = gtx480();
    (banks.l2.banks, banks.l2.ports) = (4, 2);
    vec![
        ("fermi", fermi()),
        ("gtx480", gtx480()),
        ("exclusive", exclusive),
        ("victims", victims),
        ("sectors", sectors),
        ("policies", policies),
        ("regions", regions),
        ("neighbours", neighbours),
        ("history", history),
        ("all", all),
        ("small lines", small_lines),
        ("whole lines above sectors", whole_lines),
        ("banks", banks),
        ("dueling", dueling),
        ("patterns", patterns),
        ("bimodal", bimodal),
    ]
}

#[test]
fn under_tiny_queues_everything_is_answered_once() {
    for (name, spec) in variants() {
        let spec = tiny(spec);
        let mut fabric =
            Fabric::new(&spec.fabric(), &one_clock(), 5).unwrap_or_else(|e| panic!("{name}: {e}"));
        drive(&mut fabric, &one_clock(), mixed(5, 600, 400, 1));
    }
}

#[test]
fn policies_act_while_nothing_is_lost() {
    for (name, counts) in [
        ("regions", ["l1.victims_given", "l2.moved_up"]),
        ("neighbours", ["l1.sectors_fetched", "l2.sectors_fetched"]),
        ("history", ["l1.prefetches_issued", "l2.prefetches_issued"]),
        ("all", ["l2.moved_up", "l1.prefetches_wished"]),
        ("dueling", ["l1.victims_given", "l2.moved_up"]),
        ("dueling", ["flexclusion.switches", "flexclusion.exclusive_cycles"]),
        ("patterns", ["l1.sector_misses", "l2.sectors_fetched"]),
        ("bimodal", ["l1.sector_misses", "l2.sectors_fetched"]),
    ] {
        let (_, spec) = variants().into_iter().find(|(known, _)| *known == name).unwrap();
        // One core, so that no region is shared.
        let mut fabric = Fabric::new(&tiny(spec).fabric(), &one_clock(), 1).unwrap();
        drive(&mut fabric, &one_clock(), mixed(1, 3000, 60, 5));
        let mut statistics = Statistics::default();
        fabric.add_statistics(fabric.now(), &mut statistics);
        for count in counts {
            let counted = statistics.iter().find(|(known, _)| *known == count).map(|(_, count)| count);
            assert!(counted > Some(0), "{name}: {count} is {counted:?}");
        }
    }
}

#[test]
fn with_clocks_that_share_no_edge_everything_is_answered_once() {
    for (name, spec) in variants() {
        let clocks = clocks(&spec, 700, 650, 600);
        let mut fabric =
            Fabric::new(&tiny(spec).fabric(), &clocks, 5).unwrap_or_else(|e| panic!("{name}: {e}"));
        drive(&mut fabric, &clocks, mixed(5, 400, 2000, 2));
    }
}

#[test]
fn the_same_requests_give_the_same_notices_at_the_same_times() {
    for (_, spec) in variants() {
        let run = || {
            let clocks = clocks(&spec, 700, 700, 700);
            let mut fabric = Fabric::new(&spec.fabric(), &clocks, 15).unwrap();
            drive(&mut fabric, &clocks, mixed(15, 300, 5000, 3))
        };
        assert_eq!(run(), run());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn no_combination_of_sizes_hangs(
        seed in 0u64..1000, variant in 0usize..16, lines in 1u64..300,
        queues in (1u32..4, 1u32..4, 1u32..4, 1u32..4), misses in (1u32..4, 1u32..4, 1u32..4, 1u32..4),
        crossbar in (1u32..4, 1u32..4, 0u32..5), periods in (1u64..4, 1u64..4, 1u64..4, 1u64..4),
    ) {
        let mut spec = tiny(variants().swap_remove(variant).1);
        (spec.l2.input_queue, spec.l2.reply_queue, spec.l2.dram_queue, spec.dram.queue.entries) = queues;
        (spec.l1.mshrs, spec.l1.merges, spec.l2.mshrs, spec.l2.merges) = misses;
        let interconnect = &mut spec.interconnect;
        (interconnect.input_queue, interconnect.output_queue, interconnect.latency) = crossbar;
        let clock = heddle_engine::Clock::with_period;
        let clocks = domains(clock(periods.0), clock(periods.1), clock(periods.2), clock(periods.3));
        let mut fabric = Fabric::new(&spec.fabric(), &clocks, 3).unwrap();
        drive(&mut fabric, &clocks, mixed(3, 120, lines, seed));
    }
}

/// A machine with these policies at L1 and L2; what does not go together is left out.
fn with_policies(
    inclusion: usize,
    granularity: (usize, usize),
    prefetch: (usize, usize),
    bypass: (usize, usize),
) -> Figures {
    let mut spec = fermi();
    let kinds = [
        InclusionKind::NonInclusive,
        InclusionKind::Exclusive,
        InclusionKind::RegionExclusive,
        InclusionKind::Flexclusion,
        InclusionKind::BypassCopyback,
    ];
    spec.l2.inclusion = kinds[inclusion];
    (spec.policies.flexclusion.monitor_sets, spec.policies.flexclusion.counter_bits) = (2, 2);
    spec.policies.bim.refresh_period = 16;
    (spec.l1.sector, spec.l2.sector) = (Bytes(32), Bytes(32));
    let kinds = [
        GranularityKind::Line,
        GranularityKind::Sector,
        GranularityKind::Nap,
        GranularityKind::Spp,
        GranularityKind::Bim,
    ];
    (spec.l1.granularity, spec.l2.granularity) = (kinds[granularity.0], kinds[granularity.1]);
    let kinds = [PrefetchKind::None, PrefetchKind::Stride, PrefetchKind::Ghb, PrefetchKind::Stream];
    (spec.l1.prefetch, spec.l2.prefetch) = (kinds[prefetch.0], kinds[prefetch.1]);
    let kinds = [BypassKind::Never, BypassKind::Obm, BypassKind::Mat, BypassKind::Ab];
    match kinds[bypass.0] {
        _ if inclusion == 0 => (spec.l1.bypass, spec.l2.bypass) = (kinds[bypass.0], kinds[bypass.1]),
        BypassKind::Mat | BypassKind::Ab if inclusion == 4 => spec.l1.bypass = BypassKind::PcReuse,
        _ => {}
    }
    spec
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]
    #[test]
    fn no_combination_of_policies_loses_anything_also_across_launches(
        inclusion in 0usize..5, granularity in (0usize..5, 0usize..5), prefetch in (0usize..4, 0usize..4),
        bypass in (0usize..4, 0usize..4), on_miss: (bool, bool), back: bool, victim_lines in 0u32..3, period in 1u32..9,
        cores in 1u16..4, lines in 1u64..200, seed in 0u64..1000,
    ) {
        let mut spec = tiny(with_policies(inclusion, granularity, prefetch, bypass));
        let allocate = [Allocate::OnFill, Allocate::OnMiss];
        (spec.l1.allocate, spec.l2.allocate) = (allocate[usize::from(on_miss.0)], allocate[usize::from(on_miss.1)]);
        if back {
            (spec.l2.write_hit, spec.l2.write_miss) = (WriteHit::Back, WriteMiss::Allocate);
        }
        spec.l1.victim_lines = victim_lines;
        spec.policies.rex.period = period;
        (spec.policies.bc.period, spec.policies.pc_reuse.period) = (period, period);
        (spec.policies.bc.threshold, spec.policies.pc_reuse.threshold) = (2, 2);
        let mut fabric = Fabric::new(&spec.fabric(), &one_clock(), cores.into()).unwrap();
        for launch in 0..3 {
            drive(&mut fabric, &one_clock(), mixed(cores, 150, lines, seed + launch));
            fabric.begin_launch(&spec.l1.slice(), false);
        }
    }
}
