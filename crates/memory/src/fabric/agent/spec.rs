//! The description of an agent, as machine files have it.

use crate::choices::choices;
use heddle_engine::units::Bytes;
use serde::{Deserialize, Serialize};

choices! {
    /// What an agent does.
    AgentKind {
        /// It copies from global to shared memory.
        Copy = "copy",
    }
}

/// An agent: one unit that all cores give commands to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AgentSpec {
    /// Its name: that of its table.
    #[serde(skip)]
    pub name: String,
    /// What it does.
    pub kind: AgentKind,
    /// The level of caches that it asks, which all cores share.
    pub below: String,
    /// The network that leads there.
    pub link: String,
    /// How commands come from cores and answers go back: `direct`, or the network of `link`.
    pub commands: String,
    /// Of `direct`: cycles of the agent's clock, each way.
    #[serde(default)]
    pub command_latency: u32,
    /// Over a network: what the packet of a command carries beside its header.
    #[serde(default)]
    pub command_size: Bytes,
    /// Lines that may wait for the link.
    pub queue: u32,
    /// Lines that it may have asked for and not got.
    pub outstanding: u32,
}
