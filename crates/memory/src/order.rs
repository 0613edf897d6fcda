//! The order of events of one instant.
//!
//! Events of one time are handled in this order of components, and inside a rank by number and kind: what the memory
//! delivers, then the tags of caches, then what networks and links deliver and pass on, as in GPGPU-Sim \[Bakhoda09\],
//! where partitions have their cycle before the interconnect has its own.

use crate::crossbar::Port;
use crate::ids::{ChannelId, NetworkId, NodeId, OutletId};
use heddle_engine::Order;

const CHANNEL: u8 = 0;
const FILL: u8 = 1;
const TAGS: u8 = 2;
/// Networks tell their events apart by kind, of which there are 16.
const NETWORK: u8 = 3;
const LINK: u8 = 4;

/// A DRAM channel catches up.
#[inline(always)]
pub(crate) fn channel(channel: ChannelId) -> Order {
    Order::own(CHANNEL, channel.0, 0)
}

/// The n-th fetch that a channel has completed fills a node.
#[inline(always)]
pub(crate) fn fill(node: NodeId, channel: ChannelId, message: u32) -> Order {
    Order::new(FILL, node.0, 0, channel.0, message)
}

/// The atomic unit of a node is done with a request; it takes them one after the other.
#[inline(always)]
pub(crate) fn atomic_done(node: NodeId) -> Order {
    Order::own(FILL, node.0, 1)
}

/// The tags of a node take what they can.
#[inline(always)]
pub(crate) fn tags(node: NodeId) -> Order {
    Order::own(TAGS, node.0, 0)
}

/// An agent does what it can.
#[inline(always)]
pub(crate) fn agent(agent: NodeId) -> Order {
    Order::own(TAGS, agent.0, 1)
}

/// The n-th packet of an output of a network arrives at its receiver.
#[inline(always)]
pub(crate) fn arrival(network: NetworkId, output: Port, message: u32) -> Order {
    Order::new(NETWORK, output.0, 3 * network.0, output.0, message)
}

/// An output of a network is free.
#[inline(always)]
pub(crate) fn output(network: NetworkId, output: Port) -> Order {
    Order::own(NETWORK, output.0, 3 * network.0 + 1)
}

/// The head of an input of a network asks for its output.
#[inline(always)]
pub(crate) fn head(network: NetworkId, input: Port) -> Order {
    Order::own(NETWORK, input.0, 3 * network.0 + 2)
}

/// The n-th message of a direct link arrives at its receiver.
#[inline(always)]
pub(crate) fn delivery(receiver: NodeId, outlet: OutletId, message: u32) -> Order {
    Order::new(LINK, receiver.0, 0, outlet.0, message)
}
