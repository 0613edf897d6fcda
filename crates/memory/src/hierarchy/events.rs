//! The events of the memory system.

use crate::crossbar::{CrossbarEvent, Port};

/// An event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Event {
    /// A packet at the head of an input of the crossbar can ask for its output.
    Head(Port),
    /// An output of the crossbar is free.
    Output(Port),
    /// A packet has arrived.
    Arrival(Port, u32),
    /// A slice looks at its tags.
    Tags(u16),
    /// A slice's atomic unit is done with a transaction.
    AtomicDone(u32),
    /// A DRAM channel has to catch up.
    Channel(u16),
    /// All data of a slice's fetch has come, by the number of its job.
    Filled(u32),
}

impl From<CrossbarEvent> for Event {
    #[inline(always)]
    fn from(event: CrossbarEvent) -> Event {
        match event {
            CrossbarEvent::Head(port) => Event::Head(port),
            CrossbarEvent::Output(port) => Event::Output(port),
            CrossbarEvent::Arrival(port, payload) => Event::Arrival(port, payload),
        }
    }
}
