//! Runs a workload so that a profiler can count the host's instructions in its launches alone, and prints the
//! lane-instructions executed: `measure_launches WORKLOAD GRAPH`. `scripts/instructions` uses it.

use heddle_device::{Device, LaunchError, LaunchReport, Machine};
use heddle_graph::read::ReadOptions;
use heddle_graph::source::load;
use heddle_ptx::exec::{Functional, LaunchRequest};
use heddle_workloads::library::{RunOptions, registry, run};

#[derive(Debug, Default)]
struct Marked(Functional);

impl Machine for Marked {
    fn launch(&mut self, request: LaunchRequest<'_>) -> Result<LaunchReport, LaunchError> {
        measured(&mut self.0, request)
    }
}

/// What the profiler counts.
#[inline(never)]
fn measured(machine: &mut Functional, request: LaunchRequest<'_>) -> Result<LaunchReport, LaunchError> {
    machine.launch(request)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [name, recipe] = &arguments[..] else {
        return Err("usage: measure_launches WORKLOAD GRAPH".into());
    };
    let graph = load(recipe, &ReadOptions::default())?.graph;
    let mut device = Device::new(Box::new(Marked::default()));
    let outcome = run(registry::find(name)?, graph, &mut device, &RunOptions::default(), &|_, _| ())?;
    println!("{}", outcome.total(|report| report.lane_instructions));
    Ok(())
}
