//! Registers and occupancy of a kernel, without running it.

use super::programs::Programs;
use crate::error::LabError;
use crate::experiment::Point;
use crate::record::{Outcome, Row};
use heddle_machine::Resolved;
use heddle_ptx::analysis::{KernelNeeds, granted_registers, occupancy};
use heddle_workloads::library::Workload;

/// Bytes of a register.
const REGISTER_BYTES: u64 = 4;

/// Threads of a warp.
const WARP: u32 = 32;

/// The figures of a point's kernel on its machine.
pub(super) fn figures(
    point: &Point,
    workload: &'static Workload,
    programs: &Programs,
    machine: &Resolved,
) -> Result<Outcome, LabError> {
    let name = point.kernel.as_deref().ok_or_else(|| LabError::new("the point has no `kernel`"))?;
    let kernel = programs.kernel(workload, name)?;
    let limits = machine.core_limits();
    let granted = granted_registers(&limits, &kernel.function, kernel.demand, point.registers);
    let threads = point.block.unwrap_or(workload.block);
    let needs = KernelNeeds {
        threads,
        registers: granted.registers,
        shared_bytes: u32::try_from(kernel.shared_bytes).unwrap_or(u32::MAX),
    };
    let found = occupancy(&limits, needs).map_err(|error| LabError::new(error.of_kernel(name)))?;
    let resident_threads = u64::from(found.blocks) * u64::from(threads);
    let taken = resident_threads * u64::from(granted.registers);
    let counts = [
        ("registers", u64::from(granted.registers)),
        ("registers_without_loss", u64::from(found.registers_without_loss)),
        ("block_threads", u64::from(threads)),
        ("resident_blocks", u64::from(found.blocks)),
        ("resident_warps", u64::from(found.warps)),
        ("resident_threads", resident_threads),
        ("warps_max", u64::from(limits.threads.min(limits.warps * WARP) / WARP)),
        ("unused_register_bytes", REGISTER_BYTES * u64::from(limits.registers).saturating_sub(taken)),
    ];
    let binding: Vec<String> = found.binding.iter().map(ToString::to_string).collect();
    let run = Row {
        counts: counts.map(|(name, value)| (name.to_owned(), value)).into(),
        texts: [("limited_by".to_owned(), binding.join(" and "))].into(),
        ..Row::default()
    };
    Ok(Outcome::Done { run, launches: Vec::new() })
}
