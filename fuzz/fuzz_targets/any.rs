#![no_main]
//! The bytes as a file of which content alone decides what it is.

libfuzzer_sys::fuzz_target!(|data: &[u8]| heddle_fuzz::read_any(data));
