//! A program that takes more than the host has ends with an error that says what there was no room for, and never with
//! an abort: an allocation that fails cannot be caught, so it must not be tried.
#![cfg(unix)]

use crate::common::Run;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output};

const PROGRAM: &str = "
.version 7.0
.target sm_70
.address_size 64
.extern .func (.param .b64 result) malloc(.param .b64 bytes);
.extern .func free(.param .b64 pointer);
.visible .global .u32 flag;

.visible .entry allocate(.param .u64 length, .param .u32 keep)
{
    .reg .pred %p<3>; .reg .b32 %r<2>; .reg .b64 %rd<3>;
    ld.param.u64 %rd1, [length];
    ld.param.u32 %r1, [keep];
    setp.ne.u32 %p2, %r1, 0;
    AGAIN:
    {
        .param .b64 bytes; .param .b64 back; .param .b64 pointer;
        st.param.b64 [bytes], %rd1;
        call.uni (back), malloc, (bytes);
        ld.param.b64 %rd2, [back];
        @%p2 bra AGAIN;
        st.param.b64 [pointer], %rd2;
        call.uni free, (pointer);
    }
    bra AGAIN;
}

.func descend()
{
    .local .align 4 .b8 own[64];
    .reg .b32 %r<4>; .reg .b64 %rd<8>;
    st.local.u32 [own], 1;
    call descend;
    ret;
}

.visible .entry recursion()
{
    call descend;
    ret;
}

.visible .entry arrays()
{
    .local .align 4 .b8 own[500000];
    .reg .pred %p<2>; .reg .b32 %r<2>;
    AGAIN: ld.volatile.global.u32 %r1, [flag];
    setp.eq.u32 %p1, %r1, 0;
    @%p1 bra AGAIN;
    st.local.u32 [own], %r1;
    ret;
}

.visible .entry spin()
{
    .reg .pred %p<2>; .reg .b32 %r<2>;
    AGAIN: ld.volatile.global.u32 %r1, [flag];
    setp.eq.u32 %p1, %r1, 0;
    @%p1 bra AGAIN;
    ret;
}
";

/// Runs the command where a process may map so many KiB; none where limits cannot be set.
fn limited(folder: &Path, kib: u32, arguments: &[&str]) -> Option<Run> {
    let script = "ulimit -v \"$0\" || exit 77; exec \"$@\"";
    let mut shell = Command::new("sh");
    shell.current_dir(folder).args(["-c", script, &kib.to_string(), env!("CARGO_BIN_EXE_heddle")]);
    let Output { status, stdout, stderr } = shell.args(arguments).output().ok()?;
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (status.code() != Some(77)).then(|| Run {
        code: status.code(),
        stdout: text(stdout),
        stderr: text(stderr),
    })
}

/// Launches a kernel under each limit; `words` stand in the error under the first so many.
#[track_caller]
fn refused(limits: &[u32], tight: usize, launch: &[&str], words: &str) {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("k.ptx"), PROGRAM).unwrap();
    for (position, &kib) in limits.iter().enumerate() {
        let arguments = [&["ptx", "run", "k.ptx", "--kernel"], launch].concat();
        let Some(run) = limited(folder.path(), kib, &arguments) else {
            std::io::stderr().write_all(b"SKIPPED host_memory: `ulimit -v` is not to be had\n").unwrap();
            return;
        };
        assert_eq!(run.code, Some(1), "{launch:?} in {kib} KiB: {}", run.stderr);
        let is_told = run.stderr.contains("the host that simulates the device has no room");
        assert!(position >= tight || is_told, "{launch:?} in {kib} KiB: {}", run.stderr);
        assert!(position >= tight || run.stderr.contains(words), "{launch:?} in {kib} KiB: {}", run.stderr);
    }
}

#[test]
fn endless_allocation_is_told() {
    for (bytes, keep, tight) in [("u64:1", "u32:1", 5), ("u64:1", "u32:0", 4), ("u64:100000", "u32:1", 6)] {
        let launch = ["allocate", "--arg", bytes, "--arg", keep];
        let limits = [60_000, 73_000, 100_000, 200_000, 400_000, 800_000];
        refused(&limits, tight, &launch, "malloc: 'device heap' needs");
    }
}

#[test]
fn deep_recursion_is_told() {
    let limits = [60_000, 100_000, 200_000, 1_500_000];
    refused(&limits, 3, &["recursion", "--grid", "4", "--block", "256"], "no room for a frame");
    refused(
        &limits[1..],
        1,
        &["recursion", "--grid", "30", "--block", "256", "--machine", "gtx480"],
        "no room",
    );
}

#[test]
fn large_local_arrays_are_told() {
    let limits = [60_000, 150_000, 400_000, 1_500_000];
    refused(&limits, 4, &["arrays", "--grid", "40", "--block", "256"], "resident blocks");
    let timed = ["arrays", "--grid", "2", "--block", "256", "--machine", "gtx480"];
    refused(&limits[..2], 2, &timed, "resident blocks");
}

#[test]
fn registers_of_blocks_that_wait_are_told() {
    refused(&[60_000, 300_000], 2, &["spin", "--grid", "100000", "--block", "1024"], "resident blocks");
}

#[test]
fn local_memory_of_all_resident_threads_is_what_is_told() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("k.ptx"), PROGRAM).unwrap();
    let arguments = ["ptx", "run", "k.ptx", "--kernel", "arrays", "--grid", "17", "--block", "256"];
    let run = crate::common::run_in(folder.path(), &arguments);
    assert_eq!(run.code, Some(1));
    // Sixteen blocks wait already; it is the seventeenth that does not fit.
    let words = "k.ptx: kernel arrays cannot be launched: its 500000 bytes of local memory for each of 4352 resident \
        threads are more than the 2048 MiB";
    assert!(run.stderr.contains(words), "{}", run.stderr);
}
