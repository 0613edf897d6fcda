//! Levels by role: a mechanism says where in the memory system its keys belong, and not what a machine calls that place.
//!
//! | table of a patch | the levels that it is laid over |
//! |---|---|
//! | `[patch.first-level]` | the cores' data cache: the one that serves `global` |
//! | `[patch.lower-levels]` | each level below it on the way to memory |
//! | `[patch.last-level]` | the last of these, above memory |
//!
//! Where several name one level, a later row of the table has the last word, and a level's own name the very last.

use crate::error::MachineError;
use crate::lists::is_reserved;
use crate::nearest::nearest;
use crate::tree::{self, Node, Table, Value};

pub(crate) const FIRST: &str = "first-level";
pub(crate) const LOWER: &str = "lower-levels";
pub(crate) const LAST: &str = "last-level";
/// Names that no level can have.
pub(crate) const ROLES: [&str; 3] = [FIRST, LOWER, LAST];

/// The names that a list of a machine's has.
fn listed<'t>(machine: &'t Table, list: &str) -> Vec<&'t str> {
    match machine.get(list).map(|node| &node.value) {
        Some(Value::Array(items)) => items.iter().filter_map(Node::as_str).collect(),
        _ => Vec::new(),
    }
}

/// The levels of the data path, from the cores to memory.
fn data_path(machine: &Table) -> Vec<&str> {
    let levels = listed(machine, "caches");
    let serves_data = |level: &&&str| match tree::get(machine, &format!("{level}.serves")) {
        Some(Node { value: Value::Array(paths), .. }) => {
            paths.iter().any(|path| path.as_str() == Some("global"))
        }
        _ => false,
    };
    let below = |level: &&str| {
        let below = tree::get(machine, &format!("{level}.below"))?.as_str()?;
        levels.iter().copied().find(|known| *known == below)
    };
    // A circle, which checks refuse, must end here as well.
    std::iter::successors(levels.iter().find(serves_data).copied(), below).take(levels.len()).collect()
}

/// A mechanism's patch with the names that a machine has for its levels.
pub(crate) fn resolve(mechanism: &str, patch: &Table, machine: &Table) -> Result<Table, MachineError> {
    let named = patch.iter().filter(|(key, _)| !ROLES.contains(&key.as_str()));
    let by_name: Table = named.map(|(key, node)| (key.clone(), node.clone())).collect();
    // It may add levels itself.
    let mut shape = machine.clone();
    tree::merge(&mut shape, by_name.clone());
    let machine = &shape;
    by_name.iter().try_for_each(|(key, node)| check_name(mechanism, key, node, machine))?;
    let (path, mut by_role) = (data_path(machine), Table::new());
    for role in ROLES {
        let Some(node) = patch.get(role) else { continue };
        let levels = match role {
            FIRST => path.get(..1),
            LOWER => path.get(1..),
            _ => path.get(path.len().saturating_sub(1).max(1)..),
        };
        let levels = levels
            .filter(|levels| !levels.is_empty())
            .ok_or_else(|| no_level(mechanism, role, node, machine))?;
        for level in levels {
            if role != FIRST {
                check_size(mechanism, level, node, machine)?;
            }
            tree::merge(&mut by_role, Table::from([((*level).to_owned(), node.clone())]));
        }
    }
    tree::merge(&mut by_role, by_name);
    Ok(by_role)
}

/// What a mechanism names is there: a level, a network or an agent that the machine does not list would be left aside.
fn check_name(mechanism: &str, key: &str, node: &Node, machine: &Table) -> Result<(), MachineError> {
    let lists = ["caches", "networks", "agents"];
    let is_listed = lists.iter().any(|list| listed(machine, list).contains(&key));
    if is_listed || is_reserved(key) || !matches!(node.value, Value::Table(_)) {
        return Ok(());
    }
    let levels = listed(machine, "caches");
    let problem = format!(
        "`{mechanism}` is about a level or network `{key}`, which this machine has not; its levels are {}",
        levels.join(", ")
    );
    let error = MachineError::of_key(key, problem).at(Some(node.key_origin.clone()));
    Err(match nearest(key, ROLES.into_iter().chain(levels)) {
        Some(near) => error.with_help(format!("did you mean `{near}`?")),
        None => {
            error.with_help(format!("a patch of {} applies whatever levels are called", ROLES.join(", ")))
        }
    })
}

/// A size that is meant for a level which all cores share would be that of each of several.
fn check_size(mechanism: &str, level: &str, patch: &Node, machine: &Table) -> Result<(), MachineError> {
    let Value::Table(keys) = &patch.value else { return Ok(()) };
    let Some(size) = keys.get("size") else { return Ok(()) };
    let number = |path: String| match tree::get(machine, &path).map(|node| &node.value) {
        Some(Value::Integer(number)) => *number,
        _ => 0,
    };
    let (each, cores) = (number(format!("{level}.shared_by")), number("core.count".to_owned()));
    if each == 0 || cores != 0 && each >= cores {
        return Ok(());
    }
    let problem = format!(
        "`{mechanism}` gives the whole level a size, and this machine has one `{level}` for every {each} cores, each of \
         which would have it"
    );
    let error = MachineError::of_key(format!("{level}.size"), problem).at(Some(size.origin.clone()));
    Err(error.with_help(format!("set {level}.size, and {level}.ways, of each by --set instead")))
}

fn no_level(mechanism: &str, role: &str, node: &Node, machine: &Table) -> MachineError {
    let what = match role {
        FIRST => "a level that serves \"global\"",
        _ => "a level below the one that serves \"global\"",
    };
    let levels = listed(machine, "caches");
    let problem = match levels.is_empty() {
        true => format!("`{mechanism}` needs {what}, and this machine lists no caches"),
        false => format!("`{mechanism}` needs {what}; the levels of this machine are {}", levels.join(", ")),
    };
    MachineError::of_key(role, problem).at(Some(node.key_origin.clone()))
}
