//! What several generators are put together from: sizes and keys, degree sequences and where they are placed,
//! stubs and how they are joined, sets of edges, rows.

pub(super) mod arrangement;
pub(super) mod degrees;
pub(super) mod distinct_rows;
pub(super) mod edge_set;
pub(super) mod groups;
pub(super) mod keys;
pub(super) mod pairing;
pub(super) mod repair;
pub(super) mod rows;
pub(super) mod size;
