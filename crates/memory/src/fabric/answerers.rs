//! Who can answer a core's request, and what statistics by level and by network are called.

use super::spec::{FabricSpec, LevelSpec, MEMORY};
use crate::request::{Answerer, Path};

impl FabricSpec {
    /// Everyone who can answer a core's request, the nearest first, with the names that statistics use. All caches of a
    /// core count as one, by the name of its data cache.
    pub fn answerers(&self) -> Vec<(Answerer, &str)> {
        let core = (Answerer::CORE, self.serving(Path::Global).name.as_str());
        let shared = self.shared_levels().into_iter().enumerate();
        let shared = shared.map(|(place, level)| (Answerer::shared(place), level.name.as_str()));
        std::iter::once(core).chain(shared).chain([(Answerer::MEMORY, MEMORY)]).collect()
    }

    /// What a level is to those whose requests it answers.
    pub(super) fn answerer(&self, level: &LevelSpec) -> Answerer {
        match self.shared_levels().iter().position(|shared| shared.name == level.name) {
            Some(place) => Answerer::shared(place),
            None => Answerer::CORE,
        }
    }

    /// The parts of on-chip traffic, each by the levels between which it is: one for every network, in the order of the
    /// list, and one between the last level and memory. Statistics are called after them, such as `l1_l2`.
    ///
    /// A network is between the levels of the data path whose messages it carries; one that the data path does not use is
    /// between the first level, or agent, that does and what is below that.
    pub fn traffic(&self) -> Vec<Vec<&str>> {
        let networks = self.networks.iter().map(|network| self.ends_of(&network.name));
        networks.chain([vec![self.last_level().name.as_str(), MEMORY]]).collect()
    }

    fn ends_of<'a>(&'a self, network: &'a str) -> Vec<&'a str> {
        let data = std::iter::successors(Some(self.serving(Path::Global)), |level| self.cache(&level.below));
        let mut ends: Vec<&str> = Vec::new();
        for level in data.take(self.caches.len()).filter(|level| level.link == network) {
            ends.extend((ends.last() != Some(&level.name.as_str())).then_some(level.name.as_str()));
            ends.push(&level.below);
        }
        if ends.is_empty() {
            let levels =
                self.levels_in_order().into_iter().map(|level| [&level.link, &level.name, &level.below]);
            let agents = self.agents.iter().map(|agent| [&agent.link, &agent.name, &agent.below]);
            let first = levels.chain(agents).find(|[link, ..]| *link == network);
            ends.extend(first.into_iter().flat_map(|[_, name, below]| [name.as_str(), below.as_str()]));
        }
        if ends.is_empty() { vec![network] } else { ends }
    }
}

/// The unit of what is counted in cycles of a level's clock.
pub(super) const LEVEL_CYCLES: &str = "cycles of the level";

/// [`LEVEL_CYCLES`] by the name of the level, for statistics whose own names do not tell it: "L2 cycles".
pub(super) fn in_cycles_of(unit: &str, level: &str) -> Option<String> {
    (unit == LEVEL_CYCLES).then(|| format!("{} cycles", in_prose(level)))
}

/// The name of a level as people write it: `l1` is L1, `dram` is DRAM, and any other is as the machine file has it.
pub fn in_prose(name: &str) -> String {
    let is_numbered = name.strip_prefix('l').is_some_and(|rest| rest.parse::<u32>().is_ok());
    if is_numbered || name == MEMORY { name.to_uppercase() } else { name.to_owned() }
}
