//! The command as its users call it. One binary, because each further one costs the time of a link.

mod claims;
mod common;
mod convert;
mod dram;
mod energy;
mod energy_cover;
mod failures;
mod golden_statistics;
mod gpgpusim;
mod held_out;
mod host_memory;
mod info;
mod interrupt;
mod machine;
mod manifest;
mod memory_counts;
mod outputs;
mod overview;
mod partial;
mod power;
mod ptx;
mod register_prefetch;
mod run;
mod shape;
mod timing;
mod validation_page;
