//! What a driver reads back, and its judgement.

use super::{Problem, WorkloadError};
use crate::{check, reference};
use heddle_graph::{Graph, Vertex};

/// The answer of a workload.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// Depth of each vertex; [`UNREACHED`](crate::UNREACHED) for those that the source does not reach.
    Depths(Vec<u32>),
    /// Distance of each vertex; [`UNREACHED`](crate::UNREACHED) for those that the source does not reach.
    Distances(Vec<u32>),
    /// Colour of each vertex.
    Colours(Vec<u32>),
    /// Which vertices are in the set.
    Set(Vec<bool>),
    /// The edges of the forest, by their ends.
    Forest(Vec<(Vertex, Vertex)>),
    /// A path from the source to the target, both included; none if there is none.
    Path(Option<Vec<Vertex>>),
    /// Rank of each vertex, with the damping and the tolerance of the largest difference that was aimed for.
    Ranks {
        /// The ranks; they sum up to 1.
        ranks: Vec<f64>,
        /// Damping.
        damping: f64,
        /// How far each rank may be from the exact one.
        tolerance: f64,
    },
    /// A label of each vertex, the same in each component and only there.
    Labels(Vec<u32>),
    /// Centrality of each vertex as the sum over these sources, with the relative tolerance aimed for.
    Centrality {
        /// The values.
        values: Vec<f64>,
        /// The sources.
        sources: Vec<Vertex>,
        /// Relative tolerance.
        tolerance: f64,
    },
}

impl Answer {
    /// Whether it says nothing about any vertex.
    fn is_empty(&self) -> bool {
        match self {
            Answer::Depths(values) | Answer::Distances(values) => values.is_empty(),
            Answer::Colours(values) | Answer::Labels(values) => values.is_empty(),
            Answer::Set(set) => set.is_empty(),
            Answer::Forest(edges) => edges.is_empty(),
            Answer::Path(path) => path.is_none(),
            Answer::Ranks { ranks: values, .. } | Answer::Centrality { values, .. } => values.is_empty(),
        }
    }
}

/// Judges an answer on a graph in one call; the problem is the answer's own.
pub fn judge(graph: &Graph, source: Vertex, answer: &Answer) -> Result<(), String> {
    let problem = match answer {
        Answer::Depths(_) => Problem::Bfs,
        Answer::Distances(_) => Problem::Sssp,
        Answer::Colours(_) => Problem::Colouring,
        Answer::Set(_) => Problem::Mis,
        Answer::Forest(_) => Problem::Mst,
        Answer::Path(_) => Problem::Stcon,
        Answer::Ranks { .. } => Problem::PageRank,
        Answer::Labels(_) => Problem::Wcc,
        Answer::Centrality { .. } => Problem::Betweenness,
    };
    let question = Question { problem, graph, source, target: source };
    question.judge(answer).map_err(|error| error.to_string())
}

/// What an answer is judged against.
pub(super) struct Question<'a> {
    pub(super) problem: Problem,
    pub(super) graph: &'a Graph,
    pub(super) source: Vertex,
    pub(super) target: Vertex,
}

impl Question<'_> {
    /// Judges an answer against the reference.
    pub(super) fn judge(&self, answer: &Answer) -> Result<(), WorkloadError> {
        let graph = self.graph;
        let wrong = |error: String| WorkloadError::Wrong { problem: self.problem.name(), error };
        if graph.num_vertices() == 0 {
            // There is no source to ask the reference about, and one right answer: nothing.
            return match answer.is_empty() {
                true => Ok(()),
                false => Err(wrong("the graph has no vertex, and the answer is about some".to_owned())),
            };
        }
        match answer {
            Answer::Depths(depths) => {
                check::bfs::depths(graph, self.source, depths).map_err(|error| wrong(error.to_string()))
            }
            Answer::Distances(distances) => {
                let wide: Vec<u64> = distances.iter().map(|&distance| widened(distance)).collect();
                check::sssp::distances(graph, self.source, &wide).map_err(|error| wrong(error.to_string()))
            }
            Answer::Colours(colours) => {
                check::colouring::colours(graph, colours).map_err(|error| wrong(error.to_string()))
            }
            Answer::Set(set) => check::mis::set(graph, set).map_err(|error| wrong(error.to_string())),
            Answer::Forest(edges) => {
                check::mst::edges(graph, edges).map_err(|error| wrong(error.to_string()))
            }
            Answer::Path(path) => check::stcon::path(graph, self.source, self.target, path.as_deref())
                .map_err(|error| wrong(error.to_string())),
            Answer::Ranks { ranks, damping, tolerance } => {
                check::pagerank::ranks(graph, *damping, ranks, *tolerance)
                    .map_err(|error| wrong(error.to_string()))
            }
            Answer::Labels(labels) => {
                check::wcc::labels(graph, labels).map_err(|error| wrong(error.to_string()))
            }
            Answer::Centrality { values, sources, tolerance } => {
                check::betweenness::centrality(graph, sources, values, *tolerance)
                    .map_err(|error| wrong(error.to_string()))
            }
        }
    }
}

fn widened(distance: u32) -> u64 {
    if distance == crate::UNREACHED { reference::dijkstra::FAR } else { u64::from(distance) }
}
