#![no_main]
//! The bytes as a trace of DRAM requests, replayed.

libfuzzer_sys::fuzz_target!(|data: &[u8]| heddle_fuzz::dram_trace(data));
