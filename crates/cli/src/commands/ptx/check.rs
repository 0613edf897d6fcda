//! `heddle ptx check`.

use crate::arguments::PtxCheckArguments;
use crate::failure::Failure;
use crate::ptx::judge::Judgement;
use crate::{output, view};

/// Judges files. Findings are the result, so that they go to standard output; errors make the exit code 1.
pub(in crate::commands) fn run(arguments: &PtxCheckArguments) -> Result<(), Failure> {
    let judgement = Judgement::new(&arguments.files);
    match arguments.json {
        true => output::json(&judgement)?,
        false => output::page(&view::ptx_check::page(&judgement))?,
    }
    if judgement.errors == 0 { Ok(()) } else { Err(Failure::Reported) }
}
