//! Message classes: what travels on which plane of a network, as machine files have it.
//!
//! A network has two classes unless its file lists others: `requests`, with all that goes down, and `replies`, with all
//! that comes back. A class of its own has queues of its own, so that its packets wait behind none of another.
//!
//! Two rules hold for every list, and are checked:
//!
//! - No class carries both ways. A reply behind a request that waits for replies would wait for itself.
//! - Whatever reads or writes memory is in one class. Accesses of a core to a line are in order because they are in one
//!   queue; nothing else keeps a read from overtaking the write or the write-back of its line.

use crate::choices::choices;
use serde::{Deserialize, Serialize};

choices! {
    /// What a packet is to a network.
    PacketKind {
        /// Asks for data.
        Read = "read",
        /// Asks for data that nobody waits for.
        Prefetch = "prefetch",
        /// Carries what a core stores.
        Write = "write",
        /// Carries the operands of an atomic.
        Atomic = "atomic",
        /// Carries dirty sectors that a cache gives up.
        WriteBack = "write-back",
        /// Carries a victim that the cache below inserts.
        Victim = "victim",
        /// A core's command to an agent.
        Command = "command",
        /// Brings data: to a read, a prefetch or an atomic.
        Data = "data",
        /// Says that a write is done.
        Acknowledgement = "acknowledgement",
        /// Brings an agent's answer.
        Answer = "answer",
    }
}

impl PacketKind {
    /// All of them.
    pub const ALL: [PacketKind; 10] = [
        PacketKind::Read,
        PacketKind::Prefetch,
        PacketKind::Write,
        PacketKind::Atomic,
        PacketKind::WriteBack,
        PacketKind::Victim,
        PacketKind::Command,
        PacketKind::Data,
        PacketKind::Acknowledgement,
        PacketKind::Answer,
    ];

    /// Whether it goes towards memory.
    pub(super) fn goes_down(self) -> bool {
        !matches!(self, PacketKind::Data | PacketKind::Acknowledgement | PacketKind::Answer)
    }

    /// Whether it reads or writes memory.
    pub(super) fn is_access(self) -> bool {
        self.goes_down() && self != PacketKind::Command
    }

    pub(super) fn name(self) -> &'static str {
        PacketKind::NAMES[self as usize]
    }
}

/// A message class, as machine files have it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ClassSpec {
    /// Its name: that of its statistics, behind the network's.
    pub name: String,
    /// What it carries.
    pub carries: Vec<PacketKind>,
    /// Packets that may wait at an input; as the network's, if it is not said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub input_queue: Option<u32>,
    /// Packets that may be on the way to an output's receiver or wait there; likewise.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output_queue: Option<u32>,
    /// Flits after which an output turns to the next input; as the network's for requests or for replies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub interleave: Option<u32>,
    /// Flits that the switch moves in a cycle, of packets that are sent whole; as the network's for requests, and 1 for
    /// what comes back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub speedup: Option<u32>,
}

impl ClassSpec {
    pub(super) fn new(name: &str, down: bool) -> ClassSpec {
        let carries = PacketKind::ALL.into_iter().filter(|kind| kind.goes_down() == down).collect();
        let name = name.to_owned();
        ClassSpec { name, carries, input_queue: None, output_queue: None, interleave: None, speedup: None }
    }

    pub(super) fn goes_down(&self) -> bool {
        self.carries.first().is_some_and(|kind| kind.goes_down())
    }
}
