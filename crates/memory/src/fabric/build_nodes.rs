//! How the caches of a description are made, level by level.

use super::Level;
use super::builder::{Builder, LinkAbove};
use super::node::{Above, Below, CacheNode, Refusals, Route, Shape, TagStage};
use super::spec::{FetchUnit, LevelSpec};
use crate::cache::{Cache, CoreTables, PolicySpec, Slicing};
use crate::controller::CacheQueueSpec;
use crate::ids::{CacheQueueId, ChannelId, CoreId, LevelId, NodeId, SliceId};
use crate::message::Queue;
use crate::request::Path;
use crate::spec_error::SpecError;

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

/// The tables that policies of all levels share.
pub(super) fn tables_of(levels: &[Level], policies: &PolicySpec, cores: u32) -> CoreTables {
    let mut tables = CoreTables::default();
    levels.iter().for_each(|level| level.spec.slice().share(policies, cores, &mut tables));
    tables
}

/// No node: to ask along a path that the machine has not is a fault of whoever asks.
pub(super) const NOWHERE: NodeId = NodeId(u16::MAX);

impl Builder<'_> {
    /// Makes the nodes of a level.
    pub(super) fn add_nodes(
        &mut self,
        level_id: LevelId,
        nodes: &mut Vec<CacheNode>,
    ) -> Result<(), SpecError> {
        let level = self.levels[level_id.index()].clone();
        let spec = &level.spec;
        let slicing = Slicing::new(spec.slices, self.spec.block_bytes(spec)?);
        let network = self.spec.data_network();
        let flits = |bytes: u64| network.map_or(0, |network| network.crossbar.flits(bytes));
        let shape = Shape::new(spec, self.clocks.of_level(spec), flits(0).into());
        let sector_flits = std::array::from_fn(|sectors| flits(sectors as u64 * spec.sector.0) as u16);
        for place in 0..level.nodes as u32 {
            let id = level.first.plus(place as usize);
            let (instance, slice) = (place / spec.slices, place % spec.slices);
            let first = level.first.plus((instance * spec.slices) as usize);
            let core = CoreId((instance * spec.cores_each(self.cores)) as u16);
            let above = match spec.is_private() {
                true => Above::Core(core),
                false => Above::Caches(self.outlets_above(spec, id)),
            };
            let below = match self.level(&spec.below).cloned() {
                Some(below) => Below::Caches(self.route(level_id, id, core, &below)?),
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
        level: LevelId,
        node: NodeId,
        core: CoreId,
        below: &Level,
    ) -> Result<Route, SpecError> {
        let spec = &self.levels[level.index()].spec.clone();
        let (outlet, lane) = self.outlet_below(spec, node, core, &below.spec);
        let instance = u32::from(core.0) / below.spec.cores_each(self.cores);
        let link = match self.network(&spec.link) {
            Some(network) => LinkAbove::Network(network),
            None => LinkAbove::Direct(level),
        };
        Ok(Route {
            outlet,
            lane,
            link: self.link_above(&below.spec.name, link),
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
    pub(super) fn serving(&self, core: CoreId) -> [NodeId; Path::ALL.len()] {
        Path::ALL.map(|path| {
            let level = self.levels.iter().find(|level| level.spec.serves.contains(&path));
            level.map_or(NOWHERE, |level| level.first.plus(core.index()))
        })
    }
}
