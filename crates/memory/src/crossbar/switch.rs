//! The state of a crossbar, its ports, and what it has counted.

use super::counters::CrossbarCounters;
use super::packet::{Class, CrossbarEvent, Packet, Port};
use super::plane::Plane;
use super::port::{Askers, Input, Output};
use super::spec::CrossbarSpec;
use crate::ids::{EndpointId, NetworkId};
use crate::order;
use heddle_engine::{Clock, Tick, Wheel};

/// A crossbar.
#[derive(Clone, Debug)]
pub struct Crossbar {
    pub(super) id: NetworkId,
    pub(super) clock: Clock,
    /// Ports of one class, as a shift: a power of two, so that class and endpoint are bits of a port's number.
    shift: u32,
    /// Whether all endpoints run at the crossbar's own period: an edge of one is an edge of all then, and none
    /// has to be looked for.
    pub(super) aligned: bool,
    /// The clocks of the receivers: a packet arrives at an edge of its receiver's.
    receivers: Vec<Clock>,
    header: u64,
    latency: u64,
    pub(super) inputs: Vec<Input>,
    pub(super) outputs: Vec<Output>,
    pub(super) askers: Askers,
    pub(super) counters: Vec<CrossbarCounters>,
    /// Ticks that packets have waited, by class.
    waited: Vec<u64>,
    /// Packets that have been injected and not yet been taken.
    pub(super) inside: u64,
}

impl Crossbar {
    /// A crossbar between endpoints that run at these clocks, with a plane for each message class.
    pub fn new(spec: &CrossbarSpec, clock: Clock, receivers: Vec<Clock>, planes: &[Plane]) -> Crossbar {
        let shift = receivers.len().next_power_of_two().ilog2();
        let ports = planes.len() << shift;
        Crossbar {
            id: NetworkId(0),
            clock,
            aligned: receivers.iter().all(|receiver| *receiver == clock),
            shift,
            header: spec.header.0,
            latency: clock.ticks(u64::from(spec.latency)),
            inputs: (0..ports).map(|port| Input::new(planes[port >> shift])).collect(),
            outputs: (0..ports).map(|port| Output::new(planes[port >> shift].output_queue)).collect(),
            askers: Askers::new(ports, receivers.len()),
            counters: vec![CrossbarCounters::default(); planes.len()],
            waited: vec![0; planes.len()],
            inside: 0,
            receivers,
        }
    }

    /// The same, by a number that its events carry.
    pub(crate) fn numbered(self, id: NetworkId) -> Crossbar {
        Crossbar { id, ..self }
    }

    /// How many ports there are; numbers of ports are below.
    pub(crate) fn ports(&self) -> usize {
        self.inputs.len()
    }

    /// The port of an endpoint in a class.
    #[inline(always)]
    pub fn port(&self, class: Class, endpoint: EndpointId) -> Port {
        Port(u16::from(class.0) << self.shift | endpoint.0)
    }

    /// The class and endpoint of a port.
    #[inline(always)]
    pub fn place(&self, port: Port) -> (Class, EndpointId) {
        let endpoint = EndpointId(port.0 & ((1 << self.shift) - 1));
        (Class((port.0 >> self.shift) as u8), endpoint)
    }

    /// Whether an input can take a packet.
    #[inline(always)]
    pub fn has_room(&self, port: Port) -> bool {
        self.inputs[port.index()].has_room()
    }

    /// The crossbar's first edge at the time of an endpoint's edge or later.
    #[inline(always)]
    pub(super) fn own_edge(&self, now: Tick) -> Tick {
        if self.aligned { now } else { self.clock.edge(now) }
    }

    /// A packet arrives the latency after its last flit has left its output, at `end`.
    #[inline(always)]
    pub(super) fn send<E>(&mut self, target: Port, packet: &Packet, end: u64, wheel: &mut Wheel<E>)
    where
        E: Copy + From<CrossbarEvent>,
    {
        let mut arrival = Tick(end + self.latency);
        if !self.aligned {
            arrival = self.receivers[packet.to.index()].edge(arrival);
        }
        let output = &mut self.outputs[target.index()];
        let order = order::arrival(self.id, target, output.packets);
        output.packets = output.packets.wrapping_add(1);
        wheel.schedule(arrival, order, CrossbarEvent::Arrival(self.id, target, packet.payload).into());
    }

    /// Counts a packet that keeps its link busy for so many cycles.
    #[inline(always)]
    pub(super) fn count(&mut self, class: Class, packet: &Packet, busy: u16, waited: u64) {
        self.waited[usize::from(class.0)] += waited;
        let flits = u64::from(packet.flits);
        let counters = &mut self.counters[usize::from(class.0)];
        counters.bytes += self.header + u64::from(packet.data);
        counters.busy += u64::from(busy);
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
        self.inputs[port.index()].iter().map(|queued| queued.packet.payload)
    }

    /// Checks that an empty crossbar has all its credits and no packet. Panics if one was lost.
    pub fn assert_empty(&self) {
        assert_eq!(self.inside, 0, "packets are still inside");
        assert!(self.inputs.iter().all(|input| input.len() == 0), "a packet was forgotten at an input");
        assert!(
            self.outputs.iter().all(|output| output.waiting == 0),
            "an output still has inputs that wait for it"
        );
        assert!(self.outputs.iter().all(|output| output.credits == output.most), "a credit was lost");
    }
}
