#![no_main]
//! The bytes as PTX text.

libfuzzer_sys::fuzz_target!(|data: &[u8]| heddle_fuzz::ptx_syntax(data));
