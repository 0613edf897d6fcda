//! Barriers of a block.

use super::bench::Bench;
use heddle_ptx::exec::LaunchError;

const SHARED: &str = ".shared .align 4 .b8 buffer[4096];";

#[test]
fn what_was_written_before_a_barrier_is_read_behind_it() {
    let mut bench = Bench::with_functions(
        SHARED,
        "mov.u32 %r1, buffer;
         shl.b32 %r2, %t, 2;
         add.u32 %r3, %r1, %r2;
         st.shared.u32 [%r3], %t;
         bar.sync 0;
         xor.b32 %r4, %t, 255;
         shl.b32 %r4, %r4, 2;
         add.u32 %r4, %r1, %r4;
         ld.shared.u32 %r5, [%r4];
         st.global.u32 [%slot], %r5;",
    );
    let expected: Vec<u32> = (0..256).map(|t| 255 - t).collect();
    assert_eq!(bench.run(256, 256), expected);
}

#[test]
fn threads_that_have_ended_count_as_arrived() {
    let mut bench = Bench::body(
        "setp.ge.u32 %p1, %t, 40;
         @%p1 exit;
         bar.sync 0;
         st.global.u32 [%slot], %t;",
    );
    let output = bench.run(128, 40);
    assert_eq!(output, (0..40).collect::<Vec<_>>());
}

#[test]
fn lanes_of_a_diverged_warp_arrive_from_different_instructions() {
    let mut bench = Bench::body(
        "and.b32 %r1, %t, 1;
         setp.eq.u32 %p1, %r1, 0;
         @%p1 bra EVEN;
         bar.sync 0;
         mov.u32 %r2, 1;
         bra JOIN;
         EVEN: bar.sync 0;
         mov.u32 %r2, 2;
         JOIN: st.global.u32 [%slot], %r2;",
    );
    let expected: Vec<u32> = (0..64).map(|t| if t % 2 == 0 { 2 } else { 1 }).collect();
    assert_eq!(bench.run(64, 64), expected);
}

#[test]
fn producers_arrive_and_consumers_wait() {
    let mut bench = Bench::with_functions(
        SHARED,
        "setp.lt.u32 %p1, %t, 32;
         @%p1 bra CONSUME;
         mov.u32 %r1, 77;
         st.shared.u32 [buffer], %r1;
         bar.arrive 3, 64;
         bra END;
         CONSUME: bar.sync 3, 64;
         ld.shared.u32 %r2, [buffer];
         st.global.u32 [%slot], %r2;
         END:",
    );
    assert_eq!(bench.run(64, 32), [77; 32]);
}

#[test]
fn a_partial_warp_counts_as_a_whole_one_where_a_count_is_given() {
    let mut bench = Bench::body("bar.sync 1, 64; st.global.u32 [%slot], %t;");
    assert_eq!(bench.run(40, 40), (0..40).collect::<Vec<_>>());
}

#[test]
fn reductions_tell_every_thread_what_all_said() {
    let mut bench = Bench::body(
        "setp.lt.u32 %p1, %t, 3;
         bar.red.popc.u32 %r1, 0, %p1;
         bar.red.or.pred %p2, 0, %p1;
         bar.red.and.pred %p3, 0, %p1;
         bar.red.and.pred %p4, 0, !%p1;
         selp.u32 %r2, 100, 0, %p2;
         selp.u32 %r3, 1000, 0, %p3;
         selp.u32 %r4, 10000, 0, %p4;
         add.u32 %r1, %r1, %r2;
         add.u32 %r1, %r1, %r3;
         add.u32 %r1, %r1, %r4;
         st.global.u32 [%slot], %r1;",
    );
    assert_eq!(bench.run(96, 96), [103; 96]);
}

#[test]
fn a_count_that_is_no_multiple_of_a_warp_is_an_error() {
    let error = Bench::body("mov.u32 %r1, 40; bar.sync 1, %r1;").fail(40, 1);
    assert!(
        matches!(&error, LaunchError::Undefined { problem, .. } if problem.contains("multiple of 32")),
        "{error}"
    );
}

#[test]
fn a_barrier_in_a_loop_that_warps_leave_at_different_times_keeps_its_phases_apart() {
    let mut bench = Bench::body(
        "shr.u32 %r1, %t, 5;
         add.u32 %r1, %r1, 1;
         mov.u32 %r2, 0;
         LOOP: bar.sync 0;
         add.u32 %r2, %r2, 1;
         setp.lt.u32 %p1, %r2, %r1;
         @%p1 bra LOOP;
         st.global.u32 [%slot], %r2;",
    );
    let expected: Vec<u32> = (0..128).map(|t| t / 32 + 1).collect();
    assert_eq!(bench.run(128, 128), expected);
}

#[test]
fn a_warp_may_arrive_twice_at_a_barrier_that_another_waits_at() {
    let mut bench = Bench::body(
        "setp.ge.u32 %p1, %t, 32;
         @%p1 bra PRODUCER;
         bar.sync 1, 96;
         bra END;
         PRODUCER: bar.arrive 1, 96;
         bar.arrive 1, 96;
         END: st.global.u32 [%slot], 1;",
    );
    assert_eq!(bench.run(64, 64), [1; 64]);
}
