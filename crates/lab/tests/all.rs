//! Integration tests of the lab, one binary.

mod claims;
mod composition;
mod records;
mod results;
mod store;
