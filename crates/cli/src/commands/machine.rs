//! `heddle machine list` and `heddle machine show`.

use crate::arguments::{MachineListArguments, MachineShowArguments};
use crate::failure::Failure;
use crate::{output, view};
use heddle_machine::{Derived, Machine, Resolved, derived, presets, zero_load};
use heddle_memory::fabric::{MEMORY, ZeroLoad};
use heddle_memory::request::Path;
use serde::{Serialize, Serializer};

/// A line of the list.
#[derive(Debug, Serialize)]
pub(crate) struct MachineEntry {
    pub(crate) name: String,
    pub(crate) description: String,
    pub(crate) source: String,
}

/// A machine in full.
#[derive(Debug, Serialize)]
pub(crate) struct MachineDescription {
    pub(crate) name: String,
    pub(crate) description: String,
    pub(crate) source: String,
    pub(crate) mechanisms: Vec<String>,
    /// Hash of the resolved file, in hexadecimal.
    pub(crate) hash: String,
    /// The nodes of the memory system, drawn as a tree.
    pub(crate) tree: Vec<String>,
    pub(crate) derived: Derived,
    /// Core cycles of a lone read that hits each level that data goes through, and that finds its row closed.
    pub(crate) zero_load: ZeroLoadCycles,
    /// Every key.
    pub(crate) machine: toml::Table,
    /// The same as the file that gives this machine.
    #[serde(skip)]
    pub(crate) toml: String,
}

/// Core cycles of a lone read, by the name of who answers it, the nearest first.
#[derive(Debug)]
pub(crate) struct ZeroLoadCycles(pub(crate) Vec<(String, Option<u64>)>);

impl ZeroLoadCycles {
    fn new(data_cache: &str, latencies: ZeroLoad) -> ZeroLoadCycles {
        let core = (data_cache.to_owned(), Some(latencies.core));
        let dram = (MEMORY.to_owned(), Some(latencies.dram));
        ZeroLoadCycles(std::iter::once(core).chain(latencies.shared).chain([dram]).collect())
    }
}

impl Serialize for ZeroLoadCycles {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, cycles)| (name, cycles)))
    }
}

/// A key whose value differs.
#[derive(Debug, Serialize)]
pub(crate) struct Change {
    pub(crate) key: String,
    pub(crate) here: String,
    pub(crate) there: String,
}

/// Lists the presets.
pub(super) fn list(arguments: &MachineListArguments) -> Result<(), Failure> {
    let entry = |preset: Resolved| MachineEntry {
        name: preset.spec.name,
        description: preset.spec.description,
        source: preset.spec.source,
    };
    let entries: Vec<MachineEntry> = presets()?.into_iter().map(entry).collect();
    match arguments.json {
        true => output::json(&entries),
        false => output::page(&view::machine::list(&entries)),
    }
}

/// Shows a machine, or how it differs from another.
pub(super) fn show(arguments: &MachineShowArguments) -> Result<(), Failure> {
    let resolved = Machine::named(&arguments.machine)?.with(&arguments.with).set(&arguments.set).resolve()?;
    if arguments.toml {
        return output::page(resolved.to_toml());
    }
    if let Some(word) = &arguments.diff {
        let other = Machine::named(word)?.resolve()?;
        let changes: Vec<Change> = resolved
            .differences(&other)
            .into_iter()
            .map(|(key, here, there)| Change { key, here, there })
            .collect();
        return match arguments.json {
            true => output::json(&changes),
            false => output::page(&view::machine::differences(&typed(arguments), word, &changes)),
        };
    }
    let described = describe(resolved)?;
    match arguments.json {
        true => output::json(&described),
        false => output::page(&view::machine::show(&described)),
    }
}

/// The machine in the user's words: a file may have the name of the machine that it inherits from.
fn typed(arguments: &MachineShowArguments) -> String {
    let with = arguments.with.iter().map(|word| format!(" --with {word}"));
    let set = arguments.set.iter().map(|setting| format!(" --set {setting}"));
    std::iter::once(arguments.machine.clone()).chain(with).chain(set).collect()
}

fn describe(resolved: Resolved) -> Result<MachineDescription, Failure> {
    let latencies = zero_load(&resolved.spec)?;
    let data_cache = &resolved.spec.memory.serving(Path::Global).name;
    let machine = resolved.toml.parse::<toml::Table>();
    Ok(MachineDescription {
        name: resolved.spec.name.clone(),
        description: resolved.spec.description.clone(),
        source: resolved.spec.source.clone(),
        mechanisms: resolved.mechanisms,
        hash: format!("{:016x}", resolved.hash),
        tree: heddle_memory::fabric::draw(&resolved.spec.memory, resolved.spec.core.count),
        derived: derived(&resolved.spec),
        zero_load: ZeroLoadCycles::new(data_cache, latencies),
        machine: machine.map_err(|error| Failure::new(error.to_string()))?,
        toml: resolved.toml,
    })
}
