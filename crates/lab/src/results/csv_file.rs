//! Tables as tidy CSV (RFC 4180, UTF-8, ends of lines as on Unix): a head, a row per row, nothing for an absent value.
//!
//! An empty text is `""`. Units and meanings stand in `columns.csv` beside the tables.

use super::error::ResultsError;
use super::load::Kept;
use super::meaning::Meaning;
use super::table::{Column, Role, Table, TableKind, Values, real_text};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::Path;

/// The head of `columns.csv`.
const COLUMNS_HEAD: &str = "name,unit,description,type,role";

/// A table as CSV.
pub fn write_csv(table: &Table) -> String {
    let mut text = head(table);
    (0..table.rows).for_each(|row| push_row(&mut text, table, row));
    text
}

/// Writes rows of a table as CSV, a row at a time.
pub(super) fn write_rows(table: &Table, out: &mut impl Write) -> io::Result<()> {
    let mut text = String::new();
    for row in 0..table.rows {
        text.clear();
        push_row(&mut text, table, row);
        out.write_all(text.as_bytes())?;
    }
    Ok(())
}

/// The names of the columns, which stand above the rows.
pub(super) fn head(table: &Table) -> String {
    let names: Vec<Cow<'_, str>> = table.names().map(quoted).collect();
    names.join(",") + "\n"
}

fn push_row(text: &mut String, table: &Table, row: usize) {
    for (number, column) in table.columns.iter().enumerate() {
        if number > 0 {
            text.push(',');
        }
        let is_there = match &column.values {
            Values::Text(values) => match values[row].as_deref() {
                Some("") => push(text, "\"\""),
                Some(value) => push(text, &quoted(value)),
                None => false,
            },
            Values::Count(values) => values[row].is_some_and(|count| push_count(text, count)),
            Values::Real(values) => values[row].is_some_and(|real| push(text, &real_text(real))),
        };
        // A line that is empty would be no row.
        if !is_there && table.columns.len() == 1 {
            text.push_str("\"\"");
        }
    }
    text.push('\n');
}

/// Pushes a text, of which there is then something.
fn push(text: &mut String, value: &str) -> bool {
    text.push_str(value);
    true
}

/// Pushes a number; most of a table are such, and many are zero.
fn push_count(text: &mut String, count: u64) -> bool {
    match count {
        0..=9 => text.push(char::from(b'0' + count as u8)),
        _ => {
            let mut digits = [0; 20];
            let (mut at, mut rest) = (digits.len(), count);
            while rest > 0 {
                at -= 1;
                digits[at] = b'0' + (rest % 10) as u8;
                rest /= 10;
            }
            text.extend(digits[at..].iter().map(|&digit| char::from(digit)));
        }
    }
    true
}

/// What the columns of the tables mean.
pub(super) fn write_columns(tables: &[&Table]) -> String {
    let mut text = COLUMNS_HEAD.to_owned() + "\n";
    let mut written: Vec<&str> = Vec::new();
    for column in tables.iter().flat_map(|table| &table.columns) {
        if written.contains(&column.name.as_str()) {
            continue;
        }
        written.push(&column.name);
        let Meaning { unit, description } = &column.meaning;
        let cells = [&column.name, unit, description, column.values.type_name(), column.role.name()];
        text += &(cells.map(quoted).join(",") + "\n");
    }
    text
}

/// A cell, in quotes where it needs them.
fn quoted(text: &str) -> Cow<'_, str> {
    match text.contains([',', '"', '\n', '\r']) {
        true => Cow::Owned(format!("\"{}\"", text.replace('"', "\"\""))),
        false => Cow::Borrowed(text),
    }
}

/// Reads a table that this crate wrote; `columns` is the text of the `columns.csv` beside it.
pub(super) fn read(path: &Path, text: &str, columns: Option<&str>) -> Result<Table, ResultsError> {
    let kind = path.file_stem().and_then(|stem| stem.to_str()).and_then(TableKind::by_name);
    let damaged = |(line, problem): Wrong| {
        ResultsError::at_path(path, format!("line {line}: {problem}"))
            .with_help("a sweep writes the tables of its folder again; or read the .parquet beside it")
    };
    let mut records = parse(text).map_err(damaged)?.into_iter();
    let Some((_, head)) = records.next() else {
        return Err(ResultsError::at_path(path, "it is empty: it has not even a head"));
    };
    // Every line that was written has an end; a number whose last digits are lost would still be one.
    if !text.ends_with('\n') {
        let place = if records.len() == 0 { "its head" } else { "its last row" };
        return Err(damaged((text.lines().count(), format!("the file is cut inside {place}"))));
    }
    let names: Vec<String> = head.into_iter().map(Option::unwrap_or_default).collect();
    let mut cells: Vec<Vec<Kept>> = vec![Vec::new(); names.len()];
    for (line, record) in records {
        if record.len() != names.len() {
            let problem = format!("it has {} cells, and the head has {}", record.len(), names.len());
            return Err(damaged((line, problem)));
        }
        record.into_iter().zip(&mut cells).for_each(|(cell, column)| column.push(cell));
    }
    let rows = cells.first().map_or(0, Vec::len);
    let described = columns.map(describe).transpose().map_err(damaged)?.unwrap_or_default();
    let made = names.into_iter().zip(cells).map(|(name, cells)| column(path, name, cells, &described));
    Ok(Table { kind: kind.unwrap_or(TableKind::Runs), columns: made.collect::<Result<_, _>>()?, rows })
}

/// A record, and the line that it begins in.
type Lined = (usize, Vec<Kept>);

/// A line, and what is wrong there.
type Wrong = (usize, String);

/// What `columns.csv` says of a column: type, role, meaning.
type Said = (String, Option<Role>, Meaning);

fn describe(text: &str) -> Result<BTreeMap<String, Said>, Wrong> {
    let said = |(line, record): Lined| {
        let mut cells = record.into_iter().map(Option::unwrap_or_default);
        let mut next = || cells.next().ok_or_else(|| (line, "columns.csv: a cell is missing".to_owned()));
        let (name, unit, description, is, role) = (next()?, next()?, next()?, next()?, next()?);
        Ok((name, (is, Role::by_name(&role), Meaning { unit, description })))
    };
    parse(text)?.into_iter().skip(1).map(said).collect()
}

fn column(
    path: &Path,
    name: String,
    cells: Vec<Kept>,
    described: &BTreeMap<String, Said>,
) -> Result<Column, ResultsError> {
    let said = described.get(&name).cloned();
    let is = said.as_ref().map(|(is, _, _)| is.as_str());
    let Some(values) = values(&cells, is) else {
        let problem = format!("the column {name} holds what is no {}", is.unwrap_or("value"));
        return Err(ResultsError::at_path(path, problem)
            .with_help("columns.csv beside it says the types: text, count or real"));
    };
    let (role, meaning) = match said {
        Some((_, role, meaning)) => (role, meaning),
        None => (None, Meaning::default()),
    };
    let role = role.unwrap_or_else(|| super::load::likely_role(&name, &values));
    Ok(Column { name, role, meaning, values })
}

/// Cells as values of a type, or of the narrowest one that holds them where it is not said.
fn values(cells: &[Kept], is: Option<&str>) -> Option<Values> {
    fn numbers<T: std::str::FromStr>(cells: &[Kept]) -> Option<Vec<Option<T>>> {
        cells
            .iter()
            .map(|cell| cell.as_deref().map(|cell| cell.parse().ok()).map_or(Some(None), |n| n.map(Some)))
            .collect()
    }
    match is {
        Some("text") => Some(Values::Text(cells.to_vec())),
        Some("count") => numbers(cells).map(Values::Count),
        Some("real") => numbers(cells).map(Values::Real),
        Some(_) => None,
        None if cells.iter().all(Option::is_none) => Some(Values::Text(cells.to_vec())),
        None => ["count", "real", "text"].into_iter().find_map(|is| values(cells, Some(is))),
    }
}

/// The cells of each record with the line that it begins in. An empty cell without quotes is absent.
fn parse(text: &str) -> Result<Vec<Lined>, Wrong> {
    let mut records = Vec::new();
    let mut rest = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut line = 1;
    while !rest.is_empty() {
        let begin = line;
        let mut record = Vec::new();
        loop {
            let (cell, after) = cell(rest).ok_or_else(|| (line, "a quote is not closed".to_owned()))?;
            line += rest[..rest.len() - after.len()].matches('\n').count();
            record.push(cell);
            let after = after.strip_prefix('\r').filter(|next| next.starts_with('\n')).unwrap_or(after);
            match after.chars().next() {
                Some(',') => rest = &after[1..],
                Some('\n') | None => {
                    rest = after.get(1..).unwrap_or_default();
                    line += 1;
                    break;
                }
                Some(other) => return Err((line, format!("`{other}` follows a closing quote"))),
            }
        }
        records.push((begin, record));
    }
    Ok(records)
}

/// The first cell of a text, and what follows it; none where a quote is not closed.
fn cell(text: &str) -> Option<(Kept, &str)> {
    let Some(mut rest) = text.strip_prefix('"') else {
        let end = text.find([',', '\n']).unwrap_or(text.len());
        let (cell, after) = text.split_at(end);
        let bare = cell.strip_suffix('\r').unwrap_or(cell);
        return Some(((!bare.is_empty()).then(|| bare.to_owned()), after));
    };
    let mut cell = String::new();
    loop {
        let (part, after) = rest.split_once('"')?;
        cell += part;
        match after.strip_prefix('"') {
            Some(after) => {
                cell.push('"');
                rest = after;
            }
            None => return Some((Some(cell), after)),
        }
    }
}
