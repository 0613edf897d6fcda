#![no_main]
//! The bytes as a DIMACS file.

libfuzzer_sys::fuzz_target!(|data: &[u8]| heddle_fuzz::read_as(heddle_graph::Format::Dimacs, data));
