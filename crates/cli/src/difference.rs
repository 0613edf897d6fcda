//! What differs between two stored results, as plain data. The field names are the keys of its JSON.

use crate::result::{MERGED, OF_MACHINE, Stored};
use serde::Serialize;
use serde_json::Value;
use std::collections::BTreeSet;

/// What differs.
#[derive(Debug, Default, Serialize)]
pub(crate) struct Difference {
    /// Equal in everything but the host's figures and the words of the command.
    pub(crate) equal: bool,
    /// What was run, and what it was made from.
    pub(crate) setting: Vec<Change>,
    /// Keys of the resolved machines.
    pub(crate) machine: Vec<Change>,
    /// Cycles and other figures of the whole run.
    pub(crate) figures: Vec<Shift>,
    /// Statistics, the most telling change first.
    pub(crate) stats: Vec<Shift>,
    /// Cycles of launches.
    pub(crate) launches: Vec<Shift>,
    /// Other parts of the results that differ.
    pub(crate) parts: Vec<String>,
    /// What could not be compared, because only one of the results has it.
    pub(crate) notes: Vec<String>,
}

/// Two texts where one was expected.
#[derive(Debug, PartialEq, Serialize)]
pub(crate) struct Change {
    pub(crate) name: String,
    pub(crate) before: Option<String>,
    pub(crate) after: Option<String>,
}

/// Two numbers where one was expected.
#[derive(Debug, PartialEq, Serialize)]
pub(crate) struct Shift {
    pub(crate) name: String,
    pub(crate) before: Option<f64>,
    pub(crate) after: Option<f64>,
    pub(crate) change: Option<f64>,
    /// In percent of what it was.
    pub(crate) percent: Option<f64>,
}

impl Shift {
    fn new(name: &str, before: Option<f64>, after: Option<f64>) -> Shift {
        let change = before.zip(after).map(|(before, after)| after - before);
        let percent = before.zip(change).filter(|(before, _)| *before != 0.0);
        let percent = percent.map(|(before, change)| 100.0 * change / before);
        Shift { name: name.to_owned(), before, after, change, percent }
    }

    /// A large change of a large count tells more than either alone: the difference in units of the
    /// fluctuation that a random count of this size would have.
    fn relevance(&self) -> f64 {
        let (before, after) = (self.before.unwrap_or_default(), self.after.unwrap_or_default());
        (after - before).abs() / before.max(after).max(1.0).sqrt()
    }
}

/// Parts of a result that have sections of their own here, or that no comparison is about.
const OWN_SECTIONS: &[&str] = &[
    "schema",
    "version",
    "workload",
    "problem",
    "machine",
    "graph",
    "vertices",
    "arcs",
    "source",
    "source_is_default",
    "target",
    "settings",
    "verified",
    "partial",
    "warp_instructions",
    "thread_instructions",
    "cycles",
    "seconds",
    "ipc",
    "mechanisms",
    "machine_file",
    "set",
    "energy_table",
    "stats",
    "ratios",
    "launches",
    "provenance",
    "wall_seconds",
    "host",
    "machine_figures",
];

/// Parts that a run has only if it was sampled.
const OF_INTERVALS: &[&str] = &["interval", "intervals", "power"];

/// Compares two results.
pub(crate) fn compare(before: &Stored, after: &Stored) -> Difference {
    let sampled = [before, after].map(is_sampled);
    let [ours, theirs] = [before, after].map(|stored| comparable(&stored.json, sampled == [true; 2]));
    let equal = ours == theirs && before.machine == after.machine;
    Difference {
        equal,
        setting: setting(before, after),
        machine: machine(before, after),
        figures: figures(before, after),
        stats: stats(before, after),
        launches: launches(before, after),
        parts: parts(before, after, sampled == [true; 2]),
        notes: match sampled {
            [true, false] => vec!["intervals are in A only, and were not compared".to_owned()],
            [false, true] => vec!["intervals are in B only, and were not compared".to_owned()],
            _ => Vec::new(),
        },
    }
}

/// Whether a run was asked to keep intervals. They are a way of looking at it, and no part of what happened.
fn is_sampled(stored: &Stored) -> bool {
    stored.get(&["intervals"]).as_array().is_some_and(|rows| !rows.is_empty())
}

/// A result without what depends on the host, and without the command, which says what was asked and not what
/// was done; with its intervals if both results have some.
fn comparable(json: &Value, with_intervals: bool) -> Value {
    let mut json = json.clone();
    if let Value::Object(keys) = &mut json {
        if !with_intervals {
            OF_INTERVALS.iter().for_each(|name| drop(keys.remove(*name)));
            if let Some(Value::Array(notes)) = keys.get_mut("notes") {
                notes.retain(|note| !note.as_str().is_some_and(|note| note.starts_with(MERGED)));
            }
        }
        // How the machine was asked for; what it is, its keys say.
        keys.remove("machine_file");
        keys.remove("set");
        if let Some(Value::Array(notes)) = keys.get_mut("notes") {
            notes.retain(|note| !note.as_str().is_some_and(|note| note.starts_with(OF_MACHINE)));
        }
        keys.remove("host");
        keys.remove("wall_seconds");
        if let Some(Value::Object(provenance)) = keys.get_mut("provenance") {
            provenance.remove("command");
        }
    }
    json
}

/// A value as a reader would write it; nothing for null.
fn words(value: &Value) -> Option<String> {
    match value {
        Value::Null => None,
        Value::String(text) => Some(text.clone()),
        other => Some(other.to_string()),
    }
}

fn setting(before: &Stored, after: &Stored) -> Vec<Change> {
    let plain = [
        "workload",
        "machine",
        "mechanisms",
        "graph",
        "vertices",
        "arcs",
        "source",
        "target",
        "settings",
        "verified",
        "partial",
        "energy_table",
        "version",
    ];
    let hashes = [("graph's hash", "graph"), ("programs' hashes", "programs"), ("machine's hash", "machine")];
    let mut changes: Vec<Change> = Vec::new();
    let mut add = |name: &str, before: &Value, after: &Value| {
        if before != after {
            changes.push(Change { name: name.to_owned(), before: words(before), after: words(after) });
        }
    };
    for key in plain {
        add(key, before.get(&[key]), after.get(&[key]));
    }
    add("launches in time", &timed_launches(before), &timed_launches(after));
    for (name, key) in hashes {
        let hash = |stored: &Stored| hashes_of(stored.get(&["provenance", key]));
        add(name, &hash(before), &hash(after));
    }
    changes
}

/// Which launches were simulated in time: `all`, or their numbers as `--launches` writes them; nothing for a run
/// without time.
fn timed_launches(stored: &Stored) -> Value {
    if stored.get(&["cycles"]).is_null() {
        return Value::Null;
    }
    let rows = stored.get(&["launches"]).as_array().map_or(&[][..], Vec::as_slice);
    let is_timed = |row: &Value| row.get("cycles").is_some_and(|cycles| !cycles.is_null());
    if rows.iter().all(is_timed) {
        return "all".into();
    }
    let mut runs: Vec<(usize, usize)> = Vec::new();
    for (number, _) in rows.iter().enumerate().filter(|(_, row)| is_timed(row)) {
        match runs.last_mut() {
            Some((_, last)) if *last + 1 == number => *last = number,
            _ => runs.push((number, number)),
        }
    }
    let words = runs.iter().map(|(first, last)| match first == last {
        true => (first + 1).to_string(),
        false => format!("{}..{}", first + 1, last + 1),
    });
    format!("{} of {}", words.collect::<Vec<_>>().join(", "), rows.len()).into()
}

/// The hashes alone: the name of a file says nothing about its content.
fn hashes_of(value: &Value) -> Value {
    match value {
        Value::Array(items) => Value::Array(items.iter().map(hashes_of).collect()),
        value => value.get("sha256").cloned().unwrap_or(Value::Null),
    }
}

fn machine(before: &Stored, after: &Stored) -> Vec<Change> {
    let names: BTreeSet<&String> = before.machine.keys().chain(after.machine.keys()).collect();
    let change = |name: &String| Change {
        name: name.clone(),
        before: before.machine.get(name).cloned(),
        after: after.machine.get(name).cloned(),
    };
    names.into_iter().map(change).filter(|change| change.before != change.after).collect()
}

fn figures(before: &Stored, after: &Stored) -> Vec<Shift> {
    let names: [&[&str]; 9] = [
        &["cycles"],
        &["seconds"],
        &["ipc"],
        &["warp_instructions"],
        &["thread_instructions"],
        &["energy", "dynamic_joules"],
        &["energy", "static_joules"],
        &["energy", "total_joules"],
        &["energy", "average_watts"],
    ];
    let shift = |keys: &[&str]| {
        let value = |stored: &Stored| stored.get(keys).as_f64();
        Shift::new(&keys.join("."), value(before), value(after))
    };
    names.into_iter().map(shift).filter(|shift| shift.before != shift.after).collect()
}

fn stats(before: &Stored, after: &Stored) -> Vec<Shift> {
    let count = |stored: &Stored, name: &str| stored.get(&["stats", name]).as_f64();
    let names = |stored: &Stored| {
        let stats = stored.get(&["stats"]).as_object();
        stats.map(|stats| stats.keys().cloned().collect::<Vec<_>>()).unwrap_or_default()
    };
    let names: BTreeSet<String> = names(before).into_iter().chain(names(after)).collect();
    let shift = |name: &String| Shift::new(name, count(before, name), count(after, name));
    let mut shifts: Vec<Shift> =
        names.iter().map(shift).filter(|shift| shift.before != shift.after).collect();
    shifts.sort_by(|a, b| b.relevance().total_cmp(&a.relevance()));
    shifts
}

fn launches(before: &Stored, after: &Stored) -> Vec<Shift> {
    let rows = |stored: &Stored| stored.get(&["launches"]).as_array().cloned().unwrap_or_default();
    let (before, after) = (rows(before), rows(after));
    let row = |index: usize| {
        let cycles = |rows: &[Value]| rows.get(index)?.get("cycles")?.as_f64();
        let kernel = before.get(index).or(after.get(index)).and_then(|row| row.get("kernel")?.as_str());
        let name = format!("{} {}", index + 1, kernel.unwrap_or_default());
        Shift::new(&name, cycles(&before), cycles(&after))
    };
    (0..before.len().max(after.len())).map(row).filter(|shift| shift.before != shift.after).collect()
}

fn parts(before: &Stored, after: &Stored, with_intervals: bool) -> Vec<String> {
    let keys = |stored: &Stored| {
        stored.json.as_object().map(|keys| keys.keys().cloned().collect::<Vec<_>>()).unwrap_or_default()
    };
    let names: BTreeSet<String> = keys(before).into_iter().chain(keys(after)).collect();
    let [ours, theirs] = [before, after].map(|stored| comparable(&stored.json, with_intervals));
    let differs = |name: &String| ours.get(name) != theirs.get(name);
    let elsewhere = |name: &str| OWN_SECTIONS.contains(&name);
    names.into_iter().filter(|name| !elsewhere(name) && differs(name)).collect()
}
