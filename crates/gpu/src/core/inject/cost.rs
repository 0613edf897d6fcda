//! What prefetching into spare registers costs (\[Lakshminarayana14\] table 2, with detection in hardware and a variable
//! distance), and what was chosen in addition.
//!
//! | table 2 | bits |
//! |---|---|
//! | value tags and load-id tags | 2 · 2 for each register of a thread, one set for the core |
//! | MaxReg_s, MaxReg_d | a register's number each |
//! | prefetch distance counter | 2 for each warp |
//! | shadow iteration counts | 4 for each thread |
//! | `AllocatedReg` lists, head and tail of two pairs | 3 registers' numbers and 3 or 2 pointers of 2, for each warp |
//!
//! | beside it | bits |
//! |---|---|
//! | a bit for each lane of each entry of a list | 32 for each entry, load and warp |
//! | the instructions of prefetches, which hold strides as immediate operands | `core.prefetch_instructions`, 64 bits each |
//! | detection: loops, whose bodies were looked through | ends, test and step of as many loops as pairs |
//! | detection: loops that have nothing to prefetch | ends of eight loops |
//! | detection: copies, and writers of each register in a loop's body | a number and two bits for each register |
//!
//! Temporaries of addresses take spare registers.

use super::distance::LONGEST;
use super::shadow_counts::COUNT_BITS;
use super::training::LOOPS_PASSED;
use crate::spec::CoreSpec;
use heddle_ptx::exec::LANES;

/// Table 2 counts the lists of two pairs of a head and a tail load.
const PAIRS: u64 = 2;

/// Bits of a pointer into a list, and of a counter of distances.
const POINTER: u64 = 2;

/// Bits of a tag of a register: constant, stride or random; none, or one of three loads.
const TAG: u64 = 2;

/// Bits of the place of an instruction in a kernel.
const PLACE: u64 = 16;

/// Bits of a step, and of what a test compares by.
const STEP: u64 = 16;

/// Bits of table 2 for a core.
pub fn hardware_detected_bits(core: &CoreSpec) -> u64 {
    table_2(core)
}

/// All of table 2.
pub(super) fn table_2(core: &CoreSpec) -> u64 {
    let warps = u64::from(core.warps);
    let entries = u64::from(LONGEST) * register(core);
    // A head list has pointers to write, to read for the move and to read for the tail; a tail list has the first two.
    let pair = (entries + 3 * POINTER) + (entries + 2 * POINTER);
    tags(core) + limits(core) + POINTER * warps + shadow_counts(core) + PAIRS * pair * warps
}

/// Bits of the number of a register.
fn register(core: &CoreSpec) -> u64 {
    u64::from((core.registers_per_thread + 1).next_power_of_two().ilog2())
}

/// Value tags and load-id tags, one set for the whole core.
pub(super) fn tags(core: &CoreSpec) -> u64 {
    2 * TAG * u64::from(core.registers_per_thread)
}

/// MaxReg_s and MaxReg_d.
pub(super) fn limits(core: &CoreSpec) -> u64 {
    2 * register(core)
}

/// Shadow iteration counts.
pub(super) fn shadow_counts(core: &CoreSpec) -> u64 {
    u64::from(core.warps) * LANES as u64 * u64::from(COUNT_BITS)
}

/// Loads that are kept account of.
fn loads(core: &CoreSpec) -> u64 {
    2 * u64::from(core.prefetch_pairs)
}

/// Lists of one entry.
pub(super) fn lists_of_one(core: &CoreSpec) -> u64 {
    u64::from(core.warps) * loads(core) * register(core)
}

/// A bit for each lane of lists with so many entries.
pub(super) fn lane_bits(core: &CoreSpec, entries: u32) -> u64 {
    u64::from(core.warps) * loads(core) * u64::from(entries) * LANES as u64
}

/// The instructions of prefetches of one loop.
pub(super) fn instructions(core: &CoreSpec) -> u64 {
    u64::from(core.prefetch_instructions) * 8 * u64::from(core.instruction_bytes)
}

/// What detection in hardware takes beside tags.
pub(super) fn detection(core: &CoreSpec) -> u64 {
    let known = u64::from(core.prefetch_pairs) * (3 * PLACE + STEP + instructions(core));
    let registers = u64::from(core.registers_per_thread);
    known + LOOPS_PASSED as u64 * 2 * PLACE + registers * (register(core) + 2)
}
