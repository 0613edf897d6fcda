//! Tables of a large sweep take the memory of their values, not that of the records that they are made of.
//!
//! In a binary of its own: the allocator counts for the whole process.

use heddle_lab::hash::Key;
use heddle_lab::record::{Labels, Made, Outcome, Record, Row, SCHEMA};
use heddle_lab::results::{About, Dictionary, FILES, TablesBuilder, write_folder};
use peak_alloc::PeakAlloc;
use std::collections::BTreeMap;

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

const POINTS: u64 = 2000;
const LAUNCHES: u64 = 10;
const COUNTERS: u64 = 300;

/// Of a value that may be absent.
const CELL_BYTES: u64 = 16;

/// What the bytes of the largest file, labels and identity of rows may take.
const OTHER_BYTES: u64 = 64 << 20;

fn row(seed: u64) -> Row {
    let count = |number| (format!("l1.counter_of_some_name_{number:03}"), seed * number % 977);
    Row { counts: (0..COUNTERS).map(count).collect(), ..Row::default() }
}

fn record(number: u64) -> Record {
    Record {
        schema: SCHEMA,
        key: Key::of(&number.to_string()),
        labels: Labels::new(),
        made: Made {
            version: "0.1.0".to_owned(),
            build: "0123456789abcdef".to_owned(),
            behaviour: 1,
            program: "aa".to_owned(),
            graph: "bb".to_owned(),
            machine: "cc".to_owned(),
        },
        outcome: Outcome::Done {
            run: row(number),
            launches: (0..LAUNCHES).map(|launch| row(number + launch)).collect(),
        },
    }
}

#[test]
fn tables_of_a_large_sweep_take_little_more_than_their_values() {
    let folder = tempfile::tempdir().unwrap();
    let (meaning, derived) = (|_: &str| None, |_: &Row| BTreeMap::new());
    let dictionary = Dictionary { meaning: &meaning, derived: &derived };
    let before = ALLOCATOR.current_usage() as u64;
    ALLOCATOR.reset_peak_usage();
    let mut builder = TablesBuilder::new(&dictionary);
    for number in 0..POINTS {
        builder.add(&Labels::from([("source".to_owned(), number.to_string())]), &record(number));
    }
    let tables = builder.finish();
    let about = About { experiment: "large".to_owned(), question: String::new() };
    let written = write_folder(folder.path(), &about, &tables).unwrap();
    let peak = ALLOCATOR.peak_usage() as u64 - before;
    assert_eq!((tables.runs.rows as u64, tables.launches.rows as u64), (POINTS, POINTS * LAUNCHES));
    let last = tables.launches.column("l1.counter_of_some_name_299").unwrap();
    assert_eq!(last.values.number(19_999), Some(((1999 + 9) * 299 % 977) as f64));
    assert!(FILES.iter().all(|file| written.join(file).is_file()));
    let values = CELL_BYTES * COUNTERS * POINTS * (1 + LAUNCHES);
    // A quarter of a column is room to grow.
    let limit = values + values / 4 + OTHER_BYTES;
    assert!(peak <= limit, "{peak} bytes at the peak for {values} of values");
}
