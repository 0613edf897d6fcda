//! Uniform random graph with a fixed out-degree: `r4-2e20` of LonestarGPU is `uniform:scale=20,degree=4`.
//!
//! Every vertex has exactly `degree` arcs to targets drawn uniformly and independently, so self-loops and
//! parallel arcs occur as often as chance makes them.

use super::random::arcs_by_block;
use super::size::{self, Size};
use super::{Generator, Parameter, ParameterKind, Parameters};
use crate::build;
use crate::csr::Vertex;
use crate::graph::Graph;
use crate::progress::Progress;

pub(super) const GENERATOR: Generator = Generator {
    name: "uniform",
    summary: "random targets, the same out-degree for every vertex",
    parameters: &[
        size::scale("16"),
        size::VERTICES,
        Parameter {
            name: "degree",
            kind: ParameterKind::Integer { min: 0, max: 1 << 20 },
            default: "6",
            summary: "arcs of every vertex",
        },
        size::SEED,
    ],
    build: generate,
};

fn generate(parameters: &Parameters, _: &dyn Progress) -> Result<Graph, String> {
    let vertices = size::vertices(parameters);
    let degree = parameters.integer("degree");
    let arcs = u128::from(vertices) * u128::from(degree);
    Size::checked(vertices, arcs, "`scale`, `vertices` or `degree`")?;
    let arcs = arcs_by_block(parameters.integer("seed"), vertices, |random, block, segment| {
        for source in block {
            segment.pairs.extend((0..degree).map(|_| (source as Vertex, random.below(vertices) as Vertex)));
        }
    });
    build::from_arcs(&arcs, vertices).map(Graph::directed).map_err(|error| error.to_string())
}
