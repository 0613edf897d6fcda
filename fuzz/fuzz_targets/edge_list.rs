#![no_main]
//! The bytes as an edge list.

libfuzzer_sys::fuzz_target!(|data: &[u8]| heddle_fuzz::read_as(heddle_graph::Format::EdgeList, data));
