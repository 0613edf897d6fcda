//! DRAM parts by name: `dram.part` puts the figures of a part below every key that is stated.
//!
//! A key is stated where a file, a mechanism or a `--set` gives it. The figures of a part are not: where another
//! part is named on top, its figures take their place, and no figure of the part before is left among them.

use crate::error::MachineError;
use crate::nearest::nearest;
use crate::origin::{Origin, Source};
use crate::tree::{self, Node, Table, Value};
use heddle_memory::dram;

/// Puts the figures of a part in place of its name. `below` is what lay here before the name was given: if its
/// `[dram]` came of no part, as in a resolved file, it states every figure, and the part takes the place of all.
pub(crate) fn expand(tree: &mut Table, below: &Table) -> Result<(), MachineError> {
    let Some(Node { value: Value::Table(own), .. }) = tree.get_mut("dram") else { return Ok(()) };
    let Some(named) = own.remove("part") else { return Ok(()) };
    let mut figures = read(&named)?;
    let before = match below.get("dram").map(|node| &node.value) {
        Some(Value::Table(before)) if !has_part(before) => before.clone(),
        _ => Table::new(),
    };
    keep_stated(own, &before);
    tree::merge(&mut figures, std::mem::take(own));
    *own = figures;
    Ok(())
}

/// The figures of the part that a value names.
fn read(named: &Node) -> Result<Table, MachineError> {
    let wrong = |problem: String| MachineError::of_key("dram.part", problem).at(Some(named.origin.clone()));
    let Some(name) = named.as_str() else {
        return Err(wrong("expected the name of a part, in quotes".to_string()));
    };
    let Some(part) = dram::PARTS.iter().find(|part| part.name == name) else {
        let names: Vec<&str> = dram::PARTS.iter().map(|part| part.name).collect();
        let error = wrong(format!("no DRAM part is called '{name}'; known: {}", names.join(", ")));
        return Err(match nearest(name, names) {
            Some(near) => error.with_help(format!("did you mean `{near}`?")),
            None => error,
        });
    };
    tree::parse(&Source::of_part(name, part.text))
}

/// Whether any figure comes of a part.
fn has_part(table: &Table) -> bool {
    tree::leaves(table).iter().any(|(_, node)| !is_stated(node))
}

/// Whether a value was written elsewhere than in a part; an array is, if one of its items is.
fn is_stated(node: &Node) -> bool {
    let items = match &node.value {
        Value::Array(items) => items.as_slice(),
        _ => &[],
    };
    !matches!(node.origin, Origin::Part { .. }) || items.iter().any(is_stated)
}

/// Leaves out the figures of parts, and those that were written where `before` has them.
fn keep_stated(table: &mut Table, before: &Table) {
    table.retain(|key, node| {
        let before = before.get(key);
        match &mut node.value {
            Value::Table(inner) => {
                let none = Table::new();
                let before = match before.map(|node| &node.value) {
                    Some(Value::Table(before)) => before,
                    _ => &none,
                };
                keep_stated(inner, before);
                !inner.is_empty()
            }
            _ => is_stated(node) && before.is_none_or(|before| before.origin != node.origin),
        }
    });
}
