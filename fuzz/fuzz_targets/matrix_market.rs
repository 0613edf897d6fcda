#![no_main]
//! The bytes as a Matrix Market file.

libfuzzer_sys::fuzz_target!(|data: &[u8]| heddle_fuzz::read_as(heddle_graph::Format::MatrixMarket, data));
