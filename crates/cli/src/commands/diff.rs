//! `heddle diff`, with the exit codes of the tool of that name: 0 equal, 1 different, 2 trouble.

use crate::arguments::DiffArguments;
use crate::difference;
use crate::failure::Failure;
use crate::result::Stored;
use crate::{output, view};
use std::path::Path;

/// Shows what differs.
pub(super) fn run(arguments: &DiffArguments) -> Result<(), Failure> {
    let (before, after) = (read(&arguments.before)?, read(&arguments.after)?);
    let difference = difference::compare(&before, &after);
    match arguments.json {
        true => output::json(&difference)?,
        false => output::page(&view::diff::page(&difference, &before.name, &after.name, arguments.all))?,
    }
    match difference.equal {
        true => Ok(()),
        false => Err(Failure::Reported),
    }
}

/// What cannot be read is trouble, not a difference.
fn read(path: &Path) -> Result<Stored, Failure> {
    Stored::read(path).map_err(|failure| match failure {
        Failure::Told { problem, help } => Failure::usage(problem, help.unwrap_or_default()),
        other => other,
    })
}
