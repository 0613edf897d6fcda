//! Whose fault it is that a machine cannot be: what the user wrote, in a file or after `--set`, and not the key of a
//! preset that does not go together with it.

use crate::error::MachineError;
use crate::origin::Origin;
use crate::presets::{MACHINES, MECHANISMS};
use crate::tree::{self, Node, Table, Value};

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

/// What keys of the user's lie over.
pub(crate) struct Below<'t> {
    /// The machine without what was set on the command line.
    pub(crate) settings: &'t Table,
    /// The nearest ancestor that comes with the program.
    pub(crate) files: &'t Table,
}

/// The same error at the key of the user's without which there would be none; `passes` says whether a tree can be a
/// machine. What was set on the command line is suspected before what stands in a file.
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
    let leaves = tree::leaves(tree).into_iter();
    let mut users: Vec<(String, &Node)> =
        leaves.filter(|(path, node)| path != "name" && is_users(&node.origin)).collect();
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
            users.iter().find(is_cause).or_else(|| users.iter().find(is_near)).or(users.first())
        }
    };
    let Some((path, node)) = found else { return error };
    let problem = match *path == error.key {
        true => error.problem,
        false => format!("it does not go together with `{}` of the machine: {}", error.key, error.problem),
    };
    let others = users.iter().filter(|(other, _)| other != path && *other != error.key);
    let others: Vec<String> = others.map(|(path, _)| format!("`{path}`")).collect();
    let help = error.help.or_else(|| match others.is_empty() {
        true => None,
        false => Some(format!("what else was changed: {}", others.join(", "))),
    });
    MachineError { origin: Some(node.origin.clone()), key: path.clone(), problem, help }
}

/// Puts a value at a path of tables that are there, or takes away what is there.
fn put(table: &mut Table, path: &str, node: Option<&Node>) {
    match path.split_once('.') {
        Some((first, rest)) => {
            if let Some(Node { value: Value::Table(inner), .. }) = table.get_mut(first) {
                put(inner, rest, node);
            }
        }
        None => match node {
            Some(node) => drop(table.insert(path.to_string(), node.clone())),
            None => drop(table.remove(path)),
        },
    }
}
