//! Records are the same bytes for the same content.

use heddle_lab::hash::Key;
use heddle_lab::record::{Made, Outcome, Record, Row, SCHEMA};

#[test]
fn a_record_survives_its_file() {
    let row = Row {
        counts: [("l1.reads".to_owned(), u64::MAX)].into(),
        reals: [("seconds".to_owned(), 0.1 + 0.2)].into(),
        texts: [("kernel".to_owned(), "Kernel".to_owned())].into(),
    };
    let record = Record {
        schema: SCHEMA,
        key: Key::of("anything"),
        labels: [("workload".to_owned(), "h-bfs".to_owned())].into(),
        made: Made {
            version: "0".into(),
            build: "b".into(),
            behaviour: 1,
            program: String::new(),
            graph: String::new(),
            machine: String::new(),
        },
        outcome: Outcome::Done { run: row.clone(), launches: vec![row] },
    };
    let text = serde_json::to_string(&record).unwrap();
    assert_eq!(serde_json::from_str::<Record>(&text).unwrap(), record);
}
