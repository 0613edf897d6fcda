//! `heddle dram list` and `heddle dram show`, and the PART argument of the others.

use crate::arguments::{DramShowArguments, PartArguments};
use crate::failure::{Failure, words};
use crate::{output, view};
use heddle_graph::error::nearest;
use heddle_machine::nearest_path;
use heddle_memory::dram::{DramSpec, PARTS, keys, part, read_part};
use serde::Serialize;
use std::borrow::Cow;
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// Longest part file that is read.
const PART_BYTES: u64 = 1 << 20;

/// The energy table of each built-in part.
const ENERGY_TABLES: &[(&str, &str)] = &[
    ("gddr5-gtx480", "gddr5"),
    ("gddr5-fermi", "gddr5"),
    ("gddr5-k40c", "gddr5-6gbps"),
    ("ddr4-2400", "ddr4-2400"),
];

/// The energy table of a built-in part.
pub(super) fn energy_table(part: &str) -> Option<&'static str> {
    ENERGY_TABLES.iter().find(|(name, _)| *name == part).map(|(_, table)| *table)
}

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
    let (text, spec) = load(&arguments.part)?;
    if arguments.json {
        return output::json(&spec);
    }
    if arguments.part.settings.is_empty() {
        return output::page(&text);
    }
    let text = toml::to_string(&spec).map_err(|error| Failure::new(format!("cannot be written: {error}")))?;
    output::page(&text)
}

/// The text and meaning of the PART argument, with its settings.
pub(super) fn load(arguments: &PartArguments) -> Result<(Cow<'static, str>, DramSpec), Failure> {
    let name = &arguments.part;
    let text = match part(name) {
        Some(part) => Cow::Borrowed(part.text),
        None => Cow::Owned(read(Path::new(name))?),
    };
    let spec = read_part(&text, &arguments.settings).map_err(|error| {
        let known = keys();
        let near = nearest_path(&error.key, &known).filter(|near| *near != error.key);
        let help = match near {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("`heddle dram show {}` shows a part with all its keys", PARTS[0].name),
        };
        Failure::new(format!("{name}: {error}")).with_help(help)
    })?;
    Ok((text, spec))
}

fn read(path: &Path) -> Result<String, Failure> {
    let is_missing = matches!(path.try_exists(), Ok(false));
    if is_missing {
        return Err(no_such_part(path));
    }
    let mut text = String::new();
    let read = File::open(path).and_then(|file| file.take(PART_BYTES + 1).read_to_string(&mut text));
    read.map_err(|error| Failure::new(format!("{}: {}", path.display(), words(&error))))?;
    match text.len() as u64 > PART_BYTES {
        true => Err(Failure::new(format!("{}: longer than a part file can be, 1 MiB", path.display()))),
        false => Ok(text),
    }
}

fn no_such_part(path: &Path) -> Failure {
    let name = path.display().to_string();
    let failure = Failure::new(format!("{name}: no built-in part and no such file"));
    match nearest(&name, PARTS.iter().map(|part| part.name)) {
        Some(near) => failure.with_help(format!("did you mean `{near}`?")),
        None => failure.with_help("`heddle dram list` shows the built-in parts"),
    }
}
