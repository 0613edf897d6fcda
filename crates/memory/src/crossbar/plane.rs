//! How the packets of one message class cross.

/// How the packets of one message class cross.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plane {
    /// Flits of a turn at most.
    pub(super) turn: u16,
    /// Flits that the switch moves in one cycle, of packets that are sent whole.
    pub(super) speedup: u16,
    /// Flits of one packet that a link moves in one cycle.
    pub(super) width: u16,
    /// Packets that may wait at an input.
    pub(super) input_queue: u32,
    /// Packets that may be on the way to a receiver or wait there.
    pub(super) output_queue: u32,
}

impl Plane {
    /// An output turns to the next input after `interleave` flits, with 0 after a packet. Where it is after a packet,
    /// inputs and outputs move `speedup` flits in a cycle between them. Inputs and outputs have queues of these lengths.
    pub fn new(interleave: u32, speedup: u32, (input_queue, output_queue): (u32, u32)) -> Plane {
        let bounded = |flits: u32| flits.min(u16::MAX.into()) as u16;
        Plane {
            turn: if interleave == 0 { u16::MAX } else { bounded(interleave) },
            speedup: bounded(speedup),
            width: 1,
            input_queue,
            output_queue,
        }
    }

    /// The same with links that move so many flits in a cycle.
    pub fn with_links(self, width: u32) -> Plane {
        Plane { width: width.min(u16::MAX.into()) as u16, ..self }
    }

    /// Cycles for which so many flits of a packet hold a link.
    #[inline(always)]
    pub(super) fn cycles(self, flits: u16) -> u16 {
        if self.width == 1 { flits } else { flits.div_ceil(self.width) }
    }

    /// Cycles for which a packet that is there whole holds its input and its output, with a speed-up: the output is
    /// allocated in the time of one flit.
    #[inline(always)]
    pub(super) fn held(self, flits: u16) -> u16 {
        (flits + 1).div_ceil(self.speedup)
    }
}
