//! The random graph of Rodinia's and Parboil's breadth-first search: `graph1M` is
//! `rodinia:vertices=1000000`.
//!
//! Every vertex draws how many edges it adds (two to four) and a uniform partner for each; an edge goes
//! into the rows of both ends. The average degree is thus twice the mean drawn. As there, nothing is
//! removed: a vertex that draws itself holds that loop twice, and parallel edges stay. Weights, on request,
//! are uniform from 1 to 10 and the same both ways.

use super::parts::size::{self, Size};
use super::random::{Random, arcs_by_block, weighted_arcs_by_block};
use super::{Generator, Parameter, Parameters, Shrinks};
use crate::arcs::ArcSegment;
use crate::build;
use crate::csr::{Vertex, Weight};
use crate::graph::Graph;
use crate::progress::Progress;

pub(super) const GENERATOR: Generator = Generator {
    name: "rodinia",
    summary: "random partners, edges held both ways (Rodinia and Parboil bfs)",
    parameters: &[
        size::scale("16"),
        size::VERTICES,
        Parameter::integer("edges_min", (0, 1 << 16), "2", "fewest edges that a vertex adds"),
        Parameter::integer("edges_max", (0, 1 << 16), "4", "most edges that a vertex adds"),
        Parameter::size(
            "edges",
            (0, 1 << 40),
            Shrinks::Linearly,
            "0",
            "how many edges in all, each held both ways; 0: as drawn",
        ),
        Parameter::word("weights", &["no", "yes"], "no", "weights from 1 to 10"),
        size::SEED,
    ],
    build: generate,
};

/// The stream from which the numbers of edges come; the partners' streams count from zero.
const COUNT_STREAM: u64 = u64::MAX;
const WEIGHT_MAX: u64 = 10;

fn generate(parameters: &Parameters, _: &dyn Progress) -> Result<Graph, String> {
    let vertices = size::vertices(parameters);
    let (min, max) = (parameters.integer("edges_min"), parameters.integer("edges_max"));
    if min > max {
        return Err(format!("`edges_min={min}` is above `edges_max={max}`"));
    }
    Size::checked(vertices, 2 * u128::from(vertices) * u128::from(max), "`vertices` or `edges_max`")?;
    let seed = parameters.integer("seed");
    let counts = edges_added(&mut Random::new(seed, COUNT_STREAM), vertices, min..=max, parameters)?;
    let weighted = parameters.word("weights") == "yes";
    let fill = |random: &mut Random, block: std::ops::Range<u64>, segment: &mut ArcSegment| {
        for vertex in block {
            for _ in 0..counts[vertex as usize] {
                let partner = random.below(vertices) as Vertex;
                segment.pairs.extend([(vertex as Vertex, partner), (partner, vertex as Vertex)]);
                if weighted {
                    segment.weights.extend([1 + random.below(WEIGHT_MAX) as Weight; 2]);
                }
            }
        }
    };
    let list = if weighted {
        weighted_arcs_by_block(seed, vertices, fill)
    } else {
        arcs_by_block(seed, vertices, fill)
    };
    // Both directions stand in the list already, in the order in which the original appends them.
    build::from_arcs(&list, vertices).map(Graph::undirected).map_err(|error| error.to_string())
}

/// How many edges each vertex adds. Where `edges` fixes the sum, random vertices add one more or one less
/// until it is met.
fn edges_added(
    random: &mut Random,
    vertices: u64,
    range: std::ops::RangeInclusive<u64>,
    parameters: &Parameters,
) -> Result<Vec<u32>, String> {
    let (min, max) = (*range.start(), *range.end());
    let wanted = parameters.integer("edges");
    if wanted != 0 && !(vertices * min..=vertices * max).contains(&wanted) {
        return Err(format!(
            "`edges={wanted}`: {vertices} vertices that add {min} to {max} edges make {} to {}",
            vertices * min,
            vertices * max
        ));
    }
    let mut counts: Vec<u32> = (0..vertices).map(|_| (min + random.below(max - min + 1)) as u32).collect();
    let mut sum: u64 = counts.iter().map(|&count| u64::from(count)).sum();
    while wanted != 0 && sum != wanted {
        let count = &mut counts[random.below(vertices) as usize];
        if sum < wanted && u64::from(*count) < max {
            *count += 1;
            sum += 1;
        } else if sum > wanted && u64::from(*count) > min {
            *count -= 1;
            sum -= 1;
        }
    }
    Ok(counts)
}
