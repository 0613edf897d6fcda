//! Can the vertices be split into two sides such that every edge joins one side to the other?
//!
//! Yes with the two sides, or no with a cycle of odd length, which no two sides can accommodate. Directions
//! do not matter. A self-loop is an odd cycle of one vertex.

use heddle_graph::{Graph, Vertex};

/// The verdict, with its proof.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Bipartite {
    /// The side of every vertex.
    Sides(Vec<bool>),
    /// Vertices of a cycle of odd length in order; the last one is joined to the first.
    OddCycle(Vec<Vertex>),
}

/// Two sides, of which the smallest vertex of each component is on `false`, or an odd cycle.
pub fn sides(graph: &Graph) -> Bipartite {
    let mut trees = Trees::new(graph.num_vertices());
    for root in graph.out_edges().vertices() {
        if trees.places[root as usize].is_none()
            && let Some((a, b)) = trees.grow(graph, root)
        {
            return Bipartite::OddCycle(trees.cycle(a, b));
        }
    }
    let is_odd = |place: &Option<Place>| place.is_some_and(|place| place.depth % 2 == 1);
    Bipartite::Sides(trees.places.iter().map(is_odd).collect())
}

#[derive(Clone, Copy)]
struct Place {
    parent: Vertex,
    depth: u32,
}

/// Breadth-first trees, one per component.
struct Trees {
    places: Vec<Option<Place>>,
    queue: Vec<Vertex>,
}

impl Trees {
    fn new(vertices: u32) -> Trees {
        Trees { places: vec![None; vertices as usize], queue: Vec::new() }
    }

    /// Grows a tree from `root` over its component, or up to an edge whose ends are on the same side.
    fn grow(&mut self, graph: &Graph, root: Vertex) -> Option<(Vertex, Vertex)> {
        self.places[root as usize] = Some(Place { parent: root, depth: 0 });
        self.queue.clear();
        self.queue.push(root);
        let mut next = 0;
        while let Some(&vertex) = self.queue.get(next) {
            next += 1;
            let depth = self.place(vertex).depth;
            let incoming = if graph.is_directed() { graph.in_edges().neighbours(vertex) } else { &[] };
            for &other in graph.out_edges().neighbours(vertex).iter().chain(incoming) {
                match self.places[other as usize] {
                    None => {
                        self.places[other as usize] = Some(Place { parent: vertex, depth: depth + 1 });
                        self.queue.push(other);
                    }
                    Some(place) if (place.depth ^ depth) & 1 == 0 => return Some((vertex, other)),
                    Some(_) => {}
                }
            }
        }
        None
    }

    fn place(&self, vertex: Vertex) -> Place {
        self.places[vertex as usize].expect("only vertices in a tree are asked for")
    }

    /// The cycle that the edge between `a` and `b`, on one side of one tree, closes.
    fn cycle(&self, mut a: Vertex, mut b: Vertex) -> Vec<Vertex> {
        let (mut from_a, mut from_b) = (vec![a], Vec::new());
        while a != b {
            let (place_a, place_b) = (self.place(a), self.place(b));
            if place_a.depth == 0 && place_b.depth == 0 {
                // Two trees touch only if a graph calls itself undirected and lacks an opposite arc.
                break;
            }
            if place_a.depth >= place_b.depth {
                a = place_a.parent;
                from_a.push(a);
            }
            if place_b.depth >= place_a.depth {
                from_b.push(b);
                b = place_b.parent;
            }
        }
        from_a.extend(from_b.into_iter().rev());
        from_a
    }
}
