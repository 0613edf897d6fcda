//! Integration tests of the lab, one binary.

mod records;
mod store;
mod results;
