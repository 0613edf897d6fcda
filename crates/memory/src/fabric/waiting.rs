//! What waits for what: the memory system's part of the watchdog's report.

use super::Fabric;
use super::node::{Above, TagStage};
use super::outlet::Way;
use crate::ids::NodeId;
use crate::message::{Direction, Kind, Message, Stage};
use heddle_engine::Tick;

impl Fabric {
    /// One line for every message under way, for every cache with misses, and for every job of DRAM: where it is and
    /// what it waits for.
    pub fn describe_waiting(&self) -> Vec<String> {
        let mut lines = Vec::new();
        for node in &self.nodes {
            if let Above::Core(core) = node.above
                && node.cache.outstanding() > 0
            {
                let (name, misses) = (self.level_name(node.id), node.cache.outstanding());
                lines.push(format!("core {}: {name} waits for {misses} lines from below", core.0));
            }
        }
        if self.ctx.messages.taken() > 0 {
            for number in 0..=self.ctx.highest {
                let message = &self.ctx.messages[number];
                if message.stage != Stage::Over {
                    lines.push(self.describe(number, message));
                }
            }
        }
        self.agents.describe_waiting(&mut lines);
        self.ctx.memory.describe_jobs(|node| self.name_of(node), &mut lines);
        lines
    }

    fn level_name(&self, node: NodeId) -> &str {
        match self.nodes.get(node.index()) {
            Some(cache) => &self.levels[cache.level.index()].spec.name,
            None => self.agents.name_of(node).unwrap_or("commands"),
        }
    }

    /// A node in words: `core 3's l1`, `l2[5]`, `copier`, `core 3's commands`.
    fn name_of(&self, node: NodeId) -> String {
        let name = self.level_name(node);
        match self.nodes.get(node.index()).map(|cache| cache.above) {
            None => match self.agents.name_of(node) {
                Ok(agent) => agent.to_owned(),
                Err(core) => format!("core {core}'s {name}"),
            },
            Some(Above::Core(core)) => format!("core {}'s {name}", core.0),
            Some(Above::Caches(_)) => {
                let level = &self.levels[self.nodes[node.index()].level.index()];
                format!("{name}[{}]", node.0 - level.first.0)
            }
        }
    }

    fn describe(&self, number: u32, message: &Message) -> String {
        let Message { request, from, to, kind, since, .. } = *message;
        let (cache, receiver) = (self.level_name(from), self.name_of(to));
        let what = match kind {
            Kind::Fetch => format!("{cache} miss"),
            Kind::Prefetch => format!("{cache} prefetch"),
            Kind::Forward => format!("{:?}", request.access).to_lowercase(),
            Kind::Command => "command".to_owned(),
            Kind::WriteBack => format!("write-back of {cache}"),
            Kind::Victim => format!("victim of {cache}"),
        };
        let (core, line) = (request.core.0, request.line.0);
        let place = match message.stage {
            Stage::MissQueue => format!("in the miss queue of {}, for room at its link", self.name_of(from)),
            Stage::OnTheWayDown => self.on_the_way(number, true, message),
            Stage::Ejected => format!("before {receiver}, for room in its input queue"),
            Stage::Input => format!("in the input queue of {receiver}, {}", self.tags_wait(to)),
            Stage::Missing => format!("in {receiver}, for its line from below"),
            Stage::AtomicUnit => format!("in the atomic unit of {receiver}"),
            Stage::ReplyQueue => format!("in the reply queue of {receiver}, for room at its link"),
            Stage::OnTheWayBack => self.on_the_way(number, false, message),
            Stage::Over => "over".to_string(),
        };
        let (pc, warp) = (request.pc.0, request.warp.0);
        let waited = self.ctx.core_clock.during(Tick(self.ctx.now.0.saturating_sub(since))).0;
        format!(
            "core {core}, warp {warp}, instruction {pc}, line {line:#x}: {what}, {place}, for {waited} core cycles"
        )
    }

    fn on_the_way(&self, number: u32, down: bool, message: &Message) -> String {
        let (direction, sender, receiver) = match down {
            true => (Direction::Down, message.from, message.to),
            false => (Direction::Back, message.to, message.from),
        };
        let to = self.name_of(receiver);
        let (Way::Port(network, _) | Way::Ports(network, _)) = self.ctx.outlets[message.outlet.index()].way
        else {
            return format!("on the link to {to}");
        };
        let network = &self.ctx.networks[network.index()];
        let of = network.classes.of(message.packet_kind(direction));
        let port = network.crossbar.port(of, network.endpoints[sender.index()]);
        let class = network.classes.names().find(|(class, _)| *class == of).map_or("", |(_, name)| name);
        let name = format!("{class} of {}", network.name);
        match network.crossbar.waiting_at(port).position(|payload| payload == number) {
            Some(0) => format!("at the head of an input for {name}, for the output to {to} or its credit"),
            Some(place) => format!("at an input for {name}, behind {place} others"),
            None => format!("among the {name}, on its way to {to}"),
        }
    }

    fn tags_wait(&self, node: NodeId) -> String {
        match self.nodes[node.index()].tags {
            TagStage::Idle => "which is idle".to_string(),
            TagStage::Scheduled => "for its turn".to_string(),
            TagStage::ReplyQueue => "whose head waits for room in the reply queue".to_string(),
            TagStage::QueueBelow => "whose head waits for room in the queue below".to_string(),
            TagStage::Cache(why) => format!("whose head waits for a fill ({why:?})"),
        }
    }
}
