//! `--set path=value`.

use crate::error::MachineError;
use crate::nearest::nearest_path;
use crate::origin::{Origin, Source};
use crate::tree::{self, Node, Table, Value};

/// Sets one key of a tree that has all keys.
pub(crate) fn apply(tree: &mut Table, setting: &str, known: &[String]) -> Result<(), MachineError> {
    let origin = Origin::Setting(setting.into());
    let Some((path, text)) = setting.split_once('=') else {
        let error = MachineError::new("expected a key, `=` and a value").at(Some(origin));
        return Err(error.with_help("for example --set l1.size=16KiB"));
    };
    let (path, text) = (path.trim(), text.trim());
    let path = full_path(tree, path, known);
    let node = Node { value: value(text, &origin), key_origin: origin.clone(), origin: origin.clone() };
    let wrong = |problem: String| {
        let error = MachineError::of_key(path.as_str(), problem).at(Some(origin.clone()));
        match nearest_path(&path, known) {
            Some(near) => error.with_help(format!("did you mean `{near}`?")),
            None => error.with_help("`heddle machine show` lists all keys"),
        }
    };
    if known.contains(&path) {
        make_tables(tree, &path, &origin);
    }
    // A known key or table at the top that may be left out.
    let is_top = |known: &String| known.split('.').next() == Some(&path);
    if !tree.contains_key(&path) && known.iter().any(is_top) {
        tree.insert(path, node);
        return Ok(());
    }
    insert(tree, &path, node).map_err(wrong)
}

/// A path may leave out tables in front of it, or between its first and its last word, if only one known path
/// remains: `tCL` and `dram.tCL` are `dram.timing.tCL`.
fn full_path(tree: &Table, path: &str, known: &[String]) -> String {
    if path.is_empty() || tree::get(tree, path).is_some() || known.iter().any(|known| known == path) {
        return path.to_string();
    }
    let ends = |known: &str, last: &str| known.strip_suffix(last).is_some_and(|rest| rest.ends_with('.'));
    let between = path.split_once('.').and_then(|(first, last)| {
        let inside = |known: &str| known.strip_prefix(first).is_some_and(|rest| rest.starts_with('.'));
        only(known, |known| inside(known) && ends(known, last))
    });
    between.or_else(|| only(known, |known| ends(known, path))).unwrap_or(path).to_string()
}

/// The only one that fits.
fn only(known: &[String], fits: impl Fn(&str) -> bool) -> Option<&str> {
    let mut fitting = known.iter().map(String::as_str).filter(|known| fits(known));
    fitting.next().filter(|_| fitting.next().is_none())
}

/// A value as TOML has it, or else the text itself.
fn value(text: &str, origin: &Origin) -> Value {
    let written = format!("value = {text}");
    let source = Source::new("--set", &written);
    let parsed = tree::parse(&source).ok().filter(|table| table.len() == 1);
    let node = parsed.and_then(|mut table| table.remove("value"));
    let mut value = node.map_or_else(|| Value::String(text.to_string()), |node| node.value);
    at(&mut value, origin);
    value
}

/// Whatever stands inside was written in the same place.
fn at(value: &mut Value, origin: &Origin) {
    let inner: Vec<&mut Node> = match value {
        Value::Table(table) => table.values_mut().collect(),
        Value::Array(items) => items.iter_mut().collect(),
        _ => Vec::new(),
    };
    for node in inner {
        (node.origin, node.key_origin) = (origin.clone(), origin.clone());
        at(&mut node.value, origin);
    }
}

/// Makes the tables around a known key that a file may leave out whole.
fn make_tables(tree: &mut Table, path: &str, origin: &Origin) {
    let mut place = tree;
    let mut words = path.split('.').peekable();
    while let Some(word) = words.next() {
        if words.peek().is_none() {
            return;
        }
        let empty =
            || Node { value: Value::Table(Table::new()), key_origin: origin.clone(), origin: origin.clone() };
        match &mut place.entry(word.to_string()).or_insert_with(empty).value {
            Value::Table(table) => place = table,
            _ => return,
        }
    }
}

fn insert(tree: &mut Table, path: &str, node: Node) -> Result<(), String> {
    let unknown = || "no such key".to_string();
    let Some((tables, last)) = path.rsplit_once('.') else {
        let found = tree.get_mut(path).ok_or_else(unknown)?;
        replace(found, node);
        return Ok(());
    };
    let mut words = tables.split('.');
    let mut place = words.next().and_then(|word| tree.get_mut(word)).ok_or_else(unknown)?;
    for word in words {
        place = match &mut place.value {
            Value::Table(table) => table.get_mut(word).ok_or_else(unknown)?,
            Value::Array(items) => item(items, word)?,
            _ => return Err(unknown()),
        };
    }
    match &mut place.value {
        // A key that may be left out is not in the tree; whether it is one, the spec decides.
        Value::Table(table) => match table.get_mut(last) {
            Some(found) => replace(found, node),
            None => drop(table.insert(last.to_string(), node)),
        },
        Value::Array(items) => replace(item(items, last)?, node),
        _ => return Err(format!("`{tables}` is a value, not a table")),
    }
    Ok(())
}

/// A table is laid over a table; everything else is replaced.
fn replace(found: &mut Node, node: Node) {
    match (&mut found.value, node.value) {
        (Value::Table(below), Value::Table(above)) => tree::merge(below, above),
        (_, value) => *found = Node { value, ..node },
    }
}

fn item<'t>(items: &'t mut [Node], word: &str) -> Result<&'t mut Node, String> {
    let length = items.len();
    let number = word.parse::<usize>().map_err(|_| format!("`{word}` is no number of an array's item"))?;
    items.get_mut(number).ok_or_else(|| format!("there are {length} items, numbered from 0"))
}
