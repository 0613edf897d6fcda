//! Drives one channel.

pub(crate) mod checker;

use heddle_engine::Cycle;
use heddle_memory::BankId;
use heddle_memory::dram::{Channel, Completion, DramSpec, PARTS, Place, Transaction, part, read_part};

/// An embedded part with settings.
pub(crate) fn spec(name: &str, settings: &[(&str, &str)]) -> DramSpec {
    let settings: Vec<(String, String)> =
        settings.iter().map(|(key, value)| (key.to_string(), value.to_string())).collect();
    read_part(part(name).unwrap().text, &settings).unwrap()
}

/// All embedded parts.
pub(crate) fn parts() -> Vec<(&'static str, DramSpec)> {
    PARTS.iter().map(|part| (part.name, read_part(part.text, &[]).unwrap())).collect()
}

pub(crate) fn place(bank: u32, row: u32, column: u32) -> Place {
    Place { channel: 0, bank: BankId(bank), row, column }
}

/// A request: when it comes, where to, and whether it writes.
pub(crate) type Coming = (u64, Place, bool);

/// Serves the requests, in order, each when it comes or as soon as there is room. Ids are positions.
pub(crate) fn serve(channel: &mut Channel, requests: &[Coming]) -> Vec<Completion> {
    let mut done = Vec::new();
    let mut waiting = requests.iter().enumerate().peekable();
    let mut now = 0;
    loop {
        while let Some(&(id, &(at, place, write))) = waiting.peek()
            && at <= now
            && channel.can_accept(&place, write)
        {
            channel.push(Cycle(now), Transaction { id: id as u32, place, write });
            waiting.next();
        }
        let wake = channel.advance(Cycle(now), &mut done).map(|Cycle(wake)| wake);
        let coming = waiting.peek().and_then(|&(_, &(at, place, write))| {
            if at > now { Some(at) } else { channel.can_accept(&place, write).then_some(now + 1) }
        });
        now = match (wake, coming) {
            (Some(wake), Some(coming)) => wake.min(coming),
            (Some(at), None) | (None, Some(at)) => at,
            (None, None) => return done,
        };
    }
}

/// Latency of each request, by position.
pub(crate) fn latencies(spec: &DramSpec, requests: &[Coming]) -> Vec<u64> {
    let mut channel = Channel::new(spec);
    let mut latencies = vec![u64::MAX; requests.len()];
    for completion in serve(&mut channel, requests) {
        latencies[completion.id as usize] = completion.at.0 - requests[completion.id as usize].0;
    }
    latencies
}

/// A small generator, the same everywhere.
pub(crate) struct Numbers(pub(crate) u64);

impl Numbers {
    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % bound
    }
}
