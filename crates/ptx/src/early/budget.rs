//! Which loads get the spare registers that there are, and how far ahead they can be made.

use super::Candidate;
use super::sequence::{Sequence, registers_of};
use crate::ir::{Function, Instruction, RegisterId, ScalarType};

/// What a mechanism has for the prefetches of a loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PrefetchBudget {
    /// Spare registers of 32 bits of a thread.
    pub registers: u32,
    /// Instructions of the sequences of one loop.
    pub instructions: u32,
    /// Pairs of a head and a tail whose registers it can keep lists of.
    pub pairs: u32,
    /// The longest distance in iterations. A load takes as many registers as the distance has iterations.
    pub distance: u32,
    /// Whether loads that iterations may leave out are taken.
    pub conditional: bool,
    /// Whether tails go to the caches alone, and so heads of loops without tails.
    pub into_cache: bool,
}

/// A load that is made early.
#[derive(Clone, Debug, PartialEq)]
pub struct EarlyLoad {
    /// The load.
    pub load: usize,
    /// Of a tail: its head, among the loads of the loop.
    pub head: Option<usize>,
    /// Where iterations may leave it out: as in [`Candidate`].
    pub conditional: Option<(usize, usize)>,
    /// The spare registers that it takes in turn; none if it goes to the caches alone.
    pub spare: Vec<RegisterId>,
    /// By distance and spare register ([`EarlyLoad::sequence`]): the instructions; the last is the load.
    sequences: Vec<Vec<Instruction>>,
}

impl EarlyLoad {
    /// What makes it so many iterations early, into the spare register of this number.
    pub fn sequence(&self, distance: u32, register: u32) -> &[Instruction] {
        &self.sequences[(distance * (distance - 1) / 2 + register) as usize]
    }
}

/// The loads of a loop that are made early.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Chosen {
    /// They, heads before their tails.
    pub loads: Vec<EarlyLoad>,
    /// Loads that could be, had they a spare register or a list to keep its number in.
    pub without_register: Vec<usize>,
    /// The longest distance that the registers allow.
    pub distance: u32,
    /// Registers of 32 bits that they take at that distance.
    pub registers: u32,
}

/// A candidate with its sequence at the distance one, by which registers are counted.
struct Counted {
    candidate: Candidate,
    sequence: Sequence,
}

impl PrefetchBudget {
    /// Chooses among the loads of a loop: pairs in the order of the text, then heads alone; adds to `registers` what
    /// they take.
    pub fn choose(
        &self,
        kernel: &Function,
        loads: Vec<Candidate>,
        registers: &mut Vec<ScalarType>,
    ) -> Chosen {
        let heads: Vec<usize> = loads.iter().map(|candidate| candidate.load).collect();
        let counted = |candidate: Candidate| {
            let head = candidate.head.map(|head| heads[head]);
            let sequence = Sequence::new(kernel, &candidate, head, 1);
            Counted { candidate, sequence }
        };
        let loads: Vec<Counted> = loads.into_iter().map(counted).collect();
        let mut chosen: Vec<usize> = Vec::new();
        for (tail, load) in loads.iter().enumerate() {
            if let Some(head) = load.candidate.head {
                self.add(&loads, &mut chosen, &[head, tail]);
            }
        }
        for head in (0..loads.len()).filter(|&number| loads[number].candidate.head.is_none()) {
            self.add(&loads, &mut chosen, &[head]);
        }
        chosen.sort_unstable();
        let left = (0..loads.len()).filter(|&number| self.takes(&loads[number]) && !chosen.contains(&number));
        let without_register = left.map(|number| loads[number].candidate.load).collect();
        let fits = |&distance: &u32| self.needed(&loads, &chosen, distance) <= self.registers;
        let distance = (1..=self.distance).rev().find(fits).unwrap_or(1);
        Chosen {
            registers: self.needed(&loads, &chosen, distance),
            loads: self.place(kernel, &loads, &chosen, distance, registers),
            without_register,
            distance,
        }
    }

    /// Whether a load is of a kind that is taken.
    fn takes(&self, load: &Counted) -> bool {
        self.conditional || load.candidate.conditional.is_none()
    }

    /// Takes loads as well, if there is room.
    fn add(&self, loads: &[Counted], chosen: &mut Vec<usize>, more: &[usize]) {
        if !more.iter().all(|&number| self.takes(&loads[number])) {
            return;
        }
        let mut with = chosen.clone();
        with.extend(more.iter().filter(|number| !chosen.contains(number)));
        let heads = with.iter().filter(|&&number| loads[number].candidate.head.is_none()).count() as u32;
        let tails = with.len() as u32 - heads;
        let sequences = with.iter().map(|&number| loads[number].sequence.instructions.len() as u32);
        // The comparison at the entry of the loop is one more.
        let held = sequences.sum::<u32>() < self.instructions;
        let listed = heads <= self.pairs && tails <= self.pairs;
        if held && listed && self.needed(loads, &with, 1) <= self.registers {
            *chosen = with;
        }
    }

    /// Whether a load goes to the caches alone: a tail brings no address that is needed, and neither do heads where
    /// there is no tail (\[Lakshminarayana14\] section 3.5.4).
    fn is_in_cache(&self, loads: &[Counted], chosen: &[usize], number: usize) -> bool {
        let is_tail = |number: usize| loads[number].candidate.head.is_some();
        self.into_cache && (is_tail(number) || !chosen.iter().any(|&number| is_tail(number)))
    }

    /// Registers that some loads take together. Temporaries are shared, since sequences of a warp are executed one after
    /// the other, and begin where the register is that the load will take: it is free from the `mov` to the prefetch.
    fn needed(&self, loads: &[Counted], chosen: &[usize], distance: u32) -> u32 {
        let kept = |number: usize| match self.is_in_cache(loads, chosen, number) {
            true => 0,
            false => registers_of(loads[number].sequence.loaded),
        };
        let beyond = |number: usize| loads[number].sequence.temporary_registers.saturating_sub(kept(number));
        let all: u32 = chosen.iter().map(|&number| kept(number)).sum();
        distance * all + chosen.iter().map(|&number| beyond(number)).max().unwrap_or(0)
    }

    /// Gives the registers of the loads that were chosen their numbers.
    fn place(
        &self,
        kernel: &Function,
        loads: &[Counted],
        chosen: &[usize],
        most: u32,
        registers: &mut Vec<ScalarType>,
    ) -> Vec<EarlyLoad> {
        let own = kernel.registers.len() as u32;
        let mut take = |ty: ScalarType| {
            registers.push(ty);
            RegisterId(own + registers.len() as u32 - 1)
        };
        let mut early: Vec<EarlyLoad> = Vec::new();
        for &number in chosen {
            let Counted { candidate, sequence } = &loads[number];
            let head = candidate.head.and_then(|head| chosen.iter().position(|&other| other == head));
            let kept = if self.is_in_cache(loads, chosen, number) { 0 } else { most };
            let spare: Vec<RegisterId> = (0..kept).map(|_| take(sequence.loaded)).collect();
            let temporaries: Vec<RegisterId> = sequence.temporaries.iter().map(|&ty| take(ty)).collect();
            let head_load = candidate.head.map(|head| loads[head].candidate.load);
            let mut sequences = Vec::new();
            for distance in 1..=most {
                let sequence = Sequence::new(kernel, candidate, head_load, distance);
                for register in 0..distance as usize {
                    let of_head = head.and_then(|head| early[head].spare.get(register).copied());
                    let loaded = spare.get(register).copied();
                    sequences.push(sequence.renamed(own, &temporaries, loaded, of_head));
                }
            }
            let &Candidate { load, conditional, .. } = candidate;
            early.push(EarlyLoad { load, head, conditional, spare, sequences });
        }
        early
    }
}
