//! How caches and links are made of a description, piece by piece.

use super::Level;
use super::clocks::ClockDomains;
use super::context::Network;
use super::node::{Above, Below, CacheNode, Refusals, Route, Shape, TagStage};
use super::outlet::{Outlet, Way, Wire};
use super::spec::{DIRECT, FabricSpec, FetchUnit, LevelSpec};
use crate::cache::{Cache, CoreTables, InclusionKind, PolicySpec, Slicing};
use crate::controller::CacheQueueSpec;
use crate::crossbar::{ClassMap, Crossbar};
use crate::ids::{
    CacheQueueId, ChannelId, CoreId, EndpointId, LaneId, LevelId, NetworkId, NodeId, OutletId, SliceId,
};
use crate::message::{Direction, Queue};
use crate::request::Path;
use crate::spec_error::SpecError;
use heddle_engine::Clock;

/// The cache of a node. Policies that draw lots draw different ones in every node.
pub(super) fn cache_of(
    level: &Level,
    policies: &PolicySpec,
    node: NodeId,
    slicing: Slicing,
    slice: SliceId,
) -> Cache {
    let seed = level.seed + u32::from(node.0 - level.first.0) * level.seeds_apart;
    let mut cache = Cache::new(&level.spec.slice(), policies, seed).sliced(slicing, slice);
    if level.spec.is_last() {
        cache = cache.performing_atomics();
    }
    if level.spec.count_sharing {
        cache = cache.counting_sharing();
    }
    cache.above(level.inclusion_below, policies)
}

/// The tables that policies of several levels share: of each level whose inclusion or bypass policy has some.
pub(super) fn tables_of(levels: &[Level], policies: &PolicySpec, cores: u32) -> CoreTables {
    let mut tables = CoreTables::default();
    levels.iter().for_each(|level| tables.add(level.spec.inclusion, policies, cores));
    let bypasses = levels.iter().filter(|level| level.spec.is_private()).map(|level| level.spec.bypass);
    bypasses.fold(tables, |tables, bypass| tables.and_of(bypass, policies, cores))
}

/// No node: to ask along a path that the machine has not is a fault of whoever asks.
pub(super) const NOWHERE: NodeId = NodeId(u16::MAX);

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
    pub(super) fn node_for_commands(&self, core: u32) -> NodeId {
        self.agent_node(self.spec.agents.len()).plus(core as usize)
    }

    pub(super) fn level(&self, name: &str) -> Option<&Level> {
        self.levels.iter().find(|level| level.spec.name == name)
    }

    /// Gives every core whose caches are on a network an endpoint there, every shared cache on it another, and then
    /// every agent.
    pub(super) fn connect_networks(&mut self) {
        let nodes = self.node_for_commands(self.cores).index();
        for (number, network) in self.spec.networks.iter().enumerate() {
            let sends = |level: &&Level| level.spec.link == network.name;
            let receives = |level: &Level| {
                self.levels.iter().filter(sends).any(|above| above.spec.below == level.spec.name)
            };
            let mut clocks = Vec::new();
            let mut endpoints = vec![EndpointId(0); nodes];
            if self.levels.iter().filter(sends).any(|level| level.spec.is_private()) {
                clocks.resize(self.cores as usize, self.clocks.core);
                for core in 0..self.cores {
                    endpoints[self.node_for_commands(core).index()] = EndpointId(core as u16);
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
    pub(super) fn outlet_of_core(&mut self, network: NetworkId, core: u32) -> OutletId {
        if let Some(outlet) = self.of_cores[core as usize][network.index()] {
            return outlet;
        }
        let made = self.outlet_to_network(network, EndpointId(core as u16), Direction::Down);
        self.of_cores[core as usize][network.index()] = Some(made);
        made
    }

    /// The outlet for what a node sends below, and its lane there.
    fn outlet_below(
        &mut self,
        level: &LevelSpec,
        node: NodeId,
        core: u32,
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

    /// The outlet for the replies of a shared cache: by the network on which requests come, or else straight back.
    fn outlet_above(&mut self, level: &LevelSpec, node: NodeId) -> OutletId {
        let above = self.levels.iter().find(|above| above.spec.below == level.name);
        let (link, latency, clock) = match above {
            Some(above) => {
                (above.spec.link.clone(), above.spec.link_latency, self.clocks.of_level(&above.spec))
            }
            None => (DIRECT.to_owned(), 0, self.clocks.core),
        };
        let outlet = match self.network(&link) {
            Some(network) => self.outlet_to_network(network, self.endpoint(network, node), Direction::Back),
            None => self.wire(latency, clock, 0, Direction::Back),
        };
        self.join(outlet, node, level.reply_queue);
        outlet
    }

    /// Makes the nodes of a level.
    pub(super) fn add_nodes(
        &mut self,
        level_id: LevelId,
        nodes: &mut Vec<CacheNode>,
    ) -> Result<(), SpecError> {
        let level = self.levels[level_id.index()].clone();
        let spec = &level.spec;
        let slicing = Slicing::new(spec.slices, self.spec.block_bytes(spec)?);
        let flits = |bytes: u64| match self.spec.networks.first() {
            Some(network) => network.crossbar.flits(bytes),
            None => 0,
        };
        let shape = Shape::new(spec, self.clocks.of_level(spec), flits(0).into());
        let sector_flits = std::array::from_fn(|sectors| flits(sectors as u64 * spec.sector.0) as u16);
        for place in 0..level.nodes as u32 {
            let id = level.first.plus(place as usize);
            let (instance, slice) = (place / spec.slices, place % spec.slices);
            let first = level.first.plus((instance * spec.slices) as usize);
            let core = instance * spec.cores_each(self.cores);
            let above = match spec.is_private() {
                true => Above::Core(CoreId(core as u16)),
                false => Above::Caches(self.outlet_above(spec, id)),
            };
            let below = match self.level(&spec.below).cloned() {
                Some(below) => Below::Caches(self.route(spec, id, core, &below)?),
                None => Below::Memory(self.queue_to_memory(spec, id, slice, sector_flits)),
            };
            nodes.push(CacheNode {
                id,
                level: level_id,
                answerer: self.spec.answerer(spec),
                cache: cache_of(&level, &self.spec.policies, id, slicing, id.slice_of(first)),
                shape,
                above,
                below,
                first,
                slicing,
                input: Queue::default(),
                ejected: Queue::default(),
                tags: TagStage::Idle,
                busy: vec![0; spec.banks as usize * spec.ports as usize],
                atomic_free_at: 0,
                refusals: Refusals::default(),
            });
        }
        Ok(())
    }

    /// The way from a node of a core to the level below.
    fn route(
        &mut self,
        spec: &LevelSpec,
        node: NodeId,
        core: u32,
        below: &Level,
    ) -> Result<Route, SpecError> {
        let (outlet, lane) = self.outlet_below(spec, node, core, &below.spec);
        let instance = core / below.spec.cores_each(self.cores);
        Ok(Route {
            outlet,
            lane,
            first: below.first.plus((instance * below.spec.slices) as usize),
            slicing: Slicing::new(below.spec.slices, self.spec.block_bytes(&below.spec)?),
            line_mask: below.spec.line.0 - 1,
            words_per_sector: (below.spec.sector.0 / 4) as u32,
        })
    }

    /// A cache above memory.
    fn queue_to_memory(
        &mut self,
        spec: &LevelSpec,
        node: NodeId,
        slice: u32,
        sector_flits: [u16; 9],
    ) -> CacheQueueId {
        let atom = self.spec.dram.atom();
        self.queues_to_memory.push(CacheQueueSpec {
            node,
            clock: self.clocks.of_level(spec),
            capacity: spec.dram_queue,
            line: spec.line.0,
            sector: spec.sector.0,
            fetch_unit: match spec.fetch {
                FetchUnit::Atoms => atom,
                FetchUnit::Sectors => atom.min(spec.sector.0),
            },
            channel: ChannelId((slice % self.spec.dram.channels) as u16),
            sector_flits,
        });
        CacheQueueId((self.queues_to_memory.len() - 1) as u16)
    }

    /// The nodes that the paths of a core go through first; a path that nothing serves leads nowhere.
    pub(super) fn serving(&self, core: u32) -> [NodeId; Path::ALL.len()] {
        Path::ALL.map(|path| {
            let level = self.levels.iter().find(|level| level.spec.serves.contains(&path));
            level.map_or(NOWHERE, |level| level.first.plus(core as usize))
        })
    }
}
