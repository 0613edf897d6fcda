//! Between launches: caches that start empty, copies by the host.

use super::build_nodes::{NOWHERE, cache_of};
use super::node::{Above, Shape};
use super::{Fabric, Level};
use crate::cache::{CacheSpec, Evicted};
use crate::ids::{CoreId, LevelId, NodeId, Pc, RegionId};
use crate::request::{LineAddress, Path, Request, Sectors};
use heddle_engine::units::Bytes;
use std::ops::Range;

impl Fabric {
    /// A launch begins: the data caches of cores have this shape now and are empty, those of constants and textures too
    /// unless they are kept, and so are caches that only some cores share, as nothing keeps them coherent with others.
    /// Dirty lines are written below. A launch that is to start cold gets a new memory system instead.
    ///
    /// Nothing may be under way above the last level: [`Fabric::outstanding`] is 0. The shape must have passed
    /// [`CacheSpec::check`] and fit the level below as that of the description did.
    pub fn begin_launch(&mut self, data: &CacheSpec, keep_constants: bool) {
        assert_eq!(self.outstanding(), 0, "a launch begins while requests are under way");
        self.ctx.launch = self.ctx.launch.next();
        // Packets leave at an edge of the cores' clock, whatever happened last.
        self.ctx.now = self.ctx.core_clock.edge(self.ctx.now);
        let changed = self.reshape(data);
        for core in 0..self.serving.len() {
            for level in self.level_ids() {
                if self.level(level).spec.is_private() {
                    let node = self.level(level).first.plus(core);
                    self.begin_private(level, node, changed, keep_constants);
                }
            }
            // The caches of a core take turns at its port.
            self.pump(self.serving[core].into_iter().filter(|&node| node != NOWHERE));
        }
        let cores = self.serving.len() as u32;
        for level in self.level_ids() {
            let Level { spec, nodes, first, .. } = self.level(level);
            let (first, nodes) = (*first, *nodes);
            if spec.is_private() {
                continue;
            }
            let all = (0..nodes).map(move |place| first.plus(place));
            if spec.cores_each(cores) < cores {
                all.clone().for_each(|node| self.empty(node));
            }
            self.pump(all);
        }
        self.see_launch();
    }

    /// The levels, in the order of their numbers.
    fn level_ids(&self) -> impl Iterator<Item = LevelId> + use<> {
        (0..self.levels.len() as u8).map(LevelId)
    }

    fn level(&self, level: LevelId) -> &Level {
        &self.levels[level.index()]
    }

    /// Gives the data caches of cores another shape; says whether it is another.
    fn reshape(&mut self, data: &CacheSpec) -> bool {
        let clock = self.ctx.core_clock;
        let Some(level) = self.levels.iter_mut().find(|level| level.spec.serves.contains(&Path::Global))
        else {
            return false;
        };
        if level.spec.slice() == *data {
            return false;
        }
        let CacheSpec { size, ways, line, sector, .. } = *data;
        (level.spec.size, level.spec.ways, level.spec.line, level.spec.sector) = (size, ways, line, sector);
        debug_assert_eq!(
            level.spec.slice(),
            *data,
            "a launch changes the shape of a cache, not its policies"
        );
        let shape = Shape::new(&level.spec, clock, 0);
        let nodes = level.first.index()..level.first.index() + level.nodes;
        self.nodes[nodes].iter_mut().for_each(|node| node.shape = shape);
        true
    }

    /// A launch begins for a core's own cache. Instructions stay.
    fn begin_private(&mut self, level: LevelId, node: NodeId, changed: bool, keep_constants: bool) {
        let serves = &self.level(level).spec.serves;
        let (data, instructions) = (serves.contains(&Path::Global), serves.contains(&Path::Instruction));
        if data || !instructions && !keep_constants {
            self.empty(node);
        }
        if data && changed {
            self.replace(level, node);
        }
    }

    /// Writes back what is dirty in a cache, and invalidates it.
    fn empty(&mut self, node: NodeId) {
        let (ctx, node) = (&mut self.ctx, &mut self.nodes[node.index()]);
        node.cache.invalidate_all(&mut ctx.effects);
        if ctx.effects.is_empty() {
            return;
        }
        let mut cause = Request { path: Path::Local, ..Request::nobodys(LineAddress(0)) };
        if let Above::Core(core) = node.above {
            cause.core = core;
        }
        let now = ctx.now;
        node.carry_out(ctx, now, &cause);
    }

    /// Empties the caches of a level as a launch would, if nothing kept them.
    pub(super) fn empty_level(&mut self, name: &str) {
        let found = self.levels.iter().find(|level| level.spec.name == name);
        let Some(Level { first, nodes, .. }) = found else { return };
        let all = first.0..first.0 + *nodes as u16;
        all.clone().map(NodeId).for_each(|node| self.empty(node));
        self.pump(all.map(NodeId));
    }

    /// What nodes have given up leaves them.
    fn pump(&mut self, nodes: impl Iterator<Item = NodeId>) {
        let now = self.ctx.now;
        nodes.for_each(|node| self.nodes[node.index()].pump_below(&mut self.ctx, now));
        if !self.ctx.follow_ups.is_empty() {
            self.follow_up(now);
        }
    }

    /// Replaces a cache by a new one, which continues its counts.
    fn replace(&mut self, level: LevelId, node: NodeId) {
        let side = &mut self.nodes[node.index()];
        let slice = node.slice_of(side.first);
        let fresh = cache_of(&self.levels[level.index()], &self.policies, node, side.slicing, slice);
        side.cache = fresh.continues(&mut side.cache);
    }

    /// The host has copied these bytes: their lines are in the last level now, as far as they fit and where all cores
    /// share it. This takes no time and is not counted.
    pub fn touch_last_level(&mut self, bytes: Range<u64>) {
        let cores = self.serving.len() as u32;
        let Some(level) =
            self.levels.iter().find(|level| level.spec.is_last() && level.spec.instances(cores) == 1)
        else {
            return;
        };
        let (Bytes(capacity), Bytes(line_bytes), sector) =
            (level.spec.size, level.spec.line, level.spec.sector.0);
        // What comes before the last bytes that fit would be evicted again.
        let first = bytes.start.max(bytes.end.saturating_sub(capacity)) & !(line_bytes - 1);
        let all = Sectors::first((line_bytes / sector.max(1)) as u32);
        let some = level.first;
        let mut line = first;
        while line < bytes.end {
            let node = self.nodes[some.index()].home_of(LineAddress(line));
            let cache = &mut self.nodes[node.index()].cache;
            let counters = cache.counters.clone();
            let copied = Evicted {
                line: LineAddress(line),
                sectors: all,
                dirty: Sectors::NONE,
                pc: Pc::default(),
                region: RegionId::UNKNOWN,
                policy_bits: 0,
            };
            cache.insert(&copied, CoreId(0), &mut self.ctx.effects);
            cache.counters = counters;
            // Its victims have been overwritten or reach DRAM within the time of the copy.
            self.ctx.effects.clear();
            let Some(next) = line.checked_add(line_bytes) else { break };
            line = next;
        }
    }
}
