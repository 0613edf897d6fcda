#![no_main]
//! The bytes as a serialised graph of the GAP Benchmark Suite.

libfuzzer_sys::fuzz_target!(|data: &[u8]| heddle_fuzz::read_as(heddle_graph::Format::Gap, data));
