//! `heddle completions SHELL`.

use crate::arguments::Arguments;
use crate::failure::Failure;
use crate::output;
use clap::CommandFactory;
use clap_complete::Shell;

/// Prints the completion script.
pub(super) fn run(shell: Shell) -> Result<(), Failure> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Arguments::command(), "heddle", &mut script);
    output::bytes(&script)
}
