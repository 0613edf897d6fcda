//! Host time of a memory transaction under saturation: reads that miss L1 and hit L2, and reads that go to DRAM.

mod load;
#[path = "../../../crates/memory/tests/fabric/machines.rs"]
#[allow(dead_code, reason = "the tests use more of it")]
mod machines;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use heddle_memory::fabric::Fabric;
use load::Load;

const CORES: u32 = 15;
const TRANSACTIONS: u64 = 10_000;

fn saturated(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("fabric");
    group.throughput(Throughput::Elements(TRANSACTIONS));
    for (machine, spec) in [("fermi", machines::fermi()), ("gtx480", machines::gtx480())] {
        for (name, lines) in [("l2 hits", 5_000), ("dram", 1 << 20)] {
            let clocks = machines::clocks(&spec, 700, 700, 700);
            let Ok(fabric) = Fabric::new(&spec.fabric(), &clocks, CORES) else { continue };
            let mut load = Load::new(fabric, clocks, CORES as usize, lines);
            load.answer(20_000);
            group.bench_function(format!("{machine}: {name}"), |bencher| {
                bencher.iter(|| load.answer(TRANSACTIONS));
            });
        }
    }
    group.finish();
}

criterion_group!(benches, saturated);
criterion_main!(benches);
