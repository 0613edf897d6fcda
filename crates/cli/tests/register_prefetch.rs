//! Prefetching into spare registers on the workloads of the library.

use heddle_device::Device;
use heddle_gpu::{Gpu, LaunchTiming, LoadWait, RunSettings};
use heddle_graph::read::ReadOptions;
use heddle_graph::source;
use heddle_machine::Machine;
use heddle_workloads::library::{RunOptions, registry::WORKLOADS, run};
use rayon::prelude::*;

/// Runs a workload on fermi; its answer is judged.
fn launches(workload: &str, graph: &str, mechanism: &str, registers: &[(&str, u32)]) -> Vec<LaunchTiming> {
    let machine = Machine::named("fermi").unwrap().with(&[mechanism]).resolve().unwrap();
    let registers = registers.iter().map(|&(kernel, number)| (kernel.to_owned(), number)).collect();
    let gpu = Gpu::new(machine.spec, RunSettings { registers, ..RunSettings::default() }).unwrap();
    let record = gpu.record();
    let mut device = Device::new(Box::new(gpu));
    let workload = WORKLOADS.iter().find(|known| known.name == workload).unwrap();
    let graph = source::load(graph, &ReadOptions::default()).unwrap().graph;
    run(workload, graph, &mut device, &RunOptions::default(), &|_, _| ())
        .unwrap_or_else(|error| panic!("{}: {error}", workload.name));
    drop(device);
    std::mem::take(&mut record.borrow_mut().launches)
}

fn total(launches: &[LaunchTiming], name: &str) -> u64 {
    launches.iter().map(|launch| launch.statistics.get(name).unwrap_or(0)).sum()
}

#[test]
fn every_workload_is_right_with_prefetched_values() {
    for mechanism in ["c-spref1", "c-spref", "spref1", "spref", "spref1-c"] {
        let converted: Vec<(&str, u64)> = WORKLOADS
            .par_iter()
            .map(|workload| {
                let launches = launches(workload.name, "rmat:scale=9,degree=6", mechanism, &[]);
                (workload.name, total(&launches, "injected.converted_loads"))
            })
            .collect();
        let some = converted.iter().filter(|(_, loads)| *loads > 0).count();
        // Kernels without tails prefetch into the caches alone with the last.
        let least = if mechanism == "spref1-c" { 10 } else { 20 };
        assert!(some >= least, "{mechanism}: {some} {converted:?}");
    }
}

#[test]
fn tails_of_h_bfs_wait_much_less_and_all_its_loads_less() {
    let waits = |mechanism: &str| {
        // The document's 15 of 20 registers.
        let launches = launches("h-bfs", "uniform:scale=15,degree=4", mechanism, &[("Kernel", 15)]);
        let wait = |line: &str| {
            let place = format!("kernels/bfs/h_bfs.ptx:{line}");
            let own = |load: &&LoadWait| load.place.starts_with(&place);
            let loads = launches.iter().flat_map(|launch| &launch.loads).filter(own);
            loads.fold((0, 0), |(count, cycles), load| (count + load.count, cycles + load.wait_cycles))
        };
        let cycles: u64 = launches.iter().map(|launch| launch.cycles).sum();
        (wait("60:"), wait("63:"), cycles, total(&launches, "core.warp_instructions"))
    };
    let (head, tail, cycles, instructions) = waits("none");
    let (head_with, tail_with, cycles_with, instructions_with) = waits("c-spref1");
    assert_eq!(
        (head.0, tail.0, instructions),
        (head_with.0, tail_with.0, instructions_with),
        "the same program"
    );
    // Section 3.5.2.2: the head's wait falls in some invocations and rises in others, since the prefetch of the tail waits
    // for the next index; the tail's falls significantly.
    let (both, both_with) = (head.1 + tail.1, head_with.1 + tail_with.1);
    assert!(both_with < both, "head and tail: {both_with} cycles, {both} before");
    assert!(10 * tail_with.1 < 7 * tail.1, "tail: {} cycles, {} before", tail_with.1, tail.1);
    assert!(cycles_with < cycles, "{cycles_with} cycles, {cycles} before");
}
