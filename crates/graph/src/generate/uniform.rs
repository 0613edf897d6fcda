//! Uniform random graph with a fixed out-degree: `r4-2e20` of LonestarGPU is `uniform:scale=20,degree=4`.
//!
//! Every vertex has exactly `degree` arcs to targets drawn uniformly and independently, so self-loops and
//! parallel arcs occur as often as chance makes them.

use super::parts::rows::csr_by_row;
use super::parts::size::{self, Size};
use super::{Generator, Parameter, Parameters};
use crate::csr::Vertex;
use crate::graph::Graph;
use crate::progress::Progress;

pub(super) const GENERATOR: Generator = Generator {
    name: "uniform",
    summary: "random targets, the same out-degree for every vertex",
    parameters: &[
        size::scale("16"),
        size::VERTICES,
        Parameter::integer("degree", (0, 1 << 20), "6", "arcs of every vertex"),
        size::SEED,
    ],
    build: generate,
};

fn generate(parameters: &Parameters, _: &dyn Progress) -> Result<Graph, String> {
    let vertices = size::vertices(parameters);
    let degree = parameters.integer("degree");
    let arcs = u128::from(vertices) * u128::from(degree);
    Size::checked(vertices, arcs, "`scale`, `vertices` or `degree`")?;
    let csr = csr_by_row(parameters.integer("seed"), vertices, |random, _, targets| {
        targets.extend((0..degree).map(|_| random.below(vertices) as Vertex));
    });
    Ok(Graph::directed(csr))
}
