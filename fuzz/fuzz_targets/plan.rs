#![no_main]
//! The bytes as a launch plan that is run, for a moment, on the functional machine.

libfuzzer_sys::fuzz_target!(|data: &[u8]| heddle_fuzz::plan(data));
