//! Single-source shortest paths.

pub mod h_sssp;
pub mod ls_sssp;
pub mod sssp_bitvector;
pub mod sssp_dd;
pub mod sssp_pull;
pub mod sssp_push;
pub mod sssp_wc;
