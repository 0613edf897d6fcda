//! A result as it was stored: read back, whichever version of the program wrote it.

use super::{SCHEMA, folder};
use crate::bounded;
use crate::failure::Failure;
use heddle_engine::nesting;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// A result that was read.
#[derive(Debug)]
pub(crate) struct Stored {
    /// What the user called it.
    pub(crate) name: String,
    pub(crate) json: Value,
    /// Keys of the resolved machine with their values, if its file is there.
    pub(crate) machine: BTreeMap<String, String>,
}

impl Stored {
    /// Reads a `result.json`, or that of a folder.
    pub(crate) fn read(path: &Path) -> Result<Stored, Failure> {
        let file = if path.is_dir() { folder::result_file(path) } else { path.to_path_buf() };
        let text = bounded::RESULT.text(&file).map_err(|failure| failure.with_help(HELP))?;
        let json: Value = serde_json::from_str(&text).map_err(|error| {
            let (line, column) = (error.line(), error.column());
            Failure::new(format!("{}:{line}:{column}: it is no JSON", file.display())).with_help(HELP)
        })?;
        check_schema(&file, &json)?;
        check_shape(&json).map_err(|problem| {
            Failure::new(format!("{}: it is no result: {problem}", file.display())).with_help(HELP)
        })?;
        Ok(Stored { name: path.display().to_string(), json, machine: machine(&file)? })
    }

    /// A value by its keys; null if there is none.
    pub(crate) fn get(&self, keys: &[&str]) -> &Value {
        keys.iter().fold(&self.json, |value, key| value.get(key).unwrap_or(&Value::Null))
    }
}

const HELP: &str = "name a folder that `heddle run --out` made, or the result.json in it";

/// Refuses a result of a later version, whose keys may mean something else.
pub(crate) fn check_not_newer(file: &Path, json: &Value) -> Result<(), Failure> {
    match json.get("schema").and_then(Value::as_u64) {
        Some(schema) if schema > u64::from(SCHEMA) => {
            let file = file.display();
            let problem =
                format!("{file}: it has schema {schema}, newer than {SCHEMA}, the newest known here");
            let writer = json.get("version").and_then(Value::as_str).unwrap_or("a later one");
            let help =
                format!("read it with the version of heddle that wrote it ({writer}), or run it again");
            Err(Failure::new(problem).with_help(help))
        }
        _ => Ok(()),
    }
}

/// Refuses a result of another version.
fn check_schema(file: &Path, json: &Value) -> Result<(), Failure> {
    check_not_newer(file, json)?;
    let file = file.display();
    match json.get("schema").and_then(Value::as_u64) {
        Some(schema) if schema == u64::from(SCHEMA) => Ok(()),
        Some(schema) => {
            let problem = format!("{file}: it has schema {schema}, and this version reads schema {SCHEMA}");
            Err(Failure::new(problem).with_help("run it again with this version"))
        }
        None => Err(Failure::new(format!("{file}: it is no result: it has no `schema`")).with_help(HELP)),
    }
}

/// Whether the values that are compared are of the kind that results have.
fn check_shape(json: &Value) -> Result<(), String> {
    if !json.get("verified").is_some_and(Value::is_boolean) {
        return Err("`verified` is not true or false".to_string());
    }
    let wrong = |key: &str, what: &str| Err(format!("`{key}` is not {what}"));
    match json.get("cycles") {
        Some(cycles) if !cycles.is_null() && !cycles.is_u64() => return wrong("cycles", "a whole number"),
        _ => {}
    }
    match json.get("launches") {
        Some(launches) if !launches.is_array() => return wrong("launches", "a list"),
        _ => {}
    }
    let Some(stats) = json.get("stats").filter(|stats| !stats.is_null()) else { return Ok(()) };
    let Some(stats) = stats.as_object() else { return wrong("stats", "a map from names to counts") };
    match stats.iter().find(|(_, count)| !count.is_u64()) {
        Some((name, _)) => wrong(&format!("stats.{name}"), "a count"),
        None => Ok(()),
    }
}

/// The keys of the machine file beside a result.
fn machine(result: &Path) -> Result<BTreeMap<String, String>, Failure> {
    let path: PathBuf = result.with_file_name(folder::MACHINE);
    if !path.is_file() {
        return Ok(BTreeMap::new());
    }
    let text = bounded::MACHINE.text(&path)?;
    if let Some(at) = nesting::too_deep(&text) {
        let line = text.get(..at).unwrap_or_default().matches('\n').count() + 1;
        return Err(Failure::new(format!("{}:{line}: {}", path.display(), nesting::TOO_DEEP)));
    }
    let table: toml::Table = text.parse().map_err(|error: toml::de::Error| {
        Failure::new(format!("{}: {}", path.display(), error.message().trim()))
    })?;
    let mut keys = BTreeMap::new();
    flatten("", &toml::Value::Table(table), &mut keys);
    Ok(keys)
}

fn flatten(path: &str, value: &toml::Value, keys: &mut BTreeMap<String, String>) {
    match value {
        toml::Value::Table(table) => {
            for (key, value) in table {
                let path = if path.is_empty() { key.clone() } else { format!("{path}.{key}") };
                flatten(&path, value, keys);
            }
        }
        value => {
            keys.insert(path.to_owned(), value.to_string());
        }
    }
}
