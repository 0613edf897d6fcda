//! Options of runs on a machine with time.

use super::values;
use crate::timing::MachineChoice;
use clap::Args;
use heddle_gpu::RunSettings;
use heddle_lab::select::LaunchChoice;
use heddle_ptx::analysis::RegisterOverride;

/// The machine, and how much of the run is simulated on it.
#[derive(Args, Debug)]
#[command(next_help_heading = "Machine and time")]
pub(crate) struct TimeArguments {
    /// The machine: a preset of `heddle machine list`, or a machine file [default: fermi; `heddle ptx run` executes
    /// functionally without it]
    #[arg(long, value_name = "NAME|FILE")]
    pub(crate) machine: Option<String>,
    /// Set a key of the machine, such as l1.size=16KiB; repeat it for several
    #[arg(long, value_name = "PATH=VALUE")]
    pub(crate) set: Vec<String>,
    /// Sample statistics every N core cycles
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) interval: Option<u64>,
    /// Simulate only these launches in time, and execute the others functionally: numbers of the page (3..5 is
    /// launches 3, 4 and 5, 3.. all from the third on, 3 that one), kernel=NAME, largest=N by warp instructions,
    /// at-most=20M, at-least=1M, joined by commas
    #[arg(long, value_name = "CHOICE", value_parser = values::launches)]
    pub(crate) launches: Option<LaunchChoice>,
    /// Stop after N core cycles; what was measured until then is shown and stored as partial
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) max_cycles: Option<u64>,
    /// Stop with an error when all warps wait or repeat themselves and nothing was written for N core cycles, or
    /// when nothing was written for fifty times as long [default: 2000000]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) watchdog: Option<u64>,
    /// Start every launch on a machine that has simulated nothing yet, with cold caches and tables
    #[arg(long)]
    pub(crate) cold: bool,
    /// Take N registers per thread for this kernel, in place of our own allocation; repeat it for several
    #[arg(long, value_name = "KERNEL=N", value_parser = RegisterOverride::parse)]
    pub(crate) registers: Vec<(String, u32)>,
    /// The table of energies [default: the machine's own]
    #[arg(long, value_name = "NAME|FILE")]
    pub(crate) energy_table: Option<String>,
}

/// The machine if the user names none.
pub(crate) const DEFAULT_MACHINE: &str = "fermi";

impl TimeArguments {
    /// The first option that was given, for whoever cannot use any.
    pub(crate) fn given(&self) -> Option<&'static str> {
        let given = [
            ("--machine", self.machine.is_some()),
            ("--set", !self.set.is_empty()),
            ("--interval", self.interval.is_some()),
            ("--launches", self.launches.is_some()),
            ("--max-cycles", self.max_cycles.is_some()),
            ("--watchdog", self.watchdog.is_some()),
            ("--cold", self.cold),
            ("--registers", !self.registers.is_empty()),
            ("--energy-table", self.energy_table.is_some()),
        ];
        given.into_iter().find(|(_, given)| *given).map(|(option, _)| option)
    }

    /// The machine with these mechanisms.
    pub(crate) fn choice(&self, with: Vec<String>) -> MachineChoice {
        MachineChoice {
            machine: self.machine.clone().unwrap_or_else(|| DEFAULT_MACHINE.to_owned()),
            with: values::distinct(with),
            set: self.set.clone(),
            energy_table: self.energy_table.clone(),
        }
    }

    /// How the run is asked for, without what only files are made of, and without launches whose numbers follow from
    /// the sizes of all (`Job::chosen`).
    pub(crate) fn settings(&self) -> RunSettings {
        RunSettings {
            interval: self.interval,
            launches: self.launches.as_ref().and_then(LaunchChoice::known),
            max_cycles: self.max_cycles,
            cold: self.cold,
            registers: self.registers.iter().cloned().collect(),
            watchdog: self.watchdog.unwrap_or(RunSettings::default().watchdog),
            ..RunSettings::default()
        }
    }
}
