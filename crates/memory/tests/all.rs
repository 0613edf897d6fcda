//! Caches, the memory system in time, and DRAM. One binary, because each further one costs the time of a link.

mod cache;
mod dram_common;
mod dram_idle;
mod dram_laws;
mod dram_reference;
mod dram_replay;
mod dram_rules;
mod dram_streams;
mod fabric;
