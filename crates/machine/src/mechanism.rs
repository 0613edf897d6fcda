//! Mechanisms: named patches of a machine, which compose unless they contradict each other.

use crate::decode::decode;
use crate::error::MachineError;
use crate::layer;
use crate::nearest::nearest;
use crate::origin::Source;
use crate::presets::MECHANISMS;
use crate::tree::{self, Table, Value};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// A mechanism.
#[derive(Clone, Debug)]
pub struct Mechanism {
    /// Its name.
    pub name: String,
    /// What it does.
    pub description: String,
    /// The document and section that it follows.
    pub source: String,
    /// What it does not go together with.
    pub conflicts: Vec<Conflict>,
    /// The machines that its figures are written for; empty for all.
    pub machines: Vec<String>,
    pub(crate) patch: Table,
    /// Where paths in the patch start from.
    pub(crate) folder: PathBuf,
}

/// Something that a mechanism does not go together with.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Conflict {
    /// The other mechanism.
    pub with: String,
    /// Why.
    pub because: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Head {
    name: String,
    description: String,
    source: String,
    #[serde(default)]
    conflicts: Vec<Conflict>,
    #[serde(default)]
    machines: Vec<String>,
}

impl Mechanism {
    /// The keys that it sets, with what it sets them to as TOML writes it.
    pub fn settings(&self) -> Vec<(String, String)> {
        let text = |value: &Value| match value {
            Value::String(text) => format!("\"{text}\""),
            Value::Integer(number) => number.to_string(),
            Value::Float(number) => number.to_string(),
            Value::Boolean(truth) => truth.to_string(),
            Value::Array(_) => "[…]".to_string(),
            Value::Table(_) => "{…}".to_string(),
        };
        tree::leaves(&self.patch).into_iter().map(|(path, node)| (path, text(&node.value))).collect()
    }

    fn parse(file: &str, text: &str) -> Result<Mechanism, MachineError> {
        let mut parsed = tree::parse(&Source::new(file, text))?;
        let patch = match parsed.remove("patch") {
            None => Table::new(),
            Some(node) => match node.value {
                Value::Table(table) => table,
                _ => {
                    let error = MachineError::of_key("patch", "expected a table");
                    return Err(error.at(Some(node.origin)));
                }
            },
        };
        let head: Head = decode(&parsed).map_err(|fault| {
            let error = fault.into_error();
            match error.origin {
                // What is missing was written nowhere.
                None => MachineError { problem: format!("{file}: {}", error.problem), ..error },
                Some(_) => error,
            }
        })?;
        let Head { name, description, source, conflicts, machines } = head;
        Ok(Mechanism { name, description, source, conflicts, machines, patch, folder: PathBuf::new() })
    }
}

/// All mechanisms that are compiled in.
pub fn mechanisms() -> Result<Vec<Mechanism>, MachineError> {
    MECHANISMS.iter().map(|embedded| Mechanism::parse(embedded.file, embedded.text)).collect()
}

/// The mechanisms that words such as `obm+sector` name, without `none` and without repetition.
pub(crate) fn named(words: &[String], folder: &Path) -> Result<Vec<Mechanism>, MachineError> {
    let mut chosen: Vec<Mechanism> = Vec::new();
    for word in words.iter().flat_map(|words| words.split('+')).map(str::trim) {
        let mechanism = find(word, folder)?;
        let is_new = chosen.iter().all(|other| other.name != mechanism.name);
        if is_new && mechanism.name != "none" {
            chosen.push(mechanism);
        }
    }
    Ok(chosen)
}

fn find(word: &str, folder: &Path) -> Result<Mechanism, MachineError> {
    if let Some(embedded) = MECHANISMS.iter().find(|embedded| embedded.name == word) {
        return Mechanism::parse(embedded.file, embedded.text);
    }
    if layer::is_path(word) {
        let path = folder.join(word);
        let mechanism = Mechanism::parse(word, &layer::read_file(&path, word)?)?;
        return Ok(Mechanism {
            folder: path.parent().map(Path::to_path_buf).unwrap_or_default(),
            ..mechanism
        });
    }
    let error = MachineError::new(format!("no mechanism is called `{word}`"));
    Err(match nearest(word, MECHANISMS.iter().map(|embedded| embedded.name)) {
        Some(near) => error.with_help(format!("did you mean `{near}`?")),
        None => error.with_help("`heddle mechanisms` lists them; a file is named by its path"),
    })
}

/// Refuses mechanisms that do not go together, or not with this machine.
pub(crate) fn check_together(
    chosen: &[Mechanism],
    already: &[String],
    lineage: &[String],
) -> Result<(), MachineError> {
    let names = || chosen.iter().map(|mechanism| &mechanism.name).chain(already);
    for mechanism in chosen {
        let found = mechanism.conflicts.iter().find(|conflict| names().any(|name| *name == conflict.with));
        if let Some(Conflict { with, because }) = found {
            let problem = format!("`{}` does not go together with `{with}`: {because}", mechanism.name);
            return Err(MachineError::new(problem).with_help("leave one of them out"));
        }
        let fits = |machine: &String| lineage.contains(machine);
        if !mechanism.machines.is_empty() && !mechanism.machines.iter().any(fits) {
            let machines = mechanism.machines.join(", ");
            let problem =
                format!("the figures of `{}` are for {machines} and what inherits from it", mechanism.name);
            return Err(MachineError::new(problem).with_help("use --set with figures for this machine"));
        }
    }
    check_keys(chosen)
}

/// Refuses two mechanisms that set one key to different values.
fn check_keys(chosen: &[Mechanism]) -> Result<(), MachineError> {
    let mut set = BTreeMap::new();
    for mechanism in chosen {
        for (path, node) in tree::leaves(&mechanism.patch) {
            match set.insert(path.clone(), (mechanism, node)) {
                Some((other, before)) if before != node => {
                    let problem = format!(
                        "`{}` and `{}` set it to different values ({} and {})",
                        other.name, mechanism.name, before.origin, node.origin
                    );
                    return Err(MachineError::of_key(path, problem).with_help("leave one of them out"));
                }
                _ => {}
            }
        }
    }
    Ok(())
}
