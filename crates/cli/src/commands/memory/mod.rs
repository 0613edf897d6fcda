//! One file per `memory` command.

mod replay;
mod report;

use crate::arguments::MemoryCommand;
use crate::failure::Failure;
pub(crate) use report::{LevelReport, MemoryReport, TrafficReport};

/// Does what the user asked for.
pub(super) fn run(command: &MemoryCommand) -> Result<(), Failure> {
    match command {
        MemoryCommand::Replay(arguments) => replay::run(arguments),
    }
}
