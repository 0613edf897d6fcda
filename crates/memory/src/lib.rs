//! The memory system of every simulated machine.
//!
//! ```text
//! core ─ Request ─ L1 ─ crossbar ─ L2 slice ─ DRAM channel
//!                   └──── Reply ◀────┴──────────┘
//! ```
//!
//! - [`request`]: what cores ask and are told;
//! - [`cache`]: tags, misses, policies; one type for every cache of a machine, without any notion of time;
//! - [`crossbar`]: packets between cores and slices, with back-pressure;
//! - [`dram`]: channels, banks and their timing rules;
//! - [`hierarchy`]: the parts wired together, in time.

pub mod cache;
mod choices;
pub mod crossbar;
pub mod dram;
pub mod hierarchy;
mod order;
pub mod request;
mod spec_error;

pub use spec_error::SpecError;
