//! Arcs to rows on one core, in arcs per second.

mod common;

use common::{degree, on_one_core, random_arcs, scale};
use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use heddle_graph::build::{from_arcs, from_undirected_arcs, transposed};
use std::hint::black_box;

fn benchmark(criterion: &mut Criterion) {
    let vertices = 1 << scale();
    let arcs = random_arcs(vertices, vertices * degree());
    let rows = from_arcs(&arcs, vertices).expect("ids are in range");

    let mut group = criterion.benchmark_group("build");
    group.throughput(Throughput::Elements(arcs.len())).sample_size(10);
    group.bench_function("rows", |bencher| {
        on_one_core(|| bencher.iter(|| black_box(from_arcs(&arcs, vertices))));
    });
    group.bench_function("columns of rows", |bencher| {
        on_one_core(|| bencher.iter(|| black_box(transposed(&rows))));
    });
    group.throughput(Throughput::Elements(2 * arcs.len()));
    group.bench_function("rows of both directions", |bencher| {
        on_one_core(|| bencher.iter(|| black_box(from_undirected_arcs(&arcs, vertices))));
    });
    group.finish();
}

criterion_group!(benches, benchmark);
criterion_main!(benches);
