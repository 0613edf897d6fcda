//! Configuration model of a truncated power-law degree sequence.
//!
//! Number of vertices, arcs and the largest degree are exact; the exponent follows from them (see
//! [`degrees`](super::parts::degrees)). Undirected graphs are simple: stubs are [joined](super::parts::pairing) at random
//! and the few loops and repetitions [exchanged](super::parts::repair) away. In directed graphs the law is that of
//! the out-degrees, and targets follow a power law of their own. Beyond degrees the model has `local`
//! arcs, `stages` for depth, and an arrangement of the degrees over the ids; it has no triangles to speak of.

use super::parts::arrangement::{BLOCK, arrange};
use super::parts::degrees::DegreeLaw;
use super::parts::distinct_rows::{self, Popularity};
use super::parts::keys::{self, SimpleSize};
use super::parts::pairing::{Stages, pair};
use super::parts::repair::repair;
use super::parts::size::SEED;
use super::random::Random;
use super::{Generator, Parameter, Parameters};
use crate::csr::Vertex;
use crate::graph::Graph;
use crate::progress::Progress;

pub(super) const GENERATOR: Generator = Generator {
    name: "powerlaw",
    summary: "configuration model: power-law degrees with exact arcs and largest degree",
    parameters: &[
        keys::vertices("65536"),
        keys::arcs("1048576"),
        keys::max_degree("4096"),
        Parameter::integer("min_degree", (0, 1 << 22), "1", "the smallest degree"),
        Parameter::real(
            "shift",
            (-0.999, 1e6),
            "0",
            "flattens the law at small degrees: 0 power law, large exponential",
        ),
        keys::direction("symmetric"),
        Parameter::real("skew", (1.0, 16.0), "2", "directed: how much popular targets attract; 1: all alike"),
        Parameter::real("local", (0.0, 1.0), "0", "fraction of arcs within an aligned block of 256 ids"),
        Parameter::word(
            "order",
            &["random", "sorted", "warps"],
            "random",
            "degrees over ids: shuffled; largest first, and popular targets too; or by `imbalance`",
        ),
        Parameter::real(
            "imbalance",
            (0.0, 1.0),
            "0",
            "order=warps: fraction of 256-blocks with uneven warps",
        ),
        keys::STAGES,
        SEED,
    ],
    build: generate,
};

/// Streams of random numbers apart from those of the rows.
const ARRANGING: u64 = 1 << 40;
const PAIRING: u64 = ARRANGING + 1;
const REPAIRING: u64 = ARRANGING + 2;
/// Vertices whose rows come from one stream.
const GROUP: u64 = 1 << 12;

fn generate(parameters: &Parameters, _: &dyn Progress) -> Result<Graph, String> {
    let symmetric = parameters.word("direction") == "symmetric";
    let size = SimpleSize::of(parameters, symmetric)?;
    let seed = parameters.integer("seed");
    let law = DegreeLaw {
        vertices: size.vertices,
        sum: size.arcs,
        min: parameters.integer("min_degree"),
        max: size.max_degree,
        shift: parameters.real("shift"),
    };
    let mut random = Random::new(seed, ARRANGING);
    let degrees =
        arrange(law.sequence()?, parameters.word("order"), parameters.real("imbalance"), &mut random);
    let stages = Stages::new(size.vertices, parameters.integer("stages"));
    let local = parameters.real("local");
    if !symmetric {
        // Sorted vertices are sorted by both: who links much is linked to much.
        let scattered = parameters.word("order") != "sorted";
        let popularity = Popularity { stages, skew: parameters.real("skew"), scattered };
        return Ok(directed(&degrees, local, popularity, seed));
    }
    let keys = pair(&degrees, local, stages, &mut Random::new(seed, PAIRING));
    repair(keys, stages, &mut Random::new(seed, REPAIRING))?.into_graph(size.vertices)
}

fn directed(degrees: &[u32], local: f64, popularity: Popularity, seed: u64) -> Graph {
    let vertices = degrees.len() as u64;
    let bounds: Vec<u64> = (0..vertices).step_by(GROUP as usize).chain([vertices]).collect();
    let csr = distinct_rows::by_group(degrees, &bounds, seed, |random, group, mut targets| {
        let mut scratch = Vec::new();
        for source in group {
            let (row, rest) = targets.split_at_mut(degrees[source as usize] as usize);
            let block = source / BLOCK as u64 * BLOCK as u64;
            let width = (BLOCK as u64).min(vertices - block);
            distinct_rows::fill_distinct(row, source as Vertex, vertices, random, &mut scratch, |random| {
                if random.unit() < local {
                    (block + random.below(width)) as Vertex
                } else {
                    popularity.draw(source as Vertex, random)
                }
            });
            targets = rest;
        }
    });
    Graph::directed(csr)
}
