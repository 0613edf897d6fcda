//! One file per command.

mod claims;
mod compare;
mod completions;
mod convert;
mod diff;
mod dram;
mod energy;
mod explain;
mod generate;
mod info;
mod job;
mod limits;
mod list;
mod machine;
mod man;
mod mechanisms;
mod memory;
mod overview;
mod ptx;
mod query;
mod run;
mod save;
mod simulate;
mod stats;
mod sweep;
mod task;
#[cfg(test)]
mod tests;
mod verify;
mod workloads;

use crate::arguments::{Arguments, Command, CommonArguments, GraphCommand, MachineCommand, PtxCommand};
use crate::failure::Failure;
use crate::timing;
pub(crate) use compare::{Column, Comparison};
pub(crate) use dram::{LatencyReport, PartEntry, ReplayReport};
pub(crate) use energy::{Priced, told};
pub(crate) use explain::{Explanation, Judgement};
pub(crate) use limits::Reached;
pub(crate) use machine::{Change, Figures, MachineDescription, MachineEntry};
pub(crate) use mechanisms::{MechanismEntry, PairsReport};
pub(crate) use memory::{LevelReport, MemoryReport, TrafficReport};
pub(crate) use query::ListedColumn;
pub(crate) use stats::{Counter, Explained};
pub(crate) use sweep::{ListedExperiment, PlannedPoint, SweepReport};
#[cfg(test)]
pub(crate) use tests::trace as trace_for_tests;
pub(crate) use workloads::{KernelDescription, WorkloadDescription};

/// Does what the user asked for.
pub(crate) fn run(arguments: Arguments) -> Result<(), Failure> {
    let common = arguments.common;
    use_threads(common)?;
    match arguments.command {
        None => overview::run(),
        Some(Command::Graph(GraphCommand::Info(arguments))) => info::run(&arguments, common),
        Some(Command::Graph(GraphCommand::Generate(arguments))) => generate::run(&arguments, common),
        Some(Command::Graph(GraphCommand::Convert(arguments))) => convert::run(&arguments, common),
        Some(Command::Graph(GraphCommand::List(arguments))) => list::run(&arguments, common),
        Some(Command::Ptx(PtxCommand::Run(arguments))) => ptx::run::run(&arguments, common, &timing::build),
        Some(Command::Run(arguments)) => run::run(&arguments, common, &timing::build),
        Some(Command::Compare(arguments)) => compare::run(&arguments, common, &timing::build),
        Some(Command::Machine(MachineCommand::List(arguments))) => machine::list(&arguments),
        Some(Command::Machine(MachineCommand::Show(arguments))) => machine::show(&arguments),
        Some(Command::Mechanisms(arguments)) => mechanisms::run(&arguments),
        Some(Command::Explain(arguments)) => explain::run(&arguments),
        Some(Command::Claims(arguments)) => claims::run(&arguments, common),
        Some(Command::Sweep(arguments)) => sweep::run(&arguments, common),
        Some(Command::Stats(arguments)) => stats::run(&arguments),
        Some(Command::Diff(arguments)) => diff::run(&arguments),
        Some(Command::Query(arguments)) => query::run(&arguments, common),
        Some(Command::Workloads(arguments)) => workloads::run(&arguments, common),
        Some(Command::Ptx(PtxCommand::Check(arguments))) => ptx::check::run(&arguments),
        Some(Command::Ptx(PtxCommand::Info(arguments))) => ptx::info::run(&arguments),
        Some(Command::Energy(arguments)) => energy::run(&arguments),
        Some(Command::Dram(command)) => dram::run(&command),
        Some(Command::Memory(command)) => memory::run(&command),
        Some(Command::Completions { shell }) => completions::run(shell),
        Some(Command::Man { out, force }) => man::run(out.as_deref(), force),
    }
}

fn use_threads(common: CommonArguments) -> Result<(), Failure> {
    let Some(threads) = common.threads else { return Ok(()) };
    rayon::ThreadPoolBuilder::new()
        .num_threads(usize::from(threads))
        .build_global()
        .map_err(|error| Failure::new(format!("cannot start {threads} threads: {error}")))
}
