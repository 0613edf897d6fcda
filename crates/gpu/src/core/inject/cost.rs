//! What prefetching into spare registers costs with detection in hardware and a variable distance (\[Lakshminarayana14\]
//! table 2).

use crate::spec::CoreSpec;
use heddle_ptx::exec::LANES;

/// Table 2 counts the lists of two pairs of a head and a tail load.
const PAIRS: u64 = 2;

/// Entries of an `AllocatedReg` list: the longest distance (section 3.3.2.3).
const ENTRIES: u64 = 3;

/// Bits of a pointer into a list, and of a counter of distances.
const POINTER: u64 = 2;

/// Bits of a tag of a register: constant, stride or random; none, first or second load.
const TAG: u64 = 2;

/// Bits of a shadow iteration count.
const SHADOW: u64 = 4;

/// Bits of table 2 for a core.
pub fn hardware_detected_bits(core: &CoreSpec) -> u64 {
    let registers = u64::from(core.registers_per_thread);
    let register = u64::from((core.registers_per_thread + 1).next_power_of_two().ilog2());
    let warps = u64::from(core.warps);
    // Value tags and load-id tags, one set for the whole core.
    let tags = 2 * TAG * registers;
    // MaxReg_s and MaxReg_d.
    let limits = 2 * register;
    let distances = POINTER * warps;
    let shadows = SHADOW * LANES as u64 * warps;
    // A head list has pointers to write, to read for the move and to read for the tail; a tail list has the first two.
    let pair = (ENTRIES * register + 3 * POINTER) + (ENTRIES * register + 2 * POINTER);
    tags + limits + distances + shadows + PAIRS * pair * warps
}
