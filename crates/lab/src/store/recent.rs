//! Records that a runner has just written, in little memory, so that its tables need not read and parse them again.
//!
//! Nearly all of a record are names, and those of a machine's rows are always the same: they are kept once. What there is
//! no room for is read from its file.

use crate::hash::Key;
use crate::record::{Labels, Made, Outcome, Record, Row, SCHEMA};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Most memory that they take, about: a thousand points of one launch each.
const BYTES_MAX: usize = 8 << 20;

/// What a record takes beside its figures, about.
const BYTES_OF_RECORD: usize = 512;

/// Finished records by key, without their labels, which are those of the experiment that ran them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Recent {
    records: BTreeMap<Key, CompactRecord>,
    /// Lists of names, each once.
    names: Vec<Names>,
    bytes: usize,
}

/// Names in order.
type Names = Arc<[String]>;

#[derive(Clone, Debug, PartialEq)]
struct CompactRecord {
    made: Made,
    run: CompactRow,
    launches: Box<[CompactRow]>,
}

#[derive(Clone, Debug, PartialEq)]
struct CompactRow {
    counts: CompactFigures<u64>,
    reals: CompactFigures<f64>,
    texts: CompactFigures<String>,
}

#[derive(Clone, Debug, PartialEq)]
struct CompactFigures<T> {
    names: Names,
    values: Box<[T]>,
}

impl<T: Clone> CompactFigures<T> {
    fn whole(&self) -> BTreeMap<String, T> {
        self.names.iter().cloned().zip(self.values.iter().cloned()).collect()
    }
}

impl CompactRow {
    fn whole(&self) -> Row {
        Row { counts: self.counts.whole(), reals: self.reals.whole(), texts: self.texts.whole() }
    }
}

impl Recent {
    /// Keeps a finished record, if there is room.
    pub(crate) fn insert(&mut self, record: &Record) {
        let Outcome::Done { run, launches } = &record.outcome else { return };
        if self.bytes >= BYTES_MAX {
            return;
        }
        let made = record.made.clone();
        let (run, launches) = (self.row(run), launches.iter().map(|row| self.row(row)).collect());
        self.bytes += BYTES_OF_RECORD;
        self.records.insert(record.key.clone(), CompactRecord { made, run, launches });
    }

    /// The record of a point, if it was kept.
    pub fn get(&self, key: &Key) -> Option<Record> {
        let CompactRecord { made, run, launches } = self.records.get(key)?;
        let launches = launches.iter().map(CompactRow::whole).collect();
        let outcome = Outcome::Done { run: run.whole(), launches };
        Some(Record { schema: SCHEMA, key: key.clone(), labels: Labels::new(), made: made.clone(), outcome })
    }

    fn row(&mut self, row: &Row) -> CompactRow {
        self.bytes += row.texts.values().map(String::len).sum::<usize>();
        CompactRow {
            counts: self.figures(&row.counts),
            reals: self.figures(&row.reals),
            texts: self.figures(&row.texts),
        }
    }

    fn figures<T: Clone>(&mut self, figures: &BTreeMap<String, T>) -> CompactFigures<T> {
        self.bytes += figures.len() * size_of::<T>();
        CompactFigures { names: self.names(figures), values: figures.values().cloned().collect() }
    }

    fn names<T>(&mut self, figures: &BTreeMap<String, T>) -> Names {
        let is_same = |names: &&Names| names.len() == figures.len() && names.iter().eq(figures.keys());
        if let Some(names) = self.names.iter().find(is_same) {
            return Arc::clone(names);
        }
        let names: Names = figures.keys().cloned().collect();
        self.bytes += names.iter().map(|name| size_of::<String>() + name.len()).sum::<usize>();
        self.names.push(Arc::clone(&names));
        names
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(number: u64, text: &str) -> Record {
        let row = |number: u64| Row {
            counts: [("cycles".to_owned(), number), ("launch".to_owned(), u64::MAX)].into(),
            reals: [("seconds".to_owned(), 0.1 + number as f64)].into(),
            texts: [("kernel".to_owned(), text.to_owned())].into(),
        };
        Record {
            schema: SCHEMA,
            key: Key::of(&number.to_string()),
            labels: Labels::new(),
            made: Made {
                version: "0".to_owned(),
                build: "b".to_owned(),
                behaviour: 1,
                program: "p".to_owned(),
                graph: "g".to_owned(),
                machine: "m".to_owned(),
            },
            outcome: Outcome::Done { run: row(number), launches: vec![row(number + 1), Row::default()] },
        }
    }

    #[test]
    fn records_come_back_whole_and_names_are_kept_once() {
        let mut recent = Recent::default();
        let records: Vec<Record> = (0..50).map(|number| record(number, "Kernel")).collect();
        records.iter().for_each(|record| recent.insert(record));
        for record in &records {
            assert_eq!(recent.get(&record.key).as_ref(), Some(record));
        }
        assert_eq!(recent.names.len(), 4, "counts, reals, texts and none");
        assert_eq!(recent.get(&Key::of("another")), None);
    }

    #[test]
    fn what_there_is_no_room_for_is_not_kept() {
        let mut recent = Recent::default();
        let text = "k".repeat(1 << 20);
        (0..20).for_each(|number| recent.insert(&record(number, &text)));
        assert!((4..=8).contains(&recent.records.len()), "{}", recent.records.len());
        let failed = Outcome::Failed { error: "no memory".to_owned(), timed_out: false };
        let mut recent = Recent::default();
        recent.insert(&Record { outcome: failed, ..record(1, "") });
        assert_eq!(recent, Recent::default());
    }
}
