//! On a saturated machine, half of what saturates costs cycles.
//!
//! A resource costs time where it is the one that binds, so each has the load that it binds: all cores over more
//! than L2 holds (DRAM), all cores over what L2 holds (the crossbar), two cores alone (their MSHRs). Queues between
//! two parts, of which one is saturated and pushes back, only move the place where requests wait: for them it is
//! tested that they do.

use super::common::{Bench, GATHER, Gather, count, spec};
use heddle_gpu::{LaunchTiming, RunSettings};

const MACHINES: [&str; 2] = ["fermi", "gtx480"];

/// All cores, over 16 MB in all.
const BEYOND_L2: Gather = Gather { blocks: 90, threads: 128, words: 1 << 21, rounds: 1 };
/// All cores, over 512 KB in all.
const WITHIN_L2: Gather = Gather { words: 1 << 16, ..BEYOND_L2 };
/// Two cores.
const TWO_CORES: Gather = Gather { blocks: 2, threads: 1024, rounds: 2 * BEYOND_L2.rounds, ..BEYOND_L2 };

/// The second launch, which finds L2 warm.
fn run(preset: &str, gather: Gather, settings: &[&str]) -> LaunchTiming {
    let mut bench = Bench::new(spec(preset, settings), RunSettings::default(), GATHER);
    let buffers = gather.buffers(&mut bench);
    gather.launch(&mut bench, &buffers);
    gather.launch(&mut bench, &buffers);
    gather.check(&bench, &buffers);
    bench.last()
}

/// Half of `key`, from `much` in `unit`, costs more than `percent`; `saturated` looks at the launch with all of it.
fn half_costs(
    preset: &str,
    gather: Gather,
    (key, much, unit): (&str, u64, &str),
    percent: u64,
    saturated: impl Fn(&LaunchTiming) -> bool,
) {
    let whole = run(preset, gather, &[&format!("{key}={much}{unit}")]);
    let half = run(preset, gather, &[&format!("{key}={}{unit}", much / 2)]);
    let (whole_cycles, half_cycles) = (whole.cycles, half.cycles);
    assert!(saturated(&whole), "{preset}: {key} is not what binds: {:?}", whole.statistics);
    assert!(
        100 * half_cycles > (100 + percent) * whole_cycles,
        "{preset}: {whole_cycles} cycles with {key} = {much}{unit}, {half_cycles} with half of it"
    );
}

#[test]
fn half_the_mshrs_of_l1_cost_cycles() {
    for preset in MACHINES {
        let mshrs = u64::from(spec(preset, &[]).memory.cache("l1").unwrap().mshrs);
        let refused = |timing: &LaunchTiming| count(timing, "queueing.refused_mshrs") > 1000;
        half_costs(preset, TWO_CORES, ("l1.mshrs", mshrs, ""), 20, refused);
    }
}

#[test]
fn half_the_mshrs_of_l2_cost_cycles() {
    for preset in MACHINES {
        let blocked = |timing: &LaunchTiming| count(timing, "l2.blocked_mshrs") > 1000;
        half_costs(preset, BEYOND_L2, ("l2.mshrs", 16, ""), 20, blocked);
    }
}

#[test]
fn half_the_flit_costs_cycles() {
    // Not on `fermi`, whose links move packets whatever their size.
    let flit = spec("gtx480", &[]).memory.networks[0].crossbar.flit.0;
    let waited = |timing: &LaunchTiming| {
        count(timing, "interconnect.replies.waited") > 10 * count(timing, "interconnect.replies.data_packets")
    };
    half_costs("gtx480", WITHIN_L2, ("interconnect.flit", flit, "B"), 50, waited);
}

#[test]
fn half_the_bandwidth_of_dram_costs_cycles() {
    for preset in MACHINES {
        let spec = spec(preset, &[]);
        let dram = &spec.memory.dram;
        let busy = |timing: &LaunchTiming| {
            let clocks = timing.seconds * dram.clock.hertz() as f64 * f64::from(dram.channels);
            count(timing, "dram.bus_busy_cycles") as f64 > 0.4 * clocks
        };
        half_costs(preset, BEYOND_L2, ("dram.clock", dram.clock.hertz() / 1000, "kHz"), 70, busy);
    }
}

#[test]
fn half_the_queues_of_dram_cost_cycles() {
    for preset in MACHINES {
        let waited = |timing: &LaunchTiming| {
            count(timing, "dram.queue_wait_cycles") > 20 * count(timing, "dram.reads")
        };
        half_costs(preset, BEYOND_L2, ("dram.queue.entries", 16, ""), 10, waited);
    }
    // The queue that GPGPU-Sim's card has is long; half of it still costs.
    let entries = u64::from(spec("gtx480", &[]).memory.dram.queue.entries);
    half_costs("gtx480", BEYOND_L2, ("dram.queue.entries", entries, ""), 1, |_| true);
}

#[test]
fn half_of_all_queues_at_once_costs_cycles() {
    // Not on `fermi`, whose document gives each bank of DRAM a queue of 128, longer than it ever gets.
    let memory = spec("gtx480", &[]).memory;
    let queues = [
        ("l1.miss_queue", memory.cache("l1").unwrap().miss_queue),
        ("interconnect.input_queue", memory.networks[0].crossbar.input_queue),
        ("interconnect.output_queue", memory.networks[0].crossbar.output_queue),
        ("l2.input_queue", memory.cache("l2").unwrap().input_queue),
        ("l2.reply_queue", memory.cache("l2").unwrap().reply_queue),
        ("l2.dram_queue", memory.cache("l2").unwrap().dram_queue),
        ("dram.queue.entries", memory.dram.queue.entries),
    ];
    let halves: Vec<String> = queues.iter().map(|(key, entries)| format!("{key}={}", entries / 2)).collect();
    let halves: Vec<&str> = halves.iter().map(String::as_str).collect();
    let (whole, half) = (run("gtx480", BEYOND_L2, &[]).cycles, run("gtx480", BEYOND_L2, &halves).cycles);
    assert!(100 * half > 101 * whole, "{whole} cycles, {half} with half of all queues");
}

#[test]
fn half_the_ejection_buffers_cost_cycles() {
    for preset in MACHINES {
        let blocked = |timing: &LaunchTiming| count(timing, "interconnect.requests.blocked") > 1000;
        half_costs(preset, WITHIN_L2, ("interconnect.output_queue", 2, ""), 30, blocked);
    }
}

#[test]
fn slower_slices_cost_cycles() {
    // At half the clock, a slice looks up half as many tags in a time.
    let hertz = spec("gtx480", &[]).clocks.others["l2"].hertz() / 1000;
    let waited = |timing: &LaunchTiming| count(timing, "queueing.slice_input") > 0;
    half_costs("gtx480", WITHIN_L2, ("clocks.l2", hertz, "kHz"), 10, waited);
}

#[test]
fn requests_wait_before_a_queue_that_is_shorter() {
    let misses = |setting: &str| {
        let timing = run("fermi", WITHIN_L2, &[setting]);
        (count(&timing, "queueing.miss_queue"), count(&timing, "queueing.refused_miss_queue"))
    };
    let (long, short) = (misses("l1.miss_queue=8"), misses("l1.miss_queue=1"));
    assert!(short.0 > 0 && long.0 > 2 * short.0 && long.1 < short.1, "miss queue: {long:?}, {short:?}");
    for (gather, key) in [(WITHIN_L2, "reply_queue"), (BEYOND_L2, "dram_queue")] {
        let name = format!("queueing.{key}");
        let of = |setting: String| count(&run("gtx480", gather, &[&setting]), &name);
        let (long, short) = (of(format!("l2.{key}=64")), of(format!("l2.{key}=1")));
        assert!(short > 0 && long > 10 * short, "{key}: {long} cycles in 64 entries, {short} in one");
    }
}
