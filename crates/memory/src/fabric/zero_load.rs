//! Latencies without load, measured on a fresh memory system.

use super::{ClockDomains, Fabric, FabricSpec, LevelSpec, Offer};
use crate::request::{Access, Answerer, LineAddress, Notice, Path, Request};
use crate::spec_error::SpecError;
use heddle_engine::{Clock, Tick};

/// Round trips of a read without load, in core cycles. They begin at a time at which all clocks have an edge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ZeroLoad {
    /// A hit in the core's data cache.
    pub core: u64,
    /// By shared level that the data path goes through, from the cores down: its name, and the round trip of a read that
    /// hits there and in no level above; nothing if the level kept nothing.
    pub shared: Vec<(String, Option<u64>)>,
    /// A miss in all caches, from a closed row.
    pub dram: u64,
}

impl ZeroLoad {
    /// Measures them.
    pub fn measure(spec: &FabricSpec, clocks: &ClockDomains) -> Result<ZeroLoad, SpecError> {
        let mut fabric = Fabric::new(spec, clocks, 1)?;
        let data = spec.serving(Path::Global);
        let words = u32::MAX >> (32 - (data.line.0 / 4).clamp(1, 32));
        let mut now = Tick(0);
        let (dram, _) = round_trip(&mut fabric, clocks.core, &mut now, words);
        let core = match fabric.offer(now, read(words)) {
            Offer::Hit { latency } => latency.into(),
            _ => round_trip(&mut fabric, clocks.core, &mut now, words).0,
        };
        let path: Vec<&LevelSpec> =
            std::iter::successors(spec.cache(&data.below), |level| spec.cache(&level.below)).collect();
        let mut shared = Vec::new();
        for (place, level) in path.iter().enumerate() {
            drain(&mut fabric);
            fabric.begin_launch(&data.slice(), false);
            // What a cache gives up to an exclusive one below arrives there first.
            drain(&mut fabric);
            for above in &path[..place] {
                fabric.empty_level(&above.name);
                drain(&mut fabric);
            }
            now = common_edge(now.max(fabric.now()), clocks);
            let (cycles, answerer) = round_trip(&mut fabric, clocks.core, &mut now, words);
            shared.push((level.name.clone(), (answerer == spec.answerer(level)).then_some(cycles)));
        }
        Ok(ZeroLoad { core, shared, dram })
    }

    /// The last level's.
    pub fn last_level(&self) -> Option<u64> {
        self.shared.last()?.1
    }
}

fn drain(fabric: &mut Fabric) {
    while fabric.run_to_notice(&mut Vec::new()).is_some() {}
}

/// The first time from then on at which all clocks have an edge, as at the beginning.
fn common_edge(now: Tick, clocks: &ClockDomains) -> Tick {
    let common = clocks.all().map(Clock::period).fold(1, |common: u64, period| {
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

/// Core cycles until a read is answered, and by whom.
fn round_trip(fabric: &mut Fabric, core: Clock, now: &mut Tick, words: u32) -> (u64, Answerer) {
    let start = *now;
    if let Offer::Hit { latency } = fabric.offer(start, read(words)) {
        return (latency.into(), Answerer::CORE);
    }
    let mut notices = Vec::new();
    while let Some(at) = fabric.run_to_notice(&mut notices) {
        for notice in notices.drain(..) {
            if let Notice::Replied(_, answerer) = notice {
                *now = core.edge(at);
                return ((now.0 - start.0) / core.period(), answerer);
            }
        }
    }
    // Everything that is accepted is answered.
    (0, Answerer::CORE)
}
