//! What no memory system can be.

use super::limits::{MOST, MOST_LEVELS, MOST_NETWORKS, MOST_NODES, wrong};
use super::spec::{DIRECT, FabricSpec, FetchUnit, LevelSpec, MEMORY, NetworkSpec, SliceMap};
use crate::controller::ATOMS;
use crate::dram::AddressMap;
use crate::request::Path;
use crate::spec_error::SpecError;

/// Keys that do nothing where the level is, whether they are set nevertheless, and why they do nothing.
fn without_effect(level: &LevelSpec) -> Vec<(&'static str, bool, &'static str)> {
    let mut keys = Vec::new();
    if level.link != DIRECT || level.is_last() {
        keys.push(("link_latency", level.link_latency != 0, "it is the latency of a direct link to a cache"));
    }
    if level.is_private() {
        let why = "a core asks its own cache by itself";
        keys.extend([
            ("input_queue", level.input_queue != 0, why),
            ("reply_queue", level.reply_queue != 0, why),
            ("count_sharing", level.count_sharing, "all of its data is its core's"),
            ("clock", level.clock.is_some(), "a core's own cache runs at clocks.core"),
        ]);
    }
    if !level.is_last() {
        let why = "memory is not below it";
        keys.extend([
            ("dram_queue", level.dram_queue != 0, why),
            ("atomic_cycles", level.atomic_cycles != 0, "the last level performs atomics"),
            ("fetch", level.fetch != FetchUnit::default(), why),
        ]);
    } else {
        keys.push(("miss_queue", level.miss_queue != 0, "memory is below it: dram_queue"));
    }
    keys
}

/// Whether lines can move between a level and the exclusive one below: lines are the same there, and a sector of a
/// victim fills whole sectors.
fn check_moves(level: &LevelSpec, below: &LevelSpec) -> Result<(), SpecError> {
    let (name, lower) = (&level.name, &below.name);
    let key = format!("{lower}.inclusion");
    if level.line != below.line {
        let problem = format!(
            "exclusion moves lines between {name} and {lower}: {name}.line = {} must be {lower}.line = {}",
            level.line, below.line
        );
        return wrong(key, problem);
    }
    if level.sector.0 < below.sector.0 {
        let problem = format!(
            "exclusion moves victims of {name} to {lower}, and one that has a sector of {} alone fills no sector of {} \
             there: set {lower}.sector = \"{}\" (as the mechanism \"sector\" does for L2)",
            level.sector, below.sector, level.sector
        );
        return wrong(key, problem);
    }
    Ok(())
}

impl FabricSpec {
    /// Whether this can be a memory system, for so many cores.
    pub fn check(&self, cores: u32) -> Result<(), SpecError> {
        if !(1..=MOST_NODES).contains(&cores) {
            return wrong("cores", format!("expected 1 to {MOST_NODES}, found {cores}"));
        }
        if self.caches.len() > MOST_LEVELS {
            return wrong("caches", format!("expected at most {MOST_LEVELS}, found {}", self.caches.len()));
        }
        if self.networks.len() > MOST_NETWORKS {
            return wrong(
                "networks",
                format!("expected at most {MOST_NETWORKS}, found {}", self.networks.len()),
            );
        }
        for network in &self.networks {
            if let Some((key, problem)) = network.crossbar.problem() {
                return Err(SpecError::new(&network.name, key, problem));
            }
        }
        self.policies.check("policies")?;
        self.caches.iter().try_for_each(|level| self.check_end(level))?;
        // From memory up: a level is compared with a sound one below.
        for level in self.caches.iter().rev() {
            self.check_figures(level)?;
        }
        self.check_tables()?;
        for level in self.caches.iter().rev() {
            self.place(level).check(&self.policies)?;
            level.slice().check_policies(&level.name)?;
        }
        for level in &self.caches {
            self.check_links(level, cores)?;
        }
        self.check_paths(&[Path::Global])?;
        self.check_agents(cores)?;
        let nodes: u64 =
            self.caches.iter().map(|level| u64::from(level.slices) * u64::from(level.instances(cores))).sum();
        if nodes + self.agents.len() as u64 > u64::from(u16::MAX) {
            return wrong(
                "caches",
                format!("makes {nodes} caches in all; at most {} can be simulated", u16::MAX),
            );
        }
        self.check_uses()?;
        self.networks.iter().try_for_each(|network| self.check_ports(network, cores))?;
        self.check_bits()?;
        self.dram.check().map_err(|error| SpecError::new("dram", &error.key, error.problem))?;
        for level in self.caches.iter().filter(|level| level.is_last()) {
            if level.line.0 / self.dram.atom() > u64::from(ATOMS) {
                let problem = format!(
                    "bus × burst is {} B: a line of {} would be more than {ATOMS} transactions",
                    self.dram.atom(),
                    level.name
                );
                return wrong("dram.burst", problem);
            }
        }
        self.caches.iter().try_for_each(|level| self.block_bytes(level).map(|_| ()))
    }

    /// Whether something asks every shared level, and something is sent over every network.
    fn check_uses(&self) -> Result<(), SpecError> {
        let levels = || self.caches.iter().map(|level| (&level.below, &level.link));
        let asked = || levels().chain(self.agents.iter().map(|agent| (&agent.below, &agent.link)));
        let is_idle =
            |level: &&LevelSpec| !level.is_private() && asked().all(|(below, _)| *below != level.name);
        if let Some(level) = self.caches.iter().find(is_idle) {
            let problem = format!("nothing is above \"{}\": no level and no agent asks it", level.name);
            return wrong("caches", problem);
        }
        if let Some(network) =
            self.networks.iter().find(|network| asked().all(|(_, link)| *link != network.name))
        {
            let problem = format!(
                "nothing is sent over \"{}\": no level and no agent has it as its link",
                network.name
            );
            return wrong("networks", problem);
        }
        Ok(())
    }

    /// Whether the ports of a network can be numbered: a power of two of endpoints for each class.
    fn check_ports(&self, network: &NetworkSpec, cores: u32) -> Result<(), SpecError> {
        let name = &network.name;
        let sends = |level: &LevelSpec| level.link == *name;
        let receives =
            |level: &LevelSpec| self.caches.iter().any(|above| sends(above) && above.below == level.name);
        let shared =
            self.caches.iter().filter(|level| !level.is_private() && (sends(level) || receives(level)));
        let shared: u64 =
            shared.map(|level| u64::from(level.instances(cores)) * u64::from(level.slices)).sum();
        let of_cores = self.caches.iter().any(|level| level.is_private() && sends(level));
        let agents = self.agents.iter().filter(|agent| agent.link == *name).count() as u64;
        let endpoints = shared + agents + if of_cores { u64::from(cores) } else { 0 };
        let classes = network.crossbar.message_classes().len() as u64;
        if endpoints.next_power_of_two() * classes > 1 << 16 {
            let problem = format!(
                "has {endpoints} endpoints in each of {classes} message classes; at most {} ports can be simulated",
                1 << 16
            );
            return wrong(name.as_str(), problem);
        }
        Ok(())
    }

    /// Figures of a level by themselves.
    fn check_figures(&self, level: &LevelSpec) -> Result<(), SpecError> {
        let name = &level.name;
        if !(1..=MOST_NODES).contains(&level.slices) {
            return wrong(
                format!("{name}.slices"),
                format!("expected 1 to {MOST_NODES}, found {}", level.slices),
            );
        }
        if !level.size.0.is_multiple_of(u64::from(level.slices)) {
            let problem = format!("{} cannot be divided among {} slices", level.size, level.slices);
            return wrong(format!("{name}.size"), problem);
        }
        let mut figures = vec![("banks", level.banks), ("ports", level.ports)];
        if level.is_private() {
            if level.is_last() {
                let problem = "a core's own cache needs a shared one below, which performs atomics";
                return wrong(format!("{name}.below"), problem);
            }
            figures.push(("miss_queue", level.miss_queue));
            for (key, value, only) in [("slices", level.slices, 1), ("shared_by", level.shared_by, 0)] {
                if value != only {
                    let problem = format!("a core's own cache has none; expected {only}, found {value}");
                    return wrong(format!("{name}.{key}"), problem);
                }
            }
        } else {
            figures.extend([
                ("input_queue", level.input_queue),
                ("reply_queue", level.reply_queue),
                ("latency", level.latency.max(1)),
                ("atomic_cycles", level.atomic_cycles.max(1)),
            ]);
            figures.push(match level.is_last() {
                true => ("dram_queue", level.dram_queue),
                false => ("miss_queue", level.miss_queue),
            });
        }
        for (key, value, why) in without_effect(level) {
            let or = match key {
                "clock" => "",
                "fetch" => ", or set it to \"atoms\"",
                "count_sharing" => ", or set it to false",
                _ => ", or set it to 0",
            };
            if value {
                return wrong(
                    format!("{name}.{key}"),
                    format!("has no effect here: {why}; leave it out{or}"),
                );
            }
        }
        for (key, value) in figures {
            if !(1..=MOST).contains(&value) {
                return wrong(format!("{name}.{key}"), format!("expected 1 to {MOST}, found {value}"));
            }
        }
        if level.link_latency > MOST {
            let problem = format!("expected at most {MOST}, found {}", level.link_latency);
            return wrong(format!("{name}.link_latency"), problem);
        }
        level.slice().check_figures(name)
    }

    /// What a level says of the one below, and how it leads there.
    fn check_links(&self, level: &LevelSpec, cores: u32) -> Result<(), SpecError> {
        let name = &level.name;
        if level.link != DIRECT && !self.networks.iter().any(|network| network.name == level.link) {
            let known: Vec<&str> = self.networks.iter().map(|network| network.name.as_str()).collect();
            let problem =
                format!("expected \"{DIRECT}\" or one of networks = {known:?}, found \"{}\"", level.link);
            return wrong(format!("{name}.link"), problem);
        }
        if level.is_last() {
            if level.link != DIRECT {
                return wrong(
                    format!("{name}.link"),
                    format!("\"{MEMORY}\" is reached directly; leave it out"),
                );
            }
            return Ok(());
        }
        let Some(below) = self.cache(&level.below) else {
            let known: Vec<&str> = self.caches.iter().map(|level| level.name.as_str()).collect();
            let problem =
                format!("expected \"{MEMORY}\" or one of caches = {known:?}, found \"{}\"", level.below);
            return wrong(format!("{name}.below"), problem);
        };
        if below.is_private() {
            let problem = format!("\"{}\" belongs to a core each; expected a shared level", below.name);
            return wrong(format!("{name}.below"), problem);
        }
        if level.line.0 > below.line.0 {
            let problem =
                format!("expected at most {}.line = {}, found {}", below.name, below.line, level.line);
            return wrong(format!("{name}.line"), problem);
        }
        let (each, below_each) = (level.cores_each(cores), below.cores_each(cores));
        let splits = below_each < cores && !below_each.is_multiple_of(each.max(1));
        if each > below_each || splits {
            let problem = format!(
                "the {each} cores of one {name} must share one {}, which {below_each} share",
                below.name
            );
            let key = if below.shared_by != 0 { &below.name } else { name };
            return wrong(format!("{key}.shared_by"), problem);
        }
        let moves_lines =
            below.inclusion.moves_lines() && (!level.is_private() || level.serves.contains(&Path::Global));
        if moves_lines {
            return check_moves(level, below);
        }
        Ok(())
    }

    /// Going down from a level must come to memory.
    fn check_end(&self, level: &LevelSpec) -> Result<(), SpecError> {
        let mut at = level;
        for _ in 0..=self.caches.len() {
            match self.cache(&at.below) {
                Some(below) => at = below,
                None => return Ok(()),
            }
        }
        wrong(format!("{}.below", level.name), format!("leads in a circle, and never to \"{MEMORY}\""))
    }

    /// Each of these paths has a cache, and no path has two.
    pub fn check_paths(&self, needed: &[Path]) -> Result<(), SpecError> {
        for path in Path::ALL {
            let serving: Vec<&str> = self
                .caches
                .iter()
                .filter(|level| level.serves.contains(&path))
                .map(|level| level.name.as_str())
                .collect();
            match serving[..] {
                [_] => {}
                [] if needed.contains(&path) => {
                    return wrong("caches", format!("none of them serves \"{}\"", path.name()));
                }
                [] => {}
                [_, second, ..] => {
                    let problem = format!("\"{}\" has a cache already: {}", path.name(), serving[0]);
                    return wrong(format!("{second}.serves"), problem);
                }
            }
        }
        Ok(())
    }

    /// Bytes that lie together in a slice of a level.
    pub(super) fn block_bytes(&self, level: &LevelSpec) -> Result<u64, SpecError> {
        let (name, line) = (&level.name, level.line.0);
        if level.slices == 1 && level.map == SliceMap::Interleaved {
            return Ok(line.max(level.interleave.0.next_power_of_two()));
        }
        if level.map == SliceMap::Interleaved {
            let bytes = level.interleave.0;
            if !bytes.is_power_of_two() || bytes < line {
                let problem = format!(
                    "expected a power of two of at least {name}.line = {}, found {}",
                    level.line, level.interleave
                );
                return Err(SpecError::new(name, "interleave", problem));
            }
            return Ok(bytes);
        }
        let wrong = |key: &str, problem: String| Err(SpecError::new(name, key, problem));
        let channels = self.dram.channels;
        if !level.slices.is_multiple_of(channels) {
            let problem = format!(
                "expected a multiple of dram.channels = {channels} with map = \"by-channel\", found {}",
                level.slices
            );
            return wrong("slices", problem);
        }
        let map =
            AddressMap::new(&self.dram).map_err(|error| SpecError::new("dram", &error.key, error.problem))?;
        if channels == 1 {
            return Ok(line.max(level.interleave.0.next_power_of_two()));
        }
        let lowest = (0..48).find(|&bit| map.channel(1 << bit) != 0).unwrap_or(0);
        let in_turn =
            |bit: u32| u64::from(map.channel(1 << bit)) == (1 << bit >> lowest) % u64::from(channels);
        if 1 << lowest < line || !(0..48).all(in_turn) {
            let problem = format!(
                "\"by-channel\" needs a dram.address_map whose channels take turns for blocks of at least {}; \
                 \"interleaved\" works with any",
                level.line
            );
            return wrong("map", problem);
        }
        Ok(1 << lowest)
    }
}
