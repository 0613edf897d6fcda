//! The `heddle` command.
//!
//! What the user typed becomes checked values in [`arguments`], [`commands`] do the work, [`view`] makes
//! text of the result. Nothing else in the workspace prints.

mod arguments;
mod bounded;
mod commands;
mod describe;
mod difference;
mod export;
mod failure;
mod figures;
mod input;
mod output;
mod pattern;
mod progress;
mod provenance;
mod ptx;
mod ratio;
mod result;
mod slots;
mod target;
mod timed;
mod timing;
mod trace;
mod view;

use clap::Parser;
use std::process::ExitCode;

fn main() -> ExitCode {
    failure::exit_code(commands::run(arguments::Arguments::parse()))
}
