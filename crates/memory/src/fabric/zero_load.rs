//! Latencies without load, measured on a fresh memory system.

use super::{ClockDomains, Fabric, FabricSpec, Offer};
use crate::request::{Access, Level, LineAddress, Notice, Path, Request};
use crate::spec_error::SpecError;
use heddle_engine::{Clock, Tick};

/// Round trips of a read without load, in core cycles. They begin at a time at which all clocks have an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ZeroLoad {
    /// A hit in L1.
    pub l1: u64,
    /// A miss in L1 that hits L2; nothing if L2 kept nothing.
    pub l2: Option<u64>,
    /// A miss in both, from a closed row.
    pub dram: u64,
}

impl ZeroLoad {
    /// Measures them.
    pub fn measure(spec: &FabricSpec, clocks: ClockDomains) -> Result<ZeroLoad, SpecError> {
        let mut fabric = Fabric::new(spec, clocks, 1)?;
        let l1 = spec.serving(Path::Global);
        let words = u32::MAX >> (32 - (l1.line.0 / 4).clamp(1, 32));
        let mut now = Tick(0);
        let (dram, _) = round_trip(&mut fabric, clocks.core, &mut now, words);
        let hit = match fabric.offer(now, read(words)) {
            Offer::Hit { latency } => latency.into(),
            _ => round_trip(&mut fabric, clocks.core, &mut now, words).0,
        };
        while fabric.run_to_notice(&mut Vec::new()).is_some() {}
        fabric.begin_launch(&l1.slice(), false, false);
        // What L1 gives up to an exclusive L2 arrives there first.
        while fabric.run_to_notice(&mut Vec::new()).is_some() {}
        now = common_edge(now.max(fabric.now()), clocks);
        let (l2, level) = round_trip(&mut fabric, clocks.core, &mut now, words);
        Ok(ZeroLoad { l1: hit, l2: (level == Level::L2).then_some(l2), dram })
    }
}

/// The first time from then on at which all clocks have an edge, as at the beginning.
fn common_edge(now: Tick, clocks: ClockDomains) -> Tick {
    let periods = [clocks.core, clocks.interconnect, clocks.l2, clocks.dram].map(Clock::period);
    let common = periods.into_iter().fold(1, |common: u64, period| {
        let (mut a, mut b) = (common, period);
        while b != 0 {
            (a, b) = (b, a % b);
        }
        common / a * period
    });
    Clock::with_period(common).edge(now)
}

fn read(words: u32) -> Request {
    Request { words, access: Access::Read, ..Request::nobodys(LineAddress(0)) }
}

/// Core cycles until a read that misses L1 is answered, and by which level.
fn round_trip(fabric: &mut Fabric, core: Clock, now: &mut Tick, words: u32) -> (u64, Level) {
    let start = *now;
    if let Offer::Hit { latency } = fabric.offer(start, read(words)) {
        return (latency.into(), Level::L1);
    }
    let mut notices = Vec::new();
    while let Some(at) = fabric.run_to_notice(&mut notices) {
        for notice in notices.drain(..) {
            if let Notice::Replied(_, level) = notice {
                *now = core.edge(at);
                return ((now.0 - start.0) / core.period(), level);
            }
        }
    }
    // Everything that is accepted is answered.
    (0, Level::L1)
}
