//! Weakly connected components.

pub mod wcc_bitvector;
