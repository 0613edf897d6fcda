//! The `heddle` command.
//!
//! What the user typed becomes checked values in [`arguments`], [`commands`] do the work, [`view`] makes
//! text of the result. Nothing else in the workspace prints.

mod allocation;
mod arguments;
mod bounded;
mod commands;
mod date;
mod describe;
mod difference;
mod export;
mod failure;
mod figures;
mod input;
mod interrupt;
mod output;
mod outputs;
mod pattern;
mod progress;
mod provenance;
mod ptx;
mod ratio;
mod result;
mod slots;
mod sweep;
mod target;
mod timed;
mod timing;
mod trace;
mod view;

use clap::Parser;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments = match arguments::Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => return refused(&error),
    };
    failure::exit_code(commands::run(arguments))
}

/// Tells what is wrong with the command line, or shows the help that it asks for. The words are colourful only if
/// none of them was typed to command the terminal.
fn refused(error: &clap::Error) -> ExitCode {
    let commands = |word: std::ffi::OsString| {
        let word = word.to_string_lossy();
        view::text::harmless(&word) != word
    };
    if !std::env::args_os().any(commands) {
        error.exit();
    }
    failure::say(&error.render().to_string());
    ExitCode::from(error.exit_code() as u8)
}
