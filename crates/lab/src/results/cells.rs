//! Columns that grow row by row: names are kept once, values in the type that the column had first.

use super::table::{Values, real_text};
use std::collections::BTreeMap;

/// One value of a row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Cell<'a> {
    Text(&'a str),
    Count(u64),
    Real(f64),
}

/// The type of a column; a wider one can hold what a narrower one does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Type {
    Count,
    Real,
    Text,
}

/// A value of another type than those before it in its column.
#[derive(Debug)]
enum Stray {
    Text(String),
    Count(u64),
    Real(f64),
}

/// The values of a column so far. Rows behind the last value have none.
#[derive(Debug)]
pub(super) struct Cells {
    values: Values,
    /// By row. They keep their type until that of the column is known: a count beyond 2^53 would not survive as a real.
    strays: BTreeMap<usize, Stray>,
}

impl Cells {
    /// A column that will begin with a value of this type.
    fn like(cell: Cell<'_>) -> Cells {
        let values = match cell {
            Cell::Text(_) => Values::Text(Vec::new()),
            Cell::Count(_) => Values::Count(Vec::new()),
            Cell::Real(_) => Values::Real(Vec::new()),
        };
        Cells { values, strays: BTreeMap::new() }
    }

    /// A column without values.
    pub(super) fn none(is: Type) -> Cells {
        Cells::like(match is {
            Type::Text => Cell::Text(""),
            Type::Count => Cell::Count(0),
            Type::Real => Cell::Real(0.0),
        })
    }

    /// Sets the value of the last row; one that it has already gives way.
    fn set(&mut self, row: usize, cell: Cell<'_>) {
        self.strays.remove(&row);
        let stray = match (&mut self.values, cell) {
            (Values::Text(values), Cell::Text(text)) => return put(values, row, Some(text.to_owned())),
            (Values::Count(values), Cell::Count(count)) => return put(values, row, Some(count)),
            (Values::Real(values), Cell::Real(real)) => return put(values, row, Some(real)),
            (_, Cell::Text(text)) => Stray::Text(text.to_owned()),
            (_, Cell::Count(count)) => Stray::Count(count),
            (_, Cell::Real(real)) => Stray::Real(real),
        };
        match &mut self.values {
            Values::Text(values) => put(values, row, None),
            Values::Count(values) => put(values, row, None),
            Values::Real(values) => put(values, row, None),
        }
        self.strays.insert(row, stray);
    }

    /// The value of a row.
    pub(super) fn get(&self, row: usize) -> Option<Cell<'_>> {
        match self.strays.get(&row) {
            Some(Stray::Text(text)) => return Some(Cell::Text(text)),
            Some(Stray::Count(count)) => return Some(Cell::Count(*count)),
            Some(Stray::Real(real)) => return Some(Cell::Real(*real)),
            None => {}
        }
        match &self.values {
            Values::Text(values) => values.get(row)?.as_deref().map(Cell::Text),
            Values::Count(values) => values.get(row)?.map(Cell::Count),
            Values::Real(values) => values.get(row)?.map(Cell::Real),
        }
    }

    /// The narrowest type that holds all values; none where there are no values.
    pub(super) fn narrowest(&self) -> Option<Type> {
        let strays = self.strays.values().map(|stray| match stray {
            Stray::Text(_) => Type::Text,
            Stray::Count(_) => Type::Count,
            Stray::Real(_) => Type::Real,
        });
        let own = (self.values.present() > 0).then(|| self.own());
        strays.chain(own).max()
    }

    /// Whether there is a count that no signed number holds.
    fn is_large(&self) -> bool {
        let is_large = |count: u64| i64::try_from(count).is_err();
        let own = match &self.values {
            Values::Count(values) => values.iter().flatten().any(|&count| is_large(count)),
            Values::Text(_) | Values::Real(_) => false,
        };
        own || self.strays.values().any(|stray| matches!(stray, Stray::Count(count) if is_large(*count)))
    }

    fn own(&self) -> Type {
        match &self.values {
            Values::Text(_) => Type::Text,
            Values::Count(_) => Type::Count,
            Values::Real(_) => Type::Real,
        }
    }

    /// The column of so many rows in a type that holds all its values.
    pub(super) fn into_values(mut self, is: Type, rows: usize) -> Values {
        if self.strays.is_empty() && self.own() == is {
            match &mut self.values {
                Values::Text(values) => values.resize(rows, None),
                Values::Count(values) => values.resize(rows, None),
                Values::Real(values) => values.resize(rows, None),
            }
            return self.values;
        }
        let cells = (0..rows).map(|row| self.get(row));
        match is {
            Type::Count => Values::Count(
                cells
                    .map(|cell| if let Some(Cell::Count(count)) = cell { Some(count) } else { None })
                    .collect(),
            ),
            Type::Real => Values::Real(
                cells
                    .map(|cell| match cell? {
                        Cell::Count(count) => Some(count as f64),
                        Cell::Real(real) => Some(real),
                        Cell::Text(_) => None,
                    })
                    .collect(),
            ),
            Type::Text => Values::Text(
                cells
                    .map(|cell| match cell? {
                        Cell::Count(count) => Some(count.to_string()),
                        Cell::Real(real) => Some(real_text(real)),
                        Cell::Text(text) => Some(text.to_owned()),
                    })
                    .collect(),
            ),
        }
    }
}

/// Puts the value of the last row, with nothing for rows before it that have none.
fn put<T: Clone>(values: &mut Vec<Option<T>>, row: usize, value: Option<T>) {
    values.truncate(row);
    if values.capacity() <= row {
        // All columns grow at once: room for twice the rows would be most of the memory.
        values.reserve_exact(row + 1 - values.len() + row / 4 + 8);
    }
    values.resize(row, None);
    values.push(value);
}

/// Columns by name.
#[derive(Debug, Default)]
pub(super) struct Columns {
    numbers: BTreeMap<String, usize>,
    all: Vec<Named>,
    /// The column that was set last.
    last: usize,
}

#[derive(Debug)]
struct Named {
    name: String,
    cells: Cells,
    /// The column that was set after this one in the row before: names come in nearly the same order in every row.
    next: usize,
}

impl Columns {
    /// Sets a value of the last row.
    pub(super) fn set(&mut self, row: usize, name: &str, cell: Cell<'_>) {
        let guess = self.all.get(self.last).map_or(0, |last| last.next);
        let number = match self.all.get(guess).is_some_and(|column| column.name == name) {
            true => guess,
            false => self.number(name, cell),
        };
        if let Some(last) = self.all.get_mut(self.last) {
            last.next = number;
        }
        self.last = number;
        self.all[number].cells.set(row, cell);
    }

    fn number(&mut self, name: &str, cell: Cell<'_>) -> usize {
        if let Some(&number) = self.numbers.get(name) {
            return number;
        }
        let number = self.all.len();
        self.numbers.insert(name.to_owned(), number);
        self.all.push(Named { name: name.to_owned(), cells: Cells::like(cell), next: 0 });
        number
    }

    /// A column.
    pub(super) fn get(&self, name: &str) -> Option<&Cells> {
        self.numbers.get(name).map(|&number| &self.all[number].cells)
    }

    /// The columns by name.
    pub(super) fn into_map(self) -> BTreeMap<String, Cells> {
        self.all.into_iter().map(|column| (column.name, column.cells)).collect()
    }

    /// The type of each column, by name.
    pub(super) fn types(&self) -> impl Iterator<Item = (&str, Type)> {
        self.all.iter().filter_map(|column| Some((column.name.as_str(), column.cells.narrowest()?)))
    }

    /// The columns with counts that no signed number holds.
    pub(super) fn large(&self) -> impl Iterator<Item = &str> {
        self.all.iter().filter(|column| column.cells.is_large()).map(|column| column.name.as_str())
    }
}
