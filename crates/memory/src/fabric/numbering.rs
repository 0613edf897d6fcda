//! In which order levels and networks are numbered, whatever the order in which a machine file lists them.
//!
//! Ties of an instant are broken by number, so that an order of the list's would be a figure of the machine.

use super::spec::{FabricSpec, LevelSpec, NetworkSpec};
use crate::request::Path;
use std::cmp::Reverse;

impl FabricSpec {
    /// The same memory system, with levels and networks in the order of their numbers.
    pub(super) fn numbered(&self) -> FabricSpec {
        FabricSpec {
            caches: self.levels_in_order().into_iter().cloned().collect(),
            networks: self.networks_in_order().into_iter().cloned().collect(),
            ..self.clone()
        }
    }

    /// The caches of cores, by the paths that they serve, and then the shared levels from the cores down.
    pub(super) fn levels_in_order(&self) -> Vec<&LevelSpec> {
        let mut private: Vec<&LevelSpec> = self.caches.iter().filter(|level| level.is_private()).collect();
        private.sort_by_key(|level| level.serves.iter().map(|&path| path as usize).min());
        private.extend(self.shared_levels());
        private
    }

    /// The shared levels, from the cores down: those with more levels below come first, and equals are in the order of
    /// their names.
    pub fn shared_levels(&self) -> Vec<&LevelSpec> {
        let mut shared: Vec<&LevelSpec> = self.caches.iter().filter(|level| !level.is_private()).collect();
        shared.sort_by_key(|level| (Reverse(self.levels_below(level)), &level.name));
        shared
    }

    fn levels_below(&self, level: &LevelSpec) -> usize {
        let below = |level: &&LevelSpec| self.cache(&level.below);
        // A circle, which checks refuse, must end here as well.
        std::iter::successors(Some(level), below).take(self.caches.len()).count() - 1
    }

    /// The networks, by the first level, or else agent, that sends by them.
    fn networks_in_order(&self) -> Vec<&NetworkSpec> {
        let of_levels = self.levels_in_order().into_iter().map(|level| level.link.clone());
        let links: Vec<String> =
            of_levels.chain(self.agents.iter().map(|agent| agent.link.clone())).collect();
        let mut networks: Vec<&NetworkSpec> = self.networks.iter().collect();
        networks.sort_by_key(|network| links.iter().position(|link| *link == network.name));
        networks
    }

    /// The network that brings global loads their data: the first that the data path of a core comes to.
    pub fn data_network(&self) -> Option<&NetworkSpec> {
        let data = std::iter::successors(self.serving_level(Path::Global), |level| self.cache(&level.below));
        // A circle, which checks refuse, must end here as well.
        data.take(self.caches.len())
            .find_map(|level| self.networks.iter().find(|network| network.name == level.link))
    }
}
