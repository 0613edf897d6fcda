//! Execution in time and execution without time agree, and threads of different cores see each other's writes.

use super::common::{Bench, GATHER, Gather, PRESETS, grid, spec};
use super::stalls::{BARRIERS, WAYS};
use heddle_gpu::RunSettings;

#[test]
fn every_static_instruction_is_executed_as_often_as_without_time() {
    let gather = Gather { blocks: 20, threads: 80, words: 1 << 13, rounds: 3 };
    for preset in PRESETS {
        let text = [GATHER, BARRIERS, WAYS].concat();
        let timed = Bench::new(spec(preset, &[]), RunSettings::default(), &text);
        let reports = [timed, Bench::functional(&text)].map(|mut bench| {
            let buffers = gather.buffers(&mut bench);
            let out = bench.zeros("answers", 20 * 160);
            let first = gather.launch(&mut bench, &buffers);
            gather.check(&bench, &buffers);
            let second = bench.launch("barriers", grid(20, 160), &[out.into(), 5u32.into()]);
            let barriers = bench.read(out);
            let third = bench.launch("ways", grid(20, 160), &[out.into(), 8u32.into()]);
            let ways = bench.read(out);
            let counts = [first, second, third].map(|report| {
                assert!(report.warp_instructions > 1000);
                (report.instructions, report.warp_instructions, report.lane_instructions, report.classes)
            });
            (counts, barriers, ways)
        });
        assert!(reports[0].1 == reports[1].1 && reports[0].2 == reports[1].2, "{preset}: answers");
        assert_eq!(reports[0].0, reports[1].0, "{preset}");
    }
}

/// Threads take tickets and note who has which; lane 0 of each warp adds to a sum under a lock.
const ATOMICS: &str = r#"
.visible .entry tickets(.param .u64 counter, .param .u64 taken)
{
    .reg .b32 %r<8>;
    .reg .b64 %rd<6>;
    ld.param.u64 %rd1, [counter];
    ld.param.u64 %rd2, [taken];
    mov.u32 %r1, %ctaid.x;
    mov.u32 %r2, %ntid.x;
    mov.u32 %r3, %tid.x;
    mad.lo.u32 %r4, %r1, %r2, %r3;
    add.u32 %r4, %r4, 1;
    atom.global.add.u32 %r5, [%rd1], 1;
    mul.wide.u32 %rd3, %r5, 4;
    add.u64 %rd4, %rd2, %rd3;
    st.global.u32 [%rd4], %r4;
    ret;
}
.visible .entry locked(.param .u64 lock, .param .u64 value, .param .u32 rounds)
{
    .reg .pred %p<4>;
    .reg .b32 %r<8>;
    .reg .b64 %rd<4>;
    ld.param.u64 %rd1, [lock];
    ld.param.u64 %rd2, [value];
    ld.param.u32 %r1, [rounds];
    mov.u32 %r2, %tid.x;
    and.b32 %r2, %r2, 31;
    setp.ne.u32 %p1, %r2, 0;
    @%p1 bra DONE;
SPIN:
    atom.global.cas.b32 %r3, [%rd1], 0, 1;
    setp.ne.u32 %p2, %r3, 0;
    @%p2 bra SPIN;
    membar.gl;
    ld.volatile.global.u32 %r4, [%rd2];
    add.u32 %r4, %r4, 1;
    st.volatile.global.u32 [%rd2], %r4;
    membar.gl;
    atom.global.exch.b32 %r5, [%rd1], 0;
    sub.u32 %r1, %r1, 1;
    setp.ne.u32 %p3, %r1, 0;
    @%p3 bra SPIN;
DONE:
    ret;
}
"#;

#[test]
fn every_ticket_is_taken_by_one_thread() {
    for preset in PRESETS {
        let mut bench = Bench::new(spec(preset, &[]), RunSettings::default(), ATOMICS);
        let threads = 60 * 160;
        let (counter, taken) = (bench.zeros("counter", 1), bench.zeros("taken", threads));
        bench.launch("tickets", grid(60, 160), &[counter.into(), taken.into()]);
        assert_eq!(bench.read(counter), [threads as u32], "{preset}");
        let mut owners = bench.read(taken);
        let in_order = owners.is_sorted();
        owners.sort_unstable();
        assert!(owners.iter().copied().eq(1..=threads as u32), "{preset}");
        assert!(!in_order, "{preset}: cores take turns");
    }
}

#[test]
fn a_lock_lets_one_warp_in_at_a_time() {
    for preset in PRESETS {
        let mut bench = Bench::new(spec(preset, &[]), RunSettings::default(), ATOMICS);
        let (lock, value) = (bench.zeros("lock", 1), bench.zeros("value", 1));
        bench.launch("locked", grid(30, 64), &[lock.into(), value.into(), 3u32.into()]);
        assert_eq!((bench.read(lock), bench.read(value)), (vec![0], vec![30 * 2 * 3]), "{preset}");
    }
}

/// Block 0 writes 32 words and then, behind a fence, a flag. Block 1 has read the words before, waits for the flag,
/// and reads them again.
const MESSAGE: &str = r#"
.visible .entry message(.param .u64 data, .param .u64 flag, .param .u64 out)
{
    .reg .pred %p<4>;
    .reg .b32 %r<12>;
    .reg .b64 %rd<8>;
    ld.param.u64 %rd1, [data];
    ld.param.u64 %rd2, [flag];
    ld.param.u64 %rd3, [out];
    mov.u32 %r1, %ctaid.x;
    mov.u32 %r2, %tid.x;
    mul.wide.u32 %rd4, %r2, 4;
    add.u64 %rd5, %rd1, %rd4;
    add.u64 %rd6, %rd3, %rd4;
    setp.ne.u32 %p1, %r1, 0;
    @%p1 bra CONSUMER;
    mov.u32 %r3, 0;
DELAY:
    add.u32 %r3, %r3, 1;
    setp.lt.u32 %p2, %r3, 200;
    @%p2 bra DELAY;
    add.u32 %r4, %r2, 1000;
    st.global.u32 [%rd5], %r4;
    membar.gl;
    bar.sync 0;
    st.volatile.global.u32 [%rd2], 1;
    ret;
CONSUMER:
    ld.global.u32 %r5, [%rd5];
SPIN:
    ld.volatile.global.u32 %r6, [%rd2];
    setp.eq.u32 %p3, %r6, 0;
    @%p3 bra SPIN;
    membar.gl;
    ld.READ.u32 %r7, [%rd5];
    sub.u32 %r8, %r7, %r5;
    st.global.u32 [%rd6], %r8;
    ret;
}
"#;

#[test]
fn a_load_behind_a_flag_sees_what_another_core_stored_before_it() {
    for preset in PRESETS {
        for read in ["volatile.global", "global"] {
            let text = MESSAGE.replace("ld.READ", &format!("ld.{read}"));
            let mut bench = Bench::new(spec(preset, &[]), RunSettings::default(), &text);
            let data = bench.zeros("data", 64);
            let (flag, out) = (bench.zeros("flag", 1), bench.zeros("out", 64));
            bench.launch("message", grid(2, 64), &[data.into(), flag.into(), out.into()]);
            // The words were 0 when the consumer read them first.
            let expected: Vec<u32> = (1000..1064).collect();
            assert_eq!(bench.read(out), expected, "{preset}, ld.{read}");
        }
    }
}
