#![no_main]
//! The bytes as PTX text whose kernels are launched, for a moment, on the functional machine.

libfuzzer_sys::fuzz_target!(|data: &[u8]| heddle_fuzz::ptx_run(data));
