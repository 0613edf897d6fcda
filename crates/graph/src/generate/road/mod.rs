//! Road-like planar graphs: one component, average degree 2 to 3, a diameter that one can set.
//!
//! A lattice of through roads carries the distances: its blocks are as many as the graph has independent
//! cycles, and its edges are chains of vertices of degree two, all equally long between two neighbouring
//! columns (or rows), so that the longest shortest path is the sum of those lengths. What vertices remain
//! are dead ends, short trees that hang off the roads of their cell; cycles for which the lattice has no
//! room are triangles that hang there too. Vertices are numbered cell by cell, strip by strip, so that
//! near ids are near places. Vertex 0 is in a corner and has the largest degree, hence a search from it
//! is as deep as the graph is wide.

mod cell;
mod plan;

use self::plan::Plan;
use super::parts::size::{self, Size};
use super::random::{Random, arcs_by_block};
use super::{Generator, Parameter, Parameters, Shrinks};
use crate::build;
use crate::csr::Csr;
use crate::graph::Graph;
use crate::metrics::bfs_levels;
use crate::progress::Progress;

pub(super) const GENERATOR: Generator = Generator {
    name: "road",
    summary: "road-like: planar, connected, average degree near 2, large diameter",
    parameters: &[
        size::scale("16"),
        size::VERTICES,
        Parameter::real("degree", (1.0, 3.0), "2.4", "average degree, both ways held"),
        Parameter::size(
            "edges",
            (0, 1 << 40),
            Shrinks::Linearly,
            "0",
            "how many edges, each held both ways; 0: by degree",
        ),
        Parameter::integer("max_degree", (6, 64), "8", "largest degree"),
        Parameter::size(
            "diameter",
            (0, 1 << 32),
            Shrinks::AsLength,
            "0",
            "hops from corner to corner; 0: whatever leaves a third for dead ends",
        ),
        size::SEED,
    ],
    build: generate,
};

/// The stream of the plan; those of the cells count from zero.
const PLAN_STREAM: u64 = u64::MAX;

fn generate(parameters: &Parameters, _: &dyn Progress) -> Result<Graph, String> {
    let vertices = size::vertices(parameters);
    let edges = match parameters.integer("edges") {
        // A tree has the fewest edges that keep a graph in one piece.
        0 => ((vertices as f64 * parameters.real("degree") / 2.0 + 0.5) as u64).max(vertices - 1),
        edges => edges,
    };
    Size::checked(vertices, 2 * u128::from(edges), "`vertices` or `edges`")?;
    let seed = parameters.integer("seed");
    let plan = Plan::new(
        vertices,
        edges,
        parameters.integer("max_degree"),
        parameters.integer("diameter"),
        &mut Random::new(seed, PLAN_STREAM),
    )?;
    let list = arcs_by_block(seed, plan.cells(), |random, block, segment| {
        block.for_each(|cell| cell::lay(&plan, cell, random, &mut segment.pairs));
    });
    let csr = build::from_undirected_arcs(&list, vertices).map_err(|error| error.to_string())?;
    check_diameter(&csr, parameters.integer("diameter"))?;
    Ok(Graph::undirected(csr))
}

/// Dead ends of a small lattice can be longer than the diameter asked for, which is better said than left.
fn check_diameter(csr: &Csr, asked: u64) -> Result<(), String> {
    if asked == 0 {
        return Ok(());
    }
    let far = bfs_levels(csr, 0).farthest;
    let found = u64::from(bfs_levels(csr, far).depth);
    if found.abs_diff(asked) * 4 <= asked.max(8) {
        return Ok(());
    }
    Err(format!("`diameter={asked}`: a road network of this size and degree has about {found}"))
}
