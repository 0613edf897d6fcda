//! Where lanes that diverge at a branch meet again.
//!
//! That is the branch's immediate post-dominator, with one deviation: paths that end the thread (or leave the
//! function) early are left out of account as long as others go on, because lanes that are gone are not waited
//! for. A loop with an early return inside still reconverges behind the loop. Of several ways out of a
//! function, the one that most blocks can reach counts as its end.

use crate::ir::{Function, Label, Operation};

/// For each instruction that is a branch, the instruction where its lanes meet again; none if they do not.
pub(super) fn reconvergence(function: &Function) -> Vec<Option<usize>> {
    let graph = Graph::new(function);
    let immediate = graph.post_dominators();
    let mut meets = vec![None; function.instructions.len()];
    for (block, &last) in graph.lasts.iter().enumerate() {
        let operation = &function.instructions[last].operation;
        if matches!(operation, Operation::Branch { .. } | Operation::BranchIndexed { .. }) {
            meets[last] = immediate[block].map(|block| graph.firsts[block]);
        }
    }
    meets
}

/// Basic blocks by number, in the order of the text.
struct Graph {
    firsts: Vec<usize>,
    lasts: Vec<usize>,
    successors: Vec<Vec<usize>>,
    predecessors: Vec<Vec<usize>>,
    /// Blocks that can end here, by `ret`, `exit`, `trap` or the end of the text.
    leaves: Vec<bool>,
}

impl Graph {
    fn new(function: &Function) -> Graph {
        let count = function.instructions.len();
        let ends = |operation: &Operation| {
            use Operation as O;
            matches!(operation, O::Branch { .. } | O::BranchIndexed { .. } | O::Return | O::Exit | O::Trap)
        };
        let mut starts = vec![false; count];
        for &label in &function.labels {
            starts.get_mut(label).map(|start| *start = true);
        }
        for (index, instruction) in function.instructions.iter().enumerate() {
            if ends(&instruction.operation) && index + 1 < count {
                starts[index + 1] = true;
            }
        }
        starts.first_mut().map(|start| *start = true);
        let firsts: Vec<usize> = (0..count).filter(|&index| starts[index]).collect();
        let lasts: Vec<usize> = firsts
            .iter()
            .skip(1)
            .chain(std::iter::once(&count))
            .take(firsts.len())
            .map(|next| next - 1)
            .collect();
        let mut graph = Graph {
            successors: vec![Vec::new(); firsts.len()],
            predecessors: vec![Vec::new(); firsts.len()],
            leaves: vec![false; firsts.len()],
            firsts,
            lasts,
        };
        for block in 0..graph.firsts.len() {
            graph.connect(function, block);
        }
        graph
    }

    fn connect(&mut self, function: &Function, block: usize) {
        let last = self.lasts[block];
        let instruction = &function.instructions[last];
        let mut targets: Vec<Option<usize>> = Vec::new();
        let place = |label: &Label| function.labels.get(label.0 as usize).copied();
        let falls = match &instruction.operation {
            Operation::Branch { target, .. } => {
                targets.push(place(target));
                instruction.guard.is_some()
            }
            Operation::BranchIndexed { targets: table, .. } => {
                targets.extend(table.iter().map(place));
                instruction.guard.is_some()
            }
            Operation::Return | Operation::Exit | Operation::Trap => {
                self.leaves[block] = true;
                instruction.guard.is_some()
            }
            _ => true,
        };
        if falls {
            targets.push(Some(last + 1));
        }
        for target in targets {
            let next = target.and_then(|target| self.firsts.binary_search(&target).ok());
            match next {
                Some(next) if !self.successors[block].contains(&next) => {
                    self.successors[block].push(next);
                    self.predecessors[next].push(block);
                }
                Some(_) => {}
                // The end of the text is an implied return.
                None => self.leaves[block] = true,
            }
        }
    }

    /// The immediate post-dominator of each block, towards the end that most blocks can reach (of equal ones,
    /// the last in the text). Cooper, Harvey, Kennedy: "A simple, fast dominance algorithm".
    fn post_dominators(&self) -> Vec<Option<usize>> {
        let exits = (0..self.firsts.len()).filter(|&block| self.leaves[block]);
        let orders = exits.map(|exit| self.backwards_from(exit));
        let Some(order) = orders.max_by_key(Vec::len) else { return vec![None; self.firsts.len()] };
        let mut rank = vec![usize::MAX; self.firsts.len()];
        for (position, &block) in order.iter().enumerate() {
            rank[block] = position;
        }
        let exit = order[0];
        let mut immediate: Vec<Option<usize>> = vec![None; self.firsts.len()];
        immediate[exit] = Some(exit);
        let mut changed = true;
        while changed {
            changed = false;
            for &block in &order[1..] {
                let mut meet = None;
                for &next in &self.successors[block] {
                    if immediate[next].is_some() {
                        meet = Some(meet.map_or(next, |other| intersect(&immediate, &rank, next, other)));
                    }
                }
                if meet.is_some() && immediate[block] != meet {
                    immediate[block] = meet;
                    changed = true;
                }
            }
        }
        immediate[exit] = None;
        immediate
    }

    /// The blocks from which a block can be reached, in reverse post-order of the reversed graph.
    fn backwards_from(&self, exit: usize) -> Vec<usize> {
        let mut seen = vec![false; self.firsts.len()];
        let mut order = Vec::new();
        let mut stack = vec![(exit, 0)];
        seen[exit] = true;
        while let Some((block, next)) = stack.last_mut() {
            match self.predecessors[*block].get(*next) {
                Some(&previous) => {
                    *next += 1;
                    if !seen[previous] {
                        seen[previous] = true;
                        stack.push((previous, 0));
                    }
                }
                None => {
                    order.push(*block);
                    stack.pop();
                }
            }
        }
        order.reverse();
        order
    }
}

fn intersect(immediate: &[Option<usize>], rank: &[usize], mut a: usize, mut b: usize) -> usize {
    while a != b {
        while rank[a] > rank[b] {
            a = immediate[a].unwrap_or(b);
        }
        while rank[b] > rank[a] {
            b = immediate[b].unwrap_or(a);
        }
    }
    a
}
