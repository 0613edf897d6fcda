//! Compressed sparse rows: one direction of a graph.
//!
//! `8(V+1) + 4E` bytes, plus `4E` with weights. The neighbours of a vertex stand in the order in which
//! its arcs were given; nothing is sorted or merged unless a [transform](crate::transform) is asked to.

use thiserror::Error;

/// A vertex id. Ids are dense: `0..V`.
pub type Vertex = u32;
/// The weight of an arc.
pub type Weight = u32;

/// The largest number of vertices: one id is kept free as "no vertex".
pub const VERTICES_MAX: u64 = u32::MAX as u64;

/// Outgoing (or incoming) arcs of every vertex.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Csr {
    offsets: Vec<u64>,
    targets: Vec<Vertex>,
    weights: Option<Vec<Weight>>,
}

/// Why three arrays are not a graph.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum CsrError {
    /// There must be one offset more than vertices.
    #[error("the offset array is empty; it needs one entry more than there are vertices")]
    NoOffsets,
    /// Vertex ids have 32 bits.
    #[error("{0} vertices; at most {VERTICES_MAX} fit 32-bit ids")]
    TooManyVertices(u64),
    /// The first offset must be zero.
    #[error("the first offset is {0}, not 0")]
    FirstOffset(u64),
    /// Offsets must not decrease.
    #[error("offset {index} is {offset}, below the one before it ({before})")]
    Backwards {
        /// Which offset.
        index: usize,
        /// Its value.
        offset: u64,
        /// The value before it.
        before: u64,
    },
    /// The last offset is the number of arcs.
    #[error("the last offset is {last}, but there are {arcs} arcs")]
    LastOffset {
        /// The last offset.
        last: u64,
        /// The arcs there are.
        arcs: u64,
    },
    /// An arc leads to a vertex that does not exist.
    #[error("arc {arc} leads to vertex {target}; there are only {vertices} vertices")]
    Target {
        /// Position of the arc.
        arc: usize,
        /// Where it leads.
        target: Vertex,
        /// How many vertices there are.
        vertices: u32,
    },
    /// Weights, where there are any, are one per arc.
    #[error("{weights} weights for {arcs} arcs")]
    WeightCount {
        /// The weights there are.
        weights: u64,
        /// The arcs there are.
        arcs: u64,
    },
}

impl Csr {
    /// Checks the three arrays and takes them over.
    pub fn new(
        offsets: Vec<u64>,
        targets: Vec<Vertex>,
        weights: Option<Vec<Weight>>,
    ) -> Result<Csr, CsrError> {
        let arcs = targets.len() as u64;
        let (Some(&first), Some(&last)) = (offsets.first(), offsets.last()) else {
            return Err(CsrError::NoOffsets);
        };
        let vertices = (offsets.len() - 1) as u64;
        if vertices > VERTICES_MAX {
            return Err(CsrError::TooManyVertices(vertices));
        }
        if first != 0 {
            return Err(CsrError::FirstOffset(first));
        }
        if let Some(index) = (1..offsets.len()).find(|&index| offsets[index] < offsets[index - 1]) {
            return Err(CsrError::Backwards { index, offset: offsets[index], before: offsets[index - 1] });
        }
        if last != arcs {
            return Err(CsrError::LastOffset { last, arcs });
        }
        let vertices = vertices as u32;
        if let Some(arc) = targets.iter().position(|&target| target >= vertices) {
            return Err(CsrError::Target { arc, target: targets[arc], vertices });
        }
        if let Some(weights) = &weights
            && weights.len() as u64 != arcs
        {
            return Err(CsrError::WeightCount { weights: weights.len() as u64, arcs });
        }
        Ok(Csr { offsets, targets, weights })
    }

    /// For the builder, which makes the arrays right by construction.
    pub(crate) fn from_parts(offsets: Vec<u64>, targets: Vec<Vertex>, weights: Option<Vec<Weight>>) -> Csr {
        debug_assert!(Csr::new(offsets.clone(), targets.clone(), weights.clone()).is_ok());
        Csr { offsets, targets, weights }
    }

    /// A graph of `vertices` vertices and no arc.
    pub fn empty(vertices: u32) -> Csr {
        Csr { offsets: vec![0; vertices as usize + 1], targets: Vec::new(), weights: None }
    }

    /// Number of vertices.
    pub fn num_vertices(&self) -> u32 {
        (self.offsets.len() - 1) as u32
    }

    /// Number of arcs held.
    pub fn num_arcs(&self) -> u64 {
        self.targets.len() as u64
    }

    /// All vertex ids in order.
    pub fn vertices(&self) -> std::ops::Range<Vertex> {
        0..self.num_vertices()
    }

    /// Number of arcs of `vertex`.
    pub fn degree(&self, vertex: Vertex) -> u64 {
        self.offsets[vertex as usize + 1] - self.offsets[vertex as usize]
    }

    /// Where the arcs of `vertex` stand in [`targets`](Csr::targets) and [`weights`](Csr::weights).
    pub fn arc_range(&self, vertex: Vertex) -> std::ops::Range<usize> {
        self.offsets[vertex as usize] as usize..self.offsets[vertex as usize + 1] as usize
    }

    /// The far ends of the arcs of `vertex`, in stored order.
    pub fn neighbours(&self, vertex: Vertex) -> &[Vertex] {
        &self.targets[self.arc_range(vertex)]
    }

    /// The weights of the arcs of `vertex`, in stored order, where the graph has weights.
    pub fn neighbour_weights(&self, vertex: Vertex) -> Option<&[Weight]> {
        self.weights.as_ref().map(|weights| &weights[self.arc_range(vertex)])
    }

    /// `(target, weight)` of every arc of `vertex`; an unweighted arc weighs 1.
    pub fn weighted_neighbours(&self, vertex: Vertex) -> impl Iterator<Item = (Vertex, Weight)> + '_ {
        let weights = self.neighbour_weights(vertex);
        self.neighbours(vertex)
            .iter()
            .enumerate()
            .map(move |(i, &target)| (target, weights.map_or(1, |w| w[i])))
    }

    /// Every arc as `(source, target)`, by source.
    pub fn arcs(&self) -> impl Iterator<Item = (Vertex, Vertex)> + '_ {
        self.vertices().flat_map(|v| self.neighbours(v).iter().map(move |&target| (v, target)))
    }

    /// The `V+1` offsets.
    pub fn offsets(&self) -> &[u64] {
        &self.offsets
    }

    /// The far end of every arc.
    pub fn targets(&self) -> &[Vertex] {
        &self.targets
    }

    /// The weight of every arc.
    pub fn weights(&self) -> Option<&[Weight]> {
        self.weights.as_deref()
    }

    /// The same arcs with these weights, or with none.
    pub fn with_weights(self, weights: Option<Vec<Weight>>) -> Result<Csr, CsrError> {
        Csr::new(self.offsets, self.targets, weights)
    }

    /// The three arrays.
    pub fn into_parts(self) -> (Vec<u64>, Vec<Vertex>, Option<Vec<Weight>>) {
        (self.offsets, self.targets, self.weights)
    }

    /// Bytes of the arrays: `8(V+1) + 4E`, plus `4E` with weights.
    pub fn bytes(&self) -> u64 {
        8 * self.offsets.len() as u64
            + 4 * self.targets.len() as u64
            + 4 * self.weights.as_ref().map_or(0, |weights| weights.len() as u64)
    }

    /// The first vertex of largest degree: the default source of a traversal.
    pub fn first_of_largest_degree(&self) -> Option<Vertex> {
        // max_by_key keeps the last of equals, so ties go to the smaller id explicitly.
        self.vertices().max_by_key(|&v| (self.degree(v), std::cmp::Reverse(v)))
    }
}
