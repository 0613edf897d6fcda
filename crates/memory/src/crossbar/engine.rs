//! The crossbar itself: injection, arbitration, transfer, credit.

use super::counters::CrossbarCounters;
use super::packet::{Class, CrossbarEvent, Packet, Port};
use super::plane::Plane;
use super::port::{Askers, Input, NEVER, Output, Queued};
use super::spec::CrossbarSpec;
use crate::order;
use heddle_engine::{Clock, Tick, Wheel};

/// A crossbar.
#[derive(Clone, Debug)]
pub struct Crossbar {
    pub(super) clock: Clock,
    /// Ports of one class, as a shift: a power of two, so that class and endpoint are bits of a port's number.
    shift: u32,
    /// Whether all endpoints run at the crossbar's own period: an edge of one is an edge of all then, and none
    /// has to be looked for.
    aligned: bool,
    /// The clocks of the receivers: a packet arrives at an edge of its receiver's.
    receivers: Vec<Clock>,
    header: u64,
    latency: u64,
    input_queue: u32,
    output_queue: u32,
    pub(super) inputs: Vec<Input>,
    pub(super) outputs: Vec<Output>,
    askers: Askers,
    counters: Vec<CrossbarCounters>,
    /// Ticks that packets have waited, by class.
    waited: Vec<u64>,
    /// Packets that have been injected and not yet been taken.
    inside: u64,
}

impl Crossbar {
    /// A crossbar between endpoints that run at these clocks, with a plane for each message class.
    pub fn new(spec: &CrossbarSpec, clock: Clock, receivers: Vec<Clock>, planes: &[Plane]) -> Crossbar {
        let shift = receivers.len().next_power_of_two().ilog2();
        let ports = planes.len() << shift;
        let output = Output::new(spec.output_queue);
        Crossbar {
            clock,
            aligned: receivers.iter().all(|receiver| *receiver == clock),
            shift,
            header: spec.header.0,
            latency: clock.ticks(u64::from(spec.latency)),
            input_queue: spec.input_queue,
            output_queue: spec.output_queue,
            inputs: (0..ports).map(|port| Input::new(spec.input_queue, planes[port >> shift])).collect(),
            outputs: vec![output; ports],
            askers: Askers::new(ports, receivers.len()),
            counters: vec![CrossbarCounters::default(); planes.len()],
            waited: vec![0; planes.len()],
            inside: 0,
            receivers,
        }
    }

    /// The port of an endpoint in a class.
    #[inline(always)]
    pub fn port(&self, class: Class, endpoint: u16) -> Port {
        Port(u16::from(class.0) << self.shift | endpoint)
    }

    /// The class and endpoint of a port.
    #[inline(always)]
    pub fn place(&self, port: Port) -> (Class, u16) {
        (Class((port.0 >> self.shift) as u8), port.0 & ((1 << self.shift) - 1))
    }

    /// Whether an input can take a packet.
    #[inline(always)]
    pub fn has_room(&self, port: Port) -> bool {
        self.inputs[usize::from(port.0)].len() < self.input_queue
    }

    /// Puts a packet into an input that has room. `now` is an edge of the crossbar's clock or of an endpoint's.
    #[inline]
    pub fn inject<E>(&mut self, now: Tick, port: Port, packet: Packet, wheel: &mut Wheel<E>)
    where
        E: Copy + From<CrossbarEvent>,
    {
        debug_assert!(self.has_room(port));
        self.inside += 1;
        let edge = self.own_edge(now).0;
        let input = &mut self.inputs[usize::from(port.0)];
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
        let output = &self.outputs[usize::from(self.port(class, packet.to).0)];
        // A packet at the head of an empty queue begins at once, even if its edge lies a little ahead.
        if start == edge && output.free_at <= start && output.credits > 0 && output.waiting == 0 {
            self.begin(port, start, wheel);
        } else {
            wheel.schedule(Tick(start), order::head(port.0), CrossbarEvent::Head(port).into());
        }
    }

    /// Handles an event of its own. If a packet has left an input by it, that input's port.
    #[inline]
    pub fn handle<E>(&mut self, now: Tick, event: CrossbarEvent, wheel: &mut Wheel<E>) -> Option<Port>
    where
        E: Copy + From<CrossbarEvent>,
    {
        match event {
            CrossbarEvent::Head(port) => self.ask(now, port, wheel),
            CrossbarEvent::Output(port) => {
                let output = &mut self.outputs[usize::from(port.0)];
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
        let output = &mut self.outputs[usize::from(port.0)];
        output.credits += 1;
        assert!(output.credits <= self.output_queue, "a credit came back twice");
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

    /// The crossbar's first edge at the time of an endpoint's edge or later.
    #[inline(always)]
    fn own_edge(&self, now: Tick) -> Tick {
        if self.aligned { now } else { self.clock.edge(now) }
    }

    /// An output will arbitrate at `at` or before.
    #[inline(always)]
    fn expect<E>(&mut self, target: Port, at: u64, wheel: &mut Wheel<E>)
    where
        E: Copy + From<CrossbarEvent>,
    {
        let output = &mut self.outputs[usize::from(target.0)];
        if at < output.expected_at {
            output.expected_at = at;
            wheel.schedule(Tick(at), order::output(target.0), CrossbarEvent::Output(target).into());
        }
    }

    /// The head of an input asks for its output.
    fn ask<E>(&mut self, now: Tick, port: Port, wheel: &mut Wheel<E>) -> Option<Port>
    where
        E: Copy + From<CrossbarEvent>,
    {
        let (class, endpoint) = self.place(port);
        let to = self.inputs[usize::from(port.0)].head().packet.to;
        let target = self.port(class, to);
        let output = &mut self.outputs[usize::from(target.0)];
        if output.free_at <= now.0 && output.credits > 0 && output.waiting == 0 {
            return self.begin(port, now.0, wheel).then_some(port);
        }
        output.waiting += 1;
        self.askers.add(usize::from(target.0), u32::from(endpoint));
        self.counters[usize::from(class.0)].blocked += 1;
        if output.free_at > now.0 && output.turns > 1 {
            self.end_turns(now.0, target);
        }
        let Output { free_at, credits, .. } = self.outputs[usize::from(target.0)];
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
        let sender = self.outputs[usize::from(target.0)].last as u16;
        let port = usize::from(self.port(class, sender).0);
        let (output, input) = (&mut self.outputs[usize::from(target.0)], &mut self.inputs[port]);
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
        let output = &mut self.outputs[usize::from(target.0)];
        if output.waiting == 0 || output.credits == 0 {
            return None;
        }
        if output.free_at > now.0 {
            // Another input was served in this very cycle.
            let free_at = output.free_at;
            self.expect(target, free_at, wheel);
            return None;
        }
        let endpoint = self.askers.next_after(usize::from(target.0), output.last);
        self.askers.remove(usize::from(target.0), endpoint);
        output.waiting -= 1;
        let (class, _) = self.place(target);
        let port = self.port(class, endpoint as u16);
        let departed = self.begin(port, now.0, wheel);
        let output = &self.outputs[usize::from(target.0)];
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
        let input = &self.inputs[usize::from(port.0)];
        let Plane { turn, speedup } = input.plane;
        if speedup > 1 {
            self.cross(port, start, wheel);
            return true;
        }
        let (class, endpoint) = self.place(port);
        let Queued { packet, since, sent } = input.head();
        let target = self.port(class, packet.to);
        if sent == 0 {
            self.count(class, &packet, start.saturating_sub(since));
        }
        let input = &mut self.inputs[usize::from(port.0)];
        let output = &mut self.outputs[usize::from(target.0)];
        let left = packet.flits - sent;
        let last = left <= turn;
        output.turns = match last || output.waiting > 0 {
            true => 1,
            false => (left - 1) / turn,
        };
        let flits = if last { left } else { output.turns * turn };
        let end = start + self.clock.ticks(flits.into());
        input.free_at = end;
        output.begun_at = start;
        output.last = endpoint.into();
        output.free_at = end;
        if !last {
            self.ask_again(port, target, sent + flits, wheel);
            return false;
        }
        output.credits -= 1;
        input.pop();
        if input.len() > 0 {
            wheel.schedule(Tick(end), order::head(port.0), CrossbarEvent::Head(port).into());
        }
        self.send(target, &packet, end, wheel);
        true
    }

    /// A packet arrives the latency after its last flit has left its output, at `end`.
    #[inline(always)]
    pub(super) fn send<E>(&mut self, target: Port, packet: &Packet, end: u64, wheel: &mut Wheel<E>)
    where
        E: Copy + From<CrossbarEvent>,
    {
        let mut arrival = Tick(end + self.latency);
        if !self.aligned {
            arrival = self.receivers[usize::from(packet.to)].edge(arrival);
        }
        let output = &mut self.outputs[usize::from(target.0)];
        let order = order::arrival(target.0, output.packets);
        output.packets = output.packets.wrapping_add(1);
        wheel.schedule(arrival, order, CrossbarEvent::Arrival(target, packet.payload).into());
    }

    /// The rest of a packet asks for the same output when the turn is over.
    fn ask_again<E>(&mut self, port: Port, target: Port, sent: u16, wheel: &mut Wheel<E>)
    where
        E: Copy + From<CrossbarEvent>,
    {
        let (_, endpoint) = self.place(port);
        self.inputs[usize::from(port.0)].set_sent(sent);
        self.askers.add(usize::from(target.0), endpoint.into());
        let output = &mut self.outputs[usize::from(target.0)];
        output.waiting += 1;
        let free_at = output.free_at;
        self.expect(target, free_at, wheel);
    }

    #[inline(always)]
    pub(super) fn count(&mut self, class: Class, packet: &Packet, waited: u64) {
        self.waited[usize::from(class.0)] += waited;
        let flits = u64::from(packet.flits);
        let counters = &mut self.counters[usize::from(class.0)];
        counters.bytes += self.header + u64::from(packet.data);
        counters.busy += flits;
        if packet.data == 0 {
            counters.address_packets += 1;
            counters.address_flits += flits;
        } else {
            counters.data_packets += 1;
            counters.data_flits += flits;
        }
    }

    /// What a class has counted.
    pub fn counters(&self, class: Class) -> CrossbarCounters {
        let waited = self.waited[usize::from(class.0)] / self.clock.period();
        CrossbarCounters { waited, ..self.counters[usize::from(class.0)].clone() }
    }

    /// Packets that have been injected and not yet been taken.
    pub fn inside(&self) -> u64 {
        self.inside
    }

    /// What waits at an input, first to last, by payload.
    pub fn waiting_at(&self, port: Port) -> impl Iterator<Item = u32> {
        self.inputs[usize::from(port.0)].iter().map(|queued| queued.packet.payload)
    }

    /// Checks that an empty crossbar has all its credits and no packet. Panics if one was lost.
    pub fn assert_empty(&self) {
        assert_eq!(self.inside, 0, "packets are still inside");
        assert!(self.inputs.iter().all(|input| input.len() == 0), "a packet was forgotten at an input");
        assert!(
            self.outputs.iter().all(|output| output.waiting == 0),
            "an output still has inputs that wait for it"
        );
        assert!(self.outputs.iter().all(|output| output.credits == self.output_queue), "a credit was lost");
    }
}
