//! Integration tests of the lab, one binary.

mod records;
mod results;
