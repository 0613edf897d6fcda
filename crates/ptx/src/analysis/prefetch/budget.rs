//! Which loads get the spare registers that there are.

use super::PrefetchTarget;
use super::sequence::registers_of;
use super::slice::Candidate;
use crate::ir::{Function, RegisterId, ScalarType};

/// What a mechanism has for the prefetches of a loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PrefetchBudget {
    /// Spare registers of 32 bits of a thread.
    pub registers: u32,
    /// Instructions of the sequences of one loop.
    pub instructions: u32,
    /// Pairs of a head and a tail whose registers it can keep lists of.
    pub pairs: u32,
}

impl PrefetchBudget {
    /// Chooses among the loads of a loop: pairs in the order of the text, then heads alone. Gives those that are
    /// prefetched and those that are not; adds to `registers` what the former take.
    pub(super) fn choose(
        &self,
        kernel: &Function,
        loads: Vec<Candidate>,
        registers: &mut Vec<ScalarType>,
    ) -> (Vec<PrefetchTarget>, Vec<usize>) {
        let mut chosen: Vec<usize> = Vec::new();
        for (tail, candidate) in loads.iter().enumerate() {
            if let Some(head) = candidate.head {
                self.add(&loads, &mut chosen, &[head, tail]);
            }
        }
        for head in (0..loads.len()).filter(|&number| loads[number].head.is_none()) {
            self.add(&loads, &mut chosen, &[head]);
        }
        chosen.sort_unstable();
        let left = (0..loads.len()).filter(|number| !chosen.contains(number));
        let without = left.map(|number| loads[number].load).collect();
        (place(kernel, &loads, &chosen, registers), without)
    }

    /// Takes loads as well, if there is room.
    fn add(&self, loads: &[Candidate], chosen: &mut Vec<usize>, more: &[usize]) {
        let mut with = chosen.clone();
        with.extend(more.iter().filter(|number| !chosen.contains(number)));
        let heads = with.iter().filter(|&&number| loads[number].head.is_none()).count() as u32;
        let tails = with.len() as u32 - heads;
        let sequences = with.iter().map(|&number| loads[number].sequence.instructions.len() as u32);
        // The comparison at the entry of the loop is one more.
        let held = sequences.sum::<u32>() < self.instructions;
        if held && heads <= self.pairs && tails <= self.pairs && needed(loads, &with) <= self.registers {
            *chosen = with;
        }
    }
}

/// Registers that one load keeps what it brings in.
fn kept(candidate: &Candidate) -> u32 {
    candidate.sequence.loaded.iter().flatten().map(|&ty| registers_of(ty)).sum()
}

/// Registers that some loads take together. Temporaries are shared, since sequences of a warp are executed one after
/// the other, and begin where the load's own registers are: these are free from the `mov` to the prefetch.
fn needed(loads: &[Candidate], chosen: &[usize]) -> u32 {
    let beyond =
        |candidate: &Candidate| candidate.sequence.temporary_registers.saturating_sub(kept(candidate));
    let chosen = || chosen.iter().map(|&number| &loads[number]);
    chosen().map(kept).sum::<u32>() + chosen().map(beyond).max().unwrap_or(0)
}

/// Gives the registers of the loads that were chosen their numbers.
fn place(
    kernel: &Function,
    loads: &[Candidate],
    chosen: &[usize],
    registers: &mut Vec<ScalarType>,
) -> Vec<PrefetchTarget> {
    let own = kernel.registers.len() as u32;
    let mut take = |ty: ScalarType| {
        registers.push(ty);
        RegisterId(own + registers.len() as u32 - 1)
    };
    let mut targets: Vec<PrefetchTarget> = Vec::new();
    for &number in chosen {
        let candidate = &loads[number];
        let head = candidate.head.and_then(|head| chosen.iter().position(|&other| other == head));
        let spare: Vec<Option<RegisterId>> =
            candidate.sequence.loaded.iter().map(|ty| ty.map(&mut take)).collect();
        let temporaries = candidate.sequence.temporaries.iter().map(|&ty| Some(take(ty)));
        let of_head = head.map_or(Vec::new(), |head| targets[head].spare.clone());
        let names: Vec<Option<RegisterId>> =
            temporaries.chain(spare.iter().copied()).chain(of_head).collect();
        let sequence = candidate.sequence.renamed(|register| {
            let named =
                register.0.checked_sub(own).and_then(|place| names.get(place as usize).copied().flatten());
            named.unwrap_or(register)
        });
        targets.push(PrefetchTarget { load: candidate.load, head, sequence, spare });
    }
    targets
}
