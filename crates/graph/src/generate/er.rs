//! Erdős–Rényi graphs: G(n,m) by `edges` or `degree`, G(n,p) by `p`. No self-loops, no parallel edges.
//!
//! The possible edges stand in a row and the generator leaps from one that is there to the next: the gaps
//! are geometric, so only edges that exist cost time. Blocks of the row are leapt through in parallel; the
//! geometric law has no memory, so a block may start anywhere. For an exact number a few more are drawn
//! than wanted and a uniform choice of them is dropped, which leaves every set of `m` edges equally likely.

use super::parts::size::{self, Size};
use super::random::Random;
use super::{Generator, Parameter, Parameters, Shrinks};
use crate::arcs::{ArcList, ArcSegment};
use crate::build;
use crate::csr::Vertex;
use crate::graph::Graph;
use crate::progress::Progress;
use rayon::prelude::*;
use std::collections::BTreeSet;

pub(super) const GENERATOR: Generator = Generator {
    name: "er",
    summary: "Erdős–Rényi: every edge equally likely",
    parameters: &[
        size::scale("16"),
        size::VERTICES,
        Parameter::real("degree", (0.0, 1e6), "16", "average degree"),
        Parameter::size(
            "edges",
            (0, 1 << 40),
            Shrinks::Linearly,
            "",
            "how many edges; by p or degree if not given",
        ),
        Parameter::real("p", (0.0, 1.0), "", "chance of every edge; by degree if not given"),
        Parameter::word("directed", &["no", "yes"], "no", "whether an edge is one arc instead of two"),
        size::SEED,
    ],
    build: generate,
};

/// Edges that a block of the row has on average.
const BLOCK_EDGES: f64 = 65536.0;
/// The stream from which superfluous edges are chosen; those of the blocks count from zero.
const DROP_STREAM: u64 = u64::MAX;
/// A binomial exceeds its mean by this many standard deviations less than once in 10^15 draws.
const SLACK_DEVIATIONS: f64 = 8.0;

fn generate(parameters: &Parameters, _: &dyn Progress) -> Result<Graph, String> {
    let vertices = size::vertices(parameters);
    let row = Row { vertices, directed: parameters.word("directed") == "yes" };
    let arcs_per_edge = if row.directed { 1 } else { 2 };
    let seed = parameters.integer("seed");
    let segments = if let (Some(p), None) = (parameters.given_real("p"), parameters.given_integer("edges")) {
        let expected = (p * row.len() as f64) as u128;
        Size::checked(vertices, expected * arcs_per_edge, "`vertices` or `p`")?;
        row.edges_with_chance(seed, p)
    } else {
        let by_degree = (parameters.real("degree") * vertices as f64 / arcs_per_edge as f64 + 0.5) as u64;
        let edges = parameters.given_integer("edges").unwrap_or(by_degree);
        Size::checked(vertices, u128::from(edges) * arcs_per_edge, "`vertices`, `edges` or `degree`")?;
        if edges > row.len() {
            return Err(format!("{edges} edges; {vertices} vertices have room for {}", row.len()));
        }
        row.exact_edges(seed, edges)
    };
    let mut list = ArcList::unweighted();
    segments.into_iter().for_each(|segment| list.push(segment));
    let built = if row.directed {
        build::from_arcs(&list, vertices).map(Graph::directed)
    } else {
        build::from_undirected_arcs(&list, vertices).map(Graph::undirected)
    };
    built.map_err(|error| error.to_string())
}

/// All possible edges in a row: by source if directed, else by the larger end.
struct Row {
    vertices: u64,
    directed: bool,
}

impl Row {
    fn len(&self) -> u64 {
        let ordered = self.vertices * self.vertices.saturating_sub(1);
        if self.directed { ordered } else { ordered / 2 }
    }

    /// Every edge of the row with chance `p`.
    fn edges_with_chance(&self, seed: u64, p: f64) -> Vec<ArcSegment> {
        if p == 0.0 {
            return Vec::new();
        }
        let block_len = (BLOCK_EDGES / p).ceil() as u64;
        let blocks = self.len().div_ceil(block_len);
        (0..blocks)
            .into_par_iter()
            .map(|block| {
                let first = block * block_len;
                let end = first.saturating_add(block_len).min(self.len());
                self.leap(&mut Random::new(seed, block), p, first..end)
            })
            .collect()
    }

    fn leap(&self, random: &mut Random, p: f64, places: std::ops::Range<u64>) -> ArcSegment {
        let log_absent = libm::log1p(-p);
        // A chance of one has no gaps, and its logarithm is infinite.
        let mut gap = || (libm::log1p(-random.unit()) / log_absent) as u64;
        let mut cursor = Cursor::at(self, places.start);
        let mut segment = ArcSegment::default();
        let mut place = places.start.saturating_add(gap());
        while place < places.end {
            segment.pairs.push(cursor.edge(place));
            place = place.saturating_add(gap()).saturating_add(1);
        }
        segment
    }

    fn exact_edges(&self, seed: u64, edges: u64) -> Vec<ArcSegment> {
        if edges == 0 {
            return Vec::new();
        }
        let mean = edges as f64 + SLACK_DEVIATIONS * (edges as f64).sqrt() + SLACK_DEVIATIONS;
        let p = (mean / self.len() as f64).min(1.0);
        let mut segments = self.edges_with_chance(seed, p);
        let drawn: u64 = segments.iter().map(|segment| segment.pairs.len() as u64).sum();
        assert!(drawn >= edges, "{drawn} of {edges} edges: so short a draw has a chance below 10^-15");
        let mut random = Random::new(seed, DROP_STREAM);
        let mut dropped = BTreeSet::new();
        while (dropped.len() as u64) < drawn - edges {
            dropped.insert(random.below(drawn));
        }
        drop_places(&mut segments, &dropped);
        segments
    }
}

/// Drops the edges at these places, counted through all segments.
fn drop_places(segments: &mut [ArcSegment], dropped: &BTreeSet<u64>) {
    let mut first = 0;
    for segment in segments {
        let end = first + segment.pairs.len() as u64;
        let mut kept_until = first;
        let mut kept = Vec::with_capacity(segment.pairs.len());
        for &place in dropped.range(first..end).chain([&end]) {
            kept.extend_from_slice(&segment.pairs[(kept_until - first) as usize..(place - first) as usize]);
            kept_until = place + 1;
        }
        segment.pairs = kept;
        first = end;
    }
}

/// Turns rising places of the row into edges.
struct Cursor {
    directed: bool,
    vertices: u64,
    /// The source, or the larger end, of the last edge.
    line: u64,
}

impl Cursor {
    fn at(row: &Row, place: u64) -> Cursor {
        // Line `l` of the triangle starts at l(l-1)/2. The root may be off by a little at this size, so it
        // starts low and `edge` moves on.
        let line = if row.directed {
            place / (row.vertices - 1)
        } else {
            (((2.0 * place as f64).sqrt()) as u64).saturating_sub(2).max(1)
        };
        Cursor { directed: row.directed, vertices: row.vertices, line }
    }

    fn edge(&mut self, place: u64) -> (Vertex, Vertex) {
        if self.directed {
            let (line, column) = (place / (self.vertices - 1), place % (self.vertices - 1));
            // The diagonal is left out.
            return (line as Vertex, (column + u64::from(column >= line)) as Vertex);
        }
        while place >= self.line * (self.line + 1) / 2 {
            self.line += 1;
        }
        ((place - self.line * (self.line - 1) / 2) as Vertex, self.line as Vertex)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_and_edges_are_the_same_thing() {
        for directed in [false, true] {
            let row = Row { vertices: 7, directed };
            let mut edges: Vec<_> = (0..row.len()).map(|place| Cursor::at(&row, place).edge(place)).collect();
            assert!(edges.iter().all(|&(x, y)| x != y && x < 7 && y < 7 && (directed || x < y)));
            edges.sort_unstable();
            edges.dedup();
            assert_eq!(edges.len() as u64, row.len());
        }
    }

    #[test]
    fn a_full_graph_has_every_edge() {
        let row = Row { vertices: 50, directed: false };
        let count = |segments: Vec<ArcSegment>| segments.iter().map(|s| s.pairs.len()).sum::<usize>();
        assert_eq!(count(row.edges_with_chance(1, 1.0)), 1225);
        assert_eq!(count(row.exact_edges(1, 1225)), 1225);
        assert_eq!(count(row.exact_edges(1, 1000)), 1000);
        assert_eq!(count(row.exact_edges(1, 1)), 1);
    }
}
