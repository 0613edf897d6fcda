//! How nodes and links are made of a description.

use super::context::{Context, Network};
use super::counters::Latency;
use super::node::{Above, Below, CacheNode, Refusals, Route, Shape, TagStage};
use super::outlet::{Outlet, Way, Wire};
use super::spec::{ClockDomains, DIRECT, FabricSpec, FetchUnit, LevelSpec, SliceMap};
use super::statistics::Names;
use super::{Fabric, Level};
use crate::cache::{Cache, CoreTables, Effects, InclusionKind, PolicySpec, Slicing};
use crate::controller::{Controllers, FeederSpec};
use crate::crossbar::{Class, Crossbar};
use crate::dram::AddressMap;
use crate::ids::{ChannelId, CoreId, FeederId, LevelId, NetworkId, NodeId, OutletId};
use crate::message::{Queue, class};
use crate::request::Path;
use crate::spec_error::SpecError;
use heddle_engine::{Clock, Slab, Tick, Wheel};

/// The cache of a node. Policies that draw lots draw different ones in every node.
pub(super) fn cache_of(
    level: &Level,
    policies: &PolicySpec,
    node: NodeId,
    slicing: Slicing,
    slice: u16,
) -> Cache {
    let seed = level.seed + u32::from(node.0 - level.first.0) * level.seeds_apart;
    let mut cache = Cache::new(&level.spec.slice(), policies, seed).sliced(slicing, slice);
    if level.spec.is_last() {
        cache = cache.performing_atomics();
    }
    cache.above(level.inclusion_below, policies)
}

/// The tables that policies of several levels share, by core: above a level whose inclusion policy has some.
pub(super) fn tables_of(levels: &[Level], policies: &PolicySpec, cores: u32) -> CoreTables {
    let with_tables = |level: &&Level| level.spec.inclusion == InclusionKind::RegionExclusive;
    let inclusion =
        levels.iter().find(with_tables).map_or(InclusionKind::NonInclusive, |level| level.spec.inclusion);
    CoreTables::new(inclusion, policies, cores)
}

/// What is made, piece by piece.
pub(super) struct Builder<'a> {
    pub(super) spec: &'a FabricSpec,
    pub(super) clocks: ClockDomains,
    cores: u32,
    levels: Vec<Level>,
    outlets: Vec<Outlet>,
    networks: Vec<Network>,
    feeders: Vec<FeederSpec>,
    /// The outlet of each core's caches on each network.
    of_cores: Vec<Vec<Option<OutletId>>>,
}

impl Fabric {
    /// A memory system for so many cores, with everything empty.
    pub fn new(spec: &FabricSpec, clocks: ClockDomains, cores: u32) -> Result<Fabric, SpecError> {
        spec.check(cores)?;
        let map =
            AddressMap::new(&spec.dram).map_err(|error| SpecError::new("dram", &error.key, error.problem))?;
        let mut builder = Builder::new(spec, clocks, cores);
        builder.connect_networks();
        let mut nodes = Vec::new();
        for level in 0..builder.levels.len() {
            builder.add_nodes(level, &mut nodes)?;
        }
        let agents = builder.add_agents()?;
        let serving = (0..cores).map(|core| builder.serving(core)).collect();
        // Channels lag behind where every cache above memory has one.
        let one_channel =
            spec.caches.iter().filter(|level| level.is_last()).all(|level| level.map == SliceMap::ByChannel);
        let memory = Controllers::new(&spec.dram, map, clocks.dram, &builder.feeders, one_channel);
        let Builder { levels, outlets, networks, .. } = builder;
        let shortest = [clocks.core, clocks.interconnect, clocks.l2, clocks.dram].map(Clock::period);
        Ok(Fabric {
            ctx: Context {
                now: Tick(0),
                clocks,
                wheel: Wheel::new(shortest.into_iter().min().unwrap_or(1)),
                notices: Vec::new(),
                effects: Effects::with_tables(tables_of(&levels, &spec.policies, cores)),
                messages: Slab::default(),
                highest: 0,
                networks,
                outlets,
                memory,
                follow_ups: Vec::new(),
                unanswered: 0,
                unawaited: 0,
                launch: 0,
                fetch_flits: 0,
                queueing: Default::default(),
                latency: Latency::new(spec),
            },
            nodes,
            agents,
            agent_names: spec.agents.iter().map(|agent| agent.name.clone()).collect(),
            serving,
            levels,
            names: Names::new(spec),
            policies: spec.policies.clone(),
        })
    }
}

impl<'a> Builder<'a> {
    fn new(spec: &'a FabricSpec, clocks: ClockDomains, cores: u32) -> Builder<'a> {
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
            feeders: Vec::new(),
            of_cores,
        }
    }

    /// Caches in all.
    pub(super) fn cache_nodes(&self) -> usize {
        self.levels.iter().map(|level| level.nodes).sum()
    }

    pub(super) fn level(&self, name: &str) -> Option<&Level> {
        self.levels.iter().find(|level| level.spec.name == name)
    }

    /// Gives every core whose caches are on a network an endpoint there, every shared cache on it another, and then
    /// every agent.
    fn connect_networks(&mut self) {
        let nodes = self.cache_nodes() + self.spec.agents.len();
        for (number, network) in self.spec.networks.iter().enumerate() {
            let sends = |level: &&Level| level.spec.link == network.name;
            let receives = |level: &Level| {
                self.levels.iter().filter(sends).any(|above| above.spec.below == level.spec.name)
            };
            let mut clocks = Vec::new();
            let mut endpoints = vec![0; nodes];
            if self.levels.iter().filter(sends).any(|level| level.spec.is_private()) {
                clocks.resize(self.cores as usize, self.clocks.core);
            }
            for level in &self.levels {
                let on_it = sends(&level) || receives(level);
                for place in (0..level.nodes).filter(|_| on_it) {
                    let node = level.first.index() + place;
                    endpoints[node] = match level.spec.is_private() {
                        true => place as u16,
                        false => {
                            clocks.push(self.clocks.of(&level.spec));
                            (clocks.len() - 1) as u16
                        }
                    };
                }
            }
            for (place, agent) in self.spec.agents.iter().enumerate() {
                if agent.link == network.name {
                    endpoints[self.agent_node(place).index()] = clocks.len() as u16;
                    clocks.push(self.clocks.l2);
                }
            }
            // By class: see [`class`].
            let planes = [network.crossbar.requests(), network.crossbar.replies()];
            let crossbar = Crossbar::new(&network.crossbar, self.clocks.interconnect, clocks, &planes);
            let id = NetworkId(number as u8);
            self.networks.push(Network {
                name: network.name.clone(),
                flits: std::array::from_fn(|words| network.crossbar.flits(words as u64 * 4) as u16),
                outlets: vec![OutletId(0); crossbar.ports()],
                crossbar: crossbar.numbered(id),
                endpoints,
            });
        }
    }

    /// An outlet to a network, which is told whose packets leave its input.
    pub(super) fn outlet_to_network(&mut self, network: NetworkId, endpoint: u16, of: Class) -> OutletId {
        let id = OutletId(self.outlets.len() as u16);
        let side = &mut self.networks[network.index()];
        let port = side.crossbar.port(of, endpoint);
        side.outlets[usize::from(port.0)] = id;
        self.outlets.push(Outlet::new(Way::Port(network, port), of));
        id
    }

    pub(super) fn network(&self, name: &str) -> Option<NetworkId> {
        let number = self.spec.networks.iter().position(|network| network.name == name)?;
        Some(NetworkId(number as u8))
    }

    /// The endpoint of a node.
    pub(super) fn endpoint(&self, network: NetworkId, node: NodeId) -> u16 {
        self.networks[network.index()].endpoints[node.index()]
    }

    /// Gives a node a queue at an outlet.
    pub(super) fn join(&mut self, outlet: OutletId, node: NodeId, capacity: u32) -> u8 {
        self.outlets[outlet.index()].join(node, capacity)
    }

    /// The outlet for what a node sends below, and its lane there.
    fn outlet_below(
        &mut self,
        level: &LevelSpec,
        node: NodeId,
        core: u32,
        below: &LevelSpec,
    ) -> (OutletId, u8) {
        let outlet = match self.network(&level.link) {
            Some(network) if level.is_private() => match self.of_cores[core as usize][network.index()] {
                Some(outlet) => outlet,
                None => {
                    let made = self.outlet_to_network(network, core as u16, class::REQUESTS);
                    self.of_cores[core as usize][network.index()] = Some(made);
                    made
                }
            },
            Some(network) => self.outlet_to_network(network, self.endpoint(network, node), class::REQUESTS),
            None => self.wire(level.link_latency, self.clocks.of(below), below.input_queue, class::REQUESTS),
        };
        let lane = self.join(outlet, node, level.miss_queue);
        (outlet, lane)
    }

    /// An outlet without a network.
    fn wire(&mut self, latency: u32, clock: Clock, credits: u32, of: Class) -> OutletId {
        let latency = clock.ticks(latency.into());
        let wire = Wire { clock, latency, credits, most: credits, free_at: 0, sent: 0 };
        self.outlets.push(Outlet::new(Way::Direct(wire), of));
        OutletId((self.outlets.len() - 1) as u16)
    }

    /// The outlet for the replies of a shared cache: by the network on which requests come, or else straight back.
    fn outlet_above(&mut self, level: &LevelSpec, node: NodeId) -> OutletId {
        let above = self.levels.iter().find(|above| above.spec.below == level.name);
        let (link, latency, clock) = match above {
            Some(above) => (above.spec.link.clone(), above.spec.link_latency, self.clocks.of(&above.spec)),
            None => (DIRECT.to_owned(), 0, self.clocks.core),
        };
        let outlet = match self.network(&link) {
            Some(network) => self.outlet_to_network(network, self.endpoint(network, node), class::REPLIES),
            None => self.wire(latency, clock, 0, class::REPLIES),
        };
        self.join(outlet, node, level.reply_queue);
        outlet
    }

    /// Makes the nodes of a level.
    fn add_nodes(&mut self, number: usize, nodes: &mut Vec<CacheNode>) -> Result<(), SpecError> {
        let level = self.levels[number].clone();
        let spec = &level.spec;
        let slicing = Slicing::new(spec.slices, self.spec.block_bytes(spec)?);
        let flits = |bytes: u64| match self.spec.networks.first() {
            Some(network) => network.crossbar.flits(bytes),
            None => 0,
        };
        let shape = Shape::new(spec, self.clocks.of(spec), flits(0).into());
        let sector_flits = std::array::from_fn(|sectors| flits(sectors as u64 * spec.sector.0) as u16);
        for place in 0..level.nodes as u32 {
            let id = NodeId(level.first.0 + place as u16);
            let (instance, slice) = (place / spec.slices, place % spec.slices);
            let first = NodeId(level.first.0 + (instance * spec.slices) as u16);
            let core = instance * spec.cores_each(self.cores);
            let above = match spec.is_private() {
                true => Above::Core(CoreId(core as u16)),
                false => Above::Caches(self.outlet_above(spec, id)),
            };
            let below = match self.level(&spec.below).cloned() {
                Some(below) => Below::Caches(self.route(spec, id, core, &below)?),
                None => Below::Memory(self.feeder(spec, id, slice, sector_flits)),
            };
            nodes.push(CacheNode {
                id,
                level: LevelId(number as u8),
                answerer: self.spec.answerer(spec),
                cache: cache_of(&level, &self.spec.policies, id, slicing, slice as u16),
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
            first: NodeId(below.first.0 + (instance * below.spec.slices) as u16),
            slicing: Slicing::new(below.spec.slices, self.spec.block_bytes(&below.spec)?),
            line_mask: below.spec.line.0 - 1,
            words_per_sector: (below.spec.sector.0 / 4) as u32,
        })
    }

    /// A cache above memory.
    fn feeder(&mut self, spec: &LevelSpec, node: NodeId, slice: u32, sector_flits: [u16; 9]) -> FeederId {
        let atom = self.spec.dram.atom();
        self.feeders.push(FeederSpec {
            node,
            clock: self.clocks.of(spec),
            queue: spec.dram_queue,
            line: spec.line.0,
            sector: spec.sector.0,
            fetch_unit: match spec.fetch {
                FetchUnit::Atoms => atom,
                FetchUnit::Sectors => atom.min(spec.sector.0),
            },
            channel: ChannelId((slice % self.spec.dram.channels) as u16),
            sector_flits,
        });
        FeederId((self.feeders.len() - 1) as u16)
    }

    /// The nodes that the paths of a core go through first.
    fn serving(&self, core: u32) -> [NodeId; Path::ALL.len()] {
        Path::ALL.map(|path| {
            let level = self.levels.iter().find(|level| level.spec.serves.contains(&path));
            NodeId(level.map_or(0, |level| level.first.0) + core as u16)
        })
    }
}
