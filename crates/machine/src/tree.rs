//! Machine files as trees of values that know where they were written, and how one tree lies over another.

use crate::error::MachineError;
use crate::origin::{Origin, Source};
use heddle_engine::nesting;
use std::collections::BTreeMap;
use toml::de::{DeTable, DeValue};

/// Tables of a file lie no deeper than this; the file format itself nests at most three.
const DEEPEST: usize = 16;

/// A value.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Value {
    Table(Table),
    Array(Vec<Node>),
    String(String),
    Integer(i64),
    Float(f64),
    Boolean(bool),
}

/// The entries of a table.
pub(crate) type Table = BTreeMap<String, Node>;

/// A value with its place.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub(crate) value: Value,
    /// Where its key was written, or the value itself in an array.
    pub(crate) key_origin: Origin,
    /// Where the value was written.
    pub(crate) origin: Origin,
}

impl PartialEq for Node {
    /// Whether the values are the same, wherever they were written.
    fn eq(&self, other: &Node) -> bool {
        self.value == other.value
    }
}

impl Node {
    /// The string, if it is one.
    pub(crate) fn as_str(&self) -> Option<&str> {
        match &self.value {
            Value::String(text) => Some(text),
            _ => None,
        }
    }
}

/// Reads the text of a file.
pub(crate) fn parse(source: &Source<'_>) -> Result<Table, MachineError> {
    if let Some(at) = nesting::too_deep(source.text) {
        return Err(MachineError::new(nesting::TOO_DEEP).at(Some(source.place(at))));
    }
    let parsed = DeTable::parse(source.text).map_err(|error| {
        let place = error.span().map(|span| source.place(span.start));
        MachineError::new(error.message().trim_end()).at(place)
    })?;
    table(parsed.into_inner(), source, 0)
}

fn table(entries: DeTable<'_>, source: &Source<'_>, depth: usize) -> Result<Table, MachineError> {
    let mut made = Table::new();
    for (key, value) in entries {
        let key_origin = source.place(key.span().start);
        let name = key.into_inner().into_owned();
        if depth >= DEEPEST {
            return Err(MachineError::of_key(name, "tables lie too deep").at(Some(key_origin)));
        }
        let origin = match value.get_ref() {
            // The span of a table is that of a header, which may be any of its headers.
            DeValue::Table(_) => key_origin.clone(),
            _ => source.place(value.span().start),
        };
        let value = convert(value.into_inner(), source, &origin, depth + 1)?;
        made.insert(name, Node { value, key_origin, origin });
    }
    Ok(made)
}

fn convert(
    value: DeValue<'_>,
    source: &Source<'_>,
    origin: &Origin,
    depth: usize,
) -> Result<Value, MachineError> {
    let wrong = |problem: String| MachineError::new(problem).at(Some(origin.clone()));
    Ok(match value {
        DeValue::String(text) => Value::String(text.into_owned()),
        DeValue::Integer(number) => {
            let digits = i64::from_str_radix(number.as_str(), number.radix());
            Value::Integer(digits.map_err(|_| wrong(format!("{} is too large", number.as_str())))?)
        }
        DeValue::Float(number) => {
            let parsed = number.as_str().parse();
            Value::Float(parsed.map_err(|_| wrong(format!("{} is no number", number.as_str())))?)
        }
        DeValue::Boolean(truth) => Value::Boolean(truth),
        // No key of a machine is a date; as text it is refused by whatever key it was given to.
        DeValue::Datetime(date) => Value::String(date.to_string()),
        DeValue::Array(items) => {
            if depth >= DEEPEST {
                return Err(wrong("arrays lie too deep".to_string()));
            }
            let items = items.into_iter().map(|item| {
                let origin = source.place(item.span().start);
                let value = convert(item.into_inner(), source, &origin, depth + 1)?;
                Ok(Node { value, key_origin: origin.clone(), origin })
            });
            Value::Array(items.collect::<Result<_, MachineError>>()?)
        }
        DeValue::Table(entries) => Value::Table(table(entries, source, depth)?),
    })
}

/// Lays a tree over another: tables are merged key by key, everything else is replaced.
pub(crate) fn merge(below: &mut Table, above: Table) {
    for (key, node) in above {
        match (below.get_mut(&key).map(|node| &mut node.value), node.value) {
            (Some(Value::Table(below)), Value::Table(above)) => merge(below, above),
            (_, value) => {
                below.insert(key, Node { value, ..node });
            }
        }
    }
}

/// The value at a path such as `l1.size` or `split.0.shared`.
pub(crate) fn get<'t>(table: &'t Table, path: &str) -> Option<&'t Node> {
    let mut words = path.split('.');
    let mut node = table.get(words.next()?)?;
    for word in words {
        node = match &node.value {
            Value::Table(table) => table.get(word)?,
            Value::Array(items) => items.get(word.parse::<usize>().ok()?)?,
            _ => return None,
        };
    }
    Some(node)
}

/// Where a path was written, or the nearest table around it that was written anywhere.
pub(crate) fn origin_of(table: &Table, path: &str) -> Option<Origin> {
    let mut path = path;
    loop {
        if let Some(node) = get(table, path) {
            return Some(node.origin.clone());
        }
        path = path.rsplit_once('.')?.0;
    }
}

/// Every value below a table, with its path; an array counts as one value.
pub(crate) fn leaves(table: &Table) -> Vec<(String, &Node)> {
    fn walk<'t>(prefix: &str, table: &'t Table, found: &mut Vec<(String, &'t Node)>) {
        for (key, node) in table {
            let path = if prefix.is_empty() { key.clone() } else { format!("{prefix}.{key}") };
            match &node.value {
                Value::Table(inner) => walk(&path, inner, found),
                _ => found.push((path, node)),
            }
        }
    }
    let mut found = Vec::new();
    walk("", table, &mut found);
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree(text: &str) -> Table {
        parse(&Source::new("m.toml", text)).unwrap()
    }

    #[test]
    fn values_know_their_lines_and_columns() {
        let tree = tree("name = \"x\"\n[l1]\n  size = 3\nsplit = [{ a = 1 }]\n");
        let place = |path: &str| get(&tree, path).unwrap().origin.to_string();
        assert_eq!(place("l1.size"), "m.toml:3:10");
        assert_eq!(get(&tree, "l1.size").unwrap().key_origin.to_string(), "m.toml:3:3");
        assert_eq!(place("l1.split.0.a"), "m.toml:4:16");
        assert_eq!(origin_of(&tree, "l1.nothing.at.all").unwrap().to_string(), "m.toml:2:2");
    }

    #[test]
    fn tables_merge_key_by_key_and_arrays_are_replaced() {
        let mut below = tree("a = 1\nlist = [1, 2]\n[t]\nx = 1\ny = 2\n");
        merge(&mut below, tree("list = [3]\n[t]\ny = 5\nz = 6\n"));
        assert_eq!(below, tree("a = 1\nlist = [3]\n[t]\nx = 1\ny = 5\nz = 6\n"));
    }

    #[test]
    fn what_is_no_toml_is_refused_at_its_place() {
        let error = parse(&Source::new("m.toml", "a = 1\nb = [1,\n")).unwrap_err();
        assert!(error.origin.unwrap().to_string().starts_with("m.toml:2:"), "{}", error.problem);
        let deep = format!("a = 1\n[b]\n{}x = 1\n", "c.".repeat(100_000));
        let error = parse(&Source::new("m.toml", &deep)).unwrap_err();
        assert!(error.origin.unwrap().to_string().starts_with("m.toml:3:"), "{}", error.problem);
        assert!(error.problem.contains("too deep"), "{}", error.problem);
        let large = Source::new("m.toml", "a = 99999999999999999999");
        assert!(parse(&large).unwrap_err().problem.contains("too large"));
    }
}
