//! One file per `dram` command.

mod parts;
mod replay;
mod report;
mod trace;

use crate::arguments::DramCommand;
use crate::failure::Failure;
pub(crate) use parts::PartEntry;
pub(crate) use report::{LatencyReport, ReplayReport};

/// Does what the user asked for.
pub(super) fn run(command: &DramCommand) -> Result<(), Failure> {
    match command {
        DramCommand::Replay(arguments) => replay::run(arguments),
        DramCommand::Trace(arguments) => trace::run(arguments),
        DramCommand::Show(arguments) => parts::show(arguments),
        DramCommand::List { json } => parts::list(*json),
    }
}
