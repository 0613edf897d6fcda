//! Cycle-level SIMT cores that execute PTX programs in timing order.

mod record;
mod spec;

pub use record::{IntervalSample, LaunchTiming, LoadWait, Record, SharedRecord, Span};
pub use spec::{
    Clocks, CoreSpec, LatencyTable, LaunchSpec, OperationTiming, RunSettings, SchedulerKind,
    SharedMemorySpec, Split,
};
