//! Tables that a list names: the levels of caches, the networks and the agents of a machine.
//!
//! In a file each is a table of its own, `[l2]`, and `caches = ["l1", "l2"]` says which they are and in which order. For
//! decoding they stand together under one key, as a number of things of one kind.

use crate::blame::is_users;
use crate::error::MachineError;
use crate::roles::ROLES;
use crate::tree::{Node, Table, Value};

/// The lists of a machine file, and the key under which the tables of each stand while they are decoded.
const LISTS: [(&str, &str); 3] = [("networks", "network"), ("caches", "cache"), ("agents", "agent")];

/// Names that no cache, network or agent can have: those of other keys, and of other statistics.
const TAKEN: [&str; 25] = [
    "name",
    "description",
    "source",
    "kind",
    "mechanisms",
    "inherits",
    "caches",
    "networks",
    "agents",
    "clocks",
    "core",
    "latency",
    "shared_memory",
    "split",
    "launch",
    "requesters",
    "policies",
    "dram",
    "energy",
    "direct",
    "slots",
    "traffic",
    "queueing",
    "injected",
    "network",
];

/// Whether a name is that of something else than a cache, a network or an agent.
pub(crate) fn is_reserved(name: &str) -> bool {
    TAKEN.contains(&name) || ROLES.contains(&name) || LISTS.iter().any(|(_, key)| *key == name)
}

/// Whether a name can be a table's and the first word of statistics.
fn is_name(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_')
}

/// The key in the user's words: without the one under which the tables of a list stand.
pub(crate) fn in_words(path: &mut Vec<String>) {
    if path.len() > 1 && LISTS.iter().any(|(_, key)| path.last().is_some_and(|last| last == key)) {
        path.pop();
    }
}

/// Puts the tables that lists name under one key each.
pub(crate) fn gather(tree: &Table) -> Result<Table, MachineError> {
    let mut gathered = tree.clone();
    for (list, key) in LISTS {
        let Some(Node { value: Value::Array(names), origin, .. }) = tree.get(list) else { continue };
        let mut tables = Table::new();
        for item in names {
            let wrong = |problem: String| MachineError::of_key(list, problem).at(Some(item.origin.clone()));
            let Some(name) = item.as_str() else { continue };
            if !is_name(name) {
                let error = wrong(format!("{name:?} cannot be a name"));
                return Err(error.with_help("names are of letters, digits, `-` and `_`"));
            }
            if is_reserved(name) {
                return Err(wrong(format!("\"{name}\" is the name of something else")));
            }
            match gathered.remove(name) {
                // If it is no table, decoding says so.
                Some(table) => drop(tables.insert(name.to_owned(), table)),
                None if tree.contains_key(name) => {
                    return Err(wrong(format!(
                        "\"{name}\" is named twice{}",
                        where_else(&gathered, name, list)
                    )));
                }
                None => {
                    let error = wrong(format!("there is no table [{name}]"));
                    return Err(
                        error.with_help(format!("describe it under [{name}], or take it out of the list"))
                    );
                }
            }
        }
        let node = Node { value: Value::Table(tables), key_origin: origin.clone(), origin: origin.clone() };
        gathered.insert(key.to_owned(), node);
    }
    // Behind the names of lists, which say better what is wrong with a level of such a name.
    for (_, key) in LISTS {
        if let Some(node) = tree.get(key) {
            return Err(MachineError::of_key(key, "no such key").at(Some(node.key_origin.clone())));
        }
    }
    leave_out(&mut gathered)?;
    Ok(gathered)
}

/// The lists that name something twice: this one, and the one that named it before if that is another.
fn where_else(gathered: &Table, name: &str, list: &str) -> String {
    let has = |key: &str| match gathered.get(key).map(|node| &node.value) {
        Some(Value::Table(tables)) => tables.contains_key(name),
        _ => false,
    };
    match LISTS.iter().find(|(_, key)| has(key)) {
        Some((before, _)) => format!(", in `{before}` and in `{list}`"),
        None => format!(" in `{list}`"),
    }
}

/// Leaves out what a list does not name any more although the file that was inherited has it. What the user describes and
/// does not name is an error.
fn leave_out(gathered: &mut Table) -> Result<(), MachineError> {
    let list_of = |node: &Node| match &node.value {
        // Agents say what is below them, too.
        Value::Table(table) if table.contains_key("kind") => Some("agents"),
        Value::Table(table) if table.contains_key("below") => Some("caches"),
        Value::Table(table) if table.contains_key("flit") => Some("networks"),
        _ => None,
    };
    let unnamed = gathered.iter().filter(|(name, _)| !is_reserved(name));
    let unnamed: Vec<(String, &'static str, Node)> =
        unnamed.filter_map(|(name, node)| Some((name.clone(), list_of(node)?, node.clone()))).collect();
    for (name, list, node) in unnamed {
        if is_users(&node.key_origin) {
            let error = MachineError::of_key(name.as_str(), format!("is not named in `{list}`"));
            return Err(error.at(Some(node.key_origin)).with_help(format!("add \"{name}\" to `{list}`")));
        }
        gathered.remove(&name);
    }
    Ok(())
}

/// Puts the tables of lists back to where files have them, in the order of the lists.
pub(crate) fn spread(file: toml::Table) -> toml::Table {
    let named = |list: &str| -> Vec<String> {
        let names = file.get(list).and_then(toml::Value::as_array).into_iter().flatten();
        names.filter_map(|name| name.as_str().map(str::to_owned)).collect()
    };
    let mut spread = toml::Table::new();
    for (key, value) in file.clone() {
        match (LISTS.iter().find(|(_, of_list)| *of_list == key), value) {
            (Some((list, _)), toml::Value::Table(mut tables)) => {
                for name in named(list) {
                    if let Some(table) = tables.remove(&name) {
                        spread.insert(name, table);
                    }
                }
            }
            (_, value) => drop(spread.insert(key, value)),
        }
    }
    spread
}
