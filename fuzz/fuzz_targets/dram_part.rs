#![no_main]
//! The bytes as a DRAM part file, which serves a few requests if it is sound.

libfuzzer_sys::fuzz_target!(|data: &[u8]| heddle_fuzz::dram_part(data));
