//! Operations among the lanes of a warp.

use super::bench::Bench;
use heddle_ptx::exec::LaunchError;

#[test]
fn a_sum_by_shuffles_is_in_every_lane() {
    let mut bench = Bench::body(
        "mov.u32 %r1, %t;
         shfl.sync.bfly.b32 %r2, %r1, 16, 31, -1;
         add.u32 %r1, %r1, %r2;
         shfl.sync.bfly.b32 %r2, %r1, 8, 31, -1;
         add.u32 %r1, %r1, %r2;
         shfl.sync.bfly.b32 %r2, %r1, 4, 31, -1;
         add.u32 %r1, %r1, %r2;
         shfl.sync.bfly.b32 %r2, %r1, 2, 31, -1;
         add.u32 %r1, %r1, %r2;
         shfl.sync.bfly.b32 %r2, %r1, 1, 31, -1;
         add.u32 %r1, %r1, %r2;
         st.global.u32 [%slot], %r1;",
    );
    assert_eq!(bench.run(32, 32), [496; 32]);
}

#[test]
fn a_shuffle_says_whether_its_lane_was_in_range() {
    let mut bench = Bench::body(
        "shfl.sync.down.b32 %r1|%p1, %t, 30, 31, -1;
         selp.u32 %r2, 1, 0, %p1;
         st.global.u32 [%slot], %r2;",
    );
    let expected: Vec<u32> = (0..32).map(|t| u32::from(t < 2)).collect();
    assert_eq!(bench.run(32, 32), expected);
}

#[test]
fn votes_and_matches_see_all_members() {
    let mut bench = Bench::body(
        "setp.lt.u32 %p1, %t, 5;
         vote.sync.ballot.b32 %r1, %p1, -1;
         vote.sync.any.pred %p2, %p1, -1;
         vote.sync.all.pred %p3, %p1, -1;
         selp.u32 %r2, 1, 0, %p2;
         selp.u32 %r3, 1, 0, %p3;
         and.b32 %r4, %t, 1;
         match.any.sync.b32 %r5, %r4, -1;
         redux.sync.add.u32 %r6, %t, -1;
         st.global.u32 [%out], %r1;
         st.global.u32 [%out+4], %r2;
         st.global.u32 [%out+8], %r3;
         setp.eq.u32 %p4, %t, 3;
         @%p4 st.global.u32 [%out+12], %r5;
         st.global.u32 [%out+16], %r6;",
    );
    assert_eq!(bench.run(32, 5), [0x1f, 1, 0, 0xaaaa_aaaa, 496]);
}

#[test]
fn without_sync_only_the_active_lanes_take_part() {
    let mut bench = Bench::new(
        ".visible .entry k(.param .u64 out_address)
         {
             .reg .pred %p<3>; .reg .b32 %r<5>; .reg .b64 %rd<3>;
             ld.param.u64 %rd1, [out_address];
             mov.u32 %r1, %tid.x;
             setp.ge.u32 %p1, %r1, 7;
             @%p1 bra END;
             setp.ge.u32 %p2, %r1, 0;
             vote.ballot.b32 %r2, %p2;
             st.global.u32 [%rd1], %r2;
             END: ret;
         }",
    );
    assert_eq!(bench.run(32, 1), [0x7f]);
}

#[test]
fn members_that_arrive_from_different_instructions_exchange_their_values() {
    let mut bench = Bench::body(
        "setp.lt.u32 %p1, %t, 16;
         add.u32 %r1, %t, 100;
         @%p1 bra LOW;
         shfl.sync.idx.b32 %r2, %r1, 0, 31, -1;
         bra JOIN;
         LOW: shfl.sync.idx.b32 %r2, %r1, 31, 31, -1;
         JOIN: st.global.u32 [%slot], %r2;",
    );
    let expected: Vec<u32> = (0..32).map(|t| if t < 16 { 131 } else { 100 }).collect();
    assert_eq!(bench.run(32, 32), expected);
}

#[test]
fn halves_of_a_warp_synchronise_among_themselves() {
    let mut bench = Bench::body(
        "setp.lt.u32 %p1, %t, 16;
         selp.b32 %r1, 65535, -65536, %p1;
         shfl.sync.idx.b32 %r2, %t, %t, 31, %r1;
         bar.warp.sync %r1;
         setp.eq.u32 %p2, %t, %t;
         vote.sync.ballot.b32 %r3, %p2, %r1;
         st.global.u32 [%slot], %r3;",
    );
    let expected: Vec<u32> = (0..32).map(|t| if t < 16 { 0xffff } else { 0xffff_0000 }).collect();
    assert_eq!(bench.run(32, 32), expected);
}

#[test]
fn lanes_that_have_ended_count_as_arrived() {
    let mut bench = Bench::body(
        "setp.ge.u32 %p1, %t, 20;
         @%p1 exit;
         setp.lt.u32 %p2, %t, 10;
         @%p2 bra FIRST;
         bar.warp.sync -1;
         bra JOIN;
         FIRST: bar.warp.sync -1;
         JOIN: activemask.b32 %r1;
         st.global.u32 [%slot], %r1;",
    );
    assert_eq!(bench.run(32, 32)[..20], [0xf_ffff; 20]);
}

#[test]
fn a_lane_outside_of_its_own_members_is_an_error() {
    let error = Bench::body("bar.warp.sync 1;").fail(32, 1);
    assert!(
        matches!(&error, LaunchError::Undefined { problem, .. } if problem.contains("member mask")),
        "{error}"
    );
}
