//! Every issue slot has one owner, and kernels that are bound by something are found to be.

use super::common::{Bench, GATHER, Gather, PRESETS, count, grid, spec};
use heddle_gpu::{GpuSpec, LaunchTiming, RunSettings};

/// Warp 0 computes for long, then all warps meet; so many times.
pub(crate) const BARRIERS: &str = r#"
.visible .entry barriers(.param .u64 out, .param .u32 rounds)
{
    .reg .pred %p<4>;
    .reg .b32 %r<12>;
    .reg .b64 %rd<4>;
    ld.param.u64 %rd1, [out];
    ld.param.u32 %r1, [rounds];
    mov.u32 %r2, %tid.x;
    mov.u32 %r3, %ctaid.x;
    mov.u32 %r4, %ntid.x;
    mad.lo.u32 %r5, %r3, %r4, %r2;
    mov.u32 %r6, 0;
    mov.u32 %r7, 0;
    setp.ge.u32 %p1, %r2, 32;
ROUND:
    @%p1 bra MEET;
    mov.u32 %r8, 0;
WORK:
    add.u32 %r6, %r6, %r5;
    add.u32 %r6, %r6, 1;
    add.u32 %r6, %r6, 1;
    add.u32 %r8, %r8, 1;
    setp.lt.u32 %p2, %r8, 20;
    @%p2 bra WORK;
MEET:
    bar.sync 0;
    add.u32 %r7, %r7, 1;
    setp.lt.u32 %p3, %r7, %r1;
    @%p3 bra ROUND;
    mul.wide.u32 %rd2, %r5, 4;
    add.u64 %rd3, %rd1, %rd2;
    st.global.u32 [%rd3], %r6;
    ret;
}
"#;

/// Lanes go so many different ways, one after the other; each way is the same chain of additions.
pub(crate) const WAYS: &str = r#"
.visible .entry ways(.param .u64 out, .param .u32 ways)
{
    .reg .pred %p<4>;
    .reg .b32 %r<12>;
    .reg .b64 %rd<4>;
    ld.param.u64 %rd1, [out];
    ld.param.u32 %r1, [ways];
    mov.u32 %r2, %tid.x;
    mov.u32 %r3, %ctaid.x;
    mov.u32 %r4, %ntid.x;
    mad.lo.u32 %r5, %r3, %r4, %r2;
    rem.u32 %r6, %r2, %r1;
    mov.u32 %r7, 0;
    mov.u32 %r8, 0;
WAY:
    setp.ne.u32 %p1, %r6, %r7;
    @%p1 bra SKIP;
    mov.u32 %r9, 0;
WORK:
    add.u32 %r8, %r8, %r5;
    add.u32 %r8, %r8, %r6;
    add.u32 %r9, %r9, 1;
    setp.lt.u32 %p2, %r9, 50;
    @%p2 bra WORK;
SKIP:
    add.u32 %r7, %r7, 1;
    setp.lt.u32 %p3, %r7, 8;
    @%p3 bra WAY;
    mul.wide.u32 %rd2, %r5, 4;
    add.u64 %rd3, %rd1, %rd2;
    st.global.u32 [%rd3], %r8;
    ret;
}
"#;

/// A chain of additions; a chain of loads, each of a line that nobody else reads; a chain of atomics on one word.
pub(crate) const CHAINS: &str = r#"
.visible .entry adds(.param .u64 out, .param .u32 rounds)
{
    .reg .pred %p<2>;
    .reg .b32 %r<8>;
    .reg .b64 %rd<4>;
    ld.param.u64 %rd1, [out];
    ld.param.u32 %r1, [rounds];
    mov.u32 %r2, %tid.x;
    mov.u32 %r3, 0;
LOOP:
    add.u32 %r2, %r2, 3;
    add.u32 %r2, %r2, 5;
    add.u32 %r2, %r2, 7;
    add.u32 %r2, %r2, 9;
    add.u32 %r2, %r2, 11;
    add.u32 %r2, %r2, 13;
    add.u32 %r3, %r3, 1;
    setp.lt.u32 %p1, %r3, %r1;
    @%p1 bra LOOP;
    mov.u32 %r4, %tid.x;
    mul.wide.u32 %rd2, %r4, 4;
    add.u64 %rd3, %rd1, %rd2;
    st.global.u32 [%rd3], %r2;
    ret;
}
.visible .entry loads(.param .u64 data, .param .u32 rounds)
{
    .reg .pred %p<2>;
    .reg .b32 %r<12>;
    .reg .b64 %rd<4>;
    ld.param.u64 %rd1, [data];
    ld.param.u32 %r1, [rounds];
    mov.u32 %r2, %ctaid.x;
    mov.u32 %r3, %ntid.x;
    mov.u32 %r4, %tid.x;
    mov.u32 %r5, %nctaid.x;
    mad.lo.u32 %r6, %r2, %r3, %r4;
    mul.lo.u32 %r7, %r3, %r5;
    mov.u32 %r8, 0;
LOOP:
    mul.wide.u32 %rd2, %r6, 4;
    add.u64 %rd3, %rd1, %rd2;
    ld.global.u32 %r9, [%rd3];
    add.u32 %r6, %r6, %r9;
    add.u32 %r6, %r6, %r7;
    add.u32 %r8, %r8, 1;
    setp.lt.u32 %p1, %r8, %r1;
    @%p1 bra LOOP;
    ret;
}
.visible .entry atomics(.param .u64 counter, .param .u32 rounds)
{
    .reg .pred %p<2>;
    .reg .b32 %r<8>;
    .reg .b64 %rd<2>;
    ld.param.u64 %rd1, [counter];
    ld.param.u32 %r1, [rounds];
    mov.u32 %r2, 0;
LOOP:
    atom.global.add.u32 %r3, [%rd1], 1;
    and.b32 %r3, %r3, 0;
    add.u32 %r2, %r2, %r3;
    add.u32 %r2, %r2, 1;
    setp.lt.u32 %p1, %r2, %r1;
    @%p1 bra LOOP;
    ret;
}
"#;

/// All issue slots with an owner, by name.
fn slots(timing: &LaunchTiming) -> Vec<(String, u64)> {
    let of_slots = timing
        .statistics
        .iter()
        .filter_map(|(name, value)| name.strip_prefix("slots.").map(|owner| (owner.to_owned(), value)));
    of_slots.collect()
}

fn assert_tiled(spec: &GpuSpec, timing: &LaunchTiming) {
    let core = &spec.core;
    let all =
        timing.cycles * u64::from(core.count) * u64::from(core.schedulers) * u64::from(core.issue_width);
    assert_eq!(slots(timing).iter().map(|(_, value)| value).sum::<u64>(), all, "{}", spec.name);
    assert_eq!(count(timing, "slots.busy"), count(timing, "core.warp_instructions"), "{}", spec.name);
    assert_eq!(count(timing, "core.cycles"), timing.cycles * u64::from(core.count));
    let resident = count(timing, "core.active_cycles") + count(timing, "core.idle_cycles");
    assert_eq!(resident, count(timing, "core.cycles"));
}

#[test]
fn slots_are_cycles_times_schedulers_times_width_for_every_policy_and_preset() {
    let gather = Gather { blocks: 25, threads: 96, words: 1 << 13, rounds: 2 };
    for preset in PRESETS {
        for policy in ["round-robin", "loose-round-robin", "greedy-then-oldest"] {
            let spec = spec(preset, &[&format!("core.scheduler={policy}")]);
            let text = [GATHER, BARRIERS, CHAINS].concat();
            let mut bench = Bench::new(spec.clone(), RunSettings::default(), &text);
            let buffers = gather.buffers(&mut bench);
            let out = bench.zeros("answers", 40 * 200);
            gather.launch(&mut bench, &buffers);
            bench.launch("barriers", grid(40, 200), &[out.into(), 3u32.into()]);
            bench.launch("atomics", grid(3, 64), &[out.into(), 5u32.into()]);
            for launch in &bench.record.borrow().launches {
                assert_tiled(&spec, launch);
            }
        }
    }
}

/// The owner of the most slots, apart from idle ones and those in which something was issued.
fn largest(timing: &LaunchTiming) -> String {
    let idle = ["busy", "fetch", "drain", "no_warp"];
    let waiting = slots(timing).into_iter().filter(|(owner, _)| !idle.contains(&owner.as_str()));
    waiting.max_by_key(|(_, slots)| *slots).unwrap().0
}

/// One launch of a kernel with a buffer and a number of rounds.
fn launched(preset: &str, kernel: &str, blocks: u32, threads: u32, rounds: u32) -> LaunchTiming {
    let spec = spec(preset, &[]);
    let mut bench = Bench::new(spec, RunSettings::default(), &[BARRIERS, CHAINS].concat());
    let buffer = bench.zeros("buffer", 1 << 21);
    bench.launch(kernel, grid(blocks, threads), &[buffer.into(), rounds.into()]);
    bench.last()
}

#[test]
fn what_binds_a_kernel_owns_the_largest_share_of_its_stalls() {
    for preset in PRESETS {
        let found = |kernel, blocks, threads, rounds| {
            let timing = launched(preset, kernel, blocks, threads, rounds);
            (largest(&timing), slots(&timing))
        };
        let (owner, all) = found("adds", 15, 64, 200);
        assert_eq!(owner, "result_pending", "{preset}: {all:?}");
        let (owner, all) = found("barriers", 15, 256, 10);
        assert_eq!(owner, "barrier", "{preset}: {all:?}");
        let (owner, all) = found("loads", 15, 64, 30);
        assert_eq!(owner, "dram", "{preset}: {all:?}");
        let (owner, all) = found("atomics", 15, 64, 20);
        assert_eq!(owner, "atomic", "{preset}: {all:?}");
    }
}

#[test]
fn lanes_that_go_different_ways_take_turns() {
    for preset in PRESETS {
        let run = |ways: u32| {
            let mut bench = Bench::new(spec(preset, &[]), RunSettings::default(), WAYS);
            let out = bench.zeros("answers", 32);
            bench.launch("ways", grid(1, 32), &[out.into(), ways.into()]);
            let lanes = (0..32u32).map(|lane| 50 * (lane + lane % ways));
            assert!(bench.read(out).into_iter().eq(lanes), "{preset}");
            bench.last()
        };
        let [one, two, eight] = [1, 2, 8].map(run);
        // The chain is executed once for each way, by fewer lanes: five instructions, fifty times, and one.
        let warps = |timing: &LaunchTiming| count(timing, "core.warp_instructions");
        assert_eq!(warps(&two) - warps(&one), 251, "{preset}");
        assert_eq!(warps(&eight) - warps(&one), 7 * 251, "{preset}");
        let lanes = |timing: &LaunchTiming| count(timing, "core.thread_instructions");
        assert_eq!(lanes(&one), lanes(&eight), "{preset}");
        assert_eq!(count(&one, "core.divergent_branches"), 0);
        assert_eq!(count(&eight, "core.divergent_branches"), 8);
        // All but the little around the chains takes as many times as long.
        let more = |timing: &LaunchTiming| (timing.cycles - one.cycles) as f64;
        let ratio = more(&eight) / more(&two);
        assert!((ratio - 7.0).abs() < 0.35, "{preset}: {ratio}");
    }
}

/// Nothing is outstanding when the last warp ends, so the launch ends with an instruction, and with the cycle of its
/// issue.
#[test]
fn a_launch_that_ends_with_an_instruction_counts_the_cycle_of_its_issue() {
    const NOTHING: &str =
        ".visible .entry nothing() { .reg .b32 %r<3>; mov.u32 %r1, 1; add.s32 %r2, %r1, 1; ret; }";
    for preset in PRESETS {
        let settings = [
            "core.count=1",
            "core.schedulers=1",
            "core.issue_width=1",
            "launch.overhead=0",
            "launch.block_interval=0",
        ];
        let mut bench = Bench::new(spec(preset, &settings), RunSettings::default(), NOTHING);
        bench.launch("nothing", grid(1, 40), &[]);
        let timing = bench.last();
        // Two warps of three instructions each; from the first cycle to the last some warp is there.
        assert_eq!(count(&timing, "slots.busy"), 6, "{preset}");
        assert_eq!(count(&timing, "slots.no_warp"), 0, "{preset}");
        let named = timing.statistics.iter().filter(|(name, _)| name.starts_with("slots."));
        let slots: Vec<u64> = named.map(|(_, slots)| slots).collect();
        assert!(slots.iter().all(|&slots| slots <= timing.cycles), "{preset}: {slots:?}");
        assert_eq!(slots.iter().sum::<u64>(), timing.cycles, "{preset}");
    }
}
