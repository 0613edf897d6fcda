//! Scratch.
use heddle_device::Device;
use heddle_gpu::{Gpu, RunSettings};
use heddle_workloads::library::{self, RunOptions, registry};
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let resolved = heddle_machine::Machine::named(&args[1]).unwrap().resolve().unwrap();
    let workload = registry::find(&args[2]).unwrap();

    let graph = heddle_graph::generate::generate(&args[3], &heddle_graph::progress::Silent).unwrap().graph;
    let gpu = Gpu::new(resolved.spec, RunSettings::default()).unwrap();
    let record = gpu.record();
    let mut device = Device::new(Box::new(gpu));
    let start = std::time::Instant::now();
    let outcome = library::run(workload, graph, &mut device, &RunOptions::default(), &|_, _| ()).unwrap();
    let seconds = start.elapsed().as_secs_f64();
    let mut total = heddle_engine::Statistics::default();
    let record = record.borrow();
    let mut cycles = 0;
    for (l, o) in record.launches.iter().zip(&outcome.launches) {
        println!(
            "{} {} cycles {} ipc {:.3}",
            l.launch,
            l.kernel,
            l.cycles,
            o.report.warp_instructions as f64 / l.cycles as f64
        );
        total.add(&l.statistics);
        cycles += l.cycles;
    }
    if args.len() > 4 {
        for (n, v) in total.iter() {
            if v != 0 {
                println!("{n} {v}");
            }
        }
    }
    let w: u64 = outcome.launches.iter().map(|l| l.report.warp_instructions).sum();
    println!("cycles {cycles} warp {w} seconds {seconds:.3} rate {:.0}", w as f64 / seconds);
}
