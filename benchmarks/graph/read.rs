//! Text to rows on one core, in bytes per second, beside the plainest parser and another crate's reader.

mod common;

use common::{Files, bytes, degree, on_one_core, random_arcs, read_plainly, scale};
use criterion::{
    BenchmarkGroup, Criterion, Throughput, criterion_group, criterion_main, measurement::WallTime,
};
use graph_builder::prelude::{DirectedCsrGraph, EdgeListInput, GraphBuilder};
use heddle_graph::read::{ReadOptions, read};
use std::hint::black_box;
use std::path::Path;

fn read_file(group: &mut BenchmarkGroup<'_, WallTime>, path: &Path, skip: usize, base: u32) {
    group.throughput(Throughput::Bytes(bytes(path))).sample_size(10);
    group.bench_function("heddle, to rows", |bencher| {
        on_one_core(|| bencher.iter(|| black_box(read(path, &ReadOptions::default()).expect("a graph"))));
    });
    group.bench_function("lines, split, parse", |bencher| {
        bencher.iter(|| black_box(read_plainly(path, skip, base)));
    });
}

fn benchmark(criterion: &mut Criterion) {
    let vertices = 1 << scale();
    let files = Files::write(&random_arcs(vertices, vertices * degree()), vertices);

    let mut group = criterion.benchmark_group("read edge list");
    read_file(&mut group, &files.edge_list, 0, 0);
    // Its parser starts a thread per core: pin the process to one to compare.
    group.bench_function("graph_builder, to rows and columns", |bencher| {
        bencher.iter(|| {
            let graph: DirectedCsrGraph<u32> = GraphBuilder::new()
                .file_format(EdgeListInput::default())
                .path(&files.edge_list)
                .build()
                .expect("a graph");
            black_box(graph)
        });
    });
    group.finish();

    let mut group = criterion.benchmark_group("read Matrix Market");
    read_file(&mut group, &files.matrix_market, 2, 1);
    group.finish();
}

criterion_group!(benches, benchmark);
criterion_main!(benches);
