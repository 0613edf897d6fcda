//! Graph problems, their right answers, and judges of other people's answers.
//!
//! Every algorithm that Heddle simulates is checked against an answer computed here, on the host, by the
//! plainest good algorithm for the problem:
//!
//! - [`reference`](mod@reference) computes answers, one algorithm per file;
//! - [`check`] judges answers, one problem per file. Where a problem has many right answers (an independent
//!   set, a colouring, a tree of shortest paths) the checker accepts every one of them; a wrong answer comes
//!   back as a typed error that names the vertex or the arc at which it fails.
//!
//! # Conventions
//!
//! Functions take a [`Graph`](heddle_graph::Graph). Traversals, PageRank and betweenness follow its arcs as
//! they are directed. Components, independent sets, colourings, spanning forests, triangles and bipartition
//! are about edges without direction: they see an arc of a directed graph as an edge between its two ends.
//! Self-loops and parallel arcs are allowed everywhere; each file says what they mean to its problem.
//! A graph that says it is undirected is taken at its word that it holds both arcs of every edge.
//!
//! Answers are plain arrays by vertex, with [`UNREACHED`] (or [`NO_PARENT`], or
//! [`FAR`](reference::dijkstra::FAR)) for what a traversal did not reach, so that the memory of a simulated
//! device can be compared as it stands.
//!
//! Work is parallel where it pays, and every answer is the same to the bit whatever the number of threads.
//! Nothing recurses, so a path of a million vertices is no deeper than a star. A vertex that does not exist
//! is an error ([`NoSuchVertex`]), in questions and in answers alike.

pub mod check;
mod disjoint_sets;
mod edges;
mod frontier;
pub mod library;
mod no_such_vertex;
pub mod plan;
pub mod reference;

pub use no_such_vertex::NoSuchVertex;
pub use reference::bfs::UNREACHED;

/// "No parent", in arrays of parents: the vertex was not reached.
pub const NO_PARENT: heddle_graph::Vertex = heddle_graph::Vertex::MAX;
