//! Disjoint sets of vertices (union–find). The root of a set is its smallest member.

use heddle_graph::Vertex;

pub(crate) struct DisjointSets {
    parents: Vec<Vertex>,
}

impl DisjointSets {
    /// Every vertex alone.
    pub(crate) fn new(vertices: u32) -> DisjointSets {
        DisjointSets { parents: (0..vertices).collect() }
    }

    /// The smallest member of the set of `vertex`.
    pub(crate) fn root(&mut self, mut vertex: Vertex) -> Vertex {
        // Path halving: each visit makes the next one shorter, without a stack.
        while self.parents[vertex as usize] != vertex {
            let grandparent = self.parents[self.parents[vertex as usize] as usize];
            self.parents[vertex as usize] = grandparent;
            vertex = grandparent;
        }
        vertex
    }

    /// Joins the sets of `a` and `b`; false if they were one already.
    pub(crate) fn join(&mut self, a: Vertex, b: Vertex) -> bool {
        let (a, b) = (self.root(a), self.root(b));
        self.parents[a.max(b) as usize] = a.min(b);
        a != b
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_smallest_member_is_the_root() {
        let mut sets = DisjointSets::new(6);
        assert!(sets.join(5, 3));
        assert!(sets.join(3, 4));
        assert!(!sets.join(4, 5));
        assert_eq!([0, 1, 2, 3, 4, 5].map(|vertex| sets.root(vertex)), [0, 1, 2, 3, 3, 3]);
        assert!(sets.join(1, 4));
        assert_eq!(sets.root(5), 1);
    }
}
