//! How long messages wait in queues of caches, by level.
//!
//! Cores' caches count together, in core cycles. The last level of the data path counts under plain names, any other
//! shared level under its own, each in cycles of its own clock.

use super::spec::{FabricSpec, LevelSpec};
use super::{Fabric, LEVEL_CYCLES, in_cycles_of, in_prose};
use crate::controller::Counts;
use crate::ids::NodeId;
use crate::message::Direction;
use heddle_engine::{Catalogue, Statistics};

/// The queues of a shared level, by the ends of their names and what they are.
const INPUT: (&str, &str) = ("slice_input", "Before the tags of slices of {}, after their pipeline.");
const REPLIES: (&str, &str) = ("reply_queue", "In the reply queues of slices of {}.");
const MISSES: (&str, &str) = ("miss_queue", "In the miss queues of slices of {}.");
const MEMORY: (&str, &str) = ("dram_queue", "In the queues from slices of {} to DRAM channels.");

/// The name of a statistic of a level; the last level of the data path is the one that is meant if none is named.
fn name_of(level: &LevelSpec, is_last: bool, queue: &str) -> String {
    match is_last {
        true => format!("queueing.{queue}"),
        false => format!("queueing.{}_{queue}", level.name),
    }
}

/// Declares the queues of shared levels.
pub(super) fn declare(spec: &FabricSpec, catalogue: &mut Catalogue) {
    let last = spec.last_level();
    for level in spec.shared_levels() {
        let is_last = level.name == last.name;
        // What is named without its level says by its unit whose cycles it counts.
        let unit = if is_last { in_cycles_of(LEVEL_CYCLES, &level.name) } else { None };
        // The queues to DRAM of all levels are counted together.
        let below = if level.is_last() { is_last.then_some(MEMORY) } else { Some(MISSES) };
        for (queue, description) in [INPUT, REPLIES].into_iter().chain(below) {
            let description = description.replace("{}", &in_prose(&level.name));
            let unit = unit.clone().unwrap_or_else(|| LEVEL_CYCLES.to_owned());
            catalogue.declare_one(name_of(level, is_last, queue), unit, description);
        }
    }
}

impl Fabric {
    /// Adds what was counted of queues.
    pub(super) fn add_queueing(&self, counted: &Counts, statistics: &mut Statistics) {
        let (mut down, mut back) = (vec![0; self.levels.len()], vec![0; self.levels.len()]);
        let mut of_cores = 0;
        for outlet in &self.ctx.outlets {
            let sums = if outlet.direction == Direction::Down { &mut down } else { &mut back };
            for lane in &outlet.lanes {
                if let Some(level) = self.level_of(lane.owner) {
                    sums[level] += lane.waited;
                }
            }
        }
        let core = self.ctx.core_clock.period();
        for (place, level) in self.levels.iter().enumerate() {
            let nodes = &self.nodes[level.first.index()..][..level.nodes];
            if level.spec.is_private() {
                of_cores += down[place];
                continue;
            }
            let period = nodes.first().map_or(core, |node| node.shape.clock.period());
            let is_last = level.spec.name == self.names.last_level;
            let input: u64 = nodes.iter().map(|node| node.input_ticks).sum();
            let mut add = |(queue, _): (&str, &str), ticks: u64| {
                statistics.add_one(name_of(&level.spec, is_last, queue), ticks / period);
            };
            add(INPUT, input);
            add(REPLIES, back[place]);
            if !level.spec.is_last() {
                add(MISSES, down[place]);
            } else if is_last {
                add(MEMORY, counted.queue_ticks);
            }
        }
        statistics.add_group("queueing", &self.ctx.queueing.with(of_cores / core));
    }

    /// The place of the level of a cache; nothing of an agent, or of a core's node for commands.
    fn level_of(&self, node: NodeId) -> Option<usize> {
        self.nodes.get(node.index()).map(|cache| cache.level.index())
    }
}
