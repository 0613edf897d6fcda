//! Launches that start cold: each on a machine that has simulated nothing yet, in a record whose time goes on.

use super::common::{Bench, GATHER, Gather, PRESETS, grid, spec};
use heddle_engine::Statistics;
use heddle_gpu::{LaunchTiming, RunSettings, Span};
use heddle_memory::fabric::Captured;

const GATHERING: Gather = Gather { blocks: 33, threads: 96, words: 1 << 19, rounds: 1 };

/// A preset with keys set.
type Preset = (&'static str, &'static [&'static str]);

/// Machines whose DRAM is still busy when the next launch comes to it.
const BUSY: [Preset; 3] = [
    ("fermi", &["dram.queue.entries=1", "launch.overhead=0"]),
    ("gtx480", &["dram.queue.entries=1", "launch.overhead=0"]),
    ("fermi", &["dram.write_queue={entries=1}", "dram.page_policy=closed", "launch.overhead=0"]),
];

fn presets() -> impl Iterator<Item = Preset> {
    PRESETS.into_iter().map(|preset| (preset, [].as_slice())).chain(BUSY)
}

/// Everything that is looked at.
fn looking(cold: bool) -> RunSettings {
    RunSettings { cold, interval: Some(250), trace: true, capture_dram: true, ..RunSettings::default() }
}

/// Four launches of which no two are alike; the answers are checked.
fn run((preset, settings): Preset, look: RunSettings) -> Bench {
    let mut bench = Bench::new(spec(preset, settings), look, GATHER);
    let buffers = GATHERING.buffers(&mut bench);
    for blocks in [33, 7, 20, 33] {
        Gather { blocks, ..GATHERING }.launch(&mut bench, &buffers);
    }
    GATHERING.check(&bench, &buffers);
    bench
}

/// The core cycle `start`, in clocks of DRAM.
fn dram_clock((preset, settings): Preset, start: u64) -> u64 {
    let spec = spec(preset, settings);
    (start * spec.memory.dram.clock.hertz()).div_ceil(spec.clocks.core.hertz())
}

#[test]
fn launches_together_are_launches_alone_one_behind_the_other() {
    let mut overlaps = 0;
    for preset in presets() {
        let together = run(preset, looking(true));
        let together = together.record.borrow();
        let (mut spans, mut stream): (Vec<Span>, Vec<Captured>) = Default::default();
        let mut start = 0;
        for (number, launch) in together.launches.iter().enumerate() {
            let number = number as u64;
            let settings = RunSettings { launches: Some((number..number + 1).into()), ..looking(true) };
            let alone = run(preset, settings);
            let alone = alone.record.borrow();
            let only = &alone.launches[0];
            assert_eq!(
                (launch.start_cycle, launch.cycles),
                (start, only.cycles),
                "{preset:?}, launch {number}"
            );
            assert_eq!(launch.statistics, only.statistics, "{preset:?}, launch {number}");
            assert_eq!(launch.loads, only.loads, "{preset:?}, launch {number}");
            let samples = |launch: &LaunchTiming| -> Vec<(u64, Statistics)> {
                launch.intervals.iter().map(|sample| (sample.cycle, sample.statistics.clone())).collect()
            };
            assert!(
                samples(launch).len() > 3 && samples(launch) == samples(only),
                "{preset:?}, launch {number}"
            );
            let begun = |span: &Span| Span { start_cycle: start + span.start_cycle, ..span.clone() };
            spans.extend(alone.spans.iter().map(begun));
            let clocks = dram_clock(preset, start);
            let came = |captured: &Captured| Captured { cycle: clocks + captured.cycle, ..*captured };
            stream.extend(alone.dram_stream.iter().map(came));
            start += only.cycles;
        }
        assert_eq!(together.spans, spans, "{preset:?}");
        overlaps += u32::from(!stream.is_sorted_by_key(|captured| captured.cycle));
        stream.sort_by_key(|captured| (captured.cycle, captured.channel));
        assert_eq!(together.dram_stream, stream, "{preset:?}");
    }
    assert!(overlaps > 0, "what is left of some launch is done after the next one began");
}

#[test]
fn warm_launches_differ_from_launches_alone() {
    for preset in presets() {
        let together = run(preset, looking(false));
        let alone = run(preset, RunSettings { launches: Some((3..4).into()), ..looking(false) });
        let (together, alone) = (together.last(), alone.last());
        assert_ne!(together.statistics, alone.statistics, "{preset:?}");
    }
}

/// Every thread stores the cycle that it sees.
const CLOCK: &str = r#"
.visible .entry clock(.param .u64 out)
{
    .reg .b32 %r<8>;
    .reg .b64 %rd<4>;
    ld.param.u64 %rd1, [out];
    mov.u32 %r1, %ctaid.x;
    mov.u32 %r2, %ntid.x;
    mov.u32 %r3, %tid.x;
    mad.lo.u32 %r4, %r1, %r2, %r3;
    mul.wide.u32 %rd2, %r4, 4;
    add.u64 %rd3, %rd1, %rd2;
    mov.u32 %r5, %clock;
    st.global.u32 [%rd3], %r5;
    ret;
}
"#;

/// What threads of two launches see.
fn clocks(cold: bool) -> [Vec<u32>; 2] {
    let mut bench = Bench::new(spec("gtx480", &[]), RunSettings { cold, ..RunSettings::default() }, CLOCK);
    [(); 2].map(|()| {
        let out = bench.zeros("out", 30 * 64);
        bench.launch("clock", grid(30, 64), &[out.into()]);
        bench.read(out)
    })
}

#[test]
fn threads_of_a_cold_launch_see_the_cycles_since_it_began() {
    let [first, second] = clocks(true);
    assert_eq!(first, second);
    let [first, second] = clocks(false);
    assert!(first.iter().max() < second.iter().min());
}

#[test]
fn a_limit_of_cycles_is_one_for_all_launches_together() {
    let run = |max_cycles| {
        let settings = RunSettings { cold: true, max_cycles, ..RunSettings::default() };
        let mut bench = Bench::new(spec("fermi", &[]), settings, CLOCK);
        let out = bench.zeros("out", 64);
        let mut launch =
            || bench.try_launch("clock", grid(1, 64), &[out.into()]).map_err(|error| error.to_string());
        let results = [launch(), launch(), launch()];
        let cycles: Vec<u64> = bench.record.borrow().launches.iter().map(|launch| launch.cycles).collect();
        (results.map(|result| result.err()), cycles)
    };
    let (errors, each) = run(None);
    assert!(errors.iter().all(Option::is_none) && each[0] == each[2], "{errors:?}, {each:?}");
    let limit = 2 * each[0] + each[0] / 2;
    let ([first, second, third], cycles) = run(Some(limit));
    assert_eq!((first, second), (None, None));
    let third = third.unwrap();
    assert!(third.contains(&format!("core cycle {limit}")), "{third}");
    assert_eq!(cycles[..2], each[..2]);
    assert!(cycles[2] <= each[0] / 2, "{cycles:?}");
}
