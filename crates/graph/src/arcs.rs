//! Arcs on their way from a reader or generator to the builder.
//!
//! Arcs come in segments: every parser thread fills its own and nobody copies or doubles a huge array,
//! which keeps the peak at the arcs themselves (8 bytes each, 12 with a weight).

use crate::csr::{Vertex, Weight};

/// A run of arcs in input order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ArcSegment {
    /// `(source, target)`.
    pub pairs: Vec<(Vertex, Vertex)>,
    /// One weight per pair, or none at all.
    pub weights: Vec<Weight>,
}

impl ArcSegment {
    /// The largest vertex id named, if there is an arc.
    pub fn vertex_max(&self) -> Option<Vertex> {
        self.pairs.iter().map(|&(source, target)| source.max(target)).max()
    }
}

/// All arcs of a graph, in input order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ArcList {
    segments: Vec<ArcSegment>,
    weighted: bool,
}

impl ArcList {
    /// Arcs without weights.
    pub fn unweighted() -> ArcList {
        ArcList::default()
    }

    /// Arcs that all have weights.
    pub fn weighted() -> ArcList {
        ArcList { segments: Vec::new(), weighted: true }
    }

    /// Appends a segment, which must have weights exactly if the list has.
    pub fn push(&mut self, segment: ArcSegment) {
        let weights_expected = if self.weighted { segment.pairs.len() } else { 0 };
        assert_eq!(
            segment.weights.len(),
            weights_expected,
            "a segment has a weight per arc, or the list has none"
        );
        if !segment.pairs.is_empty() {
            self.segments.push(segment);
        }
    }

    /// Whether arcs carry weights.
    pub fn is_weighted(&self) -> bool {
        self.weighted
    }

    /// Number of arcs.
    pub fn len(&self) -> u64 {
        self.segments.iter().map(|segment| segment.pairs.len() as u64).sum()
    }

    /// Whether there is no arc.
    pub fn is_empty(&self) -> bool {
        self.segments.is_empty()
    }

    /// The segments in order.
    pub fn segments(&self) -> &[ArcSegment] {
        &self.segments
    }

    /// The segments in order, to renumber in place. Each keeps its number of arcs.
    pub fn segments_mut(&mut self) -> &mut [ArcSegment] {
        &mut self.segments
    }

    /// The largest vertex id named, if there is an arc.
    pub fn vertex_max(&self) -> Option<Vertex> {
        self.segments.iter().filter_map(ArcSegment::vertex_max).max()
    }
}

impl FromIterator<(Vertex, Vertex)> for ArcList {
    fn from_iter<I: IntoIterator<Item = (Vertex, Vertex)>>(pairs: I) -> ArcList {
        let mut list = ArcList::unweighted();
        list.push(ArcSegment { pairs: pairs.into_iter().collect(), weights: Vec::new() });
        list
    }
}

impl FromIterator<(Vertex, Vertex, Weight)> for ArcList {
    fn from_iter<I: IntoIterator<Item = (Vertex, Vertex, Weight)>>(arcs: I) -> ArcList {
        let mut segment = ArcSegment::default();
        for (source, target, weight) in arcs {
            segment.pairs.push((source, target));
            segment.weights.push(weight);
        }
        let mut list = ArcList::weighted();
        list.push(segment);
        list
    }
}
