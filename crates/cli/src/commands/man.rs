//! `heddle man`.

use crate::arguments::Arguments;
use crate::failure::Failure;
use crate::output;
use crate::outputs::Outputs;
use clap::{Command, CommandFactory};
use std::path::Path;

/// Prints the main page, or writes all of them to a folder.
pub(super) fn run(folder: Option<&Path>, force: bool) -> Result<(), Failure> {
    match folder {
        None => {
            let mut page = Vec::new();
            clap_mangen::Man::new(documented())
                .render(&mut page)
                .map_err(|error| Failure::at_stdout(&error))?;
            output::bytes(&page)
        }
        Some(folder) => {
            let mut outputs = Outputs::new(force);
            let pages = pages(&documented(), "");
            outputs.folder("--out", folder, &pages.iter().map(String::as_str).collect::<Vec<_>>());
            outputs.check()?;
            let failed = |error| Failure::at_path(folder, &error);
            std::fs::create_dir_all(folder).map_err(failed)?;
            clap_mangen::generate_to(documented(), folder).map_err(failed)
        }
    }
}

/// The files of a command and of those below it.
fn pages(command: &Command, before: &str) -> Vec<String> {
    let name = format!("{before}{}", command.get_name());
    let below = command.get_subcommands().flat_map(|below| pages(below, &format!("{name}-")));
    std::iter::once(format!("{name}.1")).chain(below).collect()
}

/// The command without `help`, which has no page of its own.
fn documented() -> Command {
    Arguments::command()
        .disable_help_subcommand(true)
        .mut_subcommand("graph", |graph| graph.disable_help_subcommand(true))
        .mut_subcommand("ptx", |ptx| ptx.disable_help_subcommand(true))
}
