//! Serves saturated streams so that a profiler can count the host's instructions, and prints the requests served:
//! `measure_dram PART PATTERN WRITES`. `scripts/instructions` uses it.

use heddle_engine::Cycle;
use heddle_memory::dram::{
    AddressMap, Channel, Completion, DramSpec, Pattern, PatternRequests, Transaction, part, read_part,
};

const REQUESTS: usize = 200_000;

/// What the profiler counts: one channel that always has as many requests as it takes.
#[inline(never)]
fn measured(spec: &DramSpec, requests: &[Transaction]) -> u64 {
    let mut channel = Channel::new(spec);
    let mut done: Vec<Completion> = Vec::with_capacity(64);
    let mut served = 0;
    let mut next = 0;
    let mut now = Cycle(0);
    loop {
        while let Some(&transaction) = requests.get(next)
            && channel.can_accept(&transaction.place, transaction.write)
        {
            channel.push(now, transaction);
            next += 1;
        }
        let wake = channel.advance(now, &mut done);
        served += done.len() as u64;
        done.clear();
        match wake {
            Some(wake) => now = wake,
            None => return served,
        }
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [name, pattern, writes] = &arguments[..] else {
        return Err("usage: measure_dram PART PATTERN WRITES".into());
    };
    let spec = read_part(part(name).ok_or("no such part")?.text, &[])?;
    let known = Pattern::ALL.iter().find(|(known, _)| known == pattern);
    let (_, pattern) = known.ok_or("no such pattern")?;
    let map = AddressMap::new(&spec)?;
    let requests = PatternRequests::new(&spec, *pattern, writes.parse()?, 0, 1)?
        .map(|request| Transaction { id: 0, place: map.place(request.address), write: request.write })
        .filter(|transaction| transaction.place.channel == 0)
        .take(REQUESTS);
    println!("{}", measured(&spec, &requests.collect::<Vec<_>>()));
    Ok(())
}
