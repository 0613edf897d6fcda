//! Whose fault it is that a machine cannot be: what the user wrote, in a file or after `--set`, and not the key of a
//! preset that does not go together with it.

use crate::error::MachineError;
use crate::origin::Origin;
use crate::presets::{MACHINES, MECHANISMS};
use crate::tree::{self, Node, Table, Value};

/// Keys that an error names beside the one that is blamed.
const ACCOMPLICES: usize = 3;

/// Whether somebody other than the program's own files says so.
pub(crate) fn is_users(origin: &Origin) -> bool {
    match origin {
        Origin::Setting(_) => true,
        Origin::Part { .. } => false,
        Origin::File { name, .. } => {
            !MACHINES.iter().chain(MECHANISMS).any(|embedded| embedded.file == &**name)
        }
    }
}

/// Where something was written in or below a value that is in no preset: in a file of the user's, in a mechanism, after
/// `--set`.
pub(crate) fn beyond_presets(node: &Node) -> Option<&Origin> {
    let is_preset = |origin: &Origin| match origin {
        Origin::Setting(_) => false,
        Origin::Part { .. } => true,
        Origin::File { name, .. } => MACHINES.iter().any(|embedded| embedded.file == &**name),
    };
    let inner = match &node.value {
        Value::Table(table) => table.values().find_map(beyond_presets),
        Value::Array(items) => items.iter().find_map(beyond_presets),
        _ => None,
    };
    let own = [&node.key_origin, &node.origin].into_iter().find(|origin| !is_preset(origin));
    own.or(inner)
}

/// What keys of the user's lie over.
pub(crate) struct Below<'t> {
    /// The machine without what was set on the command line.
    pub(crate) settings: &'t Table,
    /// The nearest ancestor that comes with the program.
    pub(crate) files: &'t Table,
}

/// The same error at the key of the user's without which there would be none; `passes` says whether a tree can be a
/// machine. What was set on the command line is suspected before what is in a file.
pub(crate) fn blame(
    error: MachineError,
    tree: &Table,
    below: &Below<'_>,
    passes: impl Fn(&Table) -> bool,
) -> MachineError {
    let is_setting = |node: &Node| matches!(node.origin, Origin::Setting(_));
    if matches!(error.origin, Some(Origin::Setting(_))) {
        return error;
    }
    let mut users = Vec::new();
    written("", tree, &mut users);
    users.sort_by_key(|(_, node)| !is_setting(node));
    let is_cause = |(path, node): &&(String, &Node)| {
        let mut without = tree.clone();
        let instead = if is_setting(node) { below.settings } else { below.files };
        put(&mut without, path, tree::get(instead, path));
        passes(&without)
    };
    let found = match error.origin.as_ref().is_some_and(is_users) {
        // A file's own key is at fault unless the file alone would do.
        true => users.iter().filter(|(_, node)| is_setting(node)).find(is_cause),
        false => {
            // Of several that are at fault only together, one in the same table is nearest.
            let table = error.key.split('.').next().unwrap_or_default();
            let is_near = |(path, _): &&(String, &Node)| path.split('.').next() == Some(table);
            // What the error speaks of comes before keys that happen to be other ways out.
            let spoken_of = || users.iter().filter(|(path, _)| is_named(path, &error));
            let named = spoken_of().find(is_cause).or_else(|| spoken_of().next());
            let cause = named.or_else(|| users.iter().find(is_cause));
            cause.or_else(|| users.iter().find(is_near)).or(users.first())
        }
    };
    let Some((path, node)) = found else { return error };
    let problem = match *path == error.key {
        true => error.problem,
        false => format!("it does not go together with `{}` of the machine: {}", error.key, error.problem),
    };
    let help = error.help.or_else(|| match is_cause(&&(path.clone(), *node)) {
        // Without this key there would be no error: no other has to do with it.
        true => None,
        false => accomplices(&users, path, &error.key),
    });
    MachineError { origin: Some(node.origin.clone()), key: path.clone(), problem, help }
}

/// Whether an error is about a key, or names it.
fn is_named(path: &str, error: &MachineError) -> bool {
    let is_end = |letter: char| !(letter.is_ascii_alphanumeric() || matches!(letter, '.' | '_' | '-'));
    path == error.key || error.problem.split(is_end).any(|word| word == path)
}

/// Keys of the user's that may be at fault together with the one that is blamed: a few of those of its table and of the
/// table of the key that does not go together with it, or else of all.
fn accomplices(users: &[(String, &Node)], blamed: &str, key: &str) -> Option<String> {
    let table = |path: &str| path.split('.').next().map(str::to_owned);
    let is_near = |path: &str| table(path) == table(blamed) || table(path) == table(key);
    let others = || users.iter().filter(|(path, _)| path != blamed && path != key);
    let any_near = others().any(|(path, _)| is_near(path));
    let others = others().filter(|(path, _)| !any_near || is_near(path));
    let others: Vec<String> = others.map(|(path, node)| format!("`{path}` ({})", node.origin)).collect();
    let more = match others.len().saturating_sub(ACCOMPLICES) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let named = others.iter().take(ACCOMPLICES).map(String::as_str).collect::<Vec<_>>().join(", ");
    (!others.is_empty()).then(|| format!("what else was changed: {named}{more}"))
}

/// Every value that the user wrote, with its path; also in arrays of tables, whose items have numbers.
fn written<'t>(prefix: &str, table: &'t Table, found: &mut Vec<(String, &'t Node)>) {
    for (key, node) in table {
        let path = if prefix.is_empty() { key.clone() } else { format!("{prefix}.{key}") };
        match &node.value {
            Value::Table(inner) => written(&path, inner, found),
            Value::Array(items) if items.iter().any(|item| matches!(item.value, Value::Table(_))) => {
                for (number, item) in items.iter().enumerate() {
                    if let Value::Table(inner) = &item.value {
                        written(&format!("{path}.{number}"), inner, found);
                    }
                }
            }
            _ if path != "name" && is_users(&node.origin) => found.push((path, node)),
            _ => {}
        }
    }
}

/// Puts a value at a path of tables that are there, or takes away what is there.
fn put(table: &mut Table, path: &str, node: Option<&Node>) {
    let Some((first, rest)) = path.split_once('.') else {
        match node {
            Some(node) => drop(table.insert(path.to_string(), node.clone())),
            None => drop(table.remove(path)),
        }
        return;
    };
    match table.get_mut(first).map(|node| &mut node.value) {
        Some(Value::Table(inner)) => put(inner, rest, node),
        Some(Value::Array(items)) => {
            let item =
                rest.split_once('.').and_then(|(number, rest)| Some((number.parse::<usize>().ok()?, rest)));
            if let Some((number, rest)) = item
                && let Some(Node { value: Value::Table(inner), .. }) = items.get_mut(number)
            {
                put(inner, rest, node);
            }
        }
        _ => {}
    }
}
