//! S–T connectivity: any path is right, not only a shortest one; "no path" is right if there is none.

use crate::NoSuchVertex;
use crate::edges::arc;
use crate::reference::stcon;
use heddle_graph::{Graph, Vertex};
use thiserror::Error;

/// Why a path, or the claim that there is none, is wrong.
#[derive(Clone, Copy, Debug, Error, PartialEq, Eq)]
pub enum WrongPath {
    /// Source, target or a vertex of the path does not exist.
    #[error(transparent)]
    Vertex(#[from] NoSuchVertex),
    /// A path has at least one vertex.
    #[error("the path is empty")]
    Empty,
    /// The path must begin at the source.
    #[error("the path begins at {found}, expected {expected}")]
    Start {
        /// Its first vertex.
        found: Vertex,
        /// The source.
        expected: Vertex,
    },
    /// The path must end at the target.
    #[error("the path ends at {found}, expected {expected}")]
    End {
        /// Its last vertex.
        found: Vertex,
        /// The target.
        expected: Vertex,
    },
    /// A step must follow an arc.
    #[error("step {step} goes from {from} to {to}, but no arc leads there")]
    NoArc {
        /// Which step, counted from 1.
        step: usize,
        /// Where it begins.
        from: Vertex,
        /// Where it ends.
        to: Vertex,
    },
    /// A path visits no vertex twice.
    #[error("vertex {vertex} is visited twice")]
    Repeated {
        /// The vertex.
        vertex: Vertex,
    },
    /// There is a path after all.
    #[error("a path of {arcs} arcs leads from {from} to {to}, beginning with the arc to {first}")]
    PathExists {
        /// The source.
        from: Vertex,
        /// The target.
        to: Vertex,
        /// Arcs of a shortest path.
        arcs: usize,
        /// The second vertex of one (the source if that is the target).
        first: Vertex,
    },
}

/// Judges a path from `source` to `target`, both included, or the claim that there is none.
pub fn path(graph: &Graph, source: Vertex, target: Vertex, path: Option<&[Vertex]>) -> Result<(), WrongPath> {
    NoSuchVertex::check(graph, source)?;
    NoSuchVertex::check(graph, target)?;
    let Some(path) = path else {
        return match stcon::path(graph, source, target)? {
            None => Ok(()),
            Some(path) => {
                let first = path.get(1).copied().unwrap_or(source);
                Err(WrongPath::PathExists { from: source, to: target, arcs: path.len() - 1, first })
            }
        };
    };
    let (Some(&start), Some(&end)) = (path.first(), path.last()) else {
        return Err(WrongPath::Empty);
    };
    if start != source {
        return Err(WrongPath::Start { found: start, expected: source });
    }
    if end != target {
        return Err(WrongPath::End { found: end, expected: target });
    }
    if let Some(vertex) = first_repeated(graph, path)? {
        return Err(WrongPath::Repeated { vertex });
    }
    for (step, pair) in (1..).zip(path.windows(2)) {
        let (from, to) = (pair[0], pair[1]);
        if arc(graph, from, to).is_none() {
            return Err(WrongPath::NoArc { step, from, to });
        }
    }
    Ok(())
}

/// The first vertex that was visited before, once all are known to exist.
pub(super) fn first_repeated(graph: &Graph, walk: &[Vertex]) -> Result<Option<Vertex>, NoSuchVertex> {
    walk.iter().try_for_each(|&vertex| NoSuchVertex::check(graph, vertex))?;
    let mut visited = vec![false; graph.num_vertices() as usize];
    Ok(walk.iter().copied().find(|&vertex| std::mem::replace(&mut visited[vertex as usize], true)))
}
