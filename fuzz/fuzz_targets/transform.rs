#![no_main]
//! The bytes as a list of transforms, a line each, of a small graph.

libfuzzer_sys::fuzz_target!(|data: &[u8]| heddle_fuzz::transform(data));
