//! `heddle dram list` and `heddle dram show`, and the PART argument of the others.

use crate::arguments::{DramShowArguments, PartArguments};
use crate::failure::Failure;
use crate::{output, view};
use heddle_machine::{NamedDram, named_dram};
use heddle_memory::dram::{PARTS, read_part};
use serde::Serialize;

/// One line of the list.
#[derive(Debug, Serialize)]
pub(crate) struct PartEntry {
    pub(crate) name: &'static str,
    pub(crate) summary: &'static str,
    pub(crate) channels: u32,
    pub(crate) clock: String,
    pub(crate) peak: String,
}

/// Lists the built-in parts.
pub(super) fn list(json: bool) -> Result<(), Failure> {
    let entry = |part: &heddle_memory::dram::Part| {
        let spec =
            read_part(part.text, &[]).map_err(|error| Failure::new(format!("{}: {error}", part.name)))?;
        Ok(PartEntry {
            name: part.name,
            summary: part.summary,
            channels: spec.channels,
            clock: spec.clock.to_string(),
            peak: spec.peak_bandwidth().to_string(),
        })
    };
    let entries = PARTS.iter().map(entry).collect::<Result<Vec<_>, Failure>>()?;
    match json {
        true => output::json(&entries),
        false => output::page(&view::dram::list(&entries)),
    }
}

/// Prints a part.
pub(super) fn show(arguments: &DramShowArguments) -> Result<(), Failure> {
    let NamedDram { spec, text, .. } = load(&arguments.part)?;
    match (arguments.json, text) {
        (true, _) => output::json(&spec),
        (false, Some(text)) => output::page(&text),
        (false, None) => {
            let text = toml::to_string(&spec);
            output::page(&text.map_err(|error| Failure::new(format!("cannot be written: {error}")))?)
        }
    }
}

/// The meaning of the PART argument, with its settings.
pub(super) fn load(arguments: &PartArguments) -> Result<NamedDram, Failure> {
    Ok(named_dram(&arguments.part, &arguments.settings)?)
}
