//! DRAM: channels, banks, and the rules that their commands obey.
//!
//! One model serves the machines and `heddle dram replay`. A [`Channel`] has a command bus that carries at most
//! one command per clock, banks in groups, a data bus, queues, and a scheduler. All times are cycles of the
//! command clock. Its owner tells it about requests with [`Channel::push`], and either calls [`Channel::advance`]
//! when the channel asks to be woken, or lets it lag behind and [`Channel::catch_up`] before its state can be observed;
//! nothing is polled, and an idle channel costs nothing, refresh included.
//!
//! - [`DramSpec`]: what a part file says; [`part`] finds the embedded ones;
//! - [`AddressMap`]: from addresses to channel, bank, row and column;
//! - [`timing`]: when a command is legal;
//! - [`Channel`]: queues, scheduling, refresh, counters;
//! - [`replay()`]: channels driven by a list of requests alone, from a [`trace`] or a [`Pattern`].
//!
//! Left out: several ranks on one bus, power-down and self-refresh, per-bank refresh, temperature.

mod address_map;
mod bank;
mod channel;
mod check;
mod command;
mod counters;
mod front;
mod issue;
mod latency;
mod offers;
mod parts;
mod pattern;
mod plan;
mod queue;
mod refresh;
mod remembered;
mod replay;
mod runs;
mod scheduler;
mod sides;
mod spec;
pub mod timing;
pub mod trace;

pub use address_map::{AddressMap, Place};
pub use channel::{Channel, Completion, Transaction};
pub use command::{Command, Issued};
pub use counters::DramCounters;
pub use latency::Latencies;
pub use parts::{PARTS, Part, keys, part, read_part};
pub use pattern::{Pattern, PatternRequests};
pub use replay::{DramSummary, Pacing, Served, replay};
pub use spec::{
    DramSpec, PagePolicy, QueueOrganisation, QueueSpec, SchedulerKind, TimingSpec, WriteQueueSpec,
};
