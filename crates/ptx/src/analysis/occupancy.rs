//! How many blocks and warps of a kernel are resident on one core, and what limits them.
//!
//! The rules are those of NVIDIA's public occupancy calculator: registers are given out per warp in units, and
//! the warps that the register file holds are rounded down to a granularity; shared memory is given out per
//! block in units. The figures of each machine, with their sources, are in `data/occupancy.toml`.

use serde::Deserialize;
use std::fmt;

/// Threads of a warp.
const WARP: u32 = 32;

/// What one core of a machine can hold.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CoreLimits {
    /// The machine.
    pub name: String,
    /// Where the figures are from.
    pub source: String,
    /// Cores of the machine.
    pub cores: u32,
    /// Warps.
    pub warps: u32,
    /// Threads.
    pub threads: u32,
    /// Blocks.
    pub blocks: u32,
    /// Threads of one block.
    pub threads_per_block: u32,
    /// 32-bit registers.
    pub registers: u32,
    /// Registers of one thread.
    pub registers_per_thread: u32,
    /// Registers are given to a warp in multiples of this.
    pub register_unit: u32,
    /// The register file holds a multiple of this many warps.
    pub warp_granularity: u32,
    /// Sizes of shared memory that a kernel can choose from, the largest first.
    pub shared_bytes: Vec<u32>,
    /// Shared memory is given to a block in multiples of this.
    pub shared_unit: u32,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    machine: Vec<CoreLimits>,
}

impl CoreLimits {
    /// Every machine that is known. The file is compiled in, so that a mistake in it is one of this crate, which
    /// its tests find.
    pub fn all() -> Vec<CoreLimits> {
        let file: File = toml::from_str(include_str!("../../data/occupancy.toml"))
            .unwrap_or_else(|error| panic!("occupancy.toml: {error}"));
        file.machine
    }

    /// The machine of this name.
    pub fn named(name: &str) -> Option<CoreLimits> {
        CoreLimits::all().into_iter().find(|machine| machine.name == name)
    }
}

/// What a kernel asks of a core.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KernelNeeds {
    /// Threads of a block.
    pub threads: u32,
    /// Registers of a thread.
    pub registers: u32,
    /// Shared memory of a block in bytes, static and dynamic.
    pub shared_bytes: u32,
}

/// Something that limits the resident blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Limit {
    Registers,
    SharedMemory,
    Warps,
    Blocks,
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Limit::Registers => "registers",
            Limit::SharedMemory => "shared memory",
            Limit::Warps => "warps",
            Limit::Blocks => "blocks",
        })
    }
}

/// Why a block of a kernel fits no core at all.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoOccupancy {
    /// More threads than a block may have.
    #[error("a block of {threads} threads is larger than the machine allows ({most})")]
    Threads {
        /// Asked for.
        threads: u32,
        /// Allowed.
        most: u32,
    },
    /// More registers than a thread may have.
    #[error("{registers} registers per thread are more than the {most} that the machine has")]
    RegistersPerThread {
        /// Asked for.
        registers: u32,
        /// Allowed.
        most: u32,
    },
    /// One block alone has more registers than a core.
    #[error(
        "a block of {threads} threads with {registers} registers each needs more registers than a core has; with {most} \
         it fits"
    )]
    Registers {
        /// Threads of the block.
        threads: u32,
        /// Of each of them.
        registers: u32,
        /// Most with which a block fits.
        most: u32,
    },
    /// More than the whole core has.
    #[error("one block alone needs more {limit} than a core has")]
    TooLarge {
        /// Of what.
        limit: Limit,
    },
}

/// What is resident on one core.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Occupancy {
    /// Blocks.
    pub blocks: u32,
    /// Warps.
    pub warps: u32,
    /// Blocks that each limit alone would allow; none where it does not apply.
    pub limits: Vec<(Limit, Option<u32>)>,
    /// The limits that bind: those that allow no more than the resident blocks.
    pub binding: Vec<Limit>,
    /// The size of shared memory chosen: the largest that the machine has.
    pub shared_bytes: u32,
    /// Most registers per thread with which as many blocks would still be resident.
    pub registers_without_loss: u32,
}

impl NoOccupancy {
    /// In words for the user who launches `kernel`, with the option that helps.
    pub fn of_kernel(&self, kernel: &str) -> String {
        match self {
            NoOccupancy::RegistersPerThread { most, .. } => {
                format!("{self}: --registers {kernel}=N takes 1 to {most}")
            }
            NoOccupancy::Registers { threads, most, .. } => {
                format!("{self}: --registers {kernel}={most}, or `.maxntid {threads}` in the kernel")
            }
            NoOccupancy::Threads { .. } | NoOccupancy::TooLarge { .. } => self.to_string(),
        }
    }
}

/// The blocks of a kernel that one core of a machine holds.
pub fn occupancy(machine: &CoreLimits, needs: KernelNeeds) -> Result<Occupancy, NoOccupancy> {
    let KernelNeeds { threads, registers, shared_bytes } = needs;
    if threads > machine.threads_per_block {
        return Err(NoOccupancy::Threads { threads, most: machine.threads_per_block });
    }
    if registers > machine.registers_per_thread {
        return Err(NoOccupancy::RegistersPerThread { registers, most: machine.registers_per_thread });
    }
    let warps = warps_of(threads);
    let shared = machine.shared_bytes.iter().copied().max().unwrap_or(0);
    let limits = vec![
        (Limit::Registers, blocks_by_registers(machine, warps, registers)),
        (Limit::SharedMemory, by_shared(machine, shared, shared_bytes)),
        (Limit::Warps, Some((machine.warps / warps).min(machine.threads / (warps * WARP)))),
        (Limit::Blocks, Some(machine.blocks)),
    ];
    let blocks = limits.iter().filter_map(|(_, blocks)| *blocks).min().unwrap_or(0);
    let binding: Vec<Limit> =
        limits.iter().filter(|(_, most)| *most == Some(blocks)).map(|(limit, _)| *limit).collect();
    let keeps = |blocks: u32| {
        move |&registers: &u32| {
            blocks_by_registers(machine, warps, registers).is_none_or(|most| most >= blocks)
        }
    };
    if blocks == 0 {
        let most = (1..registers).rev().find(keeps(1));
        return Err(match (binding.first().copied().unwrap_or(Limit::Blocks), most) {
            (Limit::Registers, Some(most)) => NoOccupancy::Registers { threads, registers, most },
            (limit, _) => NoOccupancy::TooLarge { limit },
        });
    }
    let registers_without_loss =
        (registers..=machine.registers_per_thread).rev().find(keeps(blocks)).unwrap_or(registers);
    Ok(Occupancy {
        blocks,
        warps: blocks * warps,
        limits,
        binding,
        shared_bytes: shared,
        registers_without_loss,
    })
}

/// Warps of a block.
pub(super) fn warps_of(threads: u32) -> u32 {
    threads.max(1).div_ceil(WARP)
}

/// Blocks of so many warps that the register file holds; none where a thread has no registers.
pub(super) fn blocks_by_registers(machine: &CoreLimits, warps: u32, registers: u32) -> Option<u32> {
    let per_warp = (registers * WARP).next_multiple_of(machine.register_unit);
    let resident = machine.registers.checked_div(per_warp)?;
    let resident = resident / machine.warp_granularity * machine.warp_granularity;
    Some(resident / warps)
}

fn by_shared(machine: &CoreLimits, shared: u32, bytes: u32) -> Option<u32> {
    let per_block = bytes.checked_next_multiple_of(machine.shared_unit).unwrap_or(u32::MAX);
    shared.checked_div(per_block)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn on(machine: &str, threads: u32, registers: u32, shared_bytes: u32) -> Result<Occupancy, NoOccupancy> {
        let machine = CoreLimits::named(machine).unwrap();
        occupancy(&machine, KernelNeeds { threads, registers, shared_bytes })
    }

    #[test]
    fn every_machine_is_complete_and_named_once() {
        let names: Vec<String> = CoreLimits::all().into_iter().map(|machine| machine.name).collect();
        assert_eq!(names, ["fermi", "gtx480", "gtx480-mff", "k40c"]);
        for machine in CoreLimits::all() {
            assert!(machine.shared_bytes.is_sorted_by(|a, b| a > b) && machine.register_unit > 0);
            assert_eq!(machine.warps * WARP, machine.threads);
        }
    }

    /// \[Lakshminarayana14\] table 18: registers and blocks of 512 threads per core.
    #[test]
    fn the_published_versions_of_a_search_have_their_published_occupancy() {
        for (registers, blocks) in [(15, 3), (16, 3), (19, 3), (20, 3), (24, 2)] {
            assert_eq!(on("fermi", 512, registers, 0).unwrap().blocks, blocks, "{registers}");
        }
    }

    /// The same, table 4: registers used and registers that cost no occupancy.
    #[test]
    fn spare_registers_are_those_published() {
        for registers in [15, 17] {
            let found = on("fermi", 512, registers, 0).unwrap();
            assert_eq!((found.warps, found.registers_without_loss), (48, 20));
        }
        for registers in [21, 23] {
            let found = on("fermi", 1024, registers, 0).unwrap();
            assert_eq!((found.warps, found.registers_without_loss), (32, 32), "{registers}");
        }
    }

    #[test]
    fn each_limit_binds_in_its_turn() {
        let binding = |threads, registers, shared| on("fermi", threads, registers, shared).unwrap().binding;
        assert_eq!(binding(256, 40, 0), [Limit::Registers]);
        assert_eq!(binding(256, 10, 20_000), [Limit::SharedMemory]);
        assert_eq!(binding(256, 10, 0), [Limit::Warps]);
        assert_eq!(binding(32, 10, 0), [Limit::Blocks]);
        assert_eq!(binding(192, 10, 0), [Limit::Warps, Limit::Blocks]);
    }

    #[test]
    fn the_calculators_example_for_compute_capability_3_5_holds() {
        // 256 threads of 37 registers: 1184 per warp, rounded to 1280; 51 warps, rounded to 48; 6 blocks.
        let found = on("k40c", 256, 37, 0).unwrap();
        assert_eq!((found.blocks, found.warps, found.binding), (6, 48, vec![Limit::Registers]));
    }

    #[test]
    fn what_fits_no_core_is_said() {
        assert_eq!(on("fermi", 2048, 10, 0), Err(NoOccupancy::Threads { threads: 2048, most: 1024 }));
        assert_eq!(on("fermi", 32, 64, 0), Err(NoOccupancy::RegistersPerThread { registers: 64, most: 63 }));
        assert_eq!(on("fermi", 32, 10, 50_000), Err(NoOccupancy::TooLarge { limit: Limit::SharedMemory }));
        assert_eq!(on("fermi", 32, 10, u32::MAX), Err(NoOccupancy::TooLarge { limit: Limit::SharedMemory }));
        let registers = NoOccupancy::Registers { threads: 1024, registers: 63, most: 32 };
        assert_eq!(on("fermi", 1024, 63, 0), Err(registers));
        assert_eq!(on("fermi", 0, 0, 0).unwrap().blocks, 8);
    }
}
