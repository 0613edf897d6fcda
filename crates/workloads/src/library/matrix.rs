//! The graphs that every workload must be right on: special shapes, and every generator.

use heddle_graph::read::ReadOptions;
use heddle_graph::source::load;
use heddle_graph::{ArcList, Graph, GraphError, Vertex, build};

/// One graph of the list.
#[derive(Clone, Copy, Debug)]
pub struct Case {
    /// Its name: that of the shape, or the recipe.
    pub name: &'static str,
    /// Whether it is small enough for a quick run.
    pub is_quick: bool,
    make: Make,
}

/// Makes the number of vertices, and the arcs.
type Shape = fn() -> (u64, Vec<(Vertex, Vertex)>);

#[derive(Clone, Copy, Debug)]
enum Make {
    Shape(Shape),
    Recipe,
}

impl Case {
    const fn shape(name: &'static str, is_quick: bool, make: Shape) -> Case {
        Case { name, is_quick, make: Make::Shape(make) }
    }

    const fn recipe(name: &'static str, is_quick: bool) -> Case {
        Case { name, is_quick, make: Make::Recipe }
    }

    /// The graph.
    pub fn graph(&self) -> Result<Graph, GraphError> {
        match self.make {
            Make::Recipe => Ok(load(self.name, &ReadOptions::default())?.graph),
            Make::Shape(shape) => {
                let (vertices, arcs) = shape();
                let arcs: ArcList = arcs.into_iter().collect();
                match build::from_arcs(&arcs, vertices) {
                    Ok(rows) => Ok(Graph::directed(rows)),
                    Err(error) => unreachable!("a shape names only its own vertices: {error}"),
                }
            }
        }
    }
}

/// Shapes that break careless code, and every generator.
pub const CASES: &[Case] = &[
    Case::shape("empty", true, || (0, vec![])),
    Case::shape("one vertex", true, || (1, vec![])),
    Case::shape("one vertex with a self-loop", true, || (1, vec![(0, 0)])),
    Case::shape("two vertices, one arc", true, || (2, vec![(0, 1)])),
    Case::shape("no arcs", true, || (70, vec![])),
    Case::shape("self-loops", true, || (40, (0..40).flat_map(|v| [(v, v), (v, (v * 7 + 1) % 40)]).collect())),
    Case::shape("parallel arcs", true, || {
        (33, (0..33u32).flat_map(|v| [(v, (v + 1) % 33); 3]).chain([(0, 16), (0, 16)]).collect())
    }),
    Case::shape("disconnected", true, || {
        // Cycles of three to nine vertices, and vertices alone between them.
        let mut arcs = Vec::new();
        let mut first = 0u32;
        for length in 3..10u32 {
            arcs.extend((0..length).map(|step| (first + step, first + (step + 1) % length)));
            first += length + 2;
        }
        (u64::from(first), arcs)
    }),
    Case::shape("complete", true, || (48, (0..48).flat_map(|a| (0..48).map(move |b| (a, b))).collect())),
    Case::shape("path of 2000", true, || (2000, (0..1999).map(|v| (v, v + 1)).collect())),
    Case::shape("star of 100000 leaves", false, || (100_001, (1..100_001).map(|leaf| (0, leaf)).collect())),
    Case::shape("star of 100000 leaves, inward", false, || {
        (100_001, (1..100_001).map(|leaf| (leaf, 0)).collect())
    }),
    Case::shape("binary tree", true, || (1023, (1..1023).map(|v| ((v - 1) / 2, v)).collect())),
    Case::recipe("uniform:scale=10,degree=6", true),
    Case::recipe("sprand:vertices=1000,degree=4", true),
    Case::recipe("rodinia:vertices=1000", true),
    Case::recipe("rmat:scale=10,degree=8", true),
    Case::recipe("er:vertices=1000,degree=5", true),
    Case::recipe("rgg:vertices=1000", true),
    Case::recipe("grid:width=40,height=25", true),
    Case::recipe("road:vertices=1000", true),
    Case::recipe("bipartite:users=600,items=400,edges=3000,max_degree=60,item_max_degree=60", true),
    Case::recipe("powerlaw:vertices=1000,arcs=8000,max_degree=100", true),
    Case::recipe("web:vertices=1000,arcs=8000,max_degree=100", true),
    Case::recipe("cliques:vertices=1000,arcs=8000,max_degree=60", true),
    Case::recipe("mesh:vertices=1000,arcs=5000,max_degree=12", true),
    Case::recipe("rmat:scale=15,degree=8", false),
    Case::recipe("uniform:scale=15,degree=6", false),
    Case::recipe("road:vertices=20000", false),
];
