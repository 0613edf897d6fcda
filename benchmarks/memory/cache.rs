//! Requests to one cache, in requests per second.

mod streams;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use heddle_memory::cache::{BypassKind, Cache, CacheSpec, PolicySpec, PrefetchKind};
use streams::{l1, serve, stream};

fn benchmark(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("cache");
    let with_policies = CacheSpec { bypass: BypassKind::Obm, prefetch: PrefetchKind::Stride, ..l1() };
    for (name, spec) in [("", l1()), (" with obm and stride", with_policies)] {
        for kind in ["hit", "miss", "merge", "mixed"] {
            let requests = stream(kind).expect("the stream exists");
            let mut cache = Cache::new(&spec, &PolicySpec::default(), 1);
            group.throughput(Throughput::Elements(requests.len() as u64)).sample_size(20);
            group.bench_function(format!("{kind}{name}"), |bencher| {
                bencher.iter(|| serve(&mut cache, &requests));
            });
        }
    }
    group.finish();
}

criterion_group!(benches, benchmark);
criterion_main!(benches);
