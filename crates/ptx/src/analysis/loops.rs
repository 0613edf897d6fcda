//! Natural loops and their nesting.
//!
//! A back edge leads to a block that dominates its source; the loop of a header is everything that reaches one
//! of its back edges without passing the header. A retreating edge whose target does *not* dominate its source
//! enters an irreducible region, which has several headers and is no natural loop: its targets are listed.

use super::cfg::Cfg;
use super::dominators::Dominators;

/// A natural loop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loop {
    /// The block that is entered first in each iteration.
    pub header: usize,
    /// The blocks that lead back to the header, ascending.
    pub latches: Vec<usize>,
    /// The loop around it, by number.
    pub parent: Option<usize>,
    /// 1 for an outermost loop.
    pub depth: usize,
}

/// The loops of a function.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Loops {
    /// The loops, by header in the order of the text.
    pub loops: Vec<Loop>,
    /// For each block the innermost loop that it is in.
    pub innermost: Vec<Option<usize>>,
    /// The blocks where irreducible regions are entered from inside, ascending.
    pub irreducible: Vec<usize>,
}

impl Loops {
    /// The loops of a graph.
    pub fn new(cfg: &Cfg, dominators: &Dominators) -> Loops {
        let mut latches: Vec<Vec<usize>> = vec![Vec::new(); cfg.blocks.len()];
        let mut irreducible = Vec::new();
        for (source, target) in retreating_edges(cfg) {
            match dominators.dominates(target, source) {
                true => latches[target].push(source),
                false => irreducible.push(target),
            }
        }
        irreducible.sort_unstable();
        irreducible.dedup();
        let mut found = Loops { loops: Vec::new(), innermost: vec![None; cfg.blocks.len()], irreducible };
        let mut number_of = vec![None; cfg.blocks.len()];
        for (header, latches) in latches.into_iter().enumerate().filter(|(_, latches)| !latches.is_empty()) {
            number_of[header] = Some(found.loops.len());
            found.loops.push(Loop { header, latches, parent: None, depth: 1 });
        }
        // Inner headers come later in the walk than outer ones, so that inner loops are complete first.
        for number in dominators.preorder.iter().rev().filter_map(|&header| number_of[header]) {
            found.gather(cfg, dominators, number);
        }
        for number in dominators.preorder.iter().filter_map(|&header| number_of[header]) {
            found.loops[number].depth = found.loops[number].parent.map_or(1, |p| found.loops[p].depth + 1);
        }
        found
    }

    /// Whether a block is in a loop, or in one that is nested in it.
    pub fn contains(&self, outer: usize, block: usize) -> bool {
        let mut inner = self.innermost[block];
        while let Some(number) = inner {
            if self.loops[number].depth <= self.loops[outer].depth {
                return number == outer;
            }
            inner = self.loops[number].parent;
        }
        false
    }

    /// The blocks of a loop, those of inner loops too, ascending.
    pub fn blocks(&self, number: usize) -> Vec<usize> {
        // Each loop is settled once, however deep the nesting.
        let mut within = vec![None; self.loops.len()];
        within[number] = Some(true);
        let mut path = Vec::new();
        let mut is_within = |block: &usize| {
            let mut inner = self.innermost[*block];
            let verdict = loop {
                let Some(at) = inner else { break false };
                if let Some(known) = within[at] {
                    break known;
                }
                path.push(at);
                inner = self.loops[at].parent;
            };
            path.drain(..).for_each(|at| within[at] = Some(verdict));
            verdict
        };
        (0..self.innermost.len()).filter(|block| is_within(block)).collect()
    }

    fn gather(&mut self, cfg: &Cfg, dominators: &Dominators, number: usize) {
        let header = self.loops[number].header;
        let mut open = self.loops[number].latches.clone();
        open.push(header);
        while let Some(block) = open.pop() {
            let Some(outermost) = self.outermost(block) else {
                self.innermost[block] = Some(number);
                if block != header {
                    open.extend(reached(&cfg.blocks[block].predecessors, dominators));
                }
                continue;
            };
            if outermost != number {
                self.loops[outermost].parent = Some(number);
                let inner_header = self.loops[outermost].header;
                open.extend(reached(&cfg.blocks[inner_header].predecessors, dominators));
            }
        }
    }

    /// The outermost loop found so far around a block.
    fn outermost(&self, block: usize) -> Option<usize> {
        let mut number = self.innermost[block]?;
        while let Some(parent) = self.loops[number].parent {
            number = parent;
        }
        Some(number)
    }
}

fn reached<'a>(blocks: &'a [usize], dominators: &'a Dominators) -> impl Iterator<Item = usize> + 'a {
    blocks.iter().copied().filter(|&block| dominators.dominates(0, block))
}

/// The edges of reachable blocks that lead to a block on the current path of a depth-first search.
fn retreating_edges(cfg: &Cfg) -> Vec<(usize, usize)> {
    #[derive(Clone, Copy, PartialEq)]
    enum State {
        New,
        Open,
        Done,
    }
    let mut state = vec![State::New; cfg.blocks.len()];
    let mut edges = Vec::new();
    let mut path: Vec<(usize, usize)> = Vec::new();
    if !cfg.blocks.is_empty() {
        state[0] = State::Open;
        path.push((0, 0));
    }
    while let Some((block, next)) = path.last_mut() {
        let Some(&successor) = cfg.blocks[*block].successors.get(*next) else {
            state[*block] = State::Done;
            path.pop();
            continue;
        };
        *next += 1;
        match state[successor] {
            State::New => {
                state[successor] = State::Open;
                path.push((successor, 0));
            }
            State::Open => edges.push((*block, successor)),
            State::Done => {}
        }
    }
    edges.sort_unstable();
    edges
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::sample::{Code, at};

    fn loops(code: &[Code]) -> Loops {
        let cfg = Cfg::new(&at(code));
        Loops::new(&cfg, &Dominators::new(&cfg))
    }

    #[test]
    fn a_loop_in_a_loop_is_nested() {
        let found = loops(&[
            Code::Plain,
            Code::Label(0),
            Code::Plain,
            Code::Label(1),
            Code::Plain,
            Code::BranchIf(1),
            Code::Plain,
            Code::BranchIf(0),
            Code::Return,
        ]);
        let expected = [
            Loop { header: 1, latches: vec![3], parent: None, depth: 1 },
            Loop { header: 2, latches: vec![2], parent: Some(0), depth: 2 },
        ];
        assert_eq!(found.loops, expected);
        assert_eq!(found.innermost, [None, Some(0), Some(1), Some(0), None]);
        assert_eq!(found.blocks(0), [1, 2, 3]);
        assert!(found.irreducible.is_empty());
    }

    #[test]
    fn two_ways_back_to_one_header_are_one_loop() {
        let found = loops(&[Code::Label(0), Code::BranchIf(0), Code::BranchIf(0), Code::Return]);
        assert_eq!(found.loops, [Loop { header: 0, latches: vec![0, 1], parent: None, depth: 1 }]);
    }

    #[test]
    fn a_region_with_two_entries_is_irreducible_and_no_loop() {
        let found = loops(&[
            Code::BranchIf(1),
            Code::Label(0),
            Code::Plain,
            Code::Label(1),
            Code::Plain,
            Code::BranchIf(0),
            Code::Return,
        ]);
        assert_eq!(found.loops, []);
        assert_eq!(found.irreducible.len(), 1);
    }

    #[test]
    fn unreachable_code_leads_into_no_loop() {
        let found =
            loops(&[Code::Branch(0), Code::Branch(0), Code::Label(0), Code::BranchIf(0), Code::Return]);
        assert_eq!(found.innermost, [None, None, Some(0), None]);
    }
}
