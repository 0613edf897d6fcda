//! Integration tests of the lab, one binary.

mod checkpoints;
mod claims;
mod cold;
mod composition;
mod records;
mod results;
mod store;
