//! Integration tests of the lab, one binary.

mod checkpoints;
mod claims;
mod composition;
mod records;
mod results;
mod store;
