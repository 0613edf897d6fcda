#![no_main]
//! The bytes as a table of energies.

libfuzzer_sys::fuzz_target!(|data: &[u8]| heddle_fuzz::energy_table(data));
