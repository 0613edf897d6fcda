//! Integration tests of the lab, one binary.

mod claims;
mod records;
mod results;
mod store;
