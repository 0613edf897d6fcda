//! `heddle man`.

use crate::arguments::Arguments;
use crate::failure::Failure;
use crate::output;
use clap::{Command, CommandFactory};
use std::path::Path;

/// Prints the main page, or writes all of them to a folder.
pub(super) fn run(folder: Option<&Path>) -> Result<(), Failure> {
    match folder {
        None => {
            let mut page = Vec::new();
            clap_mangen::Man::new(documented())
                .render(&mut page)
                .map_err(|error| Failure::at_stdout(&error))?;
            output::bytes(&page)
        }
        Some(folder) => {
            let failed = |error| Failure::at_path(folder, &error);
            std::fs::create_dir_all(folder).map_err(failed)?;
            clap_mangen::generate_to(documented(), folder).map_err(failed)
        }
    }
}

/// The command without `help`, which has no page of its own.
fn documented() -> Command {
    Arguments::command()
        .disable_help_subcommand(true)
        .mut_subcommand("graph", |graph| graph.disable_help_subcommand(true))
        .mut_subcommand("ptx", |ptx| ptx.disable_help_subcommand(true))
}
