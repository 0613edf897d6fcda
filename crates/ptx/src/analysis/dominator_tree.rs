//! Immediate dominators of any rooted graph, by the algorithm of Lengauer and Tarjan (ACM TOPLAS 1, 1979) with
//! simple path compression: O(edges · log vertices), whatever the shape of the graph.

/// No vertex.
const NONE: u32 = u32::MAX;

/// For each vertex its immediate dominator; none for the root and for what the root does not reach.
pub(crate) fn immediate_dominators(root: usize, successors: &[Vec<usize>]) -> Vec<Option<usize>> {
    let search = Search::new(root, successors);
    let dominator = LengauerTarjan::new(&search).run(&search);
    let mut result = vec![None; successors.len()];
    for (number, &vertex) in search.vertex.iter().enumerate().skip(1) {
        result[vertex] = Some(search.vertex[dominator[number] as usize]);
    }
    result
}

/// A depth-first search. The algorithm works on its numbers: the root has 0.
struct Search {
    /// The vertex of each number.
    vertex: Vec<usize>,
    /// The number of each number's parent in the tree.
    parent: Vec<u32>,
    /// Numbers of each number's predecessors, all reached ones.
    predecessors: Vec<Vec<u32>>,
}

impl Search {
    fn new(root: usize, successors: &[Vec<usize>]) -> Search {
        let mut number = vec![NONE; successors.len()];
        let mut search = Search { vertex: Vec::new(), parent: Vec::new(), predecessors: Vec::new() };
        let mut open = vec![(root, 0u32)];
        while let Some((vertex, parent)) = open.pop() {
            if number[vertex] != NONE {
                search.predecessors[number[vertex] as usize].push(parent);
                continue;
            }
            let own = search.vertex.len() as u32;
            number[vertex] = own;
            search.vertex.push(vertex);
            search.parent.push(parent);
            search.predecessors.push(if own == 0 { Vec::new() } else { vec![parent] });
            open.extend(successors[vertex].iter().rev().map(|&successor| (successor, own)));
        }
        search
    }
}

struct LengauerTarjan {
    semidominator: Vec<u32>,
    /// The parent in the forest of linked vertices.
    ancestor: Vec<u32>,
    /// The vertex with the least semidominator on the compressed path.
    label: Vec<u32>,
}

impl LengauerTarjan {
    fn new(search: &Search) -> LengauerTarjan {
        let length = search.vertex.len() as u32;
        LengauerTarjan {
            semidominator: (0..length).collect(),
            ancestor: vec![NONE; length as usize],
            label: (0..length).collect(),
        }
    }

    fn run(mut self, search: &Search) -> Vec<u32> {
        let length = search.vertex.len();
        let mut dominator = vec![0u32; length];
        let mut buckets: Vec<Vec<u32>> = vec![Vec::new(); length];
        for vertex in (1..length).rev() {
            for &predecessor in &search.predecessors[vertex] {
                let least = self.evaluate(predecessor);
                let candidate = self.semidominator[least as usize];
                self.semidominator[vertex] = self.semidominator[vertex].min(candidate);
            }
            buckets[self.semidominator[vertex] as usize].push(vertex as u32);
            let parent = search.parent[vertex];
            self.ancestor[vertex] = parent;
            for waiting in std::mem::take(&mut buckets[parent as usize]) {
                let least = self.evaluate(waiting);
                let earlier = self.semidominator[least as usize] < self.semidominator[waiting as usize];
                dominator[waiting as usize] = if earlier { least } else { parent };
            }
        }
        for vertex in 1..length {
            if dominator[vertex] != self.semidominator[vertex] {
                dominator[vertex] = dominator[dominator[vertex] as usize];
            }
        }
        dominator
    }

    /// The vertex with the least semidominator on the path to the root of its tree, that root left out.
    fn evaluate(&mut self, vertex: u32) -> u32 {
        if self.ancestor[vertex as usize] == NONE {
            return vertex;
        }
        // From the root downwards every vertex takes over the best of the one above it.
        let mut path = vec![vertex];
        let mut above = self.ancestor[vertex as usize];
        while self.ancestor[above as usize] != NONE {
            path.push(above);
            above = self.ancestor[above as usize];
        }
        path.pop();
        while let Some(vertex) = path.pop() {
            let above = self.ancestor[vertex as usize] as usize;
            let (ours, theirs) = (self.label[vertex as usize], self.label[above]);
            if self.semidominator[theirs as usize] < self.semidominator[ours as usize] {
                self.label[vertex as usize] = theirs;
            }
            self.ancestor[vertex as usize] = self.ancestor[above];
        }
        self.label[vertex as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// By definition: d dominates v if v is not reached without d; the immediate one is dominated by all others.
    fn by_definition(root: usize, successors: &[Vec<usize>]) -> Vec<Option<usize>> {
        let length = successors.len();
        let reached_without = |without: usize| {
            let mut reached = vec![false; length];
            let mut open = if root == without { vec![] } else { vec![root] };
            while let Some(vertex) = open.pop() {
                if vertex != without && !std::mem::replace(&mut reached[vertex], true) {
                    open.extend(&successors[vertex]);
                }
            }
            reached
        };
        let reached = reached_without(length);
        let dominated: Vec<Vec<bool>> =
            (0..length).map(|d| reached_without(d).iter().map(|reached| !reached).collect()).collect();
        let immediate = |vertex: usize| {
            let strict = |d: &usize| *d != vertex && reached[*d] && dominated[*d][vertex];
            let all: Vec<usize> = (0..length).filter(strict).collect();
            all.iter().copied().find(|&d| all.iter().all(|&other| dominated[other][d]))
        };
        (0..length).map(|vertex| if reached[vertex] { immediate(vertex) } else { None }).collect()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(200))]

        #[test]
        fn random_graphs_have_the_dominators_of_the_definition(
            successors in proptest::collection::vec(proptest::collection::vec(0usize..12, 0..4), 12)
        ) {
            prop_assert_eq!(immediate_dominators(0, &successors), by_definition(0, &successors));
        }
    }

    #[test]
    fn a_long_ladder_takes_no_quadratic_time_and_no_deep_stack() {
        let length = 200_000;
        let next = |vertex: usize| [vertex + 1, vertex + 2].into_iter().filter(|&v| v < length).collect();
        let mut successors: Vec<Vec<usize>> = (0..length).map(next).collect();
        successors[length - 1].push(0);
        let dominators = immediate_dominators(0, &successors);
        assert_eq!(dominators[2], Some(0));
        assert_eq!(dominators[length - 1], Some(0));
    }
}
