//! Launch plans: a whole GPU application in a TOML file, for users who write no Rust.
//!
//! A plan names PTX files, buffers (sizes, fills, files, arrays of a graph), scalars, steps (launches, copies,
//! swaps, loops) and a check of the result. docs/plans.md has every key with examples.
//!
//! [`Plan::read`] reads and checks a file, [`Plan::run`] runs it on any [`Device`](heddle_device::Device).

mod buffers;
mod check;
mod error;
mod expression;
mod files;
mod model;
mod names;
mod run;
mod steps;

pub use error::PlanError;
pub use run::{Plan, PlanOutcome, PlanUnfinished, SavedBuffer};
