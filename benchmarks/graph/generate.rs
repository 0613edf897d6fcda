//! Generators on one core, in arcs per second, rows included.

mod common;

use common::{degree, on_one_core, scale};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use heddle_graph::generate::generate;
use heddle_graph::progress::Silent;
use std::hint::black_box;

fn benchmark(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("generate");
    group.throughput(Throughput::Elements(degree() << scale())).sample_size(10);
    for name in ["rmat", "uniform"] {
        let recipe = format!("{name}:scale={},degree={}", scale(), degree());
        group.bench_function(name, |bencher| {
            on_one_core(|| bencher.iter(|| black_box(generate(&recipe, &Silent).expect("a recipe"))));
        });
    }
    group.finish();
}

criterion_group!(benches, benchmark);
criterion_main!(benches);
