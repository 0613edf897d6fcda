//! Results of a small experiment, made by hand.

use heddle_lab::hash::Key;
use heddle_lab::record::{Labels, Made, Outcome, Record, Row, SCHEMA};
use heddle_lab::results::{About, Dictionary, Meaning, tables, write_folder};
use std::collections::BTreeMap;
use std::path::Path;

/// Cycles of both launches with none, sector and obm+sector, by workload; no cycles is a point that failed.
const CYCLES: [(&str, [Option<u64>; 3]); 2] =
    [("h-bfs", [Some(4000), Some(3200), Some(2000)]), ("h-sssp", [Some(9000), Some(9600), None])];

const MECHANISMS: [&str; 3] = ["none", "sector", "obm+sector"];

fn row(cycles: u64, launch: Option<u64>) -> Row {
    let counts = [
        ("cycles", cycles),
        ("warp_instructions", 3000),
        ("l1.read_hits", cycles / 7),
        ("l2.read_misses", 30),
    ];
    let counts = counts.into_iter().chain(launch.map(|launch| ("launch", launch)));
    let texts = launch.map(|launch| ("kernel".to_owned(), format!("Kernel{launch}")));
    Row {
        counts: counts.map(|(name, count)| (name.to_owned(), count)).collect(),
        reals: [("seconds".to_owned(), cycles as f64 / 1.4e9)].into(),
        texts: texts.into_iter().collect(),
    }
}

fn outcome(cycles: Option<u64>) -> Outcome {
    match cycles {
        Some(cycles) => {
            // The second launch gains half as much.
            let launches = vec![row(cycles, Some(1)), row(cycles / 2 + 1500, Some(2))];
            Outcome::Done { run: row(cycles + cycles / 2 + 1500, None), launches }
        }
        None => Outcome::Failed { error: "it came to its limit, \"20 s\"".to_owned(), timed_out: true },
    }
}

fn points() -> Vec<(Labels, Record)> {
    let mut points = Vec::new();
    for (workload, cycles) in CYCLES {
        for (with, cycles) in MECHANISMS.into_iter().zip(cycles) {
            let labels = [
                ("workload", workload),
                ("graph", "rmat:scale=14,degree=8"),
                ("machine", "fermi"),
                ("with", with),
            ];
            let labels: Labels =
                labels.into_iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
            let made = Made {
                version: "0.1.0".to_owned(),
                build: "0123456789abcdef".to_owned(),
                behaviour: 1,
                program: "aa".to_owned(),
                graph: "bb".to_owned(),
                machine: "cc".to_owned(),
            };
            let key = Key::of(&format!("{workload} {with}"));
            points.push((
                labels.clone(),
                Record { schema: SCHEMA, key, labels, made, outcome: outcome(cycles) },
            ));
        }
    }
    points
}

/// Writes the results of an experiment `granularity` into `folder/results`.
pub(crate) fn write(folder: &Path) {
    write_points(folder, &points());
}

/// Writes an experiment without points there.
pub(crate) fn write_empty(folder: &Path) {
    write_points(folder, &[]);
}

fn write_points(folder: &Path, points: &[(Labels, Record)]) {
    let meaning = |name: &str| {
        (name == "l1.read_hits").then(|| Meaning::new("requests", "Reads that found their data."))
    };
    let dictionary = Dictionary { meaning: &meaning, derived: &|_| BTreeMap::new() };
    let points: Vec<(Labels, &Record)> =
        points.iter().map(|(labels, record)| (labels.clone(), record)).collect();
    let about = About { experiment: "granularity".to_owned(), question: "Do sectors pay?".to_owned() };
    write_folder(&folder.join("results"), &about, &tables(&points, &dictionary)).unwrap();
}

/// The harmonic mean over launches of the ratio of IPC to that without mechanisms, by mechanism.
pub(crate) fn speedups() -> BTreeMap<String, f64> {
    let launches = |cycles: u64| [cycles, cycles / 2 + 1500];
    let mut inverse: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
    for (_, cycles) in CYCLES {
        let none = launches(cycles[0].unwrap());
        for (with, cycles) in MECHANISMS.into_iter().zip(cycles).skip(1) {
            let Some(cycles) = cycles else { continue };
            let ratios = launches(cycles).into_iter().zip(none).map(|(own, none)| own as f64 / none as f64);
            inverse.entry(with).or_default().extend(ratios);
        }
    }
    let mean = |values: Vec<f64>| values.len() as f64 / values.iter().sum::<f64>();
    inverse.into_iter().map(|(with, values)| (with.to_owned(), mean(values))).collect()
}
