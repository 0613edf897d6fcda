//! Prices by another name: caches are priced like caches of the energy table, networks like its networks.
//!
//! Another sort of component has prices for other counts: every access would be free, and nothing would tell.

use crate::nearest::nearest;
use heddle_energy::{Table, component_of};
use heddle_engine::{CounterGroup, Declaration};
use heddle_gpu::EnergyChoice;
use heddle_memory::SpecError;
use heddle_memory::cache::CacheCounters;
use heddle_memory::crossbar::CrossbarCounters;
use heddle_memory::fabric::FabricSpec;

/// Components that are no caches although some of their counts have names that those of caches have, too.
const NO_CACHES: [&str; 2] = ["core", "dram"];

/// What can be given the prices of another.
#[derive(Clone, Copy)]
enum Sort {
    Cache,
    Network,
    /// A message class of a network.
    Class,
}

impl Sort {
    fn name(self) -> &'static str {
        match self {
            Sort::Cache => "cache",
            Sort::Network => "network",
            Sort::Class => "message class",
        }
    }

    /// Whether a statistic is one that components of this sort count.
    fn counts(self, statistic: &str) -> bool {
        let declares = |declared: &[Declaration], count: &str| declared.iter().any(|one| one.name == count);
        let Some((component, count)) = statistic.split_once('.') else { return false };
        match (self, count.split_once('.')) {
            (Sort::Cache, None) => {
                !NO_CACHES.contains(&component) && declares(CacheCounters::DECLARATIONS, count)
            }
            // A network counts by class of messages.
            (Sort::Network | Sort::Class, Some((_, count))) => {
                declares(CrossbarCounters::DECLARATIONS, count)
            }
            _ => false,
        }
    }

    /// The components of this sort that a table prices.
    fn components(self, table: &Table) -> Vec<&str> {
        let counts = table.actions.iter().flat_map(|action| &action.counts);
        let part = |count: &'_ String| match self {
            Sort::Class => count.rsplit_once('.').map_or(count.len(), |(class, _)| class.len()),
            _ => component_of(count).len(),
        };
        let mut components: Vec<&str> =
            counts.filter(|count| self.counts(count)).map(|count| &count[..part(count)]).collect();
        components.sort_unstable();
        components.dedup();
        components
    }
}

fn wrong(part: &str, problem: String, written: &str, known: &[&str]) -> SpecError {
    let near = nearest(written, known.iter().copied());
    let near = near.map_or(String::new(), |near| format!("; did you mean \"{near}\"?"));
    let known = if known.is_empty() { "there are none".to_owned() } else { known.join(", ") };
    SpecError { key: format!("energy.like.{part}"), problem: format!("{problem} ({known}){near}") }
}

/// The caches and networks of a machine, and the message classes of networks.
fn parts(memory: &FabricSpec) -> Vec<(String, Sort)> {
    let caches = memory.caches.iter().map(|level| (level.name.clone(), Sort::Cache));
    let networks = memory.networks.iter().map(|network| (network.name.clone(), Sort::Network));
    let classes = memory.networks.iter().flat_map(|network| {
        let classes = network.crossbar.message_classes().into_iter();
        classes.map(|class| (format!("{}.{}", network.name, class.name), Sort::Class))
    });
    caches.chain(networks).chain(classes).collect()
}

/// What is priced by another name is a cache or a network of the machine.
pub(super) fn check_parts(choice: &EnergyChoice, memory: &FabricSpec) -> Result<(), SpecError> {
    let parts = parts(memory);
    let mut known: Vec<&str> = parts.iter().map(|(name, _)| name.as_str()).collect();
    match choice.like.keys().find(|part| !known.contains(&part.as_str())) {
        None => Ok(()),
        Some(part) => {
            // Who names no class means none.
            known.retain(|known| part.contains('.') || !known.contains('.'));
            let problem = format!("\"{part}\" is none of the machine's caches and networks");
            Err(wrong(part, problem, part, &known))
        }
    }
}

/// Whether a table has prices by the names that a machine chooses, of components of the same sort.
pub fn check_likes(choice: &EnergyChoice, memory: &FabricSpec, table: &Table) -> Result<(), SpecError> {
    for (part, sort) in parts(memory) {
        let part = part.as_str();
        let Some(like) = choice.like.get(part) else { continue };
        let known = sort.components(table);
        if known.contains(&like.as_str()) {
            continue;
        }
        let problem = match table.components().contains(like.as_str()) {
            true => format!(
                "a {sort} is priced like a {sort}, and \"{like}\" of the energy table {} is none",
                table.name,
                sort = sort.name()
            ),
            false => format!("the energy table {} has no prices for \"{like}\"", table.name),
        };
        return Err(wrong(part, problem, like, &known));
    }
    Ok(())
}
