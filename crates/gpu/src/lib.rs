//! Cycle-level SIMT cores that execute PTX programs in timing order.
//!
//! ```text
//! Gpu ─ launch: occupancy, blocks ─ cores ─┬─ fetch, scoreboard, schedulers, issue
//!        │                                 └─ load/store unit ─ Fabric (crates/memory)
//!        └─ record: counts per launch, samples, spans
//! ```
//!
//! - [`Gpu`] is a machine of the device interface;
//! - `launch` runs one launch: it keeps the time, hands out blocks, and delivers what the memory system tells;
//! - `core` is a core, one file per stage;
//! - `statics` is what is known of a kernel's instructions before they run.

mod actions;
mod agent;
mod clockwork;
mod core;
mod flight;
mod gpu_spec;
mod launch;
mod launch_set;
mod load_statistics;
mod machine;
mod operation_timing;
mod record;
mod residency;
mod sampling;
mod spec;
mod state;
mod statics;
mod visibility;
mod wakes;
mod watchdog;

pub use crate::core::{
    OrderingRule, RegisterPrefetch, SlotShare, hardware_detected_bits, register_prefetch_bits, slot_share,
};
pub use agent::{Agent, AgentReply, CommandToken, Then};
pub use gpu_spec::{EnergyChoice, GpuSpec};
pub use launch_set::LaunchSet;
pub use machine::{Gpu, Progress, RunProgress, catalogue};
pub use record::{IntervalSample, LaunchTiming, LoadWait, PairWaits, Record, SharedRecord, Span};
pub use residency::core_limits;
pub use spec::{
    CoreSpec, LatencyTable, LaunchSpec, OperationTiming, RequestOrder, RunSettings, SchedulerKind,
    SharedMemorySpec, Split,
};
