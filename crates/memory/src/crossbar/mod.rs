//! A crossbar between any endpoints: packets with next-free times and credits, not flits.
//!
//! ```text
//! inject ─▶ input FIFO ─▶ (arbitration) ─▶ output ─ latency ─▶ arrival ─▶ take
//!                              ▲                                            │
//!                              └───────────────── credit ──────────────────┘
//! ```
//!
//! - Every message class ([`Class`]) is a plane of its own, so that replies never wait behind requests. Which classes there
//!   are, and what each carries, is a list in the machine file ([`ClassSpec`]).
//! - Every endpoint has one input and one output per plane. An input is one FIFO: a packet whose output is busy
//!   holds up those behind it (head-of-line blocking of a single virtual channel).
//! - A packet is `ceil((header + data) / flit)` flits and occupies its input and its output for that many
//!   cycles, or for fewer where links are `width` flits wide; it arrives `latency` cycles after its last flit has left. An output serves the inputs that ask for
//!   it in round robin, a packet at a time or, where the class is interleaved ([`Plane`]), so many flits at a time; a packet that others
//!   come in between holds up its input all the longer. One without competitors is given all its turns but the last
//!   at once, and gives back those not begun when a competitor arrives: the same times with fewer events.
//! - With a speed-up, packets that are sent whole hold input and output for less time than their links (`speedup`).
//! - A transfer starts when its output has a credit. There are `output_queue` of them: they stand for packets on
//!   the wire or in the ejection buffer, and come back when the receiver takes the packet ([`Crossbar::take`]).
//!
//! Nothing is polled: a head that cannot start is noted at its output, and the event that frees the output, or
//! the credit, starts it. Left out: virtual channels, routes of several hops.

mod check;
mod class;
mod classes;
mod counters;
mod packet;
mod plane;
mod port;
mod spec;
mod speedup;
mod switch;
#[cfg(test)]
mod tests;
mod transfer;

pub use class::{ClassSpec, PacketKind};
pub(crate) use classes::ClassMap;
pub use counters::CrossbarCounters;
pub use packet::{Class, CrossbarEvent, Packet, Port};
pub use plane::Plane;
pub use spec::CrossbarSpec;
pub use switch::Crossbar;
