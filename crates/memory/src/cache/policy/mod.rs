//! The decisions of a cache, one family per folder.
//!
//! A policy decides, the cache acts: policies are given plain data, keep tables of their own by dense numbers,
//! and touch neither time nor counters. A family is an enum over its members, so that a decision is a branch
//! that the processor predicts; a new member is a new file and a line in the family's `mod.rs`.

pub(super) mod bypass;
mod cost;
pub(super) mod granularity;
pub(super) mod inclusion;
pub(super) mod prefetch;
pub(super) mod replacement;
mod spec;

pub use cost::PolicyBits;
pub use spec::{ObmSpec, PolicySpec, StrideSpec};
