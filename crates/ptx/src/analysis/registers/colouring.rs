//! Interference, coalescing and colouring.

use super::demand::{Demand, units};
use crate::analysis::bit_set::BitSet;
use crate::analysis::cfg::Cfg;
use crate::analysis::liveness::Liveness;
use crate::ir::Function;

/// Beyond this many interferences a function is not coloured. (Real kernels have thousands.)
const EDGES_MAX: usize = 20_000_000;

/// Values that live together, and the registers given to them.
#[derive(Debug)]
pub(super) struct Allocation {
    /// Most 32-bit units that live at once.
    pub(super) live: u32,
    /// Most predicates that live at once.
    pub(super) predicates: u32,
    /// Units used by the colouring; none if the function is too large for it.
    pub(super) units: Option<u32>,
    /// For calls: one past the highest unit that lives across it, by instruction.
    pub(super) kept: Vec<(usize, u32)>,
}

struct Graph<'a> {
    /// How many values are PTX registers.
    registers: usize,
    /// Units of each value; values above the registers are temporaries.
    units: Vec<u32>,
    is_predicate: Vec<bool>,
    neighbours: Vec<Vec<u32>>,
    edges: usize,
    /// When each value is first written, for the order of the colouring.
    born: Vec<usize>,
    live: u32,
    predicates: u32,
    /// For calls, what lives across them.
    across: Vec<(usize, Vec<u32>)>,
    demand: &'a Demand,
}

/// Allocates registers to a function; `calls` are its instructions that call functions with registers of their
/// own.
pub(super) fn allocate(function: &Function, cfg: &Cfg, demand: &Demand, calls: &[bool]) -> Allocation {
    let liveness = Liveness::solve(cfg, &demand.effects, function.registers.len());
    let mut graph = Graph::new(function, demand);
    for block in 0..cfg.blocks.len() {
        graph.add_block(cfg, &liveness, block, calls);
    }
    let (live, predicates) = (graph.live, graph.predicates);
    if graph.edges > EDGES_MAX {
        return Allocation { live, predicates, units: None, kept: Vec::new() };
    }
    let (root, slot) = graph.colour();
    let end = |value: usize| slot[root[value] as usize] + graph.units[value];
    let used = (0..graph.units.len()).filter(|&value| !graph.is_predicate[value]).map(end).max();
    let top = |values: &Vec<u32>| values.iter().map(|&value| end(value as usize)).max().unwrap_or(0);
    let kept = graph.across.iter().map(|(call, values)| (*call, top(values))).collect();
    Allocation { live, predicates, units: Some(used.unwrap_or(0)), kept }
}

impl<'a> Graph<'a> {
    fn new(function: &Function, demand: &'a Demand) -> Graph<'a> {
        let sizes: Vec<u32> = function.registers.iter().map(|register| units(register.ty)).collect();
        Graph {
            registers: sizes.len(),
            is_predicate: sizes.iter().map(|&size| size == 0).collect(),
            neighbours: vec![Vec::new(); sizes.len()],
            born: vec![0; sizes.len()],
            units: sizes,
            edges: 0,
            live: 0,
            predicates: 0,
            across: Vec::new(),
            demand,
        }
    }

    fn add_block(&mut self, cfg: &Cfg, liveness: &Liveness, block: usize, calls: &[bool]) {
        let mut alive = BitSet::new(self.registers);
        liveness.values_out(cfg, block).into_iter().for_each(|value| {
            alive.insert(value as usize);
        });
        for index in cfg.blocks[block].instructions.clone().rev() {
            let demand = self.demand;
            let effect = &demand.effects[index];
            for &value in &effect.writes {
                alive.insert(value as usize);
                self.born[value as usize] = self.born[value as usize].max(usize::MAX - index);
            }
            self.measure(&alive, 0);
            let copied = demand.copies[index].map(|(_, source)| source as usize);
            for &value in &effect.writes {
                self.connect(value as usize, &alive, copied);
            }
            if calls[index] {
                let kept =
                    |value: &usize| !effect.writes.contains(&(*value as u32)) && self.units[*value] > 0;
                let values = alive.iter().filter(kept).map(|value| value as u32).collect();
                self.across.push((index, values));
            }
            for &value in effect.writes.iter().filter(|_| effect.kills) {
                alive.remove(value as usize);
            }
            for &value in &effect.reads {
                alive.insert(value as usize);
            }
            self.add_temporaries(index, &alive);
        }
        // What lives at the entry has its content from there on: parameters in registers, for one.
        if block == 0 {
            alive.iter().for_each(|value| self.connect(value, &alive, None));
        }
    }

    /// Temporaries live beside everything that an instruction reads.
    fn add_temporaries(&mut self, index: usize, alive: &BitSet) {
        let sizes = &self.demand.temporaries[index];
        self.measure(alive, sizes.iter().sum());
        let first = self.units.len();
        for &size in sizes {
            let value = self.units.len();
            self.units.push(size);
            self.is_predicate.push(false);
            self.born.push(usize::MAX - index);
            self.neighbours.push((first..value).map(|other| other as u32).collect());
            self.connect(value, alive, None);
        }
    }

    fn measure(&mut self, alive: &BitSet, more: u32) {
        let general: u32 =
            alive.iter().filter(|&value| value < self.units.len()).map(|v| self.units[v]).sum();
        let predicates = alive.iter().filter(|&value| self.is_predicate[value]).count() as u32;
        self.live = self.live.max(general + more);
        self.predicates = self.predicates.max(predicates);
    }

    fn connect(&mut self, value: usize, alive: &BitSet, except: Option<usize>) {
        if self.is_predicate[value] || self.edges > EDGES_MAX {
            return;
        }
        for other in alive.iter() {
            if other != value && Some(other) != except && !self.is_predicate[other] {
                self.neighbours[value].push(other as u32);
                self.neighbours[other].push(value as u32);
                self.edges += 1;
            }
        }
    }

    /// The representative of each value after coalescing, and the first unit of each representative.
    fn colour(&mut self) -> (Vec<u32>, Vec<u32>) {
        let root = self.coalesce();
        let mut order: Vec<usize> = (0..self.units.len())
            .filter(|&value| root[value] as usize == value && !self.is_predicate[value])
            .collect();
        order.sort_by_key(|&value| (std::cmp::Reverse(self.born[value]), value));
        let mut slot = vec![u32::MAX; self.units.len()];
        let mut taken: Vec<usize> = Vec::new();
        for (round, &value) in order.iter().enumerate() {
            for &other in &self.neighbours[value] {
                let other = root[other as usize] as usize;
                if slot[other] != u32::MAX {
                    let end = (slot[other] + self.units[other]) as usize;
                    taken.resize(taken.len().max(end), usize::MAX);
                    taken[slot[other] as usize..end].fill(round);
                }
            }
            let size = self.units[value] as usize;
            let free = |first: &usize| (*first..first + size).all(|unit| taken.get(unit) != Some(&round));
            // Pairs begin at an even register, quadruples at a multiple of four.
            slot[value] = (0..).step_by(size.max(1)).find(free).unwrap_or(0) as u32;
        }
        slot.iter_mut().filter(|slot| **slot == u32::MAX).for_each(|slot| *slot = 0);
        (root, slot)
    }

    /// Joins values that are copies of each other and do not live at once with different contents.
    fn coalesce(&mut self) -> Vec<u32> {
        let mut root: Vec<u32> = (0..self.units.len() as u32).collect();
        for &(to, from) in self.demand.copies.iter().flatten() {
            let (to, from) = (find(&mut root, to), find(&mut root, from));
            if to == from || self.is_predicate[to as usize] {
                continue;
            }
            let by_degree = |value: u32| self.neighbours[value as usize].len();
            let (keep, drop) = if by_degree(to) < by_degree(from) { (from, to) } else { (to, from) };
            let moved = std::mem::take(&mut self.neighbours[drop as usize]);
            let clash = moved.iter().any(|&other| find(&mut root, other) == keep);
            if clash {
                self.neighbours[drop as usize] = moved;
                continue;
            }
            root[drop as usize] = keep;
            self.born[keep as usize] = self.born[keep as usize].max(self.born[drop as usize]);
            self.neighbours[keep as usize].extend(moved);
        }
        (0..root.len() as u32).map(|value| find(&mut root, value)).collect()
    }
}

/// The representative of a value, with the path to it halved.
fn find(root: &mut [u32], mut value: u32) -> u32 {
    while root[value as usize] != value {
        root[value as usize] = root[root[value as usize] as usize];
        value = root[value as usize];
    }
    value
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::liveness::Effect;
    use crate::analysis::sample::{Code, at};
    use crate::ir::{Register, ScalarType};
    use proptest::prelude::*;

    /// A loop in a branch, with values of 32 and 64 bits in turn.
    fn function() -> Function {
        let code = [
            Code::Plain,
            Code::Plain,
            Code::BranchIf(1),
            Code::Label(0),
            Code::Plain,
            Code::Plain,
            Code::BranchIf(0),
            Code::Label(1),
            Code::Plain,
            Code::Plain,
            Code::Return,
        ];
        let ty = |number: usize| if number.is_multiple_of(2) { ScalarType::B32 } else { ScalarType::B64 };
        let register = |number| Register { name: format!("%{number}"), ty: ty(number) };
        Function { registers: (0..8).map(register).collect(), ..at(&code) }
    }

    fn demand(touches: &[(u32, u32, bool, u32)], copies: bool) -> Demand {
        let effect = |&(read, write, kills, _): &(u32, u32, bool, u32)| Effect {
            reads: vec![read],
            writes: vec![write],
            kills,
        };
        let copy = |&(read, write, kills, _): &(u32, u32, bool, u32)| {
            (copies && kills && read != write && read % 2 == write % 2).then_some((write, read))
        };
        let temporaries = |&(.., size): &(u32, u32, bool, u32)| if size == 0 { vec![] } else { vec![size] };
        Demand {
            effects: touches.iter().map(effect).collect(),
            temporaries: touches.iter().map(temporaries).collect(),
            copies: touches.iter().map(copy).collect(),
        }
    }

    fn touches() -> impl Strategy<Value = Vec<(u32, u32, bool, u32)>> {
        proptest::collection::vec((0u32..8, 0u32..8, any::<bool>(), 0u32..3), 9)
    }

    fn graph<'a>(function: &Function, cfg: &Cfg, demand: &'a Demand) -> Graph<'a> {
        let liveness = Liveness::solve(cfg, &demand.effects, function.registers.len());
        let mut graph = Graph::new(function, demand);
        let calls = vec![false; function.instructions.len()];
        (0..cfg.blocks.len()).for_each(|block| graph.add_block(cfg, &liveness, block, &calls));
        graph
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(200))]

        #[test]
        fn values_that_live_at_once_have_registers_of_their_own(touches in touches()) {
            let function = function();
            let (cfg, demand) = (Cfg::new(&function), demand(&touches, false));
            let liveness = Liveness::solve(&cfg, &demand.effects, function.registers.len());
            let (_, slot) = graph(&function, &cfg, &demand).colour();
            let size = |value: u32| units(function.registers[value as usize].ty);
            for block in 0..cfg.blocks.len() {
                let alive: Vec<u32> = liveness.values_in(block).collect();
                for (number, &one) in alive.iter().enumerate() {
                    prop_assert!(slot[one as usize].is_multiple_of(size(one)));
                    for &other in &alive[number + 1..] {
                        let (a, b) = (slot[one as usize], slot[other as usize]);
                        prop_assert!(a + size(one) <= b || b + size(other) <= a);
                    }
                }
            }
        }

        #[test]
        fn only_values_that_do_not_interfere_are_joined(touches in touches()) {
            let function = function();
            let (cfg, demand) = (Cfg::new(&function), demand(&touches, true));
            let mut graph = graph(&function, &cfg, &demand);
            let neighbours = graph.neighbours.clone();
            let root = graph.coalesce();
            for (value, neighbours) in neighbours.iter().enumerate() {
                prop_assert!(neighbours.iter().all(|&other| root[other as usize] != root[value]));
            }
        }
    }
}
