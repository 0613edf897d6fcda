//! How packets cross: injection, arbitration, transfer, credit.

use super::packet::{CrossbarEvent, Packet, Port};
use super::plane::Plane;
use super::port::{NEVER, Output, Queued};
use super::switch::Crossbar;
use crate::order;
use heddle_engine::{Tick, Wheel};

impl Crossbar {
    /// Puts a packet into an input that has room. `now` is an edge of the crossbar's clock or of an endpoint's.
    #[inline]
    pub fn inject<E>(&mut self, now: Tick, port: Port, packet: Packet, wheel: &mut Wheel<E>)
    where
        E: Copy + From<CrossbarEvent>,
    {
        debug_assert!(self.has_room(port));
        self.inside += 1;
        let edge = self.own_edge(now).0;
        let input = &mut self.inputs[port.index()];
        let since = match input.plane.speedup > 1 {
            true => input.enter(edge, self.clock.ticks(packet.flits.into())),
            false => edge,
        };
        let start = since.max(input.free_at);
        let alone = input.len() == 0;
        input.push(Queued { packet, since, sent: 0 });
        if !alone {
            return;
        }
        let (class, _) = self.place(port);
        let output = &self.outputs[self.port(class, packet.to).index()];
        // A packet at the head of an empty queue begins at once, even if its edge lies a little ahead.
        if start == edge && output.free_at <= start && output.credits > 0 && output.waiting == 0 {
            self.begin(port, start, wheel);
        } else {
            wheel.schedule(
                Tick(start),
                order::head(self.id, port),
                CrossbarEvent::Head(self.id, port).into(),
            );
        }
    }

    /// Handles an event of its own. If a packet has left an input by it, that input's port.
    #[inline]
    pub fn handle<E>(&mut self, now: Tick, event: CrossbarEvent, wheel: &mut Wheel<E>) -> Option<Port>
    where
        E: Copy + From<CrossbarEvent>,
    {
        match event {
            CrossbarEvent::Head(_, port) => self.ask(now, port, wheel),
            CrossbarEvent::Output(_, port) => {
                let output = &mut self.outputs[port.index()];
                if output.expected_at != now.0 {
                    // Out of date: the turn ended earlier.
                    return None;
                }
                output.expected_at = NEVER;
                self.serve(now, port, wheel)
            }
            CrossbarEvent::Arrival(..) => None,
        }
    }

    /// The receiver has taken a packet that had arrived. `now` is an edge as for `inject`. If a packet has left an input thereby, that port.
    #[inline]
    pub fn take<E>(&mut self, now: Tick, port: Port, wheel: &mut Wheel<E>) -> Option<Port>
    where
        E: Copy + From<CrossbarEvent>,
    {
        self.inside -= 1;
        let output = &mut self.outputs[port.index()];
        output.credits += 1;
        assert!(output.credits <= output.most, "a credit came back twice");
        if output.waiting == 0 || output.expected_at != NEVER {
            return None;
        }
        let free_at = output.free_at;
        let edge = self.own_edge(now).0.max(free_at);
        if edge > now.0 {
            self.expect(port, edge, wheel);
            return None;
        }
        self.serve(now, port, wheel)
    }

    /// An output will arbitrate at `at` or before.
    #[inline(always)]
    fn expect<E>(&mut self, target: Port, at: u64, wheel: &mut Wheel<E>)
    where
        E: Copy + From<CrossbarEvent>,
    {
        let output = &mut self.outputs[target.index()];
        if at < output.expected_at {
            output.expected_at = at;
            wheel.schedule(
                Tick(at),
                order::output(self.id, target),
                CrossbarEvent::Output(self.id, target).into(),
            );
        }
    }

    /// The head of an input asks for its output.
    fn ask<E>(&mut self, now: Tick, port: Port, wheel: &mut Wheel<E>) -> Option<Port>
    where
        E: Copy + From<CrossbarEvent>,
    {
        let (class, endpoint) = self.place(port);
        let to = self.inputs[port.index()].head().packet.to;
        let target = self.port(class, to);
        let output = &mut self.outputs[target.index()];
        if output.free_at <= now.0 && output.credits > 0 && output.waiting == 0 {
            return self.begin(port, now.0, wheel).then_some(port);
        }
        output.waiting += 1;
        self.askers.add(target, endpoint);
        self.counters[usize::from(class.0)].blocked += 1;
        if output.free_at > now.0 && output.turns > 1 {
            self.end_turns(now.0, target);
        }
        let Output { free_at, credits, .. } = self.outputs[target.index()];
        if credits == 0 {
            return None;
        }
        if free_at > now.0 {
            self.expect(target, free_at, wheel);
            return None;
        }
        self.serve(now, target, wheel)
    }

    /// A competitor has arrived for an output that was given to one packet for several turns: the turn that has begun
    /// is the last.
    #[cold]
    fn end_turns(&mut self, now: u64, target: Port) {
        let (class, _) = self.place(target);
        let sender = self.outputs[target.index()].last;
        let port = self.port(class, sender).index();
        let (output, input) = (&mut self.outputs[target.index()], &mut self.inputs[port]);
        let flits = input.plane.turn;
        let turn = self.clock.ticks(flits.into());
        let turns = now.saturating_sub(output.begun_at).div_ceil(turn).max(1);
        let end = output.begun_at + turns * turn;
        if end < output.free_at {
            let given_back = u64::from(output.turns) - turns;
            input.set_sent(input.head().sent - given_back as u16 * flits);
            input.free_at = end;
            output.free_at = end;
        }
        output.turns = 1;
    }

    /// An output that is free serves the next input that asks for it, if there is a credit.
    fn serve<E>(&mut self, now: Tick, target: Port, wheel: &mut Wheel<E>) -> Option<Port>
    where
        E: Copy + From<CrossbarEvent>,
    {
        let output = &mut self.outputs[target.index()];
        if output.waiting == 0 || output.credits == 0 {
            return None;
        }
        if output.free_at > now.0 {
            // Another input was served in this very cycle.
            let free_at = output.free_at;
            self.expect(target, free_at, wheel);
            return None;
        }
        let endpoint = self.askers.next_after(target, output.last);
        self.askers.remove(target, endpoint);
        output.waiting -= 1;
        let (class, _) = self.place(target);
        let port = self.port(class, endpoint);
        let departed = self.begin(port, now.0, wheel);
        let output = &self.outputs[target.index()];
        if output.waiting > 0 && output.credits > 0 {
            self.expect(target, output.free_at, wheel);
        }
        departed.then_some(port)
    }

    /// Starts a turn of an input's head; whether it is the last of the packet, which leaves its input thereby. A
    /// packet without competitors gets all its turns but the last at once, until one arrives.
    #[inline(never)]
    fn begin<E>(&mut self, port: Port, start: u64, wheel: &mut Wheel<E>) -> bool
    where
        E: Copy + From<CrossbarEvent>,
    {
        let input = &self.inputs[port.index()];
        let plane @ Plane { turn, speedup, .. } = input.plane;
        if speedup > 1 {
            self.cross(port, start, wheel);
            return true;
        }
        let (class, endpoint) = self.place(port);
        let Queued { packet, since, sent } = input.head();
        let target = self.port(class, packet.to);
        if sent == 0 {
            self.count(class, &packet, plane.cycles(packet.flits), start.saturating_sub(since));
        }
        let input = &mut self.inputs[port.index()];
        let output = &mut self.outputs[target.index()];
        let left = packet.flits - sent;
        let last = left <= turn;
        output.turns = match last || output.waiting > 0 {
            true => 1,
            false => (left - 1) / turn,
        };
        let flits = if last { left } else { output.turns * turn };
        let end = start + self.clock.ticks(plane.cycles(flits).into());
        input.free_at = end;
        output.begun_at = start;
        output.last = endpoint;
        output.free_at = end;
        if !last {
            self.ask_again(port, target, sent + flits, wheel);
            return false;
        }
        output.credits -= 1;
        input.pop();
        if input.len() > 0 {
            wheel.schedule(Tick(end), order::head(self.id, port), CrossbarEvent::Head(self.id, port).into());
        }
        self.send(target, &packet, end, wheel);
        true
    }

    /// The rest of a packet asks for the same output when the turn is over.
    fn ask_again<E>(&mut self, port: Port, target: Port, sent: u16, wheel: &mut Wheel<E>)
    where
        E: Copy + From<CrossbarEvent>,
    {
        let (_, endpoint) = self.place(port);
        self.inputs[port.index()].set_sent(sent);
        self.askers.add(target, endpoint);
        let output = &mut self.outputs[target.index()];
        output.waiting += 1;
        let free_at = output.free_at;
        self.expect(target, free_at, wheel);
    }
}
