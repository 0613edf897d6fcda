//! Cores that only ask.

use heddle_engine::{Statistics, Tick};
use heddle_memory::fabric::{ClockDomains, Fabric, Offer};
use heddle_memory::request::*;
use heddle_memory::{CoreId, Pc, RegionId, WarpId};

/// A request, for a core to offer.
pub(crate) fn request(core: u16, line: u64, words: u32, access: Access) -> Request {
    Request {
        line: LineAddress(line),
        words,
        access,
        path: Path::Global,
        core: CoreId(core),
        region: RegionId(0),
        pc: Pc(0),
        warp: WarpId(0),
        scope: Scope::None,
        ordering: Ordering::Relaxed,
        token: Token(0),
        policy_bits: 0,
        lanes: 1,
        passes: false,
    }
}

/// The same sequence of numbers everywhere.
pub(crate) struct Numbers(pub(crate) u64);

impl Numbers {
    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }
}

/// What became of a run.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Outcome {
    /// Core cycles until the last answer.
    pub(crate) cycles: u64,
    /// Requests that hit L1.
    pub(crate) hits: u64,
    /// Requests that were answered by a notice, with the notices in order.
    pub(crate) notices: Vec<(u64, Notice)>,
}

struct Core {
    requests: Vec<Request>,
    next: usize,
    asleep: bool,
}

/// Lets every core offer its requests in order, one per cycle, and waits for all answers. Checks that each is
/// answered once, serviced at most once and before that.
pub(crate) fn drive(fabric: &mut Fabric, clocks: &ClockDomains, streams: Vec<Vec<Request>>) -> Outcome {
    drive_sampled(fabric, clocks, streams, None).0
}

/// The same, with all counts every so many cycles.
pub(crate) fn drive_sampled(
    fabric: &mut Fabric,
    clocks: &ClockDomains,
    streams: Vec<Vec<Request>>,
    every: Option<u64>,
) -> (Outcome, Vec<Statistics>) {
    let mut samples = Vec::new();
    let mut owners = Vec::new();
    let mut cores: Vec<Core> = Vec::new();
    for mut requests in streams {
        for request in &mut requests {
            request.token = Token(owners.len() as u32);
            owners.push(State::Unasked);
        }
        cores.push(Core { requests, next: 0, asleep: false });
    }
    let mut outcome = Outcome { cycles: 0, hits: 0, notices: Vec::new() };
    let mut notices = Vec::new();
    let start = clocks.core.at_or_after(fabric.now());
    let mut cycle = start;
    loop {
        let now = clocks.core.start_of(cycle);
        fabric.run_until(now, &mut notices);
        if every.is_some_and(|every| (cycle - start).is_multiple_of(every)) {
            let mut statistics = Statistics::default();
            fabric.add_statistics(now, &mut statistics);
            samples.push(statistics);
            assert!(samples.len() < 20_000, "nothing moves any more: {:#?}", fabric.describe_waiting());
        }
        for notice in notices.drain(..) {
            settle(notice, &mut owners, &mut cores);
            outcome.notices.push((cycle - start, notice));
            outcome.cycles = cycle - start;
        }
        let mut busy = false;
        for core in &mut cores {
            busy |= offer(fabric, now, core, &mut owners, &mut outcome.hits);
        }
        if busy || every.is_some() && !fabric.is_idle() {
            cycle = cycle + 1;
            continue;
        }
        match fabric.run_to_notice(&mut notices) {
            Some(at) => cycle = clocks.core.at_or_after(at).max(cycle),
            None => break,
        }
    }
    let waiting = fabric.describe_waiting();
    assert!(
        cores.iter().all(|core| core.next == core.requests.len()),
        "a core sleeps for ever: {waiting:#?}"
    );
    assert!(owners.iter().all(|state| *state == State::Answered), "a request was lost: {waiting:#?}");
    assert!(fabric.is_idle() && waiting.is_empty(), "{waiting:#?}");
    fabric.assert_drained();
    (outcome, samples)
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Unasked,
    Asked,
    Serviced,
    Answered,
}

fn settle(notice: Notice, owners: &mut [State], cores: &mut [Core]) {
    match notice {
        Notice::Serviced(token, _) => {
            assert_eq!(owners[token.0 as usize], State::Asked);
            owners[token.0 as usize] = State::Serviced;
        }
        Notice::Replied(token, _) => {
            let state = &mut owners[token.0 as usize];
            assert!(matches!(*state, State::Asked | State::Serviced), "{token:?} was answered twice");
            *state = State::Answered;
        }
        Notice::Answered(token) => panic!("{token:?} is no command"),
        Notice::Ready(core, _) => cores[usize::from(core.0)].asleep = false,
    }
}

/// Offers a core's next request; whether the core wants to go on in the next cycle.
fn offer(fabric: &mut Fabric, now: Tick, core: &mut Core, owners: &mut [State], hits: &mut u64) -> bool {
    if core.asleep {
        return false;
    }
    let Some(&request) = core.requests.get(core.next) else { return false };
    match fabric.offer(now, request) {
        Offer::Refused(_) => {
            core.asleep = true;
            return false;
        }
        Offer::Hit { .. } => {
            *hits += 1;
            owners[request.token.0 as usize] = State::Answered;
        }
        Offer::Accepted => owners[request.token.0 as usize] = State::Asked,
    }
    core.next += 1;
    core.next < core.requests.len()
}

/// Requests of all kinds from so many cores, over so many lines.
pub(crate) fn mixed(cores: u16, each: usize, lines: u64, seed: u64) -> Vec<Vec<Request>> {
    let mut numbers = Numbers(seed);
    let paths = [Path::Global, Path::Local, Path::Constant, Path::Texture, Path::Instruction];
    (0..cores)
        .map(|core| {
            let one = |_| {
                let access = match numbers.below(10) {
                    0..6 => Access::Read,
                    6..9 => Access::Write,
                    _ => Access::Atomic,
                };
                let path = match access {
                    Access::Read => paths[numbers.below(5) as usize],
                    Access::Write => paths[numbers.below(2) as usize],
                    _ => Path::Global,
                };
                let words = 1u32 << numbers.below(32) | 1 << numbers.below(32);
                let line = numbers.below(lines);
                // Some lines lie in no allocation, the others in three.
                Request {
                    path,
                    region: RegionId((line % 4) as u16),
                    ..request(core, line * 128, words, access)
                }
            };
            (0..each).map(one).collect()
        })
        .collect()
}

/// Reads of one line after another from so many cores, each in memory of its own.
pub(crate) fn walks(cores: u16, each: u64) -> Vec<Vec<Request>> {
    let walk = |core| {
        let first = u64::from(core) << 20;
        (0..each).map(|line| request(core, first + line * 128, 1, Access::Read)).collect()
    };
    (0..cores).map(walk).collect()
}
