#![no_main]
//! The bytes as what a user types for a generated graph.

libfuzzer_sys::fuzz_target!(|data: &[u8]| heddle_fuzz::recipe(data));
