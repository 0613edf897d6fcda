//! A switch that is faster than its links.
//!
//! ```text
//! in      0 1 2 3            one flit per cycle
//! switch        a0 12 3      `speedup` flits per cycle, the first of which allocates the output
//! out           0  1  2 3    one flit per cycle
//! ```
//!
//! A packet that has waited at its input while others were served is there whole, and holds input and output for
//! about half its flits with a speed-up of two; one that is still coming in holds them to its last flit. What has crossed
//! faster than it can leave waits behind the output, which serves the next input meanwhile: the credits bound how much.

use super::packet::{CrossbarEvent, Port};
use super::port::{Input, Queued};
use super::switch::Crossbar;
use crate::order;
use heddle_engine::{Tick, Wheel};

impl Input {
    /// The link brings a packet behind the one before it, from `edge` on at the earliest and in `whole` ticks: when its
    /// first flit is there.
    #[inline(always)]
    pub(super) fn enter(&mut self, edge: u64, whole: u64) -> u64 {
        let since = edge.max(self.entered_at);
        self.entered_at = since + whole;
        since
    }
}

impl Crossbar {
    /// An input's head crosses, whole, and leaves its input thereby.
    #[inline(never)]
    pub(super) fn cross<E>(&mut self, port: Port, start: u64, wheel: &mut Wheel<E>)
    where
        E: Copy + From<CrossbarEvent>,
    {
        let (class, endpoint) = self.place(port);
        let input = &mut self.inputs[port.index()];
        let Queued { packet, since, .. } = input.pop();
        let held = self.clock.ticks(input.plane.held(packet.flits).into());
        let whole = self.clock.ticks(packet.flits.into());
        let crossed = (start + held).max(since + whole);
        input.free_at = crossed;
        if input.len() > 0 {
            // The next may still be on the link.
            let asks_at = crossed.max(input.head().since);
            wheel.schedule(
                Tick(asks_at),
                order::head(self.id, port),
                CrossbarEvent::Head(self.id, port).into(),
            );
        }
        self.count(class, &packet, packet.flits, start.saturating_sub(since));
        let target = self.port(class, packet.to);
        let output = &mut self.outputs[target.index()];
        output.credits -= 1;
        output.turns = 1;
        output.last = endpoint;
        output.free_at = crossed;
        output.link_free_at = output.link_free_at.max(start) + whole;
        let sent_at = output.link_free_at;
        self.send(target, &packet, sent_at, wheel);
    }
}
