//! What a launch reports in counts.

use super::bench::{Arg, Bench};

#[test]
fn instructions_are_counted_by_warp_and_by_lane() {
    let mut bench = Bench::new(
        ".visible .entry k(.param .u64 out)
         {
             .reg .pred %p<2>; .reg .b32 %r<3>; .reg .b64 %rd<4>;
             ld.param.u64 %rd1, [out];
             mov.u32 %r1, %tid.x;
             setp.lt.u32 %p1, %r1, 40;
             @%p1 st.global.u32 [%rd1], %r1;
             ret;
         }",
    );
    let out = bench.buffer("out", &[0]);
    let report = bench.launch("k", 1, 64, &[Arg::Buffer(out)]).expect("runs");
    let counts: Vec<_> = report.instructions[0].iter().map(|count| (count.warps, count.lanes)).collect();
    assert_eq!(counts, [(2, 64), (2, 64), (2, 64), (2, 40), (2, 64)]);
    assert_eq!((report.warp_instructions, report.lane_instructions), (10, 296));
    assert_eq!(report.classes.global_stores, [2, 40]);
}

#[test]
fn sectors_tell_coalesced_from_scattered_accesses() {
    let body = "
        ld.global.u32 %r1, [%slot];
        mul.wide.u32 %rd1, %t, 32;
        add.u64 %rd1, %out, %rd1;
        ld.global.u32 %r2, [%rd1];
        st.global.u32 [%out], %r2;";
    let mut bench = Bench::body(body);
    bench.machine.count_sectors = true;
    let (_, report) = bench.run_with_report(64, 1024);
    assert_eq!(report.classes.global_load_sectors, 2 * 4 + 2 * 32);
    assert_eq!(report.classes.global_store_sectors, 2);
    assert_eq!(report.classes.global_loads, [4, 128]);
}

#[test]
fn two_runs_are_equal_to_the_last_count() {
    let run = || {
        let mut bench = Bench::body(super::divergence::GRID_BARRIER);
        let out = bench.buffer("out", &[0; 10]);
        bench.launch("k", 8, 64, &[Arg::Buffer(out)]).expect("runs")
    };
    assert_eq!(run(), run());
}
