//! Resolved machines as TOML text, in the order of the specs.

use toml::{Table, Value};

/// The text of a table: its values, then its tables under headers. Tables of plain values inside tables are
/// written on one line.
pub(crate) fn emit(file: &Table) -> String {
    let mut text = String::new();
    for (key, value) in file.iter().filter(|(_, value)| !is_section(value)) {
        text += &format!("{key} = {value}\n");
    }
    for (key, value) in file.iter().filter(|(_, value)| is_section(value)) {
        match value {
            Value::Table(table) => section(&mut text, key, table),
            Value::Array(tables) => {
                for table in tables.iter().filter_map(Value::as_table) {
                    text += &format!("\n[[{key}]]\n");
                    values(&mut text, table);
                }
            }
            _ => {}
        }
    }
    text
}

fn is_section(value: &Value) -> bool {
    match value {
        Value::Table(_) => true,
        Value::Array(items) => !items.is_empty() && items.iter().all(Value::is_table),
        _ => false,
    }
}

fn section(text: &mut String, name: &str, table: &Table) {
    *text += &format!("\n[{name}]\n");
    values(text, table);
}

/// Inner tables are inline, however deep: machine files nest no further than two levels below a section.
fn values(text: &mut String, table: &Table) {
    for (key, value) in table {
        *text += &format!("{key} = {}\n", inline(value));
    }
}

/// A key as TOML has it: with a dot in it, in quotes.
fn quoted(key: &str) -> String {
    match key.contains('.') {
        true => Value::String(key.to_owned()).to_string(),
        false => key.to_owned(),
    }
}

fn inline(value: &Value) -> String {
    match value {
        Value::Table(table) => {
            let entries: Vec<String> =
                table.iter().map(|(key, value)| format!("{} = {}", quoted(key), inline(value))).collect();
            format!("{{ {} }}", entries.join(", "))
        }
        Value::Array(items) => format!("[{}]", items.iter().map(inline).collect::<Vec<_>>().join(", ")),
        plain => plain.to_string(),
    }
}
