//! Launches in which nothing can go on.

use super::bench::{Arg, Bench};
use super::divergence::GRID_BARRIER;
use heddle_ptx::exec::LaunchError;

fn waiting(error: LaunchError) -> String {
    match error {
        LaunchError::Deadlock { waiting, .. } => waiting,
        other => panic!("not a deadlock: {other}"),
    }
}

#[test]
fn a_barrier_that_some_threads_never_reach_names_how_many_arrived() {
    let body = "setp.ge.u32 %p1, %t, 32;
        @%p1 bra FOREVER;
        bar.sync 0;
        bra END;
        FOREVER: ld.volatile.global.u32 %r1, [%out];
        setp.eq.u32 %p2, %r1, 0;
        @%p2 bra FOREVER;
        END:";
    let text = waiting(Bench::body(body).fail(64, 1));
    assert!(text.contains("barrier 0, where 32 of 64 threads have arrived"), "{text}");
    assert!(text.contains("repeat the same loop, which reads 0x"), "{text}");
    assert!(text.contains(", byte 0 of 'out', at test.ptx:"), "{text}");
}

#[test]
fn lanes_that_wait_for_members_which_never_come_are_named() {
    let body = "setp.lt.u32 %p1, %t, 4;
        @%p1 bra FOREVER;
        bar.warp.sync -1;
        bra END;
        FOREVER: bar.sync 5;
        END:";
    let text = waiting(Bench::body(body).fail(32, 1));
    assert!(text.contains("wait for lanes 0x0000000f of their warp"), "{text}");
    assert!(text.contains("barrier 5, where 4 of 32"), "{text}");
}

#[test]
fn a_barrier_among_blocks_says_that_all_of_them_must_be_resident() {
    let mut bench = Bench::body(GRID_BARRIER);
    bench.machine.resident_blocks = Some(3);
    let out = bench.buffer("out", &[0; 10]);
    let text = waiting(bench.launch("k", 8, 64, &[Arg::Buffer(out)]).expect_err("stuck"));
    assert!(text.contains("5 of 8 blocks have not started"), "{text}");
    assert!(text.contains("completes only if all of them are resident"), "{text}");
}

#[test]
fn a_loop_that_changes_its_registers_is_stopped_by_the_limit_of_instructions() {
    let mut bench = Bench::body("FOREVER: add.u32 %r1, %r1, 1; bra FOREVER;");
    bench.machine.instruction_limit = Some(100_000);
    assert_eq!(bench.fail(32, 1), LaunchError::Limit { kernel: "k".to_owned(), instructions: 100_000 });
}

#[test]
fn a_long_loop_without_writes_is_no_deadlock() {
    let mut bench = Bench::body(
        "mov.u32 %r1, 0;
         LOOP: add.u32 %r1, %r1, 1;
         setp.lt.u32 %p1, %r1, 100000;
         @%p1 bra LOOP;
         st.global.u32 [%slot], %r1;",
    );
    assert_eq!(bench.run(64, 64), [100_000; 64]);
}

#[test]
fn more_blocks_than_are_resident_run_one_after_the_other() {
    let mut bench = Bench::body("atom.global.add.u32 %r1, [%out], 1; bar.sync 0;");
    bench.machine.resident_blocks = Some(2);
    let out = bench.buffer("out", &[0]);
    bench.launch("k", 100, 96, &[Arg::Buffer(out)]).expect("independent blocks");
    assert_eq!(bench.words(out), [9600]);
}

#[test]
fn a_loop_that_is_the_same_behind_each_barrier_is_no_deadlock() {
    // Warp 0 counts to 100 before every barrier, always from nothing; warp 1 counts the barriers.
    let mut bench = Bench::with_functions(
        ".shared .align 4 .b8 done[4];",
        "setp.ge.u32 %p1, %t, 32;
         @%p1 bra COUNTER;
         AGAIN: mov.u32 %r1, 0;
         INNER: add.u32 %r1, %r1, 1;
         setp.lt.u32 %p2, %r1, 100;
         @%p2 bra INNER;
         bar.sync 0;
         ld.volatile.shared.u32 %r2, [done];
         setp.eq.u32 %p3, %r2, 0;
         @%p3 bra AGAIN;
         bra END;
         COUNTER: mov.u32 %r1, 0;
         STEP: bar.sync 0;
         add.u32 %r1, %r1, 1;
         setp.lt.u32 %p4, %r1, 50;
         @%p4 bra STEP;
         st.volatile.shared.u32 [done], 1;
         bar.sync 0;
         END: st.global.u32 [%slot], %r1;",
    );
    let expected: Vec<u32> = (0..64).map(|t| if t < 32 { 100 } else { 50 }).collect();
    assert_eq!(bench.run(64, 64), expected);
}

#[test]
fn a_loop_that_is_the_same_behind_each_collective_operation_is_no_deadlock() {
    // The same within a warp, whose halves run in turn.
    let mut bench = Bench::with_functions(
        ".shared .align 4 .b8 done[4];",
        "setp.ge.u32 %p1, %t, 16;
         @%p1 bra COUNTER;
         AGAIN: mov.u32 %r1, 0;
         INNER: add.u32 %r1, %r1, 1;
         setp.lt.u32 %p2, %r1, 100;
         @%p2 bra INNER;
         bar.warp.sync -1;
         ld.volatile.shared.u32 %r2, [done];
         setp.eq.u32 %p3, %r2, 0;
         @%p3 bra AGAIN;
         bra END;
         COUNTER: mov.u32 %r1, 0;
         STEP: bar.warp.sync -1;
         add.u32 %r1, %r1, 1;
         setp.lt.u32 %p4, %r1, 50;
         @%p4 bra STEP;
         st.volatile.shared.u32 [done], 1;
         bar.warp.sync -1;
         END: st.global.u32 [%slot], %r1;",
    );
    let expected: Vec<u32> = (0..32).map(|t| if t < 16 { 100 } else { 50 }).collect();
    assert_eq!(bench.run(32, 32), expected);
}

#[test]
fn a_loop_that_waits_for_the_clock_is_no_deadlock() {
    for clock in ["%clock64", "%globaltimer"] {
        let mut bench = Bench::body(&format!(
            "LOOP: mov.u64 %rd1, {clock};
             shr.u64 %rd1, %rd1, 16;
             setp.lt.u64 %p1, %rd1, 3;
             @%p1 bra LOOP;
             cvt.u32.u64 %r1, %rd1;
             st.global.u32 [%slot], %r1;"
        ));
        assert_eq!(bench.run(32, 32), [3; 32], "{clock}");
    }
}
