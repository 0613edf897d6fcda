//! The assembled machine: cores, caches, crossbar and DRAM of the presets execute small programs in time.

mod agents;
mod agreement;
mod cold;
mod common;
mod copies;
mod determinism;
mod front_end;
mod halving;
mod heap;
mod keys;
mod launches;
mod loop_shapes;
mod occupancy;
mod register_prefetch;
mod replay;
mod sharing;
mod stalls;
mod units;
mod values;
mod watchdog;
mod zero_load;
