//! Breadth-first search.

pub mod bfs_bitvector;
pub mod bfs_dd;
pub mod bfs_pull;
pub mod bfs_push;
pub mod bfs_unrolled;
pub mod bfs_wc;
mod flag_frontier;
pub mod h_bfs;
pub mod ls_bfs;
pub mod topology;
