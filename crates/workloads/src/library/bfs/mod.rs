//! Breadth-first search.

pub mod h_bfs;
