//! Latencies of the assembled machine without load: one thread, one load at a time.
//!
//! A load's wait counts from its issue until an instruction that depends on it may issue. The core's own share is
//! `operand_cycles` before the load/store unit and `writeback_cycles` behind it; where a data cache looks its tags
//! up at the end of its pipeline (`load_miss_cycles`), a miss pays for that too. What is left is the memory
//! system's round trip, which the documents publish.

use super::common::{Bench, accesses, count, grid, spec};
use heddle_gpu::{GpuSpec, LaunchTiming, LoadWait, RunSettings};
use heddle_memory::fabric::{FabricSpec, FetchUnit};

/// Two loads, the second of which depends on the first; where zeros are, they read the same word.
const TWICE: &str = r#"
.visible .entry twice(.param .u64 place)
{
    .reg .b64 %rd<5>;
    ld.param.u64 %rd1, [place];
    ld.global.u64 %rd2, [%rd1];
    add.u64 %rd3, %rd1, %rd2;
    ld.global.u64 %rd4, [%rd3];
    ret;
}
"#;

const L1: usize = 0;
const L2: usize = 1;
const DRAM: usize = 2;

/// Launches of one block stay on the first core, which keeps instructions and constants.
const ONE_CORE: &str = "launch.after_last_core=false";
/// A launch that takes less than DRAM goes without a refresh.
const AT_ONCE: &str = "launch.overhead=0";

/// The memory system's share of a load's wait, and who answered it.
fn share(spec: &GpuSpec, load: &LoadWait) -> (usize, u64) {
    assert_eq!((load.count, load.transactions), (1, 1));
    let level = load.answered.iter().position(|&answered| answered == 1).unwrap();
    let miss = if level == L1 { 0 } else { spec.core.load_miss_cycles };
    (level, load.wait_cycles - u64::from(spec.core.operand_cycles + spec.core.writeback_cycles + miss))
}

/// What the two loads of a launch waited for, each with who answered it.
fn shares(spec: &GpuSpec, timing: &LaunchTiming) -> [(usize, u64); 2] {
    let loads = accesses(timing, "ld.global");
    [share(spec, &loads[0]), share(spec, &loads[1])]
}

/// Round trips to DRAM for rows that were closed; at each place, the other loads must find what `l1` and `l2` say.
fn round_trips(spec: &GpuSpec, l1: u64, l2: u64) -> Vec<u64> {
    let mut bench = Bench::new(spec.clone(), RunSettings::default(), TWICE);
    let data = bench.zeros("data", 1 << 22);
    let place = |number: u64| bench.address(data) + number * 0x1_0100;
    let places: Vec<u64> = (0..40).map(place).collect();
    let mut found = Vec::new();
    for (number, &place) in places.iter().enumerate() {
        bench.launch("twice", grid(1, 1), &[place.into()]);
        let first = bench.last();
        let [(level, wait), second] = shares(spec, &first);
        assert_eq!((level, second), (DRAM, (L1, l1)));
        // The first launch fetches its instructions and parameters from DRAM, too. Where the bank has another row
        // open, or a refresh comes in between, it is not the time of a closed row.
        let closed = count(&first, "dram.row_conflicts") == 0 && count(&first, "dram.row_misses") == 1;
        if number > 0 && closed && count(&first, "dram.refreshes") == 0 {
            found.push(wait);
        }
        // The second launch finds L1 empty and the line in L2.
        bench.launch("twice", grid(1, 1), &[place.into()]);
        assert_eq!(shares(spec, &bench.last()), [(L2, l2), (L1, l1)]);
    }
    assert!(found.len() >= 8, "only {} rows were closed", found.len());
    found
}

#[test]
fn fermi_takes_4_cycles_to_l1_100_to_l2_and_400_to_a_closed_row() {
    let found = round_trips(&spec("fermi", &[]), 4, 100);
    // DRAM has a clock of its own, 21 edges in 32 core cycles: by where a request falls between two of them it
    // waits up to one clock, 1.5 core cycles, and the data as long for the next cycle of L2.
    assert!(found.iter().all(|wait| wait.abs_diff(400) <= 1), "{found:?}");
    let mean = found.iter().sum::<u64>() as f64 / found.len() as f64;
    assert!((mean - 400.0).abs() < 0.5, "{found:?}");
}

/// Cycles from the core to L2 and back, with one clock for everything.
fn l2_round_trip(memory: &FabricSpec) -> u64 {
    let crossbar = &memory.networks[0].crossbar;
    let cycles = |bytes| u64::from(crossbar.flits(bytes).div_ceil(crossbar.width));
    cycles(0)
        + cycles(128)
        + 2 * u64::from(memory.networks[0].crossbar.latency)
        + u64::from(memory.cache("l2").unwrap().latency)
}

/// Clocks of DRAM for the atoms, or the sectors, of a line in a row that is closed.
fn closed_row(memory: &FabricSpec) -> u64 {
    let (dram, timing) = (&memory.dram, &memory.dram.timing);
    let unit = match memory.cache("l2").unwrap().fetch {
        FetchUnit::Atoms => dram.atom(),
        FetchUnit::Sectors => dram.atom().min(memory.cache("l2").unwrap().sector.0),
    };
    let (requests, burst) = (128 / unit, dram.burst_clocks());
    let rest = (requests - 1) * burst.max(timing.tCCD_L.into());
    u64::from(timing.tRCD + timing.tCL + dram.extra_latency) + burst + rest
}

#[test]
fn with_one_clock_round_trips_are_sums_of_parameters_to_the_cycle() {
    let machines = [
        spec("fermi", &["dram.clock=1200MHz", "clocks.interconnect=1200MHz"]),
        spec("gtx480", &["dram.clock=700MHz", ONE_CORE]),
        spec("gtx480-mff", &["dram.clock=1400MHz", "clocks.l2=1400MHz", ONE_CORE]),
        spec("k40c", &["dram.clock=745MHz", ONE_CORE, AT_ONCE]),
    ];
    for spec in machines {
        let l2 = l2_round_trip(&spec.memory);
        let dram = l2 + closed_row(&spec.memory);
        let found = round_trips(&spec, spec.memory.cache("l1").unwrap().latency.into(), l2);
        assert!(found.iter().all(|&wait| wait == dram), "{}: {found:?}, not {dram}", spec.name);
    }
}

#[test]
fn the_round_trips_of_gtx480_are_those_of_its_parameters() {
    let spec = spec("gtx480", &[]);
    let l2 = l2_round_trip(&spec.memory);
    assert_eq!((spec.memory.cache("l1").unwrap().latency, l2), (34, 1 + 4 + 2 * 6 + 121));
    let dram = closed_row(&spec.memory) as f64 * spec.clocks.core.hertz() as f64
        / spec.memory.dram.clock.hertz() as f64;
    for wait in round_trips(&spec, 34, l2) {
        // Two crossings of clocks, each up to the next edge.
        let more = wait as f64 - (l2 as f64 + dram);
        assert!((0.0..2.0).contains(&more), "{wait} cycles, {more} more than the sum");
    }
}

/// Core cycles from the issue of a load to that of an instruction that depends on it: from L1, from L2, and from closed
/// rows of DRAM on average.
fn issue_to_use(spec: &GpuSpec) -> (u64, u64, f64) {
    let core = u64::from(spec.core.operand_cycles + spec.core.writeback_cycles);
    let miss = core + u64::from(spec.core.load_miss_cycles);
    let [l1, l2] = [u64::from(spec.memory.cache("l1").unwrap().latency), l2_round_trip(&spec.memory)];
    let closed = round_trips(spec, l1, l2);
    let mean = closed.iter().sum::<u64>() as f64 / closed.len() as f64;
    (core + l1, miss + l2, miss as f64 + mean)
}

#[test]
fn k40c_uses_loads_after_as_many_core_cycles_as_gtx480() {
    let [gtx480, k40c] = ["gtx480", "k40c"].map(|name| issue_to_use(&spec(name, &[ONE_CORE, AT_ONCE])));
    assert_eq!((gtx480.0, gtx480.1), (39, 181));
    assert_eq!((k40c.0, k40c.1), (39, 181));
    assert!((k40c.2 - gtx480.2).abs() < 1.0, "{} and {}", k40c.2, gtx480.2);
}

/// A chain of dependent instructions: `move` reads no register, `sum` reads one and adds for four cycles.
const CHAIN: &str = r#"
.visible .entry chain(.param .u32 rounds)
{
    .reg .pred %p<2>;
    .reg .b32 %r<6>;
    ld.param.u32 %r1, [rounds];
    mov.u32 %r2, 0;
LOOP:
    mov.u32 %r3, 7;
    and.b32 %r3, %r3, 3;
    add.u32 %r3, %r3, 5;
    add.u32 %r2, %r2, 1;
    and.b32 %r3, %r3, 1;
    setp.lt.u32 %p1, %r2, %r1;
    @%p1 bra LOOP;
    ret;
}
"#;

/// The cycles between issue and issue in golden.log, the trace of a warp that stands beside SM2_GTX480: 6 from a move
/// without registers, 7 from one cycle of execution, 10 from four; a load is used 39 cycles after its issue from L1
/// and 181 from L2; a taken branch is followed after 3 cycles if something was buffered behind it.
#[test]
fn gtx480_issues_and_loads_at_the_distances_of_gpgpu_sim() {
    let spec = spec("gtx480", &[]);
    let core = u64::from(spec.core.operand_cycles + spec.core.writeback_cycles);
    let [l1, l2] = [u64::from(spec.memory.cache("l1").unwrap().latency), l2_round_trip(&spec.memory)];
    assert_eq!((core + l1, core + l2 + u64::from(spec.core.load_miss_cycles)), (39, 181));
    let mut bench = Bench::new(spec, RunSettings::default(), CHAIN);
    let mut cycles = |rounds: u32| {
        bench.launch("chain", grid(1, 32), &[rounds.into()]);
        bench.last().cycles
    };
    cycles(1);
    let short = cycles(10);
    // move to and, and to add; add to and (with the other add in between), and beside it setp to branch; branch.
    assert_eq!(cycles(110) - short, 100 * (6 + 7 + 10 + 1 + 7 + 3));
}

/// One store.
const STORE: &str = r#"
.visible .entry store(.param .u64 place)
{
    .reg .b32 %r<2>;
    .reg .b64 %rd<2>;
    ld.param.u64 %rd1, [place];
    mov.u32 %r1, 1;
    st.global.u32 [%rd1], %r1;
    ret;
}
"#;

#[test]
fn a_launch_lasts_until_its_last_store_has_passed_the_pipeline_of_l1() {
    let cycles = |more: u64| {
        let spec = spec("gtx480", &[&format!("core.load_miss_cycles={more}")]);
        let mut bench = Bench::new(spec, RunSettings::default(), STORE);
        let data = bench.zeros("data", 128);
        let place = bench.address(data);
        // The second launch finds instructions, parameters and the line.
        for _ in 0..2 {
            bench.launch("store", grid(1, 1), &[place.into()]);
        }
        bench.last().cycles
    };
    assert_eq!([38, 300].map(|more| cycles(more) - cycles(0)), [38, 300]);
}
