//! The events of the memory system.

use crate::crossbar::CrossbarEvent;
use crate::ids::{ChannelId, NodeId};

/// An event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Event {
    /// Of a network.
    Network(CrossbarEvent),
    /// A message has arrived over a direct link.
    Delivery(u32),
    /// A node looks at its tags.
    Tags(NodeId),
    /// An agent looks at what it has to do.
    Agent(NodeId),
    /// A node's atomic unit is done with a message.
    AtomicDone(u32),
    /// A DRAM channel has to catch up.
    Channel(ChannelId),
    /// All data of a node's fetch has come from memory, by the number of its job.
    Filled(u32),
}

impl From<CrossbarEvent> for Event {
    #[inline(always)]
    fn from(event: CrossbarEvent) -> Event {
        Event::Network(event)
    }
}
