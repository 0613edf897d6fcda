//! The memory system of every simulated machine.
//!
//! ```text
//! core ─ Request ─▶ node (cache) ─ Message ─▶ network ─▶ node (cache) ─▶ controller ─▶ DRAM channel
//!   ◀── Notice ───────────────────── reply ◀──────────────┴───────────────┘
//! ```
//!
//! - [`request`]: what cores ask and are told;
//! - `message`: what nodes send each other;
//! - [`cache`]: tags, misses, policies; one type for every cache of a machine, without any notion of time;
//! - [`crossbar`]: packets between any endpoints, with back-pressure;
//! - `controller`: between the last caches and the channels of DRAM;
//! - [`dram`]: channels, banks and their timing rules;
//! - [`fabric`]: the parts wired together as a machine file lists them, in time.
//! - [`replay`]: a memory system driven by a trace of requests.

pub mod cache;
mod choices;
mod controller;
pub mod crossbar;
pub mod dram;
mod event;
pub mod fabric;
mod ids;
mod message;
mod order;
pub mod replay;
pub mod request;
mod spec_error;

pub use ids::{AgentId, BankId, CoreId, EndpointId, LaunchId, Pc, RegionId, SliceId, WarpId};
pub use spec_error::SpecError;
