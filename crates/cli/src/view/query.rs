//! The page of `heddle query`.

use super::page::Page;
use super::text::{figure, or_dash, thousands};
use crate::commands::ListedColumn;
use heddle_lab::results::{Column, Loaded, Table, Values};

/// The rows of an answer, a dash where there is no value.
pub(crate) fn page(table: &Table) -> String {
    let mut page = Page::new();
    let head: Vec<&str> = table.names().collect();
    let is_left = |column: &Column| matches!(column.values, Values::Text(_));
    let columns = table.columns.iter().enumerate();
    let left: Vec<usize> = columns.filter(|(_, column)| is_left(column)).map(|(number, _)| number).collect();
    let row = |row: usize| table.columns.iter().map(|column| cell(&column.values, row)).collect();
    let rows: Vec<Vec<String>> = (0..table.rows).map(row).collect();
    page.table(&head, &left, &rows);
    page.finish()
}

fn cell(values: &Values, row: usize) -> String {
    or_dash(match values {
        Values::Text(values) => values[row].clone(),
        Values::Count(values) => values[row].map(thousands),
        Values::Real(values) => values[row].map(figure),
    })
}

/// The columns of a table.
pub(crate) fn columns(loaded: &Loaded, columns: &[ListedColumn]) -> String {
    let mut page = Page::new();
    page.section("Table");
    page.row("file", loaded.path.display().to_string());
    page.row("experiment", &loaded.about.experiment);
    if !loaded.about.question.is_empty() {
        page.row("question", &loaded.about.question);
    }
    page.row("rows", thousands(loaded.table.rows as u64));
    page.section("Columns");
    let row = |column: &ListedColumn| {
        vec![
            column.name.clone(),
            column.is.to_owned(),
            thousands(column.values as u64),
            column.unit.clone(),
            column.description.clone(),
        ]
    };
    let rows: Vec<Vec<String>> = columns.iter().map(row).collect();
    page.table(&["name", "type", "values", "unit", "meaning"], &[0, 1, 3, 4], &rows);
    page.finish()
}
