//! Results in columns, on records made by hand.

mod damage;
mod files;
mod queries;
mod tables;

use heddle_lab::hash::Key;
use heddle_lab::record::{Labels, Made, Outcome, Record, Row, SCHEMA};
use heddle_lab::results::{About, Dictionary, Meaning, Tables};
use std::collections::BTreeMap;

/// Labels in short.
pub(crate) fn labels(pairs: &[(&str, &str)]) -> Labels {
    pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
}

/// Figures of a simulation.
pub(crate) fn row(cycles: u64, instructions: u64, hits: u64) -> Row {
    let counts = [("cycles", cycles), ("warp_instructions", instructions), ("l1.read_hits", hits)];
    Row {
        counts: counts.into_iter().map(|(name, count)| (name.to_owned(), count)).collect(),
        reals: [("seconds".to_owned(), cycles as f64 / 1.4e9)].into(),
        texts: BTreeMap::new(),
    }
}

/// A launch of a kernel.
pub(crate) fn launch(number: u64, kernel: &str, cycles: u64) -> Row {
    let mut row = row(cycles, 1000, 7 * number);
    row.counts.insert("launch".to_owned(), number);
    row.texts.insert("kernel".to_owned(), kernel.to_owned());
    row
}

/// A record of an outcome.
pub(crate) fn record(name: &str, outcome: Outcome) -> Record {
    Record {
        schema: SCHEMA,
        key: Key::of(name),
        labels: labels(&[("first", "another experiment's")]),
        made: Made {
            version: "0.1.0".to_owned(),
            build: "0123456789abcdef".to_owned(),
            behaviour: 3,
            program: "aa".to_owned(),
            graph: String::new(),
            machine: "cc".to_owned(),
        },
        outcome,
    }
}

/// Two workloads with and without two mechanisms; one point failed, one name needs quotes.
pub(crate) fn points() -> Vec<(Labels, Record)> {
    let mut points = Vec::new();
    for (workload, cycles) in [("h-bfs", 4000), ("h-sssp", 9000)] {
        for (with, factor) in [("none", 4), ("sector", 2), ("obm+sector", 1)] {
            let labels = labels(&[
                ("workload", workload),
                ("graph", "rmat:scale=8,degree=4 \"quoted\"\nlined"),
                ("with", with),
                ("seed", "7"),
            ]);
            let cycles = cycles * factor / 4;
            let outcome = match (workload, with) {
                ("h-sssp", "obm+sector") => {
                    Outcome::Failed { error: "it ran into the limit".to_owned(), timed_out: true }
                }
                _ => Outcome::Done {
                    run: row(cycles, 2000, 14),
                    launches: vec![launch(1, "Kernel", cycles / 2), launch(2, "Kernel2", cycles / 2)],
                },
            };
            points.push((labels, record(&format!("{workload} {with}"), outcome)));
        }
    }
    points
}

/// What counters mean, as a catalogue would say.
pub(crate) fn meaning(name: &str) -> Option<Meaning> {
    (name == "l1.read_hits").then(|| Meaning::new("requests", "Reads that found their data."))
}

/// The tables of points.
pub(crate) fn tables_of(points: &[(Labels, Record)]) -> Tables {
    let points: Vec<(Labels, &Record)> =
        points.iter().map(|(labels, record)| (labels.clone(), record)).collect();
    let derived = |row: &Row| {
        let double = row.counts.get("l1.read_hits").map(|&hits| 2.0 * hits as f64);
        BTreeMap::from([("l1.double_hits".to_owned(), double)])
    };
    heddle_lab::results::tables(&points, &Dictionary { meaning: &meaning, derived: &derived })
}

pub(crate) fn about() -> About {
    About { experiment: "granularity".to_owned(), question: "Do sectors pay?".to_owned() }
}
