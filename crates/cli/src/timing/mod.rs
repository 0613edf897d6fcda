//! The seam between the command and machines with time: a choice of the user becomes something that runs.
//!
//! Commands get a [`Build`] and never name a part of a machine, so that their tests run on a stand-in.

mod gpu;
#[cfg(test)]
pub(crate) mod synthetic;

pub(crate) use gpu::{build, check_likes, check_prices, fitted, memory_table};

use crate::failure::Failure;
use crate::ratio::{Levels, MachineFigures};
use heddle_device::Machine;
use heddle_energy::{Energy, EnergyError};
use heddle_engine::{Catalogue, Statistics};
use heddle_gpu::{RunSettings, SharedRecord};
use heddle_machine::MachineSpec;
use heddle_memory::fabric::Fabric;
use std::path::PathBuf;

/// The machine that the user asked for.
#[derive(Clone, Debug, Default)]
pub(crate) struct MachineChoice {
    /// A preset's name or a file.
    pub(crate) machine: String,
    /// Mechanisms, in the order of their application; none is the machine as it is.
    pub(crate) with: Vec<String>,
    /// Keys to set afterwards, each `path=value`.
    pub(crate) set: Vec<String>,
    /// The energy table; the machine's own if absent.
    pub(crate) energy_table: Option<String>,
}

/// Told now and then, while a launch is simulated, how far it has come; may end it.
pub(crate) type Hook = heddle_gpu::Progress;

/// Prices counts that took so many simulated seconds.
pub(crate) type Pricer = Box<dyn Fn(&Statistics, f64) -> Result<Energy, EnergyError>>;

/// A machine, ready to run.
pub(crate) struct Built {
    pub(crate) machine: Box<dyn Machine>,
    /// What it writes while it runs.
    pub(crate) record: SharedRecord,
    /// The machine's name.
    pub(crate) name: String,
    /// The machine file with every key, as TOML.
    pub(crate) resolved: String,
    /// The mechanisms that it contains, those of its file included.
    pub(crate) mechanisms: Vec<String>,
    /// What was chosen so that the keys that the user changed go together with the others.
    pub(crate) notes: Vec<String>,
    pub(crate) figures: MachineFigures,
    /// Every file that was read for it, and what of.
    pub(crate) files: Vec<(&'static str, PathBuf)>,
    /// Nothing where the machine has no energy table.
    pub(crate) pricer: Option<Pricer>,
    /// Whether it decides by what a run before this one recorded.
    pub(crate) rehearses: bool,
}

/// Makes a machine. Called once per run, on the thread that runs it.
pub(crate) type Build = dyn Fn(&MachineChoice, RunSettings, Hook) -> Result<Built, Failure> + Sync;

/// The figures of a machine, with its ratios, and every statistic that it has with any mechanism beside those of `with`.
/// Ratios are of programs: a memory system alone has none.
pub(crate) fn explained(
    machine: &str,
    with: &[String],
    set: &[String],
) -> Result<(MachineFigures, Catalogue), Failure> {
    let resolved = heddle_machine::Machine::named(machine)?.with(with).set(set).resolve_any()?;
    Ok(match resolved.spec {
        MachineSpec::Gpu(spec) => (gpu::figures(&spec), heddle_gpu::catalogue(&spec)),
        MachineSpec::Memory(spec) => {
            let mut catalogue = Catalogue::default();
            Fabric::declare(&spec.memory, &mut catalogue);
            (MachineFigures { levels: Levels::new(&spec.memory), ..MachineFigures::default() }, catalogue)
        }
    })
}
