//! How networks and links are made of a description, piece by piece.

use super::Level;
use super::clocks::ClockDomains;
use super::context::Network;
use super::outlet::{Outlet, Way, Wire};
use super::spec::{FabricSpec, LevelSpec};
use crate::cache::InclusionKind;
use crate::controller::CacheQueueSpec;
use crate::crossbar::{ClassMap, Crossbar};
use crate::ids::{CoreId, EndpointId, LaneId, LevelId, LinkId, NetworkId, NodeId, OutletId};
use crate::message::Direction;
use heddle_engine::Clock;

/// A link by which a level is reached from above.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum LinkAbove {
    /// A network, whoever is on it.
    Network(NetworkId),
    /// The direct one of a level.
    Direct(LevelId),
}

/// What is made, piece by piece.
pub(super) struct Builder<'a> {
    pub(super) spec: &'a FabricSpec,
    pub(super) clocks: &'a ClockDomains,
    pub(super) cores: u32,
    pub(super) levels: Vec<Level>,
    pub(super) outlets: Vec<Outlet>,
    pub(super) networks: Vec<Network>,
    pub(super) queues_to_memory: Vec<CacheQueueSpec>,
    /// The outlet of each core's caches on each network.
    of_cores: Vec<Vec<Option<OutletId>>>,
}

impl<'a> Builder<'a> {
    pub(super) fn new(spec: &'a FabricSpec, clocks: &'a ClockDomains, cores: u32) -> Builder<'a> {
        let (mut first, mut private, mut shared) = (0, 0, 0);
        let privates = spec.caches.iter().filter(|level| level.is_private()).count() as u32;
        let levels = spec.caches.iter().map(|level| {
            let nodes = (level.instances(cores) * level.slices) as usize;
            let made = Level {
                spec: level.clone(),
                first: NodeId(first),
                nodes,
                inclusion_below: spec
                    .cache(&level.below)
                    .map_or(InclusionKind::NonInclusive, |below| below.inclusion),
                seed: 1 + if level.is_private() { private } else { cores * privates + shared },
                seeds_apart: if level.is_private() { privates } else { 1 },
            };
            private += u32::from(level.is_private());
            shared += if level.is_private() { 0 } else { nodes as u32 };
            first += nodes as u16;
            made
        });
        let of_cores = vec![vec![None; spec.networks.len()]; cores as usize];
        Builder {
            spec,
            clocks,
            cores,
            levels: levels.collect(),
            outlets: Vec::new(),
            networks: Vec::new(),
            queues_to_memory: Vec::new(),
            of_cores,
        }
    }

    /// Caches in all.
    pub(super) fn cache_nodes(&self) -> usize {
        self.levels.iter().map(|level| level.nodes).sum()
    }

    /// The number of an agent: behind all caches.
    pub(super) fn agent_node(&self, place: usize) -> NodeId {
        NodeId(0).plus(self.cache_nodes() + place)
    }

    /// The number of the node from which a core gives commands to agents: behind all agents.
    pub(super) fn node_for_commands(&self, core: CoreId) -> NodeId {
        self.agent_node(self.spec.agents.len()).plus(core.index())
    }

    pub(super) fn level(&self, name: &str) -> Option<&Level> {
        self.levels.iter().find(|level| level.spec.name == name)
    }

    /// Gives every core whose caches are on a network an endpoint there, every shared cache on it another, and then
    /// every agent.
    pub(super) fn connect_networks(&mut self) {
        let nodes = self.node_for_commands(CoreId(self.cores as u16)).index();
        for (number, network) in self.spec.networks.iter().enumerate() {
            let sends = |level: &&Level| level.spec.link == network.name;
            let receives = |level: &Level| {
                self.levels.iter().filter(sends).any(|above| above.spec.below == level.spec.name)
            };
            let mut clocks = Vec::new();
            let mut endpoints = vec![EndpointId::NOWHERE; nodes];
            if self.levels.iter().filter(sends).any(|level| level.spec.is_private()) {
                clocks.resize(self.cores as usize, self.clocks.core);
                for core in (0..self.cores as u16).map(CoreId) {
                    endpoints[self.node_for_commands(core).index()] = EndpointId(core.0);
                }
            }
            for level in &self.levels {
                let on_it = sends(&level) || receives(level);
                for place in (0..level.nodes).filter(|_| on_it) {
                    let node = level.first.index() + place;
                    endpoints[node] = match level.spec.is_private() {
                        true => EndpointId(place as u16),
                        false => {
                            clocks.push(self.clocks.of_level(&level.spec));
                            EndpointId((clocks.len() - 1) as u16)
                        }
                    };
                }
            }
            for (place, agent) in self.spec.agents.iter().enumerate() {
                if agent.link == network.name {
                    endpoints[self.agent_node(place).index()] = EndpointId(clocks.len() as u16);
                    clocks.push(self.clocks.of_agent(agent, self.spec));
                }
            }
            let clock = self.clocks.of_network(network);
            let crossbar = Crossbar::new(&network.crossbar, clock, clocks, &network.crossbar.planes());
            let id = NetworkId(number as u8);
            self.networks.push(Network {
                name: network.name.clone(),
                flits: std::array::from_fn(|words| network.crossbar.flits(words as u64 * 4) as u16),
                outlets: vec![OutletId(0); crossbar.ports()],
                crossbar: crossbar.numbered(id),
                classes: ClassMap::new(&network.crossbar),
                endpoints,
            });
        }
    }

    /// An outlet to a network, which is told whose packets leave its input.
    pub(super) fn outlet_to_network(
        &mut self,
        network: NetworkId,
        endpoint: EndpointId,
        direction: Direction,
    ) -> OutletId {
        let id = OutletId(self.outlets.len() as u16);
        let side = &mut self.networks[network.index()];
        let classes = side.classes.one_way(direction == Direction::Down);
        let mut way = Way::Ports(network, endpoint);
        for class in &classes {
            let port = side.crossbar.port(*class, endpoint);
            side.outlets[port.index()] = id;
            if classes.len() == 1 {
                way = Way::Port(network, port);
            }
        }
        self.outlets.push(Outlet::new(way, direction));
        id
    }

    pub(super) fn network(&self, name: &str) -> Option<NetworkId> {
        let number = self.spec.networks.iter().position(|network| network.name == name)?;
        Some(NetworkId(number as u8))
    }

    /// The endpoint of a node.
    pub(super) fn endpoint(&self, network: NetworkId, node: NodeId) -> EndpointId {
        self.networks[network.index()].endpoints[node.index()]
    }

    /// Gives a node a queue at an outlet.
    pub(super) fn join(&mut self, outlet: OutletId, node: NodeId, capacity: u32) -> LaneId {
        self.outlets[outlet.index()].join(node, capacity)
    }

    /// The outlet by which a core sends to a network, which its caches share.
    pub(super) fn outlet_of_core(&mut self, network: NetworkId, core: CoreId) -> OutletId {
        if let Some(outlet) = self.of_cores[core.index()][network.index()] {
            return outlet;
        }
        let made = self.outlet_to_network(network, EndpointId(core.0), Direction::Down);
        self.of_cores[core.index()][network.index()] = Some(made);
        made
    }

    /// The outlet for what a node sends below, and its lane there.
    pub(super) fn outlet_below(
        &mut self,
        level: &LevelSpec,
        node: NodeId,
        core: CoreId,
        below: &LevelSpec,
    ) -> (OutletId, LaneId) {
        let outlet = match self.network(&level.link) {
            Some(network) if level.is_private() => self.outlet_of_core(network, core),
            Some(network) => self.outlet_to_network(network, self.endpoint(network, node), Direction::Down),
            None => {
                self.wire(level.link_latency, self.clocks.of_level(below), below.input_queue, Direction::Down)
            }
        };
        let lane = self.join(outlet, node, level.miss_queue);
        (outlet, lane)
    }

    /// An outlet without a network.
    pub(super) fn wire(
        &mut self,
        latency: u32,
        clock: Clock,
        credits: u32,
        direction: Direction,
    ) -> OutletId {
        let latency = clock.ticks(latency.into());
        let wire = Wire { clock, latency, credits, most: credits, free_at: 0, sent: 0 };
        self.outlets.push(Outlet::new(Way::Direct(wire), direction));
        OutletId((self.outlets.len() - 1) as u16)
    }

    /// The links by which a level is reached from above, in the order in which levels are numbered: each network once,
    /// and each level's own that is direct.
    pub(super) fn links_above(&self, name: &str) -> Vec<LinkAbove> {
        let levels = self.levels.iter().enumerate().filter(|(_, above)| above.spec.below == name);
        let of_levels = levels.map(|(place, above)| match self.network(&above.spec.link) {
            Some(network) => LinkAbove::Network(network),
            None => LinkAbove::Direct(LevelId(place as u8)),
        });
        let agents = self.spec.agents.iter().filter(|agent| agent.below == name);
        let of_agents = agents.filter_map(|agent| self.network(&agent.link)).map(LinkAbove::Network);
        let mut links = Vec::new();
        for link in of_levels.chain(of_agents) {
            if !links.contains(&link) {
                links.push(link);
            }
        }
        links
    }

    /// Which of the links of a level above it this is.
    pub(super) fn link_above(&self, name: &str, link: LinkAbove) -> LinkId {
        let found = self.links_above(name).into_iter().position(|known| known == link);
        LinkId(found.expect("whoever sends by a link is above its receiver") as u8)
    }

    /// The outlets for the replies of a shared cache, one for each link above; the first of them.
    pub(super) fn outlets_above(&mut self, level: &LevelSpec, node: NodeId) -> OutletId {
        let first = OutletId(self.outlets.len() as u16);
        for link in self.links_above(&level.name) {
            let outlet = match link {
                LinkAbove::Network(network) => {
                    self.outlet_to_network(network, self.endpoint(network, node), Direction::Back)
                }
                LinkAbove::Direct(above) => {
                    let above = &self.levels[above.index()].spec;
                    self.wire(above.link_latency, self.clocks.of_level(above), 0, Direction::Back)
                }
            };
            self.join(outlet, node, level.reply_queue);
        }
        first
    }
}
