//! Functional execution, each behaviour by a small kernel.

mod barriers;
mod bench;
mod calls;
mod collectives;
mod deadlock;
mod divergence;
mod errors;
mod externals;
mod memory;
mod reports;
