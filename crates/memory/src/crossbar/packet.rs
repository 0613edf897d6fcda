//! What moves through a crossbar.

use crate::ids::{EndpointId, NetworkId};

/// A message class: a plane of the crossbar that shares nothing with the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Class(pub u8);

/// One endpoint's input, or output, of one class.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Port(pub u16);

impl Port {
    /// The number, for arrays.
    #[inline(always)]
    pub(crate) fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// A packet.
#[derive(Clone, Copy, Debug, Default)]
pub struct Packet {
    /// What it carries, by the owner's number.
    pub payload: u32,
    /// The endpoint that it goes to.
    pub to: EndpointId,
    /// Its length.
    pub flits: u16,
    /// Bytes of data beside the header; 0 for a packet that carries an address alone.
    pub data: u16,
}

/// What a crossbar asks to be told when its time has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CrossbarEvent {
    /// The packet at the head of an input can ask for its output.
    Head(NetworkId, Port),
    /// An output that is asked for has become free.
    Output(NetworkId, Port),
    /// A packet has arrived behind an output; its owner handles this and takes the packet once it has room.
    Arrival(NetworkId, Port, u32),
}
