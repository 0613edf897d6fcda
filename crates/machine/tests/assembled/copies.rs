//! Copies to shared memory by an agent of the memory system.

use super::common::{Bench, count, grid};
use heddle_gpu::{GpuSpec, LaunchTiming, RunSettings};
use heddle_machine::Machine;
use std::path::Path;

fn copier(settings: &[&str]) -> GpuSpec {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/machines/copier.toml");
    let machine = Machine::named(path.to_str().unwrap()).unwrap().set(settings);
    machine.resolve().unwrap_or_else(|error| panic!("{error}")).spec
}

/// Each thread stores its number, copies so many bytes from there on to shared memory of its own, and stores what the
/// first and the last word of them make together. Every third thread copies nothing.
const COPY: &str = "
.extern .func __heddle_copy_to_shared(.param .b32 shared, .param .b64 global, .param .b32 bytes);
.visible .entry copy(.param .u64 data, .param .u64 out, .param .u32 bytes)
{
    .reg .pred %p<4>;
    .reg .b32 %r<20>;
    .reg .b64 %rd<8>;
    .shared .align 4 .b8 copied[12288];
    ld.param.u64 %rd1, [data];
    ld.param.u64 %rd2, [out];
    ld.param.u32 %r10, [bytes];
    mov.u32 %r1, %ctaid.x;
    mov.u32 %r2, %ntid.x;
    mov.u32 %r3, %tid.x;
    mad.lo.u32 %r4, %r1, %r2, %r3;
    mul.wide.u32 %rd3, %r4, 8;
    add.u64 %rd4, %rd1, %rd3;
    st.global.u32 [%rd4], %r4;
    mov.u32 %r5, copied;
    mad.lo.u32 %r5, %r3, 128, %r5;
    rem.u32 %r6, %r3, 3;
    setp.ne.u32 %p1, %r6, 2;
    {
        .param .b32 shared; .param .b64 global; .param .b32 length;
        st.param.b32 [shared], %r5;
        st.param.b64 [global], %rd4;
        st.param.b32 [length], %r10;
        @%p1 call __heddle_copy_to_shared, (shared, global, length);
    }
    ld.shared.u32 %r7, [%r5];
    add.u32 %r8, %r10, %r5;
    ld.shared.u32 %r9, [%r8+-4];
    mad.lo.u32 %r7, %r7, 31, %r9;
    mul.wide.u32 %rd5, %r4, 4;
    add.u64 %rd6, %rd2, %rd5;
    st.global.u32 [%rd6], %r7;
    ret;
}";

const BLOCKS: u32 = 6;
const THREADS: u32 = 96;

/// What each thread found.
fn run(mut bench: Bench, bytes: u32) -> (Vec<u32>, Bench) {
    let threads = BLOCKS * THREADS;
    // Words at odd places are those that nobody stores.
    let data: Vec<u32> = (0..threads * 2 + 32).map(|place| place.wrapping_mul(2_654_435_761) >> 3).collect();
    let data = bench.words("data", &data);
    let out = bench.zeros("out", threads.into());
    bench.launch("copy", grid(BLOCKS, THREADS), &[data.into(), out.into(), bytes.into()]);
    (bench.read(out), bench)
}

fn timed(settings: &[&str], bytes: u32) -> (Vec<u32>, LaunchTiming) {
    let bench = Bench::new(copier(settings), RunSettings::default(), COPY);
    let (found, bench) = run(bench, bytes);
    (found, bench.last())
}

/// What the program means.
fn expected(bytes: u32) -> Vec<u32> {
    let original = |place: u32| place.wrapping_mul(2_654_435_761) >> 3;
    let of = |thread: u32| {
        if thread % THREADS % 3 == 2 {
            return 0;
        }
        thread.wrapping_mul(31).wrapping_add(original(2 * thread + bytes / 4 - 1))
    };
    (0..BLOCKS * THREADS).map(of).collect()
}

#[test]
fn a_copy_finds_the_same_in_time_and_without() {
    for bytes in [8, 24, 72, 128] {
        let functional = run(Bench::functional(COPY), bytes).0;
        assert!(functional == expected(bytes), "{bytes} bytes, functional: {functional:?}");
        let (found, timing) = timed(&[], bytes);
        assert!(found == functional, "{bytes} bytes: {found:?}");
        let commands = u64::from(BLOCKS * THREADS / 32);
        assert_eq!(count(&timing, "copier.commands"), commands);
        assert_eq!(count(&timing, "agent.commands"), commands);
        assert_eq!(count(&timing, "agent.lanes"), u64::from(BLOCKS * THREADS) * 2 / 3);
        // Threads are 8 bytes apart: a warp's lanes share 2 lines, and 1 more that the last lanes reach.
        let lines = count(&timing, "copier.lines");
        assert!((2 * commands..=4 * commands).contains(&lines), "{bytes} bytes: {lines} lines");
        assert!(count(&timing, "agent.reply_cycles") > 50 * commands);
        assert!(count(&timing, "copier.command_cycles") > 0 && count(&timing, "slots.agent") > 0);
    }
}

#[test]
fn the_way_of_commands_takes_the_time_that_the_machine_file_says() {
    let cycles = |latency: u32| {
        let way = format!("copier.command_latency={latency}");
        let (found, timing) = timed(&["copier.commands=\"direct\"", "copier.command_size=\"0B\"", &way], 72);
        assert!(found == expected(72));
        count(&timing, "agent.reply_cycles")
    };
    let (near, far) = (cycles(0), cycles(100));
    let commands = u64::from(BLOCKS * THREADS / 32);
    // 100 cycles there and 100 back, for each command.
    assert!(far > near + 150 * commands, "{near} cycles in all, with a longer way {far}");
}

#[test]
fn commands_and_answers_may_have_message_classes_of_their_own() {
    let classes = "interconnect.classes=[{ name = \"commands\", carries = [\"command\"], input_queue = 1 }, \
                   { name = \"accesses\", carries = [\"read\", \"prefetch\", \"write\", \"atomic\", \"write-back\", \
                   \"victim\"] }, { name = \"answers\", carries = [\"answer\"], output_queue = 1 }, \
                   { name = \"replies\", carries = [\"data\", \"acknowledgement\"] }]";
    let (found, timing) = timed(&[classes], 72);
    assert!(found == expected(72));
    let packets = |class: &str, what: &str| count(&timing, &format!("interconnect.{class}.{what}_packets"));
    let commands = u64::from(BLOCKS * THREADS / 32);
    assert_eq!((packets("commands", "data"), packets("answers", "data")), (commands, commands));
    assert!(packets("accesses", "address") > 0 && packets("replies", "address") > 0);
}

#[test]
fn fewer_lines_outstanding_take_longer() {
    let (found, free) = timed(&[], 128);
    let (same, tight) = timed(&["copier.outstanding=1", "copier.queue=1"], 128);
    assert_eq!(found, same);
    assert!(
        tight.cycles > free.cycles + 1000,
        "{} cycles, {} with one line at a time",
        free.cycles,
        tight.cycles
    );
    assert!(count(&tight, "copier.waited_outstanding") > 0);
    assert_eq!(timed(&[], 128).1.cycles, free.cycles, "and it is the same every time");
}

#[test]
fn without_an_agent_the_copy_is_performed_at_once() {
    let bench = Bench::new(super::common::spec("fermi", &[]), RunSettings::default(), COPY);
    let (found, bench) = run(bench, 72);
    assert!(found == expected(72));
    assert_eq!(bench.last().statistics.get("copier.commands"), None);
}

#[test]
fn a_copy_that_may_not_be_is_a_fault_of_its_thread() {
    // Past the end of shared memory, past the end of the buffer, a length that is none.
    let cases = [
        ("mov.u32 %r1, 12260; mov.u32 %r2, 64;", "'shared memory of the block'"),
        ("mov.u32 %r1, 0; mov.u32 %r2, 72;", "'data' (64 bytes)"),
        ("mov.u32 %r1, 0; mov.u32 %r2, 6;", "__heddle_copy_to_shared of 6 bytes"),
        ("mov.u32 %r1, 2; mov.u32 %r2, 8;", "not aligned to 4 bytes"),
    ];
    for (arguments, problem) in cases {
        let ptx = format!(
            ".extern .func __heddle_copy_to_shared(.reg .b32 shared, .reg .b64 global, .reg .b32 bytes);
.visible .entry copy(.param .u64 data)
{{
    .reg .b32 %r<4>;
    .reg .b64 %rd<4>;
    .shared .b8 copied[12288];
    ld.param.u64 %rd1, [data];
    mov.u32 %r3, copied;
    {arguments}
    call __heddle_copy_to_shared, (%r1, %rd1, %r2);
    ret;
}}"
        );
        let benches = [Bench::functional(&ptx), Bench::new(copier(&[]), RunSettings::default(), &ptx)];
        for mut bench in benches {
            let data = bench.words("data", &[1; 16]);
            let error = bench.try_launch("copy", grid(1, 32), &[data.into()]).unwrap_err().to_string();
            assert!(error.contains(problem) && error.contains("test.ptx:13"), "{error}");
        }
    }
}

#[test]
fn the_tables_of_agents_are_checked_by_key_and_place() {
    let refused = |text: &str| {
        let text = format!("inherits = \"fermi\"\nagents = [\"copier\"]\n[copier]\nkind = \"copy\"\n{text}");
        let machine = Machine::from_text("m.toml", &text, Path::new(""));
        machine.and_then(|machine| machine.resolve()).unwrap_err().to_string()
    };
    let rest = "link = \"interconnect\"\ncommands = \"direct\"\nqueue = 4\n";
    let below = refused(&format!("below = \"l1\"\n{rest}outstanding = 4\n"));
    assert!(
        below.starts_with("m.toml:5:9: `copier.below`: expected a level that all cores share"),
        "{below}"
    );
    let none = refused(&format!("below = \"l2\"\n{rest}outstanding = 0\n"));
    assert!(none.starts_with("m.toml:9:15: `copier.outstanding`: expected 1 to"), "{none}");
    let way = refused(&format!("below = \"l2\"\n{rest}outstanding = 4\ncommand_size = \"32B\"\n"));
    assert!(way.starts_with("m.toml:10:16: `copier.command_size`: has no effect"), "{way}");
    let missing = refused(&format!("below = \"l2\"\n{rest}"));
    assert!(missing.contains("outstanding") && missing.contains("missing"), "{missing}");
    let unknown = refused(&format!("below = \"l2\"\n{rest}outstanding = 4\nlatency = 3\n"));
    assert_eq!(unknown, "m.toml:10:1: `copier.latency`: no such key");
}

#[test]
fn a_resolved_machine_with_an_agent_is_a_file_that_gives_it_back() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/machines/copier.toml");
    let resolved = Machine::named(path.to_str().unwrap()).unwrap().resolve().unwrap();
    let again =
        Machine::from_text("again.toml", resolved.to_toml(), Path::new("")).unwrap().resolve().unwrap();
    assert_eq!((again.spec, again.hash), (resolved.spec, resolved.hash));
}

/// The same program with two copies each, behind which the warp goes on, and a wait before it reads them.
fn asynchronous() -> String {
    let call = "@%p1 call __heddle_copy_to_shared, (shared, global, length);";
    assert!(COPY.contains(call));
    let calls = "@%p1 call __heddle_copy_to_shared_async, (shared, global, four);
        @%p1 call __heddle_copy_to_shared_async, (shared, global, length);
        call __heddle_copy_wait, ();";
    let text = COPY
        .replace(call, calls)
        .replace(".param .b32 length;", ".param .b32 length; .param .b32 four; st.param.b32 [four], 4;");
    let declared = ".extern .func __heddle_copy_wait();
.extern .func __heddle_copy_to_shared_async(.param .b32 shared, .param .b64 global, .param .b32 bytes);";
    text.replace(
        ".extern .func __heddle_copy_to_shared(.param .b32 shared, .param .b64 global, .param .b32 bytes);",
        declared,
    )
}

#[test]
fn a_warp_goes_on_behind_a_copy_until_it_waits_for_it() {
    let text = asynchronous();
    let far = ["copier.commands=\"direct\"", "copier.command_size=\"0B\"", "copier.command_latency=300"];
    let functional = run(Bench::functional(&text), 72).0;
    assert!(functional == expected(72), "{functional:?}");
    let (found, bench) = run(Bench::new(copier(&far), RunSettings::default(), &text), 72);
    assert!(found == functional, "{found:?}");
    let timing = bench.last();
    let commands = 2 * u64::from(BLOCKS * THREADS / 32);
    assert_eq!(count(&timing, "copier.commands"), commands);
    // Both copies of a warp are under way at once; one behind the other they take another way there and back.
    let waits = text.replace(
        "_async, (shared, global, four);",
        "_async, (shared, global, four); call __heddle_copy_wait, ();",
    );
    let (found, bench) = run(Bench::new(copier(&far), RunSettings::default(), &waits), 72);
    assert!(found == functional);
    let (both, one_by_one) = (timing.cycles, bench.last().cycles);
    assert!(one_by_one > both + 500, "{both} and {one_by_one} cycles");
}

/// A warp may end with copies under way: it stays on its core until they have come.
#[test]
fn a_copy_that_nobody_waits_for_ends_before_its_launch() {
    let text = asynchronous()
        .replace("call __heddle_copy_wait, ();", "")
        .replace("ld.shared.u32 %r7, [%r5];", "ret;");
    let (_, bench) = run(Bench::new(copier(&[]), RunSettings::default(), &text), 72);
    assert_eq!(count(&bench.last(), "copier.commands"), 2 * u64::from(BLOCKS * THREADS / 32));
}
