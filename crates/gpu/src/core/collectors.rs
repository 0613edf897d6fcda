//! Register banks and operand collectors: how long an instruction is held up between issue and execution.
//!
//! ```text
//! issue ─ issue register ─ collector ─ banks, one operand per bank and cycle ─ dispatch register ─ unit
//! ```
//!
//! An instruction leaves its issue register for a collector, has its operands read, leaves for a dispatch register, and
//! from there for a unit; each place is held until the next one is free, so that a slow unit or a busy bank holds up
//! issue in the end. All of it is decided at issue by when each place becomes free, without a look at the cycles in
//! between. Without conflicts it takes `core.operand_cycles`, and `core.register_read_cycles` for what reads registers;
//! this file says by how much longer. Results are written to the banks as well, and a write goes before reads.

use crate::operation_timing::Unit;
use crate::spec::CoreSpec;
use smallvec::SmallVec;

/// Cycles for which the use of banks is kept; a power of two. Results that come later than that find their banks free.
const WINDOW: u64 = 64;

/// The collectors of a core.
#[derive(Clone, Debug, Default)]
pub(super) struct Collectors {
    /// Banks, as a mask over their numbers; a power of two of them. 0 where they are not modelled.
    banks: u32,
    /// By cycle modulo the window: the cycle, the banks that are used in it, and the results that units bring.
    used: Vec<Usage>,
    /// Results that units may bring in a cycle.
    buses: u32,
    arithmetic: Pipe,
    special: Pipe,
}

/// What is used in one cycle.
#[derive(Clone, Copy, Debug, Default)]
struct Usage {
    cycle: u64,
    banks: u32,
    results: u32,
}

/// What the instructions of one kind of unit go through.
#[derive(Clone, Debug, Default)]
struct Pipe {
    /// When each collector, dispatch register and unit is free.
    collectors: SmallVec<[u64; 8]>,
    registers: SmallVec<[u64; 4]>,
    units: SmallVec<[u64; 4]>,
}

/// What an instruction asks of its unit.
#[derive(Clone, Copy, Debug)]
pub(super) struct Timing {
    pub(super) unit: Unit,
    pub(super) latency: u32,
    pub(super) occupancy: u32,
}

/// How an instruction passes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Passage {
    /// When it leaves its issue register, which can then take the next.
    pub(super) left_at: u64,
    /// Cycles that it was held up.
    pub(super) delay: u64,
}

impl Pipe {
    fn new(collectors: u32, units: u32) -> Pipe {
        Pipe {
            collectors: SmallVec::from_elem(0, collectors as usize),
            registers: SmallVec::from_elem(0, units as usize),
            units: SmallVec::from_elem(0, units as usize),
        }
    }
}

impl Collectors {
    pub(super) fn new(spec: &CoreSpec) -> Collectors {
        if spec.operand_collectors == 0 {
            return Collectors::default();
        }
        Collectors {
            banks: spec.register_banks - 1,
            used: vec![Usage::default(); WINDOW as usize],
            buses: if spec.result_buses == 0 { u32::MAX } else { spec.result_buses },
            arithmetic: Pipe::new(spec.operand_collectors, spec.arithmetic_units),
            special: Pipe::new(spec.special_collectors, spec.special_units),
        }
    }

    /// Whether they are modelled.
    #[inline(always)]
    pub(super) fn are_modelled(&self) -> bool {
        !self.used.is_empty()
    }

    /// An instruction of a warp issues that reads these registers.
    #[inline(always)]
    pub(super) fn pass(&mut self, now: u64, warp: usize, sources: &[u16], timing: Timing) -> Passage {
        let Timing { unit: kind, latency, occupancy } = timing;
        let pipe = if kind == Unit::Special { &mut self.special } else { &mut self.arithmetic };
        let collector = first_free(&pipe.collectors);
        let left_at = pipe.collectors[collector].max(now + 1);
        let read_at = self.read(left_at + 1, warp, sources);
        let pipe = if kind == Unit::Special { &mut self.special } else { &mut self.arithmetic };
        let register = first_free(&pipe.registers);
        let dispatched_at = pipe.registers[register].max(read_at + 1);
        let unit = first_free(&pipe.units);
        let mut started_at = pipe.units[unit].max(dispatched_at + 1);
        started_at = self.bring(now, started_at, latency);
        let pipe = if kind == Unit::Special { &mut self.special } else { &mut self.arithmetic };
        pipe.collectors[collector] = dispatched_at;
        pipe.registers[register] = started_at;
        pipe.units[unit] = started_at + u64::from(occupancy);
        let least = now + 3 + u64::from(!sources.is_empty());
        Passage { left_at, delay: started_at - least }
    }

    /// Finds the first cycle from which on a unit can start so that a bus is free for its result.
    #[inline(always)]
    fn bring(&mut self, now: u64, from: u64, latency: u32) -> u64 {
        let (mut at, buses) = (from, self.buses);
        while at + u64::from(latency) < now + WINDOW {
            let usage = self.usage(at + u64::from(latency));
            if usage.results < buses {
                usage.results += 1;
                break;
            }
            at += 1;
        }
        at
    }

    /// Reads registers from a cycle on; the cycle of the last, or the one before if there is none.
    #[inline(always)]
    pub(super) fn read(&mut self, from: u64, warp: usize, registers: &[u16]) -> u64 {
        let mut last = from - 1;
        for &register in registers {
            let bank = 1 << ((u32::from(register) + warp as u32) & self.banks);
            let mut at = from;
            while !self.take(at, bank) {
                at += 1;
            }
            last = last.max(at);
        }
        last
    }

    /// Uses a bank in a cycle; whether it was free.
    #[inline(always)]
    fn take(&mut self, cycle: u64, bank: u32) -> bool {
        let usage = self.usage(cycle);
        let free = usage.banks & bank == 0;
        usage.banks |= bank;
        free
    }

    /// What is used in a cycle.
    #[inline(always)]
    fn usage(&mut self, cycle: u64) -> &mut Usage {
        let usage = &mut self.used[(cycle % WINDOW) as usize];
        if usage.cycle != cycle {
            *usage = Usage { cycle, ..Usage::default() };
        }
        usage
    }

    /// Results are written to registers in a cycle.
    #[inline(always)]
    pub(super) fn write(&mut self, now: u64, at: u64, warp: usize, registers: &[u16]) {
        if at >= now + WINDOW / 2 {
            return;
        }
        for &register in registers {
            self.take(at, 1 << ((u32::from(register) + warp as u32) & self.banks));
        }
    }
}

/// The place that is free first.
#[inline(always)]
fn first_free(places: &[u64]) -> usize {
    let mut best = 0;
    for (place, &at) in places.iter().enumerate() {
        if at < places[best] {
            best = place;
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    fn collectors(units: u32) -> Collectors {
        Collectors {
            banks: 15,
            used: vec![Usage::default(); WINDOW as usize],
            buses: 2,
            arithmetic: Pipe::new(units, 2),
            special: Pipe::new(8, 1),
        }
    }

    const SIMPLE: Timing = Timing { unit: Unit::Arithmetic, latency: 1, occupancy: 1 };

    #[test]
    fn results_beyond_the_buses_wait_before_their_units() {
        let mut banks = collectors(6);
        let add = Timing { latency: 4, ..SIMPLE };
        assert_eq!([4, 5].map(|register| banks.pass(100, 0, &[register], add).delay), [0, 0]);
        assert_eq!([6, 7].map(|register| banks.pass(103, 0, &[register], SIMPLE).delay), [1, 1]);
    }

    #[test]
    fn operands_of_one_bank_are_read_one_after_the_other() {
        let delay = |sources: &[u16]| collectors(6).pass(100, 3, sources, SIMPLE).delay;
        assert_eq!(delay(&[]), 0);
        assert_eq!(delay(&[1, 2, 3]), 0);
        assert_eq!(delay(&[1, 17]), 1);
        assert_eq!(delay(&[5, 5, 5]), 2);
    }

    #[test]
    fn the_bank_depends_on_the_warp() {
        let mut banks = collectors(6);
        assert_eq!(banks.pass(100, 0, &[4], SIMPLE).delay, 0);
        assert_eq!(banks.pass(100, 1, &[3], SIMPLE).delay, 1);
        let mut banks = collectors(6);
        assert_eq!(banks.pass(100, 0, &[4], SIMPLE).delay, 0);
        assert_eq!(banks.pass(100, 1, &[4], SIMPLE).delay, 0);
    }

    #[test]
    fn a_write_goes_before_a_read() {
        let mut banks = collectors(6);
        banks.write(100, 102, 0, &[4]);
        assert_eq!(banks.pass(100, 0, &[4], SIMPLE).delay, 1);
    }

    #[test]
    fn instructions_wait_in_their_issue_registers_for_a_collector() {
        let mut banks = collectors(2);
        let left: Vec<u64> = (0..6u16)
            .map(|number| banks.pass(100 + u64::from(number) / 2, 0, &[number], SIMPLE).left_at)
            .collect();
        assert_eq!(left, [101, 101, 103, 103, 105, 105]);
    }

    #[test]
    fn a_slow_unit_holds_up_issue_once_all_places_before_it_are_taken() {
        let mut banks = collectors(6);
        let slow = Timing { unit: Unit::Special, latency: 8, occupancy: 8 };
        let left: Vec<u64> = (0..14).map(|n| banks.pass(100 + n, 0, &[1], slow).left_at - 100 - n).collect();
        assert_eq!(left[..9], [1; 9]);
        assert!(left[13] > 8, "{left:?}");
    }
}
