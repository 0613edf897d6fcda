//! Immediate dominators, and a quick answer to "does this block dominate that one".

use super::cfg::Cfg;
use super::dominator_tree::immediate_dominators;

/// The dominator tree of a function's blocks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dominators {
    /// For each block its immediate dominator; none for the entry and for unreachable blocks.
    pub immediate: Vec<Option<usize>>,
    /// Order of a walk over the tree in which children come after parents; unreachable blocks are not in it.
    pub preorder: Vec<usize>,
    /// When the walk enters and leaves each block; unreachable blocks have an empty span that nothing contains.
    spans: Vec<(usize, usize)>,
}

impl Dominators {
    /// The tree of a graph.
    pub fn new(cfg: &Cfg) -> Dominators {
        let length = cfg.blocks.len();
        if length == 0 {
            return Dominators { immediate: Vec::new(), preorder: Vec::new(), spans: Vec::new() };
        }
        let successors: Vec<Vec<usize>> = cfg.blocks.iter().map(|block| block.successors.clone()).collect();
        let immediate = immediate_dominators(0, &successors);
        let mut children: Vec<Vec<usize>> = vec![Vec::new(); length];
        for (block, parent) in immediate.iter().enumerate() {
            if let Some(parent) = *parent {
                children[parent].push(block);
            }
        }
        let mut spans = vec![(usize::MAX, 0); length];
        let mut preorder = Vec::with_capacity(length);
        let mut open = vec![(0, false)];
        while let Some((block, done)) = open.pop() {
            if done {
                spans[block].1 = preorder.len();
            } else {
                spans[block].0 = preorder.len();
                preorder.push(block);
                open.push((block, true));
                open.extend(children[block].iter().rev().map(|&child| (child, false)));
            }
        }
        Dominators { immediate, preorder, spans }
    }

    /// Whether every way from the entry to `block` leads through `dominator`; a block dominates itself. False
    /// if one of them is unreachable.
    pub fn dominates(&self, dominator: usize, block: usize) -> bool {
        let (enter, leave) = self.spans[dominator];
        (enter..leave).contains(&self.spans[block].0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::sample::{Code, at};

    #[test]
    fn the_fork_dominates_the_join_and_its_sides_do_not() {
        let code = [
            Code::BranchIf(0),
            Code::Branch(1),
            Code::Label(0),
            Code::Plain,
            Code::Label(1),
            Code::Return,
            Code::Plain,
            Code::Return,
        ];
        let dominators = Dominators::new(&Cfg::new(&at(&code)));
        assert_eq!(dominators.immediate, [None, Some(0), Some(0), Some(0), None]);
        assert!(dominators.dominates(0, 3) && dominators.dominates(3, 3));
        assert!(!dominators.dominates(1, 3) && !dominators.dominates(0, 4) && !dominators.dominates(4, 4));
    }
}
