//! What branches cost, to the cycle: one warp, loops whose fetches begin at their first instruction.

use super::common::{Bench, grid, spec};
use heddle_gpu::RunSettings;

/// In `odd` the branch is fetched with the instruction behind it, in `even` with the one before it, and the branches
/// of `onward` go to the instruction behind them.
const LOOPS: &str = r#"
.visible .entry odd(.param .u32 rounds)
{
    .reg .pred %p<2>;
    .reg .b32 %r<4>;
    ld.param.u32 %r1, [rounds];
    mov.u32 %r2, 0;
LOOP:
    add.u32 %r2, %r2, 1;
    setp.lt.u32 %p1, %r2, %r1;
    @%p1 bra LOOP;
    ret;
}
.visible .entry even(.param .u32 rounds)
{
    .reg .pred %p<2>;
    .reg .b32 %r<4>;
    ld.param.u32 %r1, [rounds];
    mov.u32 %r2, 0;
LOOP:
    add.u32 %r2, %r2, 1;
    mov.u32 %r3, 0;
    setp.lt.u32 %p1, %r2, %r1;
    @%p1 bra LOOP;
    ret;
}
.visible .entry onward(.param .u32 rounds)
{
    .reg .pred %p<2>;
    .reg .b32 %r<4>;
    ld.param.u32 %r1, [rounds];
    mov.u32 %r2, 0;
LOOP:
    add.u32 %r2, %r2, 1;
    bra.uni NEXT;
NEXT:
    setp.lt.u32 %p1, %r2, %r1;
    @%p1 bra LOOP;
    ret;
}
"#;

/// Cycles of a hundred rounds of a loop.
fn hundred(kernel: &str, ahead: bool) -> u64 {
    let spec = spec("gtx480", &[&format!("core.fetch_ahead={ahead}")]);
    let mut bench = Bench::new(spec, RunSettings::default(), LOOPS);
    let mut cycles = |rounds: u32| {
        bench.launch(kernel, grid(1, 32), &[rounds.into()]);
        bench.last().cycles
    };
    // The first launch fetches from DRAM.
    cycles(1);
    let short = cycles(50);
    cycles(150) - short
}

#[test]
fn a_fetch_that_runs_ahead_loses_a_cycle_with_its_buffer_or_two_with_a_fetch_in_vain() {
    assert_eq!(hundred("odd", true), hundred("odd", false) + 100);
    assert_eq!(hundred("even", true), hundred("even", false) + 200);
}

#[test]
fn a_branch_to_the_next_instruction_costs_a_fetch_that_runs_ahead_nothing() {
    // What the branch at the end loses as in `even`, and nothing else.
    assert_eq!(hundred("onward", true), hundred("even", true));
}
