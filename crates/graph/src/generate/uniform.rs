//! Uniform random graph with a fixed out-degree: `r4-2e20` of LonestarGPU is `uniform:scale=20,degree=4`.
//!
//! Every vertex has exactly `degree` arcs to targets drawn uniformly and independently, so self-loops and
//! parallel arcs occur as often as chance makes them.

use super::random::arcs_by_block;
use super::{Generator, Parameter, ParameterKind, Parameters};
use crate::build;
use crate::csr::Vertex;
use crate::graph::Graph;
use crate::progress::Progress;

pub(super) const GENERATOR: Generator = Generator {
    name: "uniform",
    summary: "random targets, the same out-degree for every vertex",
    parameters: &[
        Parameter {
            name: "scale",
            kind: ParameterKind::Integer { min: 0, max: 31 },
            default: "16",
            summary: "2^scale vertices",
        },
        Parameter {
            name: "degree",
            kind: ParameterKind::Integer { min: 0, max: 1 << 20 },
            default: "6",
            summary: "arcs of every vertex",
        },
        Parameter {
            name: "seed",
            kind: ParameterKind::Integer { min: 0, max: u64::MAX },
            default: "1",
            summary: "which graph of the family",
        },
    ],
    build: generate,
};

fn generate(parameters: &Parameters, _: &dyn Progress) -> Result<Graph, String> {
    let vertices = 1u64 << parameters.integer("scale");
    let degree = parameters.integer("degree");
    let arcs = arcs_by_block(parameters.integer("seed"), vertices, |random, block, segment| {
        for source in block {
            segment.pairs.extend((0..degree).map(|_| (source as Vertex, random.below(vertices) as Vertex)));
        }
    });
    build::from_arcs(&arcs, vertices).map(Graph::directed).map_err(|error| error.to_string())
}
