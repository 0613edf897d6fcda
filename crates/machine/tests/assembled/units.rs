//! Schedulers and shared memory.

use super::common::{Bench, GATHER, Gather, PRESETS, count, grid, spec};
use heddle_gpu::{LaunchTiming, RunSettings};

#[test]
fn schedulers_give_the_same_answers_in_different_times() {
    let gather = Gather { blocks: 60, threads: 128, words: 1 << 15, rounds: 4 };
    for preset in PRESETS {
        let mut cycles = ["loose-round-robin", "greedy-then-oldest", "round-robin"].map(|policy| {
            let spec = spec(preset, &[&format!("core.scheduler={policy}")]);
            let mut bench = Bench::new(spec, RunSettings::default(), GATHER);
            let buffers = gather.buffers(&mut bench);
            gather.launch(&mut bench, &buffers);
            gather.check(&bench, &buffers);
            bench.last().cycles
        });
        cycles.sort_unstable();
        assert!(cycles[0] < cycles[1] && cycles[1] < cycles[2], "{preset}: {cycles:?}");
    }
}

/// Lanes read words of shared memory that lie `stride` words apart, again and again, each time after the last.
const BANKS: &str = r#"
.visible .entry banks(.param .u32 stride, .param .u32 rounds)
{
    .reg .pred %p<2>;
    .reg .b32 %r<12>;
    .shared .align 4 .b8 tile[8192];
    ld.param.u32 %r1, [stride];
    ld.param.u32 %r2, [rounds];
    mov.u32 %r3, %tid.x;
    and.b32 %r3, %r3, 31;
    mul.lo.u32 %r4, %r3, %r1;
    shl.b32 %r4, %r4, 2;
    mov.u32 %r5, tile;
    add.u32 %r5, %r5, %r4;
    mov.u32 %r6, 0;
    st.shared.u32 [%r5], %r6;
LOOP:
    ld.shared.u32 %r7, [%r5];
    add.u32 %r5, %r5, %r7;
    add.u32 %r6, %r6, 1;
    setp.lt.u32 %p1, %r6, %r2;
    @%p1 bra LOOP;
    ret;
}
"#;

fn banks(preset: &str, threads: u32, stride: u32, rounds: u32) -> LaunchTiming {
    // Warps take turns: oldest first, the last ones would run alone at the end and saturate nothing.
    let spec = spec(preset, &["core.scheduler=loose-round-robin"]);
    let mut bench = Bench::new(spec, RunSettings::default(), BANKS);
    bench.launch("banks", grid(1, threads), &[stride.into(), rounds.into()]);
    bench.last()
}

#[test]
fn a_bank_conflict_costs_a_cycle_for_every_turn() {
    for preset in PRESETS {
        // What a hundred rounds of one warp take.
        let rounds = |stride| banks(preset, 32, stride, 150).cycles - banks(preset, 32, stride, 50).cycles;
        for ways in [2, 4, 8, 16, 32] {
            assert_eq!(rounds(ways) - rounds(1), 100 * u64::from(ways - 1), "{preset}, {ways} ways");
        }
        assert_eq!(rounds(33), rounds(1), "{preset}: an odd stride has no conflicts");
        let timing = banks(preset, 32, 8, 50);
        assert_eq!(count(&timing, "core.bank_conflict_cycles"), 51 * 7, "{preset}");
        assert_eq!(count(&timing, "core.shared_accesses"), 51 * 8, "{preset}");
    }
}

#[test]
fn where_shared_memory_is_saturated_conflicts_multiply_the_time() {
    for preset in PRESETS {
        let cycles = |stride| {
            let (long, short) = (banks(preset, 1024, stride, 60), banks(preset, 1024, stride, 20));
            (long.cycles - short.cycles) as f64
        };
        // 32 warps, 40 rounds, as many turns as ways.
        let turns = |ways: u32| f64::from(32 * 40 * ways);
        for ways in [8, 16, 32] {
            let ratio = cycles(ways) / turns(ways);
            assert!((1.0..1.05).contains(&ratio), "{preset}, {ways} ways: {ratio}");
        }
    }
}
