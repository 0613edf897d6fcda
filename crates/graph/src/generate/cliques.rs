//! Union of cliques, as co-authorship makes them: everybody who wrote a paper together is joined.
//!
//! Authors stand in communities of neighbouring ids of which the first members are the most productive.
//! Papers come from one community each, now and then with a guest from another one nearby. First every
//! author gets a paper; then papers are added until the edges are all there. The last half per cent of the
//! edges are single ones within communities, so that their number and the largest degree are exact.

use super::parts::edge_set::{self, EdgeSet, key};
use super::parts::groups::{Groups, member};
use super::parts::keys::{self, SimpleSize};
use super::parts::pairing::Stages;
use super::parts::size::SEED;
use super::random::Random;
use super::{Generator, Parameter, Parameters};
use crate::csr::Vertex;
use crate::graph::Graph;
use crate::progress::Progress;
use rayon::prelude::*;
use std::ops::Range;

pub(super) const GENERATOR: Generator = Generator {
    name: "cliques",
    summary: "union of cliques (co-authorship) in communities; exact arcs and largest degree",
    parameters: &[
        keys::vertices("65536"),
        keys::arcs("524288"),
        keys::max_degree("512"),
        Parameter::integer("size_min", (2, 4096), "2", "the smallest clique"),
        Parameter::integer("size_max", (2, 4096), "32", "the largest clique"),
        Parameter::real("size_exponent", (0.0, 8.0), "2.5", "power law of the clique sizes"),
        Parameter::integer("community", (2, 1 << 30), "128", "average vertices of a community"),
        Parameter::real(
            "productivity",
            (1.0, 16.0),
            "2",
            "how much the first of a community write; 1: all alike",
        ),
        Parameter::real("cross", (0.0, 1.0), "0.2", "fraction of cliques with a guest of another community"),
        Parameter::real("isolated", (0.0, 1.0), "0", "fraction of ids that nobody has"),
        keys::STAGES,
        SEED,
    ],
    build: generate,
};

const COMMUNITIES: u64 = 1 << 40;
const COVERING: u64 = COMMUNITIES + 1;
const SETTLING: u64 = COMMUNITIES + 2;
/// Cliques that draw from one stream.
const BATCH: u64 = 1 << 10;
/// Rounds of papers; each goes nine tenths of the way to the edges wanted.
const ROUNDS: u64 = 12;
const PER_ROUND: f64 = 0.9;

struct Field {
    vertices: u64,
    /// Vertices that have edges.
    authors: u64,
    communities: Groups,
    stages: Stages,
    productivity: f64,
    cross: f64,
    sizes: SizeLaw,
}

fn generate(parameters: &Parameters, _: &dyn Progress) -> Result<Graph, String> {
    let SimpleSize { vertices, arcs, max_degree } = SimpleSize::of(parameters, true)?;
    let seed = parameters.integer("seed");
    let authors = vertices - ((vertices as f64 * parameters.real("isolated")) as u64).min(vertices - 1);
    if max_degree >= authors {
        return Err(format!("`max_degree={max_degree}`, but only {authors} vertices are not isolated"));
    }
    let community = parameters.integer("community");
    let field = Field {
        vertices,
        authors,
        communities: Groups::new(authors, community, &mut Random::new(seed, COMMUNITIES)),
        stages: Stages::new(authors, parameters.integer("stages")),
        productivity: parameters.real("productivity"),
        cross: parameters.real("cross"),
        sizes: SizeLaw::new(parameters)?,
    };
    let edges = arcs / 2;
    let mut set = EdgeSet::from_keys(field.covering(edges, &mut Random::new(seed, COVERING)));
    field.publish(&mut set, edges, seed);
    let random = &mut Random::new(seed, SETTLING);
    let reach = 4 * max_degree;
    let within = |random: &mut Random| {
        let author = random.below(authors);
        let colleague = member(&field.communities.of(author), field.productivity, random);
        (field.id(author), field.id(colleague))
    };
    edge_set::settle(&mut set, (vertices, edges, max_degree), random, within, |random, hub| {
        // The inverse of `id`, which rounds down.
        let hub = (u64::from(hub) * authors).div_ceil(vertices);
        field.id((hub + random.below(2 * reach + 1)).saturating_sub(reach).min(authors - 1))
    })?;
    set.into_graph(vertices)
}

impl Field {
    /// The id of an author: isolated ids are spread evenly between them.
    fn id(&self, author: u64) -> Vertex {
        (u128::from(author) * u128::from(self.vertices) / u128::from(self.authors)) as Vertex
    }

    /// A paper for everybody: cliques of neighbours, each with a productive member of their community,
    /// and the first of each community with a guest, so that nearly all are connected.
    fn covering(&self, edges: u64, random: &mut Random) -> Vec<u64> {
        let mut keys = Vec::new();
        let mut paper = Vec::new();
        // Cliques of this size use up at most half of the edges.
        let largest = (edges / self.authors.max(1)).clamp(2, self.sizes.max);
        for (index, &start) in self.communities.starts().iter().enumerate() {
            let end = self.communities.starts().get(index + 1).copied().unwrap_or(self.authors);
            let mut next = start;
            while next < end {
                let size = self.sizes.draw(random).min(largest).min(end - next);
                paper.clear();
                paper.extend(next..next + size);
                paper.push(member(&(start..end), self.productivity, random));
                if next == start || random.unit() < self.cross {
                    paper.push(self.guest(start, random));
                }
                self.join(&mut paper, &mut keys);
                next += size;
            }
        }
        keys
    }

    /// Adds papers until few edges are missing, or the communities are saturated.
    fn publish(&self, set: &mut EdgeSet, edges: u64, seed: u64) {
        let mut new_edges = self.sizes.mean_edges();
        for round in 1..=ROUNDS {
            let missing = edges.saturating_sub(set.len());
            if missing <= edges / 200 {
                break;
            }
            let papers = (missing as f64 * PER_ROUND / new_edges) as u64 + 1;
            let batches: Vec<Vec<u64>> = (0..papers.div_ceil(BATCH))
                .into_par_iter()
                .map(|batch| {
                    let count = BATCH.min(papers - batch * BATCH);
                    self.batch(count, &mut Random::new(seed, round << 32 | batch))
                })
                .collect();
            let before = set.len();
            let mut keys = Vec::with_capacity(batches.iter().map(Vec::len).sum());
            // Batch by batch, so that each is freed as soon as it is taken over.
            batches.into_iter().for_each(|batch| keys.extend(batch));
            set.extend(keys);
            // A saturated field yields ever less; the bound keeps a round from growing without end.
            new_edges = ((set.len() - before) as f64 / papers as f64).max(new_edges / 8.0);
        }
    }

    fn batch(&self, papers: u64, random: &mut Random) -> Vec<u64> {
        let mut keys = Vec::new();
        let mut paper = Vec::new();
        for _ in 0..papers {
            let size = self.sizes.draw(random);
            let lead = random.below(self.authors);
            let circle = self.circle(lead, size);
            paper.clear();
            paper.push(lead);
            if random.unit() < self.cross {
                paper.push(self.guest(lead, random));
            }
            while (paper.len() as u64) < size {
                paper.push(member(&circle, self.productivity, random));
            }
            self.join(&mut paper, &mut keys);
        }
        keys
    }

    /// Where the co-authors of `lead` come from: the community, or more if the paper is larger than it.
    fn circle(&self, lead: u64, size: u64) -> Range<u64> {
        let community = self.communities.of(lead);
        let stage = self.stages.range(self.stages.of(lead as Vertex));
        let start = community.start.min(lead.saturating_sub(size).max(stage.start));
        start..community.end.max((lead + size).min(stage.end))
    }

    fn guest(&self, author: u64, random: &mut Random) -> u64 {
        let stage = self.stages.range(self.stages.near(author as Vertex, random));
        let host = self.communities.of(member(&stage, 1.0, random));
        member(&host, self.productivity, random)
    }

    fn join(&self, paper: &mut Vec<u64>, keys: &mut Vec<u64>) {
        paper.sort_unstable();
        paper.dedup();
        for (index, &first) in paper.iter().enumerate() {
            keys.extend(paper[index + 1..].iter().map(|&second| key(self.id(first), self.id(second))));
        }
    }
}

/// Clique sizes by a truncated power law.
struct SizeLaw {
    min: u64,
    max: u64,
    cumulative: Vec<f64>,
}

impl SizeLaw {
    fn new(parameters: &Parameters) -> Result<SizeLaw, String> {
        let (min, max) = (parameters.integer("size_min"), parameters.integer("size_max"));
        if min > max {
            return Err(format!("`size_min={min}` is above `size_max={max}`"));
        }
        let exponent = parameters.real("size_exponent");
        let mut sum = 0.0;
        let cumulative = (min..=max)
            .map(|size| {
                sum += libm::pow(size as f64, -exponent);
                sum
            })
            .collect();
        Ok(SizeLaw { min, max, cumulative })
    }

    fn draw(&self, random: &mut Random) -> u64 {
        let total = self.cumulative[self.cumulative.len() - 1];
        let place = random.unit() * total;
        (self.min + self.cumulative.partition_point(|&sum| sum <= place) as u64).min(self.max)
    }

    /// The edges of a clique, on average.
    fn mean_edges(&self) -> f64 {
        let total = self.cumulative[self.cumulative.len() - 1];
        let mut below = 0.0;
        let mut mean = 0.0;
        for (size, &sum) in (self.min..).zip(&self.cumulative) {
            mean += (sum - below) / total * (size * (size - 1) / 2) as f64;
            below = sum;
        }
        mean
    }
}
