//! The state of inputs and outputs.

use super::packet::{Packet, Port};
use super::plane::Plane;
use crate::ids::EndpointId;

/// A packet in an input's queue.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Queued {
    pub(super) packet: Packet,
    /// The edge from which it could have started.
    pub(super) since: u64,
    /// Flits of it that have been sent.
    pub(super) sent: u16,
}

/// An input: a FIFO of packets in a ring, and when it is free.
#[derive(Clone, Debug)]
pub(super) struct Input {
    /// How its packets cross.
    pub(super) plane: Plane,
    ring: Vec<Queued>,
    first: u32,
    length: u32,
    /// The tick from which the next packet can start.
    pub(super) free_at: u64,
    /// The tick from which its link can bring another packet, where the switch is faster than links.
    pub(super) entered_at: u64,
}

impl Input {
    pub(super) fn new(plane: Plane) -> Input {
        let ring = vec![Queued::default(); plane.input_queue.next_power_of_two() as usize];
        Input { plane, ring, first: 0, length: 0, free_at: 0, entered_at: 0 }
    }

    #[inline(always)]
    pub(super) fn len(&self) -> u32 {
        self.length
    }

    #[inline(always)]
    pub(super) fn has_room(&self) -> bool {
        self.length < self.plane.input_queue
    }

    #[inline(always)]
    pub(super) fn push(&mut self, queued: Queued) {
        let mask = self.ring.len() - 1;
        self.ring[(self.first + self.length) as usize & mask] = queued;
        self.length += 1;
    }

    #[inline(always)]
    pub(super) fn head(&self) -> Queued {
        self.ring[self.first as usize & (self.ring.len() - 1)]
    }

    /// Notes that so many flits of the head have been sent.
    #[inline(always)]
    pub(super) fn set_sent(&mut self, sent: u16) {
        let mask = self.ring.len() - 1;
        self.ring[self.first as usize & mask].sent = sent;
    }

    #[inline(always)]
    pub(super) fn pop(&mut self) -> Queued {
        let head = self.head();
        self.first = self.first.wrapping_add(1);
        self.length -= 1;
        head
    }

    /// What waits, first to last.
    pub(super) fn iter(&self) -> impl Iterator<Item = &Queued> {
        (0..self.length).map(|n| &self.ring[self.first.wrapping_add(n) as usize & (self.ring.len() - 1)])
    }
}

/// The tick of an event that is not expected.
pub(super) const NEVER: u64 = u64::MAX;

/// An output: when it is free, its credits, the inputs that request it.
#[derive(Clone, Debug)]
pub(super) struct Output {
    /// The tick from which the next transfer can start.
    pub(super) free_at: u64,
    /// The tick from which its link can take another packet, where the switch is faster than links.
    pub(super) link_free_at: u64,
    /// When the present transfer began, and the turns that it was given.
    pub(super) begun_at: u64,
    pub(super) turns: u16,
    /// Transfers that may start before the receiver takes a packet, now and at most.
    pub(super) credits: u32,
    pub(super) most: u32,
    /// The endpoint that was served last.
    pub(super) last: EndpointId,
    /// How many inputs ask for it.
    pub(super) waiting: u32,
    /// Packets that it has sent.
    pub(super) packets: u32,
    /// The event at this tick arbitrates between the requesting inputs; others are out of date.
    pub(super) expected_at: u64,
}

impl Output {
    pub(super) fn new(credits: u32) -> Output {
        Output {
            free_at: 0,
            link_free_at: 0,
            begun_at: 0,
            turns: 1,
            credits,
            most: credits,
            last: EndpointId(0),
            waiting: 0,
            packets: 0,
            expected_at: NEVER,
        }
    }
}

/// Which inputs ask for which output: a row of bits per output.
#[derive(Clone, Debug)]
pub(super) struct Askers {
    bits: Vec<u64>,
    words: usize,
}

impl Askers {
    pub(super) fn new(outputs: usize, endpoints: usize) -> Askers {
        let words = endpoints.div_ceil(64).max(1);
        Askers { bits: vec![0; outputs * words], words }
    }

    #[inline(always)]
    pub(super) fn add(&mut self, output: Port, endpoint: EndpointId) {
        self.bits[output.index() * self.words + endpoint.index() / 64] |= 1 << (endpoint.0 % 64);
    }

    #[inline(always)]
    pub(super) fn remove(&mut self, output: Port, endpoint: EndpointId) {
        self.bits[output.index() * self.words + endpoint.index() / 64] &= !(1 << (endpoint.0 % 64));
    }

    /// The next endpoint after `last` that asks, around the circle. One must.
    #[inline(always)]
    pub(super) fn next_after(&self, output: Port, last: EndpointId) -> EndpointId {
        let row = &self.bits[output.index() * self.words..][..self.words];
        let start = last.index() / 64;
        let above = row[start] & (u64::MAX << (last.0 % 64) << 1);
        if above != 0 {
            return EndpointId((start * 64) as u16 + above.trailing_zeros() as u16);
        }
        for step in 1..=self.words {
            let word = (start + step) % self.words;
            if row[word] != 0 {
                return EndpointId((word * 64) as u16 + row[word].trailing_zeros() as u16);
            }
        }
        last
    }
}

#[cfg(test)]
mod tests {
    use super::{Askers, EndpointId, Port};

    #[test]
    fn turns_go_around_the_circle_across_words() {
        let mut askers = Askers::new(2, 130);
        for endpoint in [3, 63, 64, 129] {
            askers.add(Port(1), EndpointId(endpoint));
        }
        let mut order = Vec::new();
        let mut last = EndpointId(63);
        for _ in 0..5 {
            last = askers.next_after(Port(1), last);
            order.push(last.0);
        }
        assert_eq!(order, [64, 129, 3, 63, 64]);
        askers.remove(Port(1), EndpointId(64));
        assert_eq!(askers.next_after(Port(1), EndpointId(63)), EndpointId(129));
    }
}
