//! `heddle machine list` and `heddle machine show`.

use crate::arguments::{MachineListArguments, MachineShowArguments};
use crate::failure::Failure;
use crate::{output, timing, view};
use heddle_machine::{
    Derived, Machine, MachineSpec, MemoryFigures, Resolved, derived, memory_figures, presets, zero_load_of,
};
use heddle_memory::fabric::{MEMORY, ZeroLoad, draw, draw_for};
use heddle_memory::request::Path;
use serde::{Serialize, Serializer};

/// A line of the list.
#[derive(Debug, Serialize)]
pub(crate) struct MachineEntry {
    pub(crate) name: String,
    pub(crate) kind: &'static str,
    pub(crate) description: String,
    pub(crate) source: String,
}

/// A machine in full.
#[derive(Debug, Serialize)]
pub(crate) struct MachineDescription {
    pub(crate) name: String,
    pub(crate) kind: &'static str,
    pub(crate) description: String,
    pub(crate) source: String,
    pub(crate) mechanisms: Vec<String>,
    /// Hash of the resolved file, in hexadecimal.
    pub(crate) hash: String,
    /// The nodes of the memory system, drawn as a tree.
    pub(crate) tree: Vec<String>,
    pub(crate) derived: Figures,
    /// Core cycles of a lone read that hits each level that data goes through, and that finds its row closed.
    pub(crate) zero_load: ZeroLoadCycles,
    /// Every key.
    pub(crate) machine: toml::Table,
    /// The same as the file that gives this machine.
    #[serde(skip)]
    pub(crate) toml: String,
}

/// Figures that follow from the keys of a machine, by its kind.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub(crate) enum Figures {
    Gpu(Derived),
    Memory(MemoryFigures),
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
    let entry = |preset: Resolved<MachineSpec>| MachineEntry {
        name: preset.spec.name().to_string(),
        kind: preset.spec.kind().name(),
        description: preset.spec.description().to_string(),
        source: preset.spec.source().to_string(),
    };
    let entries: Vec<MachineEntry> = presets()?.into_iter().map(entry).collect();
    match arguments.json {
        true => output::json(&entries),
        false => output::page(&view::machine::list(&entries)),
    }
}

/// Shows a machine, or how it differs from another.
pub(super) fn show(arguments: &MachineShowArguments) -> Result<(), Failure> {
    let resolved =
        Machine::named(&arguments.machine)?.with(&arguments.with).set(&arguments.set).resolve_any()?;
    // Shown is what can be run.
    timing::check_prices(&resolved.spec)?;
    if arguments.toml {
        return output::page(resolved.to_toml());
    }
    if let Some(word) = &arguments.diff {
        let other = Machine::named(word)?.resolve_any()?;
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

fn describe(resolved: Resolved<MachineSpec>) -> Result<MachineDescription, Failure> {
    let machine = resolved.toml.parse::<toml::Table>();
    let (kind, spec) = (resolved.spec.kind().name(), resolved.spec);
    let (tree, figures) = match &spec {
        MachineSpec::Gpu(spec) => (draw(&spec.memory, spec.core.count), Figures::Gpu(derived(spec))),
        MachineSpec::Memory(spec) => {
            let count = spec.requesters.count;
            let figures = memory_figures(&spec.memory, &spec.clocks, count);
            (draw_for(&spec.memory, count, "requesters"), Figures::Memory(figures))
        }
    };
    let spec = spec.into_memory();
    let latencies = zero_load_of(&spec.memory, &spec.clocks)?;
    let zero_load = ZeroLoadCycles::new(&spec.memory.serving(Path::Global).name, latencies);
    Ok(MachineDescription {
        name: spec.name,
        kind,
        description: spec.description,
        source: spec.source,
        mechanisms: resolved.mechanisms,
        hash: format!("{:016x}", resolved.hash),
        tree,
        derived: figures,
        zero_load,
        machine: machine.map_err(|error| Failure::new(error.to_string()))?,
        toml: resolved.toml,
    })
}
