#![no_main]
//! The bytes as a machine file; what is accepted gives its own resolved file back.

libfuzzer_sys::fuzz_target!(|data: &[u8]| heddle_fuzz::machine(data));
