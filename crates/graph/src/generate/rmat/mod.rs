//! R-MAT: every arc finds its place in the adjacency matrix by falling, level by level, into one of four
//! quadrants with probabilities `a`, `b` (upper right: small source, large target), `c` and `d`, the rest.
//!
//! The Graph500 and GAP inputs are `rmat:scale=S,degree=16`, which are the defaults; GTgraph's, from which
//! LonestarGPU has its `rmat20`, use `a=0.45,b=0.15,c=0.15`. `permute` scatters the ids, which otherwise
//! say how large a degree to expect. `noise` moves each level's quadrants at random, which fills the gaps
//! that a plain R-MAT leaves between its degrees. `simple` drops self-loops and parallel arcs, so that
//! fewer arcs than asked for remain.
//!
//! Five levels are drawn at once: their 1024 outcomes are one alias table, and an arc of 20 levels costs
//! four look-ups and two 64-bit draws.

mod outcomes;
mod scatter;

use self::outcomes::{Levels, Quadrants};
use self::scatter::Scatter;
use super::parts::rows;
use super::parts::size::{self, Size};
use super::random::{Random, arcs_by_block};
use super::{Generator, Parameter, Parameters};
use crate::build;
use crate::csr::Vertex;
use crate::graph::Graph;
use crate::progress::Progress;

const PROBABILITY: (f64, f64) = (0.0, 1.0);
const NO_OR_YES: &[&str] = &["no", "yes"];

pub(super) const GENERATOR: Generator = Generator {
    name: "rmat",
    summary: "recursive quadrants, heavy-tailed degrees (Graph500, GAP, GTgraph)",
    parameters: &[
        size::scale("16"),
        size::VERTICES,
        Parameter::integer("degree", (0, 1 << 20), "16", "average arcs of a vertex"),
        size::ARCS,
        Parameter::real("a", PROBABILITY, "0.57", "chance of small source, small target"),
        Parameter::real("b", PROBABILITY, "0.19", "chance of small source, large target"),
        Parameter::real("c", PROBABILITY, "0.19", "chance of large source, small target"),
        Parameter::real("noise", PROBABILITY, "0", "how far each level's chances may move"),
        Parameter::word("permute", NO_OR_YES, "yes", "scatter the vertex ids"),
        Parameter::word("simple", NO_OR_YES, "no", "drop loops and parallel arcs"),
        size::SEED,
    ],
    build: generate,
};

/// Streams beside those of the arcs, which count from zero.
const NOISE_STREAM: u64 = u64::MAX;
const SCATTER_STREAM: u64 = u64::MAX - 1;

fn generate(parameters: &Parameters, _: &dyn Progress) -> Result<Graph, String> {
    let Size { vertices, arcs } = Size::directed(parameters)?;
    let seed = parameters.integer("seed");
    let quadrants = Quadrants::new(parameters.real("a"), parameters.real("b"), parameters.real("c"))?;
    let scale = vertices.next_power_of_two().trailing_zeros();
    let noise = quadrants.checked_noise(parameters.real("noise"))?;
    let levels = Levels::new(quadrants, noise, scale, &mut Random::new(seed, NOISE_STREAM));
    let scatter = (parameters.word("permute") == "yes")
        .then(|| Scatter::new(scale, vertices, &mut Random::new(seed, SCATTER_STREAM)));
    let list = arcs_by_block(seed, arcs, |random, block, segment| {
        let arc = || {
            let (source, target) = levels.draw_below(random, vertices);
            match &scatter {
                Some(scatter) => (scatter.id(source) as Vertex, scatter.id(target) as Vertex),
                None => (source as Vertex, target as Vertex),
            }
        };
        segment.pairs.reserve_exact((block.end - block.start) as usize);
        segment.pairs.extend(std::iter::repeat_with(arc).take((block.end - block.start) as usize));
    });
    let csr = build::from_arcs(&list, vertices).map_err(|error| error.to_string())?;
    drop(list);
    Ok(Graph::directed(if parameters.word("simple") == "yes" { rows::simple(&csr) } else { csr }))
}
