//! Where a stream saturates something, less of it costs time.

use super::driver::{Numbers, drive, drive_sampled, request};
use super::machines::{clocks, fermi, gtx480};
use heddle_engine::units::{Bytes, Frequency};
use heddle_engine::{Statistics, Tick};
use heddle_memory::hierarchy::{FetchUnit, Hierarchy, HierarchySpec, L2Spec, SliceMap, ZeroLoad};
use heddle_memory::request::{Access, Request};

const CORES: u16 = 15;

/// Random reads over so many lines.
fn reads(lines: u64, each: usize) -> Vec<Vec<Request>> {
    let mut numbers = Numbers(7);
    (0..CORES)
        .map(|core| (0..each).map(|_| request(core, numbers.below(lines) * 128, 1, Access::Read)).collect())
        .collect()
}

/// Core cycles that random reads take.
fn cycles(spec: &HierarchySpec, lines: u64) -> u64 {
    let clocks = clocks(spec, 700, 700, 700);
    let mut hierarchy = Hierarchy::new(spec, clocks, CORES.into()).unwrap();
    drive(&mut hierarchy, clocks, reads(lines, 2_000)).cycles
}

/// More lines than L2 has.
const MANY: u64 = 1 << 20;
/// Lines that L2 holds and L1 does not.
const FEW: u64 = 4_000;

/// On both machines with so much of something, half of it costs time.
fn half_costs_time(lines: u64, much: u64, set: impl Fn(&mut HierarchySpec, u64)) {
    for mut spec in [fermi(), gtx480()] {
        set(&mut spec, much);
        let before = cycles(&spec, lines);
        set(&mut spec, much / 2);
        let after = cycles(&spec, lines);
        assert!(after > before + before / 50, "{before} cycles, with half of it {after}");
    }
}

#[test]
fn half_the_mshrs_of_l1_cost_time() {
    half_costs_time(MANY, 16, |spec, much| spec.l1.mshrs = much as u32);
}

#[test]
fn half_the_mshrs_of_l2_cost_time() {
    half_costs_time(MANY, 16, |spec, much| spec.l2.mshrs = much as u32);
}

#[test]
fn half_the_flit_costs_time() {
    half_costs_time(FEW, 40, |spec, much| spec.interconnect.flit = Bytes(much));
}

#[test]
fn half_the_bandwidth_of_dram_costs_time() {
    half_costs_time(MANY, 800, |spec, much| spec.dram.clock = Frequency::from_hertz(much * 1_000_000));
}

#[test]
fn half_the_queues_of_dram_cost_time() {
    half_costs_time(MANY, 4, |spec, much| spec.dram.queue.entries = much as u32);
}

#[test]
fn half_the_ejection_buffers_cost_time() {
    half_costs_time(FEW, 2, |spec, much| spec.interconnect.output_queue = much as u32);
}

#[test]
fn waiting_is_counted_where_it_happens() {
    let spec = gtx480();
    let clocks = clocks(&spec, 700, 700, 700);
    let mut hierarchy = Hierarchy::new(&spec, clocks, CORES.into()).unwrap();
    drive(&mut hierarchy, clocks, reads(MANY, 2_000));
    let mut statistics = Statistics::default();
    hierarchy.add_statistics(hierarchy.now(), &mut statistics);
    let count = |name: &str| statistics.get(name).unwrap();
    assert!(count("dram.queue_wait_cycles") > 100 * count("dram.reads"));
    assert_eq!(count("latency.l2_reads") + count("latency.dram_reads"), count("l1.read_misses"));
    let alone = ZeroLoad::measure(&spec, clocks).unwrap().dram;
    assert!(count("latency.dram_read_cycles") > 2 * alone * count("latency.dram_reads"));
    assert_eq!(count("interconnect.replies.data_packets"), count("l1.read_misses"));
    assert!(count("queueing.refused_mshrs") > 0);
}

#[test]
fn sectors_that_are_fetched_one_by_one_cost_a_burst_each() {
    let mut spec = gtx480();
    let run = |spec: &HierarchySpec| {
        let clocks = clocks(spec, 700, 700, 700);
        let mut hierarchy = Hierarchy::new(spec, clocks, CORES.into()).unwrap();
        let outcome = drive(&mut hierarchy, clocks, reads(MANY, 500));
        let mut statistics = Statistics::default();
        hierarchy.add_statistics(hierarchy.now(), &mut statistics);
        let count = |name: &str| statistics.get(name).unwrap();
        (outcome.cycles, count("dram.reads"), count("l2.read_misses"))
    };
    let (atoms, sectors) = {
        let atoms = run(&spec);
        spec.l2.fetch = FetchUnit::Sectors;
        (atoms, run(&spec))
    };
    // L1 asks for whole lines: four sectors, which lie in two atoms.
    assert_eq!((atoms.1, sectors.1), (2 * atoms.2, 4 * sectors.2), "{atoms:?}, {sectors:?}");
    assert!(sectors.0 > atoms.0, "{atoms:?}, {sectors:?}");
}

/// Channels with one slice, whose slices keep up with them or not.
fn one_slice(map: SliceMap, entries: u32, dram_queue: u32) -> HierarchySpec {
    let mut spec = gtx480();
    spec.dram.channels = 1;
    spec.dram.address_map.retain(|field| field != "channel:modulo");
    spec.dram.queue.entries = entries;
    let interleave = Bytes(if map == SliceMap::Interleaved { 256 } else { 0 });
    spec.l2 = L2Spec { slices: 1, map, interleave, dram_queue, size: Bytes(1 << 20), ..spec.l2 };
    spec
}

/// A channel that is its slice's only one lags behind, and runs ahead when it is saturated. That is not to be noticed:
/// one that slices share by address does neither.
#[test]
fn a_channel_that_lags_behind_or_runs_ahead_answers_in_the_same_cycles() {
    // Every line once: hardly anything depends on which of two events of the same time comes first.
    let streams = || -> Vec<Vec<Request>> {
        let access = |number: u64| if number % 5 == 4 { Access::Write } else { Access::Read };
        let scattered = |number: u64| (number * 0x9e37_79b1) % (1 << 20) * 128;
        let one = |core: u16, number: u64| {
            request(core, scattered(number * u64::from(CORES) + u64::from(core)), u32::MAX, access(number))
        };
        (0..CORES).map(|core| (0..400).map(|number| one(core, number)).collect()).collect()
    };
    for (entries, dram_queue) in [(64, 64), (8, 16), (16, 4)] {
        let run = |map| {
            let spec = one_slice(map, entries, dram_queue);
            let clocks = clocks(&spec, 700, 700, 700);
            let mut hierarchy = Hierarchy::new(&spec, clocks, CORES.into()).unwrap();
            hierarchy.capture_dram(true);
            // Every 25 cycles of the cores DRAM begins one, too: it is clear what has happened by then.
            let (outcome, samples) = drive_sampled(&mut hierarchy, clocks, streams(), Some(50));
            let counts = |sample: &Statistics| -> (Vec<(String, u64)>, u64) {
                let of_dram = sample.iter().filter(|(name, _)| name.starts_with("dram."));
                let of_dram = of_dram.map(|(name, count)| (name.to_owned(), count)).collect();
                (of_dram, sample.get("queueing.dram_queue").unwrap())
            };
            let samples: Vec<_> = samples.iter().map(counts).collect();
            (outcome, hierarchy.take_captured(Tick(u64::MAX)), samples)
        };
        let (own, own_stream, own_samples) = run(SliceMap::ByChannel);
        let (shared, shared_stream, shared_samples) = run(SliceMap::Interleaved);
        assert_eq!(own.cycles, shared.cycles, "{entries} entries, {dram_queue} jobs");
        assert_eq!(own_stream, shared_stream, "{entries} entries, {dram_queue} jobs");
        for (number, (own, shared)) in own_samples.iter().zip(&shared_samples).enumerate() {
            let place = format!("{entries} entries, {dram_queue} jobs, sample {number}");
            assert_eq!(own.0, shared.0, "{place}");
            // Jobs that leave their queue just then are counted before or after.
            assert!(own.1.abs_diff(shared.1) < 200 + shared.1 / 50, "{place}: {} and {}", own.1, shared.1);
        }
    }
}
