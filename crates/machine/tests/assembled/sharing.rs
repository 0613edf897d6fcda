//! What lanes and cores share: atomics on one word, loads that must not be answered by a core's own cache, and the
//! clock that programs read.

use super::common::{Bench, accesses, count, grid, spec};
use heddle_gpu::{LaunchTiming, RunSettings};

/// Every thread adds to one of `mask + 1` words, twice.
const ADDS: &str = r#"
.visible .entry adds(.param .u64 words, .param .u32 mask)
{
    .reg .b32 %r<8>;
    .reg .b64 %rd<4>;
    ld.param.u64 %rd1, [words];
    ld.param.u32 %r1, [mask];
    mov.u32 %r2, %tid.x;
    and.b32 %r3, %r2, %r1;
    mul.wide.u32 %rd2, %r3, 4;
    add.u64 %rd3, %rd1, %rd2;
    atom.global.add.u32 %r4, [%rd3], 1;
    atom.global.add.u32 %r5, [%rd3], %r4;
    ret;
}
"#;

/// Loads the same word again and again, in several ways; each waits for the one before.
const WAYS: &str = r#"
.visible .entry ways(.param .u64 word, .param .u64 out)
{
    .reg .b32 %r<12>;
    .reg .b64 %rd<6>;
    ld.param.u64 %rd1, [word];
    ld.param.u64 %rd2, [out];
    ld.global.u32 %r1, [%rd1];
    add.u32 %r2, %r1, 1;
    mov.u64 %rd3, %clock64;
    ld.global.ca.s32 %r3, [%rd1];
    add.u32 %r2, %r2, %r3;
    ld.global.cg.u16 %r4, [%rd1];
    add.u32 %r2, %r2, %r4;
    ld.global.cv.s16 %r5, [%rd1];
    add.u32 %r2, %r2, %r5;
    ld.volatile.global.u32 %r6, [%rd1];
    add.u32 %r2, %r2, %r6;
    ld.relaxed.gpu.global.u32 %r7, [%rd1];
    add.u32 %r2, %r2, %r7;
    ld.acquire.cta.global.u32 %r8, [%rd1];
    add.u32 %r2, %r2, %r8;
    mov.u64 %rd4, %clock64;
    sub.u64 %rd5, %rd4, %rd3;
    st.global.u64 [%rd2], %rd5;
    ret;
}
"#;

fn adds(preset: &str, mask: u32) -> LaunchTiming {
    let mut bench = Bench::new(spec(preset, &[]), RunSettings::default(), ADDS);
    let words = bench.zeros("words", 64);
    bench.launch("adds", grid(30, 256), &[words.into(), mask.into()]);
    if mask == 31 {
        assert!(bench.read(words)[..32].iter().all(|&word| word >= 30 * 8));
    }
    bench.last()
}

#[test]
fn atomics_on_one_word_are_never_cheaper_than_on_many() {
    for preset in ["fermi", "gtx480-mff", "k40c"] {
        let [one, few, many] = [0, 7, 31].map(|mask| adds(preset, mask).cycles);
        // Where the atomic unit is all that matters they take the same time, up to how the last ones end.
        let no_less = |more: u64, less: u64| more * 100 >= less * 99;
        assert!(no_less(one, few) && no_less(few, many), "{preset}: {one}, {few}, {many}");
    }
    // On the GTX 480 of GPGPU-Sim lanes on one word and lanes of different sectors make requests of their own: a warp
    // makes 32 on one word, and 4 both on the 8 words of a sector and on the 32 words of four.
    let [one, few, many] = [0, 7, 31].map(|mask| adds("gtx480", mask));
    let requests = [&one, &few, &many].map(|timing| count(timing, "core.global_transactions"));
    assert_eq!(requests, [32, 4, 4].map(|each| each * 2 * 30 * 8));
    assert!(one.cycles > 4 * few.cycles.max(many.cycles), "{}, {}, {}", one.cycles, few.cycles, many.cycles);
}

/// [NVIDIA12] "one operation per clock" to a common global address.
#[test]
fn k40c_performs_one_atomic_per_clock_on_one_word() {
    let without_launch = |blocks: u32| {
        let mut bench = Bench::new(spec("k40c", &["launch.overhead=0"]), RunSettings::default(), ADDS);
        let words = bench.zeros("words", 64);
        bench.launch("adds", grid(blocks, 256), &[words.into(), 0u32.into()]);
        bench.last().cycles
    };
    // Two for each thread; what a longer run adds is free of latencies.
    let operations = 2 * 256 * (120 - 60);
    let cycles = without_launch(120) - without_launch(60);
    let rate = f64::from(operations) / cycles as f64;
    assert!((0.9..=1.01).contains(&rate), "{rate} operations per clock");
}

#[test]
fn loads_that_others_writes_must_reach_pass_the_cores_own_cache() {
    for preset in ["fermi", "gtx480"] {
        let mut bench = Bench::new(spec(preset, &[]), RunSettings::default(), WAYS);
        let (word, out) = (bench.words("word", &[7]), bench.zeros("out", 2));
        bench.launch("ways", grid(1, 1), &[word.into(), out.into()]);
        let timing = bench.last();
        let from = |mnemonic: &str| accesses(&timing, mnemonic)[0].answered.clone();
        for kept in ["ld.global.s32", "ld.acquire"] {
            assert_eq!(from(kept), [1, 0, 0], "{preset}: {kept}");
        }
        for passing in ["ld.global.u16", "ld.global.s16", "ld.volatile", "ld.relaxed"] {
            assert_eq!(from(passing), [0, 1, 0], "{preset}: {passing}");
        }
        assert_eq!(count(&timing, "l1.passed_reads"), 4);
        assert_eq!(count(&timing, "l1.reads"), 3);
    }
}

#[test]
fn the_clock_counts_core_cycles() {
    let mut bench = Bench::new(spec("gtx480", &[]), RunSettings::default(), WAYS);
    let (word, out) = (bench.words("word", &[7]), bench.zeros("out", 2));
    bench.launch("ways", grid(1, 1), &[word.into(), out.into()]);
    let waits: u64 = bench.last().loads.iter().map(|load| load.wait_cycles).sum();
    let measured = u64::from(bench.read(out)[0]);
    let first = accesses(&bench.last(), "ld.global.u32")[0].wait_cycles;
    // Six loads, each as long as it waited, and the instructions between them; not the first, and not the parameters.
    assert!(measured > 4 * 150 && measured < waits, "{measured} of {waits}");
    assert!(measured < bench.last().cycles - first, "{measured}");
}
