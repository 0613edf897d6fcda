//! The order of events of one instant.
//!
//! Events of one time are handled in this order of components, and inside a rank by number and kind: what the memory
//! delivers, then the tags of L2, then what the network delivers and passes on, as in GPGPU-Sim \[Bakhoda09\], where
//! partitions have their cycle before the interconnect has its own.

use heddle_engine::Order;

const CHANNEL: u8 = 0;
const FILL: u8 = 1;
const TAGS: u8 = 2;
const NETWORK: u8 = 3;

/// A DRAM channel catches up.
#[inline(always)]
pub(crate) fn channel(channel: u16) -> Order {
    Order::own(CHANNEL, channel, 0)
}

/// The n-th fetch that a channel has completed fills a slice.
#[inline(always)]
pub(crate) fn fill(slice: u16, channel: u16, message: u32) -> Order {
    Order::new(FILL, slice, 0, channel, message)
}

/// The atomic unit of a slice is done with a request; it takes them one after the other.
#[inline(always)]
pub(crate) fn atomic_done(slice: u16) -> Order {
    Order::own(FILL, slice, 1)
}

/// The n-th packet of an output arrives at its receiver.
#[inline(always)]
pub(crate) fn arrival(output: u16, message: u32) -> Order {
    Order::new(NETWORK, output, 0, output, message)
}

/// An output of the crossbar is free.
#[inline(always)]
pub(crate) fn output(output: u16) -> Order {
    Order::own(NETWORK, output, 1)
}

/// The head of an input of the crossbar asks for its output.
#[inline(always)]
pub(crate) fn head(input: u16) -> Order {
    Order::own(NETWORK, input, 2)
}

/// The tags of a slice take what they can.
#[inline(always)]
pub(crate) fn tags(slice: u16) -> Order {
    Order::own(TAGS, slice, 0)
}
