//! The levels of caches and the networks of a machine, as reports name them.

use heddle_memory::fabric::{FabricSpec, in_prose};
use heddle_memory::request::Path;
use serde::Serialize;

/// The levels of caches and the networks of a machine.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub(crate) struct Levels {
    /// The data cache of a core.
    pub(crate) data_cache: String,
    /// Other caches of a core.
    pub(crate) other_caches: Vec<String>,
    /// Shared levels, from the cores down.
    pub(crate) shared_caches: Vec<String>,
    /// Networks.
    pub(crate) networks: Vec<String>,
    /// The levels between which each part of on-chip traffic is: one part for every network, and one to memory.
    #[serde(skip)]
    pub(crate) traffic: Vec<Vec<String>>,
}

impl Levels {
    pub(crate) fn new(memory: &FabricSpec) -> Levels {
        let data = memory.serving(Path::Global);
        let others = memory.caches.iter().filter(|level| level.is_private() && level.name != data.name);
        Levels {
            data_cache: data.name.clone(),
            other_caches: others.map(|level| level.name.clone()).collect(),
            shared_caches: memory.shared_levels().into_iter().map(|level| level.name.clone()).collect(),
            networks: memory.networks.iter().map(|network| network.name.clone()).collect(),
            traffic: memory
                .traffic()
                .iter()
                .map(|ends| ends.iter().map(|&end| end.to_owned()).collect())
                .collect(),
        }
    }

    /// The levels that data goes through, from the cores down.
    pub(crate) fn of_data(&self) -> impl Iterator<Item = &str> {
        std::iter::once(&self.data_cache).chain(&self.shared_caches).map(String::as_str)
    }

    /// The other caches of a core, in words: `constant, texture and instruction`.
    pub(crate) fn others_in_words(&self) -> Option<String> {
        let names: Vec<String> = self.other_caches.iter().map(|name| in_prose(name)).collect();
        let (last, rest) = names.split_last()?;
        Some(if rest.is_empty() { last.clone() } else { format!("{} and {last}", rest.join(", ")) })
    }
}
