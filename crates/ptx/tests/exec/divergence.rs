//! Divergence, reconvergence, and lanes of a warp that wait for each other.

use super::bench::{Arg, Bench};

#[test]
fn both_sides_of_a_branch_run_and_meet_again() {
    let mut bench = Bench::body(
        "and.b32 %r1, %t, 1;
         setp.eq.u32 %p1, %r1, 0;
         @%p1 bra EVEN;
         mov.u32 %r2, 100;
         bra JOIN;
         EVEN: mov.u32 %r2, 200;
         JOIN: activemask.b32 %r3;
         add.u32 %r2, %r2, %t;
         setp.ne.u32 %p2, %r3, -1;
         @%p2 mov.u32 %r2, 0;
         st.global.u32 [%slot], %r2;",
    );
    let expected: Vec<u32> = (0..32).map(|t| t + if t % 2 == 0 { 200 } else { 100 }).collect();
    assert_eq!(bench.run(32, 32), expected);
}

#[test]
fn lanes_leave_a_loop_at_different_times_and_meet_behind_it() {
    let mut bench = Bench::body(
        "mov.u32 %r1, 0;
         mov.u32 %r2, 0;
         LOOP: add.u32 %r2, %r2, %r1;
         add.u32 %r1, %r1, 1;
         setp.le.u32 %p1, %r1, %t;
         @%p1 bra LOOP;
         activemask.b32 %r3;
         popc.b32 %r3, %r3;
         mad.lo.u32 %r2, %r3, 1000, %r2;
         st.global.u32 [%slot], %r2;",
    );
    let (output, report) = bench.run_with_report(32, 32);
    let expected: Vec<u32> = (0..32u32).map(|t| 32_000 + (0..=t).sum::<u32>()).collect();
    assert_eq!(output, expected);
    // 31 times some lanes leave and others stay.
    assert_eq!(report.classes.divergent_branches, 31);
}

#[test]
fn a_return_inside_a_loop_does_not_keep_the_others_apart() {
    let mut bench = Bench::body(
        "mov.u32 %r1, 0;
         LOOP: setp.eq.u32 %p2, %r1, 5;
         setp.eq.and.u32 %p2, %t, 3, %p2;
         @%p2 bra GONE;
         add.u32 %r1, %r1, 1;
         add.u32 %r4, %t, 8;
         setp.lt.u32 %p1, %r1, %r4;
         @%p1 bra LOOP;
         activemask.b32 %r3;
         st.global.u32 [%slot], %r3;
         bra END;
         GONE: mov.u32 %r9, 7;
         st.global.u32 [%slot], %r9;
         exit;
         END:",
    );
    let output = bench.run(32, 32);
    assert_eq!(output[3], 7);
    assert_eq!(output[4], !8);
}

#[test]
fn a_jump_through_a_table_sends_each_lane_to_its_target() {
    let mut bench = Bench::body(
        "and.b32 %r1, %t, 3;
         mov.u32 %r2, 0;
         TABLE: .branchtargets A, B, C, A;
         brx.idx %r1, TABLE;
         A: add.u32 %r2, %r2, 1;
         bra JOIN;
         B: add.u32 %r2, %r2, 10;
         bra JOIN;
         C: add.u32 %r2, %r2, 100;
         JOIN: activemask.b32 %r3;
         popc.b32 %r3, %r3;
         mad.lo.u32 %r2, %r3, 1000, %r2;
         st.global.u32 [%slot], %r2;",
    );
    let expected: Vec<u32> = (0..32).map(|t| 32_000 + [1, 10, 100, 1][t % 4]).collect();
    assert_eq!(bench.run(32, 32), expected);
}

#[test]
fn a_spin_lock_within_one_warp_completes() {
    let mut bench = Bench::body(
        "LOCK: atom.global.cas.b32 %r1, [%out], 0, 1;
         setp.ne.u32 %p1, %r1, 0;
         @%p1 bra LOCK;
         ld.volatile.global.u32 %r2, [%out+4];
         add.u32 %r2, %r2, 1;
         st.volatile.global.u32 [%out+4], %r2;
         membar.gl;
         atom.global.exch.b32 %r3, [%out], 0;",
    );
    assert_eq!(bench.run(64, 2), [0, 64]);
}

#[test]
fn a_lane_that_waits_for_another_lane_of_its_warp_gets_its_value() {
    // Each lane waits for the value of the lane above it, the last one starts.
    let mut bench = Bench::body(
        "setp.eq.u32 %p1, %t, 31;
         mov.u32 %r2, 1;
         @%p1 bra GIVE;
         WAIT: ld.volatile.global.u32 %r1, [%slot+4];
         setp.eq.u32 %p2, %r1, 0;
         @%p2 bra WAIT;
         add.u32 %r2, %r1, 1;
         GIVE: st.volatile.global.u32 [%slot], %r2;",
    );
    let expected: Vec<u32> = (0..32).map(|t| 32 - t).collect();
    assert_eq!(bench.run(32, 32), expected);
}

#[test]
fn a_wait_that_counts_its_turns_does_not_starve_the_lane_it_waits_for() {
    let mut bench = Bench::body(
        "mov.u32 %r3, 0;
         setp.eq.u32 %p1, %t, 0;
         @!%p1 bra GIVE;
         WAIT: add.u32 %r3, %r3, 1;
         ld.volatile.global.u32 %r1, [%out+4];
         setp.eq.u32 %p2, %r1, 0;
         @%p2 bra WAIT;
         st.global.u32 [%out], %r1;
         bra END;
         GIVE: mov.u32 %r2, 9;
         st.volatile.global.u32 [%out+4], %r2;
         END:",
    );
    assert_eq!(bench.run(2, 2), [9, 9]);
}

#[test]
fn blocks_that_wait_for_each_other_complete_when_all_are_resident() {
    let mut bench = Bench::body(GRID_BARRIER);
    let out = bench.buffer("out", &[0; 10]);
    bench.launch("k", 8, 64, &[Arg::Buffer(out)]).expect("the barrier completes");
    assert_eq!(bench.words(out), [8, 0, 8, 8, 8, 8, 8, 8, 8, 8]);
}

/// Thread 0 of each block adds one to `out[0]`, waits until all blocks did, and writes what it saw.
pub(crate) const GRID_BARRIER: &str = "
    setp.ne.u32 %p1, %t, 0;
    @%p1 bra WAIT_OTHERS;
    atom.global.add.u32 %r1, [%out], 1;
    mov.u32 %r4, %nctaid.x;
    mov.u32 %r5, %ctaid.x;
    SPIN: ld.volatile.global.u32 %r2, [%out];
    setp.ne.u32 %p2, %r2, %r4;
    @%p2 bra SPIN;
    mul.wide.u32 %rd1, %r5, 4;
    add.u64 %rd1, %out, %rd1;
    st.global.u32 [%rd1+8], %r2;
    WAIT_OTHERS: bar.sync 0;";
