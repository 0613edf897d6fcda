//! Heddle's model.

use crate::Outcome;
use crate::streams::{Request, Shape};
use heddle_memory::SpecError;
use heddle_memory::dram::trace::DramTraceRequest;
use heddle_memory::dram::{AddressMap, DramSpec, Pacing, replay};

/// What streams need to know of a part.
pub fn shape(spec: &DramSpec) -> Result<Shape, SpecError> {
    let map = AddressMap::new(spec)?;
    let columns = spec.row.0 / spec.atom();
    let atoms = u64::from(map.rows()) * columns * u64::from(spec.banks);
    Ok(Shape {
        map,
        atom: spec.atom(),
        atoms,
        columns,
        banks: spec.banks.into(),
        bank_groups: spec.bank_groups.into(),
    })
}

/// Replays a stream.
pub fn run(spec: &DramSpec, requests: &[Request]) -> Result<Outcome, SpecError> {
    let mut next = requests.iter();
    // More than the queues hold: what comes is bounded by them alone.
    let arrival = Pacing::Outstanding(u32::MAX);
    let summary = replay::<SpecError>(
        spec,
        arrival,
        || Ok(next.next().map(|&(address, write)| DramTraceRequest { address, write, cycle: None })),
        |_| Ok(()),
    )?;
    let busy = requests.len() as f64 * spec.burst_clocks() as f64;
    Ok(Outcome { bandwidth: busy / summary.cycles.max(1) as f64, read_latency: summary.reads.mean() })
}
