//! Calls that are commands to a unit beside the cores.

use super::common::{Bench, count, grid, spec};
use heddle_device::Device;
use heddle_gpu::{Agent, AgentReply, CommandToken, Gpu, LaunchTiming, RunSettings, Then};
use heddle_memory::CoreId;
use heddle_ptx::exec::timed::{Answer, Command};
use std::collections::VecDeque;

/// A unit that takes `malloc` for a question: it answers a thousand more than it was asked, after some cycles, and
/// writes the core's number behind it into shared memory.
struct Echo {
    delay: u64,
    then: Then,
    replies: VecDeque<(u64, AgentReply)>,
}

impl Agent for Echo {
    fn functions(&self) -> &[&'static str] {
        &["malloc"]
    }

    fn take(&mut self, cycle: u64, core: CoreId, token: CommandToken, command: &Command) -> Then {
        assert_eq!(command.function, "malloc");
        let results = command.arguments[0].map(|asked| asked + 1000);
        let shared = vec![(4, (u32::from(core.0) + 7).to_le_bytes().to_vec())];
        let reply = AgentReply { token, answer: Answer { results, shared } };
        self.replies.push_back((cycle + self.delay, reply));
        self.then
    }

    fn next_reply_at(&self) -> Option<u64> {
        self.replies.front().map(|(at, _)| *at)
    }

    fn replies(&mut self, cycle: u64, replies: &mut Vec<AgentReply>) {
        while self.next_reply_at().is_some_and(|at| at <= cycle) {
            replies.extend(self.replies.pop_front().map(|(_, reply)| reply));
        }
    }

    fn renew(&mut self) {
        assert!(self.replies.is_empty(), "a launch ends when every command is answered");
    }
}

/// Threads ask, work, and store what they were answered; the result comes in a register or in memory of the thread.
fn ask(in_register: bool) -> String {
    let (declaration, call) = match in_register {
        true => ("(.reg .b64 result) malloc(.reg .b64 bytes)", "call (%rd3), malloc, (%rd2);"),
        false => (
            "(.param .b64 result) malloc(.param .b64 bytes)",
            "{ .param .b64 asked; .param .b64 back; st.param.b64 [asked], %rd2;
               call.uni (back), malloc, (asked); ld.param.b64 %rd3, [back]; }",
        ),
    };
    let work = "add.u32 %r5, %r5, 1;\n".repeat(40);
    format!(
        ".extern .func {declaration};
.visible .entry ask(.param .u64 out)
{{
    .reg .b32 %r<8>;
    .reg .b64 %rd<8>;
    .shared .b32 told[2];
    ld.param.u64 %rd1, [out];
    mov.u32 %r1, %ctaid.x;
    mov.u32 %r2, %ntid.x;
    mov.u32 %r3, %tid.x;
    mad.lo.u32 %r4, %r1, %r2, %r3;
    cvt.u64.u32 %rd2, %r4;
    mov.u32 %r5, 0;
    {call}
    {work}
    cvt.u32.u64 %r6, %rd3;
    ld.shared.u32 %r7, [told+4];
    mad.lo.u32 %r6, %r7, 100000, %r6;
    add.u32 %r6, %r6, %r5;
    mul.wide.u32 %rd4, %r4, 4;
    add.u64 %rd5, %rd1, %rd4;
    st.global.u32 [%rd5], %r6;
    ret;
}}"
    )
}

/// Two blocks of 48 threads, on two cores.
fn run(preset: &str, in_register: bool, delay: u64, then: Then) -> LaunchTiming {
    let mut gpu = Gpu::new(spec(preset, &[]), RunSettings::default()).unwrap();
    gpu.attach(Box::new(Echo { delay, then, replies: VecDeque::new() }));
    let record = gpu.record();
    let mut bench = Bench::around(Device::new(Box::new(gpu)), record, &ask(in_register));
    let out = bench.zeros("out", 96);
    bench.launch("ask", grid(2, 48), &[out.into()]);
    let expected = (0..96).map(|thread| (thread / 48 + 7) * 100_000 + thread + 1000 + 40);
    assert!(bench.read(out).into_iter().eq(expected), "{preset}: {:?}", bench.read(out));
    let timing = bench.last();
    assert_eq!(count(&timing, "agent.commands"), 4);
    assert_eq!(count(&timing, "agent.lanes"), 96);
    assert_eq!(count(&timing, "agent.reply_cycles"), 4 * delay);
    timing
}

#[test]
fn a_reply_writes_registers_and_shared_memory_and_wakes_its_warp() {
    for preset in ["fermi", "k40c"] {
        for in_register in [true, false] {
            let short = run(preset, in_register, 1, Then::Waits);
            let long = run(preset, in_register, 5000, Then::Waits);
            // Warps that wait long fetch their next instructions one by one.
            let longer = long.cycles - short.cycles;
            assert!(
                (4900..5100).contains(&longer),
                "{preset}: {longer} cycles for a reply that comes 4999 later"
            );
            assert!(count(&long, "slots.agent") > 4000, "{preset}: and that is known");
        }
    }
}

#[test]
fn a_warp_that_goes_on_works_until_it_needs_the_result() {
    let [waits, goes_on] = [Then::Waits, Then::GoesOn].map(|then| run("fermi", true, 800, then).cycles);
    // The 40 additions take 22 cycles each.
    assert!(waits - goes_on > 700, "{waits} cycles, {goes_on} of a warp that goes on");
    let [waits, in_memory] = [Then::Waits, Then::GoesOn].map(|then| run("fermi", false, 800, then).cycles);
    assert_eq!(waits, in_memory, "a result in memory of the thread is waited for");
}
