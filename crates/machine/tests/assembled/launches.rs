//! Several launches: what one leaves for the next, launches without time, and launches that start cold.

use super::common::{Bench, GATHER, Gather, count, grid, spec};
use heddle_engine::Statistics;
use heddle_gpu::{LaunchTiming, RunSettings};

/// Adds one to every word; the order of threads is turned round at every other launch, so that other cores touch
/// them.
const ADD_ONE: &str = r#"
.visible .entry add_one(.param .u64 data, .param .u32 turned)
{
    .reg .pred %p<2>;
    .reg .b32 %r<12>;
    .reg .b64 %rd<4>;
    ld.param.u64 %rd1, [data];
    ld.param.u32 %r1, [turned];
    mov.u32 %r2, %ctaid.x;
    mov.u32 %r3, %ntid.x;
    mov.u32 %r4, %tid.x;
    mov.u32 %r5, %nctaid.x;
    mad.lo.u32 %r6, %r2, %r3, %r4;
    mul.lo.u32 %r7, %r5, %r3;
    sub.u32 %r7, %r7, 1;
    sub.u32 %r7, %r7, %r6;
    setp.ne.u32 %p1, %r1, 0;
    selp.u32 %r8, %r7, %r6, %p1;
    mul.wide.u32 %rd2, %r8, 4;
    add.u64 %rd3, %rd1, %rd2;
    ld.global.u32 %r9, [%rd3];
    add.u32 %r9, %r9, 1;
    st.global.u32 [%rd3], %r9;
    ret;
}
"#;

/// Launches it so many times; what the words are then, and the bench.
fn add_ones(launches: u32, settings: RunSettings) -> (Vec<u32>, Bench) {
    let mut bench = Bench::new(spec("fermi", &[]), settings, ADD_ONE);
    let data = bench.zeros("data", 48 * 128);
    for launch in 0..launches {
        bench.launch("add_one", grid(48, 128), &[data.into(), (launch % 2).into()]);
    }
    (bench.read(data), bench)
}

#[test]
fn stores_are_visible_to_later_launches() {
    let (words, bench) = add_ones(6, RunSettings::default());
    assert!(words.iter().all(|&word| word == 6));
    let record = bench.record.borrow();
    // A launch begins where the one before it ended.
    for pair in record.launches.windows(2) {
        assert_eq!(pair[0].start_cycle + pair[0].cycles, pair[1].start_cycle);
    }
}

#[test]
fn launches_outside_the_range_are_executed_without_time() {
    let (words, bench) = add_ones(6, RunSettings { launches: Some((2..4).into()), ..RunSettings::default() });
    assert!(words.iter().all(|&word| word == 6));
    let record = bench.record.borrow();
    let numbers: Vec<u64> = record.launches.iter().map(|launch| launch.launch).collect();
    assert_eq!((numbers, record.skipped_launches), (vec![2, 3], 4));
    assert_eq!(record.launches[0].start_cycle, 0);
}

/// The second of two launches that read the same.
fn second_launch(preset: &str, cold: bool) -> LaunchTiming {
    let gather = Gather { blocks: 30, threads: 64, words: 1 << 13, rounds: 2 };
    let settings = RunSettings { cold, ..RunSettings::default() };
    let mut bench = Bench::new(spec(preset, &[]), settings, GATHER);
    let buffers = gather.buffers(&mut bench);
    gather.launch(&mut bench, &buffers);
    gather.launch(&mut bench, &buffers);
    gather.check(&bench, &buffers);
    bench.last()
}

#[test]
fn a_launch_that_starts_cold_misses_more_and_takes_longer() {
    for preset in ["fermi", "gtx480"] {
        let (warm, cold) = (second_launch(preset, false), second_launch(preset, true));
        let misses = |timing| count(timing, "l2.read_misses");
        assert_eq!(misses(&warm), 0, "{preset}: everything was there");
        assert!(misses(&cold) > 100, "{preset}: {}", misses(&cold));
        assert!(count(&cold, "dram.reads") > count(&warm, "dram.reads") + 100);
        assert!(cold.cycles > warm.cycles, "{preset}: cold {}, warm {}", cold.cycles, warm.cycles);
        assert_eq!(count(&cold, "core.warp_instructions"), count(&warm, "core.warp_instructions"));
    }
}

#[test]
fn l1_keeps_nothing_from_launch_to_launch() {
    // Both launches miss L1 as often: the first finds L2 cold, the second warm.
    let gather = Gather { blocks: 16, threads: 32, words: 1 << 10, rounds: 1 };
    let mut bench = Bench::new(spec("fermi", &[]), RunSettings::default(), GATHER);
    let buffers = gather.buffers(&mut bench);
    gather.launch(&mut bench, &buffers);
    let lines = |bench: &Bench| count(&bench.last(), "l1.read_misses") + count(&bench.last(), "l1.merges");
    let first = lines(&bench);
    gather.launch(&mut bench, &buffers);
    assert!(first > 0 && lines(&bench) + first / 10 > first, "{first}, then {}", lines(&bench));
}

#[test]
fn launch_overhead_is_paid_once_per_launch() {
    let cycles = |overhead: &str| {
        let mut bench = Bench::new(spec("fermi", &[overhead]), RunSettings::default(), ADD_ONE);
        let data = bench.zeros("data", 128);
        bench.launch("add_one", grid(1, 128), &[data.into(), 0u32.into()]);
        bench.launch("add_one", grid(1, 128), &[data.into(), 0u32.into()]);
        bench.last().cycles
    };
    assert!(cycles("launch.overhead=1000").abs_diff(cycles("launch.overhead=0") + 1000) <= 4);
}

/// [Bhat15] 9.27 us on a Tesla K40c.
#[test]
fn a_launch_on_k40c_costs_what_was_measured_on_the_card() {
    let settings = RunSettings { trace: true, ..RunSettings::default() };
    let mut bench = Bench::new(spec("k40c", &[]), settings, ADD_ONE);
    let data = bench.zeros("data", 128);
    bench.launch("add_one", grid(1, 128), &[data.into(), 0u32.into()]);
    let record = bench.record.borrow();
    let block = record.spans.iter().find(|span| span.core.is_some()).unwrap();
    let overhead = block.start_cycle as f64 / 745e6;
    assert!((overhead - 9.27e-6).abs() < 0.01e-6, "{overhead} s until the first block");
}

/// Two launches that last a million million cycles each, because their overhead does.
fn sampled(interval: u64) -> (Option<u64>, Vec<Vec<(u64, Statistics)>>) {
    let spec = spec("fermi", &["launch.overhead=1099511627776"]);
    let run = RunSettings { interval: Some(interval), ..RunSettings::default() };
    let mut bench = Bench::new(spec, run, ADD_ONE);
    let data = bench.zeros("data", 64);
    for _ in 0..2 {
        bench.launch("add_one", grid(1, 64), &[data.into(), 0u32.into()]);
    }
    let record = bench.record.borrow();
    let samples = |launch: &LaunchTiming| {
        assert_eq!(launch.intervals.last().unwrap().statistics, launch.statistics);
        launch.intervals.iter().map(|sample| (sample.cycle, sample.statistics.clone())).collect()
    };
    (record.interval, record.launches.iter().map(samples).collect())
}

#[test]
fn samples_that_no_memory_holds_are_merged_into_longer_intervals() {
    let (in_force, merged) = sampled(10);
    let in_force = in_force.unwrap();
    assert!(in_force > 10 && (in_force / 10).is_power_of_two() && in_force.is_multiple_of(10));
    let all: usize = merged.iter().map(Vec::len).sum();
    assert!((4096..=8192 + 2).contains(&all), "{all}");
    for launch in &merged {
        let inner = &launch[..launch.len() - 1];
        assert!(inner.iter().zip(1..).all(|((cycle, _), number)| *cycle == number * in_force));
    }
    assert!(sampled(in_force) == (Some(in_force), merged), "as if it had been asked for");
}

#[test]
fn a_machine_refuses_launches_after_one_that_failed() {
    let run = RunSettings { max_cycles: Some(300), ..RunSettings::default() };
    let mut bench = Bench::new(spec("fermi", &[]), run, ADD_ONE);
    let data = bench.zeros("data", 64);
    let arguments = [data.into(), 0u32.into()];
    let mut launch = || bench.try_launch("add_one", grid(1, 64), &arguments).unwrap_err().to_string();
    let (first, second) = (launch(), launch());
    assert!(first.contains("core cycle 300"), "{first}");
    assert!(second.contains("the launch of add_one failed before"), "{second}");
}
