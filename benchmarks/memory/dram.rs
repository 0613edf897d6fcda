//! Requests per second of host time of one saturated channel.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use heddle_engine::Cycle;
use heddle_memory::dram::{
    AddressMap, Channel, Completion, DramSpec, PARTS, Pattern, PatternRequests, Transaction, read_part,
};

const REQUESTS: usize = 20_000;

fn stream(spec: &DramSpec, pattern: Pattern, writes: u32) -> Vec<Transaction> {
    let map = AddressMap::new(spec).unwrap();
    PatternRequests::new(spec, pattern, writes, 0, 1)
        .unwrap()
        .map(|request| Transaction { id: 0, place: map.place(request.address), write: request.write })
        .filter(|transaction| transaction.place.channel == 0)
        .take(REQUESTS)
        .collect()
}

/// Always as many requests as the channel takes.
fn saturate(spec: &DramSpec, requests: &[Transaction], done: &mut Vec<Completion>) -> Cycle {
    let mut channel = Channel::new(spec);
    let mut next = 0;
    let mut now = Cycle(0);
    loop {
        while let Some(&transaction) = requests.get(next)
            && channel.can_accept(&transaction.place, transaction.write)
        {
            channel.push(now, transaction);
            next += 1;
        }
        let wake = channel.advance(now, done);
        done.clear();
        match wake {
            Some(wake) => now = wake,
            None => return now,
        }
    }
}

fn channels(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("dram");
    group.throughput(Throughput::Elements(REQUESTS as u64));
    for part in PARTS {
        let spec = read_part(part.text, &[]).unwrap();
        for (name, pattern, writes) in [
            ("sequential", Pattern::Sequential, 0),
            ("random", Pattern::Random, 0),
            ("mixed", Pattern::Random, 40),
        ] {
            let requests = stream(&spec, pattern, writes);
            let mut done = Vec::with_capacity(64);
            group.bench_function(BenchmarkId::new(part.name, name), |bencher| {
                bencher.iter(|| saturate(&spec, &requests, &mut done));
            });
        }
    }
    group.finish();
}

criterion_group!(benches, channels);
criterion_main!(benches);
