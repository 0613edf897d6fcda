//! Liveness: which registers, predicates among them, hold a value that may still be read.
//!
//! A guarded write does not end the life of the old value, because lanes whose guard is false keep it. The sets
//! at block boundaries are bit sets over the registers that live across a boundary at all, so that the many
//! registers of a straight piece of code cost nothing.

use super::bit_set::BitSet;
use super::cfg::Cfg;
use super::operands::{registers_read, registers_written};
use crate::ir::{Function, RegisterId};

/// What an instruction does to values.
#[derive(Clone, Debug, Default)]
pub(crate) struct Effect {
    /// Values read.
    pub(crate) reads: Vec<u32>,
    /// Values written.
    pub(crate) writes: Vec<u32>,
    /// Whether every lane writes, so that old values end.
    pub(crate) kills: bool,
}

/// What the instructions of a function do to its registers.
pub(crate) fn effects(function: &Function) -> Vec<Effect> {
    let effect = |instruction| {
        let mut effect = Effect { kills: true, ..Effect::default() };
        registers_read(instruction, |register| effect.reads.push(register.0));
        registers_written(instruction, |register| effect.writes.push(register.0));
        effect.kills = instruction.guard.is_none();
        effect
    };
    function.instructions.iter().map(effect).collect()
}

/// The values that live at the boundaries of blocks.
#[derive(Clone, Debug)]
pub struct Liveness {
    /// The values that live across a boundary, by dense number.
    crossing: Vec<u32>,
    live_in: Vec<BitSet>,
}

impl Liveness {
    /// Of a function's registers.
    pub fn new(function: &Function, cfg: &Cfg) -> Liveness {
        Liveness::solve(cfg, &effects(function), function.registers.len())
    }

    /// The registers that live at the beginning of a block, ascending. At the entry these are the ones that
    /// some path reads before it writes them.
    pub fn live_in(&self, block: usize) -> impl Iterator<Item = RegisterId> + '_ {
        self.values_in(block).map(RegisterId)
    }

    /// The registers that live at the end of a block, ascending.
    pub fn live_out(&self, cfg: &Cfg, block: usize) -> Vec<RegisterId> {
        self.values_out(cfg, block).into_iter().map(RegisterId).collect()
    }

    /// Of any values below `bound`.
    pub(crate) fn solve(cfg: &Cfg, effects: &[Effect], bound: usize) -> Liveness {
        let exposed = exposed(cfg, effects, bound);
        let mut number = vec![u32::MAX; bound];
        let mut crossing: Vec<u32> = exposed.iter().flatten().copied().collect();
        crossing.sort_unstable();
        crossing.dedup();
        for (dense, &value) in crossing.iter().enumerate() {
            number[value as usize] = dense as u32;
        }
        let empty = BitSet::new(crossing.len());
        let mut live_in = vec![empty.clone(); cfg.blocks.len()];
        let mut killed = vec![empty; cfg.blocks.len()];
        for (block, content) in cfg.blocks.iter().enumerate() {
            for &value in &exposed[block] {
                live_in[block].insert(number[value as usize] as usize);
            }
            for effect in effects[content.instructions.clone()].iter().filter(|effect| effect.kills) {
                for &value in effect.writes.iter().filter(|&&value| number[value as usize] != u32::MAX) {
                    killed[block].insert(number[value as usize] as usize);
                }
            }
        }
        let mut queued = vec![true; cfg.blocks.len()];
        // Sweeps from the ends to the entry: their number is that of nested retreating edges, where a stack of
        // open blocks takes very many steps in a tangle of branches.
        let order = post_order(cfg);
        while queued.contains(&true) {
            for &block in &order {
                if !std::mem::replace(&mut queued[block], false) {
                    continue;
                }
                let mut own = std::mem::take(&mut live_in[block]);
                let mut grown = false;
                // A block that leads to itself learns nothing from that.
                for &successor in cfg.blocks[block].successors.iter().filter(|&&next| next != block) {
                    grown |= own.absorb(&live_in[successor], &killed[block]);
                }
                live_in[block] = own;
                for &predecessor in cfg.blocks[block].predecessors.iter().filter(|_| grown) {
                    queued[predecessor] = true;
                }
            }
        }
        Liveness { crossing, live_in }
    }

    pub(crate) fn values_in(&self, block: usize) -> impl Iterator<Item = u32> + '_ {
        self.live_in[block].iter().map(|dense| self.crossing[dense])
    }

    pub(crate) fn values_out(&self, cfg: &Cfg, block: usize) -> Vec<u32> {
        let mut all = BitSet::new(self.crossing.len());
        for &successor in &cfg.blocks[block].successors {
            all.union(&self.live_in[successor]);
        }
        all.iter().map(|dense| self.crossing[dense]).collect()
    }
}

/// All blocks, those behind before those in front as far as there are no cycles.
fn post_order(cfg: &Cfg) -> Vec<usize> {
    let mut seen = vec![false; cfg.blocks.len()];
    let mut order = Vec::with_capacity(cfg.blocks.len());
    let mut path: Vec<(usize, usize)> = Vec::new();
    for start in 0..cfg.blocks.len() {
        if !std::mem::replace(&mut seen[start], true) {
            path.push((start, 0));
        }
        while let Some((block, next)) = path.last_mut() {
            match cfg.blocks[*block].successors.get(*next) {
                Some(&successor) => {
                    *next += 1;
                    if !std::mem::replace(&mut seen[successor], true) {
                        path.push((successor, 0));
                    }
                }
                None => {
                    order.push(*block);
                    path.pop();
                }
            }
        }
    }
    order
}

/// For each block the values that it reads before it writes them.
fn exposed(cfg: &Cfg, effects: &[Effect], bound: usize) -> Vec<Vec<u32>> {
    // The block that wrote a value last, or that has it listed already.
    let mut settled = vec![usize::MAX; bound];
    let mut exposed = Vec::with_capacity(cfg.blocks.len());
    for (block, content) in cfg.blocks.iter().enumerate() {
        let mut found = Vec::new();
        for effect in &effects[content.instructions.clone()] {
            for &value in &effect.reads {
                if std::mem::replace(&mut settled[value as usize], block) != block {
                    found.push(value);
                }
            }
            for &value in effect.writes.iter().filter(|_| effect.kills) {
                settled[value as usize] = block;
            }
        }
        exposed.push(found);
    }
    exposed
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::sample::{Code, at};
    use proptest::prelude::*;

    fn lines(cfg: &Cfg, liveness: &Liveness) -> Vec<Vec<u32>> {
        (0..cfg.blocks.len()).map(|block| liveness.values_in(block).collect()).collect()
    }

    #[test]
    fn a_counter_of_a_loop_lives_around_it() {
        let function = at(&[Code::Plain, Code::Label(0), Code::Plain, Code::BranchIf(0), Code::Return]);
        let cfg = Cfg::new(&function);
        // %p1 and %r1 are never written before they are read.
        assert_eq!(lines(&cfg, &Liveness::new(&function, &cfg)), [vec![0, 1], vec![0, 1], vec![]]);
    }

    /// By definition: a value lives before an instruction if a path leads from there to a read without a write.
    fn lives_by_definition(cfg: &Cfg, effects: &[Effect], start: usize, value: u32) -> bool {
        let mut seen = vec![false; effects.len()];
        let mut open = vec![start];
        while let Some(at) = open.pop() {
            if std::mem::replace(&mut seen[at], true) {
                continue;
            }
            if effects[at].reads.contains(&value) {
                return true;
            }
            if effects[at].kills && effects[at].writes.contains(&value) {
                continue;
            }
            let block = &cfg.blocks[cfg.block_of[at]];
            match at == block.last() {
                true => open.extend(block.successors.iter().map(|&b| cfg.blocks[b].instructions.start)),
                false => open.push(at + 1),
            }
        }
        false
    }

    fn code() -> impl Strategy<Value = Vec<Code>> {
        let line = prop_oneof![
            4 => Just(Code::Plain),
            2 => (0u32..4).prop_map(Code::BranchIf),
            1 => (0u32..4).prop_map(Code::Branch),
            1 => Just(Code::ExitIf),
        ];
        (proptest::collection::vec(line, 4..20), proptest::collection::vec(0usize..20, 4)).prop_map(
            |(mut code, places)| {
                for (label, place) in places.into_iter().enumerate() {
                    code.insert(place.min(code.len()), Code::Label(label as u32));
                }
                code.push(Code::Return);
                code
            },
        )
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(100))]

        #[test]
        fn block_boundaries_agree_with_the_definition(
            code in code(),
            touches in proptest::collection::vec((0u32..5, 0u32..5, any::<bool>()), 24),
        ) {
            let function = at(&code);
            let cfg = Cfg::new(&function);
            let effects: Vec<Effect> = function.instructions.iter().zip(&touches)
                .map(|(_, &(read, write, kills))| Effect { reads: vec![read], writes: vec![write], kills })
                .collect();
            let liveness = Liveness::solve(&cfg, &effects, 5);
            for (block, content) in cfg.blocks.iter().enumerate() {
                let expected: Vec<u32> = (0..5)
                    .filter(|&value| lives_by_definition(&cfg, &effects, content.instructions.start, value))
                    .collect();
                prop_assert_eq!(liveness.values_in(block).collect::<Vec<_>>(), expected);
            }
        }
    }
}
