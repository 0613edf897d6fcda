//! A Hamiltonian cycle and random arcs: the `Random4-n` family of the 9th DIMACS challenge (its generator
//! is called SPRAND), from which LonestarGPU and Galois have their `r4-2e…` inputs.
//!
//! The cycle gives every vertex one arc out and one in, so the graph is strongly connected; source and
//! target of every other arc are uniform. Out-degrees are therefore one plus a binomial, which is what the
//! largest node of `r4-2e23` shows (16 at an average of 4; \[Zhang17\] table 6.1): a fixed
//! out-degree would give 4, and arcs with random sources alone about 18.

use super::parts::size::{self, Size};
use super::random::arcs_by_block;
use super::{Generator, Parameter, Parameters};
use crate::build;
use crate::csr::Vertex;
use crate::graph::Graph;
use crate::progress::Progress;

pub(super) const GENERATOR: Generator = Generator {
    name: "sprand",
    summary: "a cycle through all vertices and random arcs (DIMACS Random4-n)",
    parameters: &[
        size::scale("16"),
        size::VERTICES,
        Parameter::integer("degree", (1, 1 << 20), "4", "average arcs of a vertex"),
        size::ARCS,
        size::SEED,
    ],
    build: generate,
};

fn generate(parameters: &Parameters, _: &dyn Progress) -> Result<Graph, String> {
    let Size { vertices, arcs } = Size::directed(parameters)?;
    if arcs < vertices {
        return Err(format!("`arcs={arcs}`: the cycle alone has {vertices}, one for every vertex"));
    }
    let list = arcs_by_block(parameters.integer("seed"), arcs, |random, block, segment| {
        segment.pairs.extend(block.map(|arc| {
            if arc < vertices {
                (arc as Vertex, ((arc + 1) % vertices) as Vertex)
            } else {
                (random.below(vertices) as Vertex, random.below(vertices) as Vertex)
            }
        }));
    });
    build::from_arcs(&list, vertices).map(Graph::directed).map_err(|error| error.to_string())
}
