//! What caps the registers of a thread, as an assembler does: it spills rather than refuse.
//!
//! `ptxas` gives a thread at most what the machine can name, and at most what the kernel's performance directives
//! leave (PTX ISA, "Performance-Tuning Directives"):
//!
//! - `.maxnreg` is the cap itself;
//! - `.maxntid` or `.reqntid` promises the largest block: one such block must fit a core;
//! - `.minnctapersm` together with one of them promises that so many such blocks fit. Without a block size it says
//!   nothing, and more blocks than the core's warps and block slots can hold are no promise that registers could
//!   keep: the assembler ignores both with a warning, and so does this.
//!
//! Values beyond the cap live in local memory. How many registers that are is counted; the accesses that a spill
//! makes are not simulated (DEVIATIONS.md, 51).

use crate::analysis::occupancy::{CoreLimits, blocks_by_registers, warps_of};
use crate::ir::{Function, Tuning};
use std::fmt;

/// What caps the registers of a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RegisterCap {
    /// The most that the machine's instructions can name.
    Machine,
    /// `.maxnreg`.
    MaxRegisters,
    /// `.maxntid` or `.reqntid`: one block of that size must fit.
    BlockSize,
    /// `.minnctapersm` with a block size.
    MinBlocks,
}

impl fmt::Display for RegisterCap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            RegisterCap::Machine => "the machine",
            RegisterCap::MaxRegisters => ".maxnreg",
            RegisterCap::BlockSize => "the block size of the directives",
            RegisterCap::MinBlocks => ".minnctapersm",
        })
    }
}

/// The registers that a thread gets, and what it would have liked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct GrantedRegisters {
    /// Registers of a thread: the occupancy is computed with them.
    pub registers: u32,
    /// Registers above the cap, whose values would be spilled to local memory.
    pub spilled: u32,
    /// What capped them; nothing where all were granted.
    pub capped_by: Option<RegisterCap>,
}

/// The registers of a thread of `kernel`, which wants `demand` by our own allocation.
///
/// What was given for the kernel (`--registers`) is what some compiler is known to have used, so it takes the place
/// of the allocation and of its caps.
pub fn granted_registers(
    machine: &CoreLimits,
    kernel: &Function,
    demand: u32,
    given: Option<u32>,
) -> GrantedRegisters {
    if let Some(registers) = given {
        return GrantedRegisters { registers, spilled: 0, capped_by: None };
    }
    let (cap, by) = cap(machine, &kernel.tuning);
    match demand > cap {
        true => GrantedRegisters { registers: cap, spilled: demand - cap, capped_by: Some(by) },
        false => GrantedRegisters { registers: demand, spilled: 0, capped_by: None },
    }
}

/// The lowest cap, and whose it is.
fn cap(machine: &CoreLimits, tuning: &Tuning) -> (u32, RegisterCap) {
    let most = machine.registers_per_thread;
    let direct = tuning.max_registers.filter(|&registers| registers > 0);
    let threads = tuning.required_threads.or(tuning.max_threads).map(block_threads);
    let one = threads.and_then(|threads| largest_that_fits(machine, threads, 1));
    let several = threads
        .zip(tuning.min_blocks_per_core)
        .and_then(|(threads, blocks)| largest_that_fits(machine, threads, blocks));
    let caps = [
        (Some(most), RegisterCap::Machine),
        (direct, RegisterCap::MaxRegisters),
        (one, RegisterCap::BlockSize),
        (several, RegisterCap::MinBlocks),
    ];
    let known = caps.into_iter().filter_map(|(cap, by)| cap.map(|cap| (cap, by)));
    known.min_by_key(|(cap, _)| *cap).unwrap_or((most, RegisterCap::Machine))
}

fn block_threads([x, y, z]: [u32; 3]) -> u32 {
    x.max(1).saturating_mul(y.max(1)).saturating_mul(z.max(1))
}

/// The most registers with which so many blocks fit a core; nothing where they fit with none.
fn largest_that_fits(machine: &CoreLimits, threads: u32, blocks: u32) -> Option<u32> {
    let warps = warps_of(threads);
    let resident = u64::from(warps) * u64::from(blocks);
    if threads > machine.threads_per_block
        || blocks == 0
        || blocks > machine.blocks
        || resident > u64::from(machine.warps)
    {
        return None;
    }
    let fits =
        |&registers: &u32| blocks_by_registers(machine, warps, registers).is_none_or(|most| most >= blocks);
    (1..=machine.registers_per_thread).rev().find(fits)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn granted(machine: &str, tuning: Tuning, demand: u32) -> (u32, u32, Option<RegisterCap>) {
        let machine = CoreLimits::named(machine).unwrap();
        let kernel = Function { tuning, ..Function::default() };
        let found = granted_registers(&machine, &kernel, demand, None);
        (found.registers, found.spilled, found.capped_by)
    }

    fn of_threads(threads: u32, min_blocks_per_core: Option<u32>) -> Tuning {
        Tuning { max_threads: Some([threads, 1, 1]), min_blocks_per_core, ..Tuning::default() }
    }

    #[test]
    fn the_machine_caps_what_a_thread_can_name() {
        let plain = Tuning::default();
        assert_eq!(granted("fermi", plain.clone(), 63), (63, 0, None));
        assert_eq!(granted("fermi", plain.clone(), 64), (63, 1, Some(RegisterCap::Machine)));
        assert_eq!(granted("k40c", plain.clone(), 255), (255, 0, None));
        assert_eq!(granted("k40c", plain, 300), (255, 45, Some(RegisterCap::Machine)));
    }

    #[test]
    fn maxnreg_is_the_cap_itself() {
        let tuning = Tuning { max_registers: Some(20), ..Tuning::default() };
        assert_eq!(granted("fermi", tuning.clone(), 32), (20, 12, Some(RegisterCap::MaxRegisters)));
        assert_eq!(granted("fermi", tuning, 20), (20, 0, None));
        let above = Tuning { max_registers: Some(200), ..Tuning::default() };
        assert_eq!(granted("fermi", above, 100), (63, 37, Some(RegisterCap::Machine)));
    }

    /// 32768 registers: 32 warps of a block of 1024 get 1024 each, 32 for each thread.
    #[test]
    fn one_block_of_the_size_that_maxntid_promises_fits() {
        assert_eq!(granted("fermi", of_threads(1024, None), 40), (32, 8, Some(RegisterCap::BlockSize)));
        // 65536 registers are 64 for each thread.
        assert_eq!(granted("k40c", of_threads(1024, None), 80), (64, 16, Some(RegisterCap::BlockSize)));
        let required = Tuning { required_threads: Some([32, 32, 1]), ..Tuning::default() };
        assert_eq!(granted("fermi", required, 40), (32, 8, Some(RegisterCap::BlockSize)));
        assert_eq!(granted("fermi", of_threads(256, None), 63), (63, 0, None));
    }

    /// `__launch_bounds__(256, 6)` of the CUDA guide's kind: 48 warps share 32768 registers, 682 each, 640 in units
    /// of 64, which are 20 for each thread.
    #[test]
    fn as_many_blocks_as_minnctapersm_promises_fit() {
        assert_eq!(granted("fermi", of_threads(256, Some(6)), 30), (20, 10, Some(RegisterCap::MinBlocks)));
        // 65536 / 64 warps are 1024, 32 for each thread.
        assert_eq!(granted("k40c", of_threads(256, Some(8)), 40), (32, 8, Some(RegisterCap::MinBlocks)));
    }

    #[test]
    fn a_promise_that_no_register_count_could_keep_is_ignored() {
        assert_eq!(granted("fermi", of_threads(256, Some(7)), 63), (63, 0, None));
        assert_eq!(granted("fermi", of_threads(32, Some(9)), 63), (63, 0, None));
        assert_eq!(granted("fermi", of_threads(256, Some(0)), 63), (63, 0, None));
        assert_eq!(granted("fermi", of_threads(4096, Some(1)), 63), (63, 0, None));
        let no_size = Tuning { min_blocks_per_core: Some(6), ..Tuning::default() };
        assert_eq!(granted("fermi", no_size, 63), (63, 0, None));
        assert_eq!(granted("fermi", of_threads(u32::MAX, Some(u32::MAX)), 63), (63, 0, None));
    }

    #[test]
    fn what_was_given_takes_the_place_of_allocation_and_caps() {
        let machine = CoreLimits::named("fermi").unwrap();
        let kernel = Function { tuning: of_threads(1024, None), ..Function::default() };
        let found = granted_registers(&machine, &kernel, 40, Some(45));
        assert_eq!((found.registers, found.spilled, found.capped_by), (45, 0, None));
    }
}
