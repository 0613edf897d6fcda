//! The description of a crossbar, as machine files have it.

use super::class::ClassSpec;
use heddle_engine::units::Bytes;
use serde::{Deserialize, Serialize};

/// A crossbar.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CrossbarSpec {
    /// The clock that it runs at, by its name in `[clocks]`; without one, that of its own name or the one of all networks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock: Option<String>,
    /// A flit: the unit in which packets are counted, and what a link moves in one cycle where `width` is 1.
    pub flit: Bytes,
    /// Flits of one packet that a link moves in one cycle. More than one needs packets that are sent whole, by a switch
    /// without a speed-up of its own.
    #[serde(default = "one")]
    pub width: u32,
    /// What every packet carries beside its data: address, names, commands.
    pub header: Bytes,
    /// Cycles from the last flit's departure to the packet's arrival.
    pub latency: u32,
    /// Packets that may wait at an input.
    pub input_queue: u32,
    /// Packets that may be on the way to an output's receiver or wait there.
    pub output_queue: u32,
    /// Flits of replies after which an output turns to the next input that asks for it, in the middle of a packet too;
    /// with 0 it stays with a packet to its end. One flit stands for networks whose replies are packets of one flit each,
    /// one for every sector.
    #[serde(default)]
    pub interleave: u32,
    /// The same for requests.
    #[serde(default)]
    pub interleave_requests: u32,
    /// Flits of a request that the switch moves from input to output in one cycle, where links bring and take one
    /// (the internal speed-up of a router). More than one needs requests that are sent whole. A request of `n` flits then
    /// holds its input and its output for `(n + 1) / request_speedup` cycles, rounded up, and the links for `n`.
    #[serde(default = "one")]
    pub request_speedup: u32,
    /// Message classes, if they are others than requests and replies.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub classes: Vec<ClassSpec>,
}

/// Links that move a flit at a time, and no speed-up.
fn one() -> u32 {
    1
}

impl CrossbarSpec {
    /// Flits of a packet with so many bytes of data.
    pub fn flits(&self, data: u64) -> u32 {
        (self.header.0 + data).div_ceil(self.flit.0.max(1)).max(1) as u32
    }
}
