//! Nothing hangs: what cannot end, ends with an error that says who waits for what.

use super::common::{Bench, grid, spec};
use super::stalls::CHAINS;
use heddle_device::{Argument, DeviceError, Launch, LaunchError};
use heddle_gpu::RunSettings;

const STUCK: &str = r#"
.visible .entry two_barriers(.param .u64 flag)
{
    .reg .pred %p<2>;
    .reg .b32 %r<2>;
    mov.u32 %r1, %tid.x;
    setp.ge.u32 %p1, %r1, 32;
    @%p1 bra OTHER;
    bar.sync 1, 64;
    ret;
OTHER:
    bar.sync 2, 64;
    ret;
}
.visible .entry spin(.param .u64 flag)
{
    .reg .pred %p<2>;
    .reg .b32 %r<2>;
    .reg .b64 %rd<2>;
    ld.param.u64 %rd1, [flag];
SPIN:
    ld.volatile.global.u32 %r1, [%rd1];
    setp.eq.u32 %p1, %r1, 0;
    @%p1 bra SPIN;
    ret;
}
.visible .entry forever(.param .u64 flag)
{
    .reg .b32 %r<2>;
    mov.u32 %r1, 0;
LOOP:
    add.u32 %r1, %r1, 1;
    bra LOOP;
}
.visible .entry all_blocks(.param .u64 flag)
{
    .reg .pred %p<2>;
    .reg .b32 %r<4>;
    .reg .b64 %rd<2>;
    ld.param.u64 %rd1, [flag];
    mov.u32 %r1, %nctaid.x;
    mul.lo.u32 %r1, %r1, 32;
    atom.global.add.u32 %r2, [%rd1], 1;
SPIN:
    ld.volatile.global.u32 %r3, [%rd1];
    setp.lt.u32 %p1, %r3, %r1;
    @%p1 bra SPIN;
    ret;
}
"#;

fn error(kernel: &str, launch: Launch, settings: RunSettings) -> DeviceError {
    let mut bench = Bench::new(spec("fermi", &[]), settings, &[STUCK, CHAINS].concat());
    let flag = bench.zeros("flag", 64);
    let arguments: Vec<Argument> = match kernel {
        "adds" => vec![flag.into(), 100_000u32.into()],
        _ => vec![flag.into()],
    };
    bench.try_launch(kernel, launch, &arguments).unwrap_err()
}

fn watched() -> RunSettings {
    RunSettings { watchdog: 20_000, ..RunSettings::default() }
}

/// The line of the module in which a text stands, from 1; three lines stand before the kernels.
fn line_of(text: &str) -> usize {
    3 + 1 + STUCK.lines().position(|line| line.contains(text)).unwrap()
}

fn assert_says(error: &DeviceError, words: &[&str]) {
    assert!(matches!(error, DeviceError::Launch(LaunchError::Deadlock { .. })), "{error}");
    let text = error.to_string();
    for word in words {
        assert!(text.contains(word), "no `{word}` in: {text}");
    }
}

#[test]
fn warps_at_different_barriers_are_named_with_their_barriers_and_lines() {
    let error = error("two_barriers", grid(1, 64), watched());
    let first = format!("test.ptx:{}", line_of("bar.sync 1"));
    let second = format!("test.ptx:{}", line_of("bar.sync 2"));
    assert_says(
        &error,
        &["two_barriers", "core 0, warp 0", "core 0, warp 1", "block (0, 0, 0)", &first, &second],
    );
    assert_says(&error, &["barrier 1, where 32 of 64 threads", "barrier 2, where 32 of 64 threads"]);
}

#[test]
fn a_warp_that_waits_for_a_flag_is_named_with_its_loop_and_the_flag() {
    let error = error("spin", grid(1, 32), watched());
    assert_says(&error, &["spin", "core 0, warp 0", "test.ptx:", "which reads 0x", "byte 0 of 'flag'"]);
    let lines = line_of("SPIN:")..line_of("SPIN:") + 5;
    let text = error.to_string();
    assert!(lines.into_iter().any(|line| text.contains(&format!("test.ptx:{line}:"))), "{text}");
}

#[test]
fn a_barrier_of_more_blocks_than_are_resident_is_named_with_those_that_have_not_started() {
    let error = error("all_blocks", grid(200, 32), watched());
    // Eight blocks on each of 16 cores.
    assert_says(
        &error,
        &["all_blocks", "core 0, warp 0", "core 2, warp", "72 of 200 blocks have not started", "'flag'"],
    );
}

#[test]
fn a_barrier_of_all_resident_blocks_completes() {
    let mut bench = Bench::new(spec("fermi", &[]), watched(), STUCK);
    let flag = bench.zeros("flag", 1);
    bench.launch("all_blocks", grid(128, 32), &[flag.into()]);
    assert_eq!(bench.read(flag), [128 * 32]);
}

#[test]
fn a_limit_of_cycles_stops_a_run_with_its_error() {
    for most in [100, 5_000, 100_000] {
        let settings = RunSettings { max_cycles: Some(most), ..RunSettings::default() };
        let error = error("adds", grid(1, 32), settings);
        let DeviceError::Launch(LaunchError::Cycles { kernel, cycles, .. }) = &error else {
            panic!("{error}")
        };
        assert_eq!((kernel.as_str(), *cycles), ("adds", most));
    }
}

#[test]
fn a_limit_of_cycles_stops_short_kernels_too_and_counts_all_launches() {
    let settings = RunSettings { max_cycles: Some(3_000), ..RunSettings::default() };
    let mut bench = Bench::new(spec("fermi", &[]), settings, CHAINS);
    let out = bench.zeros("out", 64);
    let mut launch = || bench.try_launch("adds", grid(1, 32), &[out.into(), 4u32.into()]);
    let ended = (0..100).take_while(|_| launch().is_ok()).count();
    assert!((1..20).contains(&ended), "{ended} launches of several hundred cycles each");
}

#[test]
fn a_long_computation_is_not_taken_for_one_that_is_stuck() {
    let mut bench = Bench::new(spec("fermi", &[]), watched(), CHAINS);
    let out = bench.zeros("out", 64);
    bench.launch("adds", grid(1, 32), &[out.into(), 1_000u32.into()]);
    assert!(bench.last().cycles > 100_000);
}

#[test]
fn a_computation_that_never_writes_is_stopped_after_fifty_times_as_long_and_not_called_stuck() {
    let error = error("forever", grid(1, 32), RunSettings { watchdog: 1_000, ..RunSettings::default() });
    let DeviceError::Launch(LaunchError::NoProgress { kernel, cycles, waiting }) = &error else {
        panic!("{error}")
    };
    assert_eq!(kernel, "forever");
    assert!(*cycles > 50_000 && waiting.contains("core 0, warp 0") && waiting.contains("test.ptx:"));
}
