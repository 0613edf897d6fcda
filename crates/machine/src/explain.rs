//! What a mechanism can be adjusted by: its parameters with their values on a machine, and where these come from.

use crate::error::MachineError;
use crate::machine::{Machine, flat};
use crate::mechanism::Mechanism;
use crate::roles;
use crate::tree::{self, Value};
use serde::Serialize;

/// Keys of caches whose values are names of policies.
const POLICY_KEYS: [&str; 4] = ["inclusion", "bypass", "granularity", "prefetch"];

/// A parameter of a mechanism.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Parameter {
    /// Its key, as `--set` takes it.
    pub key: String,
    /// Its value on the machine, as TOML writes it.
    pub value: String,
    /// Whether the value is published or chosen; none if the mechanism's file does not say.
    pub origin: Option<ParameterOrigin>,
    /// Where it is published, or why it was chosen.
    pub because: String,
}

/// Where the value of a parameter comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum ParameterOrigin {
    /// A document.
    Published,
    /// The documents leave it open.
    Chosen,
}

/// The parameters of a mechanism on a machine: the figures that it sets, and the parameters of the policies that it
/// chooses.
pub fn parameters(machine: &Machine, mechanism: &Mechanism) -> Result<Vec<Parameter>, MachineError> {
    let resolved = machine.clone().with(&[mechanism.word()]).resolve_any()?;
    let values = flat(&resolved.toml);
    let mut tables = Vec::new();
    let mut figures = Vec::new();
    let patch = roles::resolve(&mechanism.name, &mechanism.patch, machine.tree())?;
    let origins = mechanism.origins(machine)?;
    for (path, node) in tree::leaves(&patch) {
        let last = path.rsplit('.').next().unwrap_or_default();
        match &node.value {
            Value::String(policy) if POLICY_KEYS.contains(&last) => {
                tables.push(format!("policies.{policy}."))
            }
            Value::String(text) if !text.starts_with(|first: char| first.is_ascii_digit()) => {}
            Value::Table(_) | Value::Boolean(_) => {}
            _ => figures.push(path),
        }
    }
    let is_figure = |path: &str| {
        let inside = |figure: &String| path == figure || path.starts_with(&format!("{figure}."));
        tables.iter().any(|table| path.starts_with(table)) || figures.iter().any(inside)
    };
    let parameter = |(key, value): (String, String)| {
        let (origin, because) = match sentence_of(&origins, &key) {
            None => (None, String::new()),
            Some(text) => match text.strip_prefix("chosen") {
                Some(why) => (Some(ParameterOrigin::Chosen), why.trim_start_matches([':', ' ']).to_owned()),
                None => (Some(ParameterOrigin::Published), text.to_owned()),
            },
        };
        Parameter { key, value, origin, because }
    };
    Ok(values.into_iter().filter(|(path, _)| is_figure(path)).map(parameter).collect())
}

/// What is said about a key, or about the nearest table around it.
fn sentence_of<'o>(origins: &'o [(String, String)], key: &str) -> Option<&'o str> {
    let mut path = key;
    loop {
        if let Some((_, text)) = origins.iter().find(|(known, _)| known == path) {
            return Some(text);
        }
        path = path.rsplit_once('.')?.0;
    }
}
