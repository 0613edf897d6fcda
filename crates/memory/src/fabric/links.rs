//! How messages go from node to node: into a queue of an outlet, through a network or over a wire, and out of it.

use super::context::{Context, FollowUp, Network};
use super::outlet::{Outlet, Way};
use crate::crossbar::{Packet, PacketKind, Port};
use crate::event::Event;
use crate::ids::{EndpointId, LaneId, NetworkId, NodeId, OutletId};
use crate::message::{Direction, Message, Stage};
use crate::order;
use heddle_engine::Tick;

impl Context {
    /// Puts a message into a queue.
    #[inline(always)]
    pub(super) fn queue(&mut self, outlet: OutletId, lane: LaneId, number: u32) {
        let outlet = &mut self.outlets[outlet.index()];
        outlet.lanes[lane.index()].queue.push(number, &mut self.messages);
        outlet.filled |= 1 << lane.0;
    }

    /// Moves what waits at an outlet on, as far as there is room.
    #[inline(always)]
    pub(super) fn pump(&mut self, now: Tick, id: OutletId) {
        if self.outlets[id.index()].filled != 0 {
            self.pump_filled(now, id);
        }
    }

    #[inline(never)]
    fn pump_filled(&mut self, now: Tick, id: OutletId) {
        loop {
            let outlet = &self.outlets[id.index()];
            if outlet.filled == 0 {
                return;
            }
            let next = match outlet.way {
                Way::Port(network, port) => {
                    self.networks[network.index()].crossbar.has_room(port).then(|| outlet.next_lane())
                }
                Way::Direct(wire) => {
                    (wire.credits > 0 || outlet.direction == Direction::Back).then(|| outlet.next_lane())
                }
                Way::Ports(network, endpoint) => self.next_of_classes(outlet, network, endpoint),
            };
            let Some(place) = next else { return };
            let outlet = &mut self.outlets[id.index()];
            let lane = &mut outlet.lanes[place];
            let Some(number) = lane.queue.pop(&mut self.messages) else { return };
            lane.waited += now.0.saturating_sub(self.messages[number].since);
            outlet.turn = place as u32 + 1;
            if lane.queue.len() == 0 {
                outlet.filled &= !(1 << place);
            }
            if outlet.awaited >> place & 1 == 1 && lane.queue.len() < lane.capacity {
                outlet.awaited &= !(1 << place);
                self.follow_ups.push(FollowUp::Room(lane.owner, outlet.direction));
            }
            self.depart(now, id, number);
        }
    }

    /// The lane whose turn it is, of those whose first packet finds room in its class.
    #[cold]
    fn next_of_classes(&self, outlet: &Outlet, network: NetworkId, endpoint: EndpointId) -> Option<usize> {
        let network = &self.networks[network.index()];
        outlet.lanes_in_turn().find(|&place| {
            let Some(first) = outlet.lanes[place].queue.front() else { return false };
            let class = network.classes.of(self.messages[first].packet_kind(outlet.direction));
            network.crossbar.has_room(network.crossbar.port(class, endpoint))
        })
    }

    /// A message leaves an outlet that has room for it.
    #[inline(always)]
    fn depart(&mut self, now: Tick, id: OutletId, number: u32) {
        let outlet = &mut self.outlets[id.index()];
        let message = &mut self.messages[number];
        let (receiver, stage) = match outlet.direction {
            Direction::Down => (message.to, Stage::OnTheWayDown),
            Direction::Back => (message.from, Stage::OnTheWayBack),
        };
        message.stage = stage;
        let (network, port) = match &mut outlet.way {
            Way::Port(network, port) => (*network, *port),
            Way::Ports(network, endpoint) => {
                let Network { crossbar, classes, .. } = &self.networks[network.index()];
                (*network, crossbar.port(classes.of(message.packet_kind(outlet.direction)), *endpoint))
            }
            Way::Direct(wire) => {
                let leaves = wire.clock.edge(Tick(now.0.max(wire.free_at)));
                wire.free_at = leaves.0 + wire.clock.period();
                wire.credits = wire.credits.saturating_sub(u32::from(outlet.direction == Direction::Down));
                wire.sent = wire.sent.wrapping_add(1);
                let (at, order) = (Tick(leaves.0 + wire.latency), order::delivery(receiver, id, wire.sent));
                return self.wheel.schedule(at, order, Event::Delivery(number));
            }
        };
        let Message { carried, packets, .. } = *message;
        let network = &mut self.networks[network.index()];
        let packet = Packet {
            payload: number,
            to: network.endpoints[receiver.index()],
            flits: network.flits[usize::from(carried)] * packets,
            data: (u16::from(carried) * 4).saturating_mul(packets),
        };
        network.crossbar.inject(now, port, packet, &mut self.wheel);
    }

    /// A receiver has taken a message that came down: there is room for another.
    #[inline(always)]
    pub(super) fn take(&mut self, now: Tick, node: NodeId, number: u32) {
        let from = self.messages[number].outlet;
        match &mut self.outlets[from.index()].way {
            Way::Port(network, _) => {
                // All that goes down is of one class.
                let network = *network;
                let Network { crossbar, classes, endpoints, .. } = &self.networks[network.index()];
                let port = crossbar.port(classes.of(PacketKind::Read), endpoints[node.index()]);
                self.take_from_network(now, network, port);
            }
            Way::Ports(network, _) => {
                let network = *network;
                let Network { crossbar, classes, endpoints, .. } = &self.networks[network.index()];
                let kind = self.messages[number].packet_kind(Direction::Down);
                let port = crossbar.port(classes.of(kind), endpoints[node.index()]);
                self.take_from_network(now, network, port);
            }
            Way::Direct(wire) => {
                wire.credits += 1;
                self.pump(now, from);
            }
        }
    }

    /// A receiver has taken a packet from a network.
    #[inline(always)]
    pub(super) fn take_from_network(&mut self, now: Tick, network: NetworkId, port: Port) {
        let departed = self.networks[network.index()].crossbar.take(now, port, &mut self.wheel);
        self.departed(now, network, departed);
    }

    /// A packet has left an input of a network: there is room for the next.
    #[inline(always)]
    pub(super) fn departed(&mut self, now: Tick, network: NetworkId, port: Option<Port>) {
        if let Some(port) = port {
            let outlet = self.networks[network.index()].outlets[port.index()];
            self.pump(now, outlet);
        }
    }
}
