//! Where a stream saturates something, less of it costs time.

use super::driver::{Numbers, drive, drive_sampled, request};
use super::machines::{Figures, clocks, fermi, gtx480};
use heddle_engine::units::{Bytes, Frequency};
use heddle_engine::{Cycle, Statistics, Tick};
use heddle_memory::fabric::{Captured, Fabric, FetchUnit, LevelSpec, ZeroLoad};
use heddle_memory::request::{Access, Notice, Request};

const CORES: u16 = 15;

/// Random reads over so many lines.
fn reads(lines: u64, each: usize) -> Vec<Vec<Request>> {
    let mut numbers = Numbers(7);
    (0..CORES)
        .map(|core| (0..each).map(|_| request(core, numbers.below(lines) * 128, 1, Access::Read)).collect())
        .collect()
}

/// Core cycles that random reads take.
fn cycles(spec: &Figures, lines: u64) -> u64 {
    let clocks = clocks(spec, 700, 700, 700);
    let mut fabric = Fabric::new(&spec.fabric(), &clocks, CORES.into()).unwrap();
    drive(&mut fabric, &clocks, reads(lines, 2_000)).cycles
}

/// More lines than L2 has.
const MANY: u64 = 1 << 20;
/// Lines that L2 holds and L1 does not.
const FEW: u64 = 4_000;

/// On both machines with so much of something, half of it costs time.
fn half_costs_time(lines: u64, much: u64, set: impl Fn(&mut Figures, u64)) {
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
    let mut fabric = Fabric::new(&spec.fabric(), &clocks, CORES.into()).unwrap();
    drive(&mut fabric, &clocks, reads(MANY, 2_000));
    let mut statistics = Statistics::default();
    fabric.add_statistics(fabric.now(), &mut statistics);
    let count = |name: &str| statistics.get(name).unwrap();
    assert!(count("dram.queue_wait_cycles") > 100 * count("dram.reads"));
    assert_eq!(count("latency.l2_reads") + count("latency.dram_reads"), count("l1.read_misses"));
    let alone = ZeroLoad::measure(&spec.fabric(), &clocks).unwrap().dram;
    assert!(count("latency.dram_read_cycles") > 2 * alone * count("latency.dram_reads"));
    assert_eq!(count("interconnect.replies.data_packets"), count("l1.read_misses"));
    assert!(count("queueing.refused_mshrs") > 0);
}

#[test]
fn sectors_that_are_fetched_one_by_one_cost_a_burst_each() {
    let mut spec = gtx480();
    let run = |spec: &Figures| {
        let clocks = clocks(spec, 700, 700, 700);
        let mut fabric = Fabric::new(&spec.fabric(), &clocks, CORES.into()).unwrap();
        let outcome = drive(&mut fabric, &clocks, reads(MANY, 500));
        let mut statistics = Statistics::default();
        fabric.add_statistics(fabric.now(), &mut statistics);
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

/// Everything that can be told apart of a run: when which notice came, the requests to DRAM with their cycles, and every
/// statistic, at the end and at each sample.
type Everything = (Vec<(u64, Notice)>, Vec<Captured>, Vec<Statistics>);

/// Cores that read, write and update lines of which L2 holds `lines` only in part.
fn saturating(lines: u64, count: u64) -> Vec<Vec<Request>> {
    let access = |number: u64| match number % 7 {
        3 | 4 => Access::Write,
        6 => Access::Atomic,
        _ => Access::Read,
    };
    let scattered = |number: u64| number.wrapping_mul(0x9e37_79b9_7f4a_7c15) % lines * 128;
    let one = |core: u16, number: u64| {
        let words = if number.is_multiple_of(3) { u32::MAX } else { 0xff << (8 * (number % 4)) };
        request(core, scattered(number * u64::from(CORES) + u64::from(core)), words, access(number))
    };
    (0..CORES).map(|core| (0..count).map(|number| one(core, number)).collect()).collect()
}

fn everything(spec: &Figures, megahertz: u64, lines: u64, keeps_up: bool) -> Everything {
    let clocks = clocks(spec, megahertz, megahertz, megahertz);
    let mut fabric = Fabric::new(&spec.fabric(), &clocks, CORES.into()).unwrap();
    assert!(fabric.channels_lag(), "the comparison needs channels that may lag behind");
    if keeps_up {
        fabric.keep_channels_up();
    }
    fabric.capture_dram(true);
    let (outcome, mut samples) = drive_sampled(&mut fabric, &clocks, saturating(lines, 150), Some(200));
    let mut end = Statistics::default();
    // The last write may be done when nobody looks any more.
    fabric.add_statistics(clocks.core.start_of(Cycle(outcome.cycles + 10_000)), &mut end);
    samples.push(end);
    fabric.assert_drained();
    (outcome.notices, fabric.take_captured(Tick(u64::MAX)), samples)
}

/// `gtx480` with other figures of DRAM and of L2, and clocks of the other parts.
struct Variant {
    channels: u32,
    slices_each: u32,
    entries: u32,
    dram_queue: u32,
    lines: u64,
    /// Of DRAM, and of everything else.
    megahertz: (u64, u64),
}

impl Variant {
    fn spec(&self) -> Figures {
        let mut spec = gtx480();
        spec.dram.channels = self.channels;
        if self.channels == 1 {
            spec.dram.address_map.retain(|field| field != "channel:modulo");
        }
        spec.dram.queue.entries = self.entries;
        spec.dram.clock = Frequency::from_hertz(self.megahertz.0 * 1_000_000);
        let slices = self.channels * self.slices_each;
        let size = Bytes(u64::from(slices) << 15);
        spec.l2 = LevelSpec { slices, dram_queue: self.dram_queue, size, ..spec.l2 };
        spec
    }

    /// Compares a channel that lags behind with one that keeps up; how many samples were equal.
    fn compare(&self) -> usize {
        let Variant { channels, slices_each, entries, dram_queue, lines, megahertz } = *self;
        let place = format!(
            "{channels} channels, {slices_each} slices each, {entries} entries, {dram_queue} jobs, {megahertz:?} MHz"
        );
        let spec = self.spec();
        let [lagging, kept_up] =
            [false, true].map(|keeps_up| everything(&spec, megahertz.1, lines, keeps_up));
        let differ = lagging.0.iter().zip(&kept_up.0).position(|(own, other)| own != other);
        assert!(lagging.0 == kept_up.0, "{place}: notices from {differ:?} on");
        let differ = lagging.1.iter().zip(&kept_up.1).find(|(own, other)| own != other);
        assert!(lagging.1 == kept_up.1, "{place}: requests to DRAM, {differ:?}");
        assert_eq!(lagging.2.len(), kept_up.2.len(), "{place}");
        for (number, (own, other)) in lagging.2.iter().zip(&kept_up.2).enumerate() {
            let moved: Vec<_> = own.iter().zip(other.iter()).filter(|(own, other)| own != other).collect();
            assert!(moved.is_empty(), "{place}, sample {number}: {moved:?}");
        }
        lagging.2.len()
    }
}

/// Where slices have several channels and reads may be answered from waiting writes, fetches enter channels late, which
/// tells nothing else from channels that keep up either.
#[test]
fn fetches_that_enter_channels_late_give_the_statistics_of_channels_that_keep_up() {
    let run = |spec: &Figures, megahertz: u64, lines: u64, keeps_up: bool| {
        let clocks = clocks(spec, megahertz, megahertz, megahertz);
        let mut fabric = Fabric::new(&spec.fabric(), &clocks, CORES.into()).unwrap();
        assert!(!fabric.channels_lag());
        if keeps_up {
            fabric.keep_channels_up();
        }
        let (outcome, mut samples) = drive_sampled(&mut fabric, &clocks, saturating(lines, 150), Some(200));
        let mut end = Statistics::default();
        fabric.add_statistics(clocks.core.start_of(Cycle(outcome.cycles + 10_000)), &mut end);
        samples.push(end);
        fabric.assert_drained();
        (outcome.notices, samples)
    };
    for (entries, dram_queue) in [(128, 32), (32, 16), (8, 4), (4, 1)] {
        for (megahertz, lines) in [(700, 1 << 20), (700, 1 << 13), (1400, 1 << 20), (300, 1 << 16)] {
            let mut spec = fermi();
            spec.dram.queue.entries = entries;
            spec.l2.dram_queue = dram_queue;
            let [late, kept_up] = [false, true].map(|keeps_up| run(&spec, megahertz, lines, keeps_up));
            let place = format!("{entries} entries, {dram_queue} jobs, {megahertz} MHz, {lines} lines");
            assert!(late.0 == kept_up.0, "{place}: notices");
            assert_eq!(late.1.len(), kept_up.1.len(), "{place}");
            for (number, (own, other)) in late.1.iter().zip(&kept_up.1).enumerate() {
                let moved: Vec<_> =
                    own.iter().zip(other.iter()).filter(|(own, other)| own != other).collect();
                assert!(moved.is_empty(), "{place}, sample {number}: {moved:?}");
            }
        }
    }
}

/// Events of one instant have an order that does not depend on when they were scheduled.
#[test]
fn a_channel_that_lags_behind_gives_the_statistics_of_one_that_keeps_up() {
    let mut compared = 0;
    for channels in [6, 2, 1] {
        for (entries, dram_queue) in [(64, 64), (32, 16), (8, 16), (16, 4), (2, 1)] {
            for (slices_each, lines) in [(1, 1 << 20), (2, 1 << 20), (2, 1 << 13)] {
                let megahertz = (924, 700);
                compared +=
                    Variant { channels, slices_each, entries, dram_queue, lines, megahertz }.compare();
            }
        }
    }
    assert!(compared > 500, "{compared} samples");
}

/// The same where L2 has several cycles in one of DRAM, so that a slice sends several jobs in it and others come between.
#[test]
fn a_channel_slower_than_l2_that_lags_behind_gives_the_statistics_of_one_that_keeps_up() {
    let mut compared = 0;
    for megahertz in [(924, 1200), (100, 700), (200, 1400), (924, 925)] {
        for (entries, dram_queue) in [(32, 16), (8, 4), (2, 1)] {
            for (channels, slices_each, lines) in [(6, 2, 1 << 20), (2, 2, 1 << 13), (1, 3, 1 << 20)] {
                compared +=
                    Variant { channels, slices_each, entries, dram_queue, lines, megahertz }.compare();
            }
        }
    }
    assert!(compared > 500, "{compared} samples");
}
