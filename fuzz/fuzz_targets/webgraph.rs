#![no_main]
//! The bytes up to the first zero as `.properties`, the others as the bit stream.

libfuzzer_sys::fuzz_target!(|data: &[u8]| heddle_fuzz::read_webgraph(data));
