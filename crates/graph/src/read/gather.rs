//! Arcs from parsed pieces, gathered under the memory limit, and the graph made from them.

use super::WeightPolicy;
use super::arc_lines::ArcPiece;
use super::context::{Content, Context};
use super::scan::Trouble;
use super::text::Lines;
use super::weights::WeightRecord;
use crate::arcs::{ArcList, ArcSegment};
use crate::build;
use crate::csr::{VERTICES_MAX, Vertex};
use crate::error::GraphError;
use crate::graph::{Graph, Kind};
use crate::source::WeightsSeen;
use rayon::prelude::*;

/// Arcs in the order of the text.
#[derive(Default)]
pub(super) struct Gathered {
    pub(super) segments: Vec<ArcSegment>,
    pub(super) count: u64,
    pub(super) weights: WeightRecord,
}

impl Gathered {
    /// Takes the next piece. Weights are given up as soon as one of them cannot be held.
    pub(super) fn take(
        &mut self,
        mut piece: ArcPiece,
        lines: &Lines<'_>,
        context: &Context<'_>,
    ) -> Result<(), Trouble> {
        if let Some((at, word)) = piece.unfit
            && self.weights.unfit.is_none()
        {
            self.weights.unfit = Some((lines.at(at), word));
            self.segments.iter_mut().for_each(|segment| segment.weights = Vec::new());
        }
        if self.weights.unfit.is_some() {
            piece.segment.weights = Vec::new();
        }
        self.weights.converted |= piece.converted;
        self.count += piece.segment.pairs.len() as u64;
        // Comments and blank lines make the parser reserve too much; a whole piece of them, very much.
        if piece.segment.pairs.len() < piece.segment.pairs.capacity() / 8 * 7 {
            piece.segment.pairs.shrink_to_fit();
            piece.segment.weights.shrink_to_fit();
        }
        // As they are stored, and as they will be held: what cannot become a graph need not be read on.
        let arc_bytes = if piece.segment.weights.is_empty() { 8 + 4 } else { 12 + 8 };
        self.segments.push(piece.segment);
        let granted = context.grant(self.count.saturating_mul(arc_bytes), "the arcs");
        granted.map_err(|error| Trouble { at: 0, problem: error.problem, help: error.help })
    }

    /// The largest id of any arc.
    pub(super) fn id_max(&self) -> Option<u64> {
        self.segments.iter().filter_map(ArcSegment::vertex_max).max().map(u64::from)
    }

    /// Whether every arc's opposite is there equally often.
    pub(super) fn is_symmetric(&self) -> bool {
        let sums = |segment: &ArcSegment| asymmetry(segment.pairs.iter().copied());
        self.segments.par_iter().map(sums).reduce(|| [0; 2], sum) == [0; 2]
    }

    /// The arcs, with weights where `weighted` says that the file has them and all could be held.
    pub(super) fn into_arcs(
        self,
        weighted: bool,
        policy: WeightPolicy,
        notes: &mut Vec<String>,
    ) -> (ArcList, WeightsSeen) {
        let (seen, note) = if weighted { self.weights.outcome(policy) } else { (WeightsSeen::None, None) };
        notes.extend(note);
        let held = matches!(seen, WeightsSeen::Held | WeightsSeen::Converted);
        let mut arcs = if held { ArcList::weighted() } else { ArcList::unweighted() };
        self.segments.into_iter().for_each(|segment| arcs.push(segment));
        (arcs, seen)
    }
}

/// How the arcs that are stored make the graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Direction {
    /// Each stands for itself.
    Directed,
    /// Both directions of every edge are there already.
    BothStored,
    /// Each stands for itself and its opposite.
    Mirror,
}

/// Builds the graph.
pub(super) fn build_graph(
    arcs: ArcList,
    vertices: u64,
    direction: Direction,
    context: &Context<'_>,
) -> Result<Graph, GraphError> {
    grant_graph(arcs.len(), vertices, direction, arcs.is_weighted(), context)?;
    context.progress.begin("building", arcs.len());
    let built = match direction {
        Direction::Mirror => build::from_undirected_arcs(&arcs, vertices),
        _ => build::from_arcs(&arcs, vertices),
    };
    context.progress.advance(arcs.len());
    let kind = if direction == Direction::Directed { Kind::Directed } else { Kind::Undirected };
    built.map(|csr| Graph::new(kind, csr)).map_err(|error| context.error(error.to_string()))
}

/// Refuses a graph that would not fit the memory limit, from the counts alone.
pub(super) fn grant_graph(
    arcs: u64,
    vertices: u64,
    direction: Direction,
    weighted: bool,
    context: &Context<'_>,
) -> Result<(), GraphError> {
    if vertices > VERTICES_MAX {
        let problem = format!("{vertices} vertices; at most {VERTICES_MAX} fit 32-bit ids");
        return Err(context.error(problem));
    }
    let (stored, held) = if weighted { (12u64, 8u64) } else { (8, 4) };
    let per_arc = if direction == Direction::Mirror { stored + 2 * held } else { stored + held };
    let rows = vertices.saturating_add(1).saturating_mul(8);
    let bytes = arcs.saturating_mul(per_arc).saturating_add(rows);
    context.grant(bytes, &format!("{vertices} vertices and {arcs} arcs"))
}

/// What a reader gives back.
pub(super) fn content(graph: Graph, weights: WeightsSeen, notes: Vec<String>) -> Content {
    Content { graph, weights, notes }
}

/// Two mixed 64-bit values of every arc, summed, less those of its opposite: zero once arcs and opposites
/// are there equally often.
///
/// The sums are zero by accident about once in 2^128 graphs. Exact comparison would need another copy of
/// the graph.
pub(super) fn asymmetry(arcs: impl Iterator<Item = (Vertex, Vertex)>) -> [u64; 2] {
    arcs.fold([0u64; 2], |sum, (source, target)| {
        let (forth, back) = (mixed(source, target), mixed(target, source));
        [0, 1].map(|i| sum[i].wrapping_add(forth[i]).wrapping_sub(back[i]))
    })
}

/// The asymmetry of two parts together.
pub(super) fn sum(a: [u64; 2], b: [u64; 2]) -> [u64; 2] {
    [0, 1].map(|i| a[i].wrapping_add(b[i]))
}

fn mixed(source: Vertex, target: Vertex) -> [u64; 2] {
    // The finaliser of splitmix64, with two different odd offsets.
    let mix = |mut z: u64| {
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    };
    let key = u64::from(source) << 32 | u64::from(target);
    [mix(key.wrapping_add(0x9E37_79B9_7F4A_7C15)), mix(!key.rotate_left(17))]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symmetry_counts_how_often_an_arc_is_there() {
        let symmetric = |pairs: &[(u32, u32)]| asymmetry(pairs.iter().copied()) == [0; 2];
        assert!(symmetric(&[(0, 1), (1, 0), (2, 2)]));
        assert!(symmetric(&[]));
        assert!(!symmetric(&[(0, 1), (1, 2), (2, 0)]));
        assert!(!symmetric(&[(0, 1), (1, 0), (1, 0)]));
    }
}
