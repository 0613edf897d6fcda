//! Whether another build gives the same figures: one finished point in a hundred is run again and compared.

use crate::hash::{Key, sha256};
use crate::record::{Labels, Outcome, Record, Row};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Display};

/// Of so many finished points of another build one is run again.
const ONE_IN: usize = 100;

/// Differences that are told.
const TOLD: usize = 5;

/// A figure that two builds disagree about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Its name, with the launch if it is of one.
    pub name: String,
    /// What the record says; none if it has no such figure.
    pub old: Option<String>,
    /// What comes out now.
    pub new: Option<String>,
}

impl Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = |value: &Option<String>| value.clone().unwrap_or_else(|| "nothing".to_owned());
        write!(f, "{}: {} was {}", self.name, word(&self.new), word(&self.old))
    }
}

/// A store has points of a build that gives other figures.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct BuildDifference {
    /// The point that was run again.
    pub key: Key,
    /// What it is called.
    pub labels: Labels,
    /// The build that made the record.
    pub old_build: String,
    /// This build.
    pub new_build: String,
    /// The first figures that differ.
    pub differences: Vec<Difference>,
    /// How many differ.
    pub count: usize,
    /// Whether it could not be judged, because running it again took longer than the limit.
    pub timed_out: bool,
}

impl Display for BuildDifference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let labels: Vec<String> = self.labels.iter().map(|(name, value)| format!("{name} {value}")).collect();
        let BuildDifference { old_build, new_build, key, .. } = self;
        let point = format!("the finished point {key} ({})", labels.join(", "));
        if self.timed_out {
            return write!(
                f,
                "build {old_build} made points of this folder; {point} was run again with build {new_build} to compare \
                 them, and took longer than the limit"
            );
        }
        write!(
            f,
            "build {old_build} made points of this folder, and build {new_build} gives other figures: {point} "
        )?;
        write!(f, "differs in {}", self.count)?;
        self.differences.iter().try_for_each(|difference| write!(f, "\n  {difference}"))?;
        match self.count.saturating_sub(self.differences.len()) {
            0 => Ok(()),
            more => write!(f, "\n  and {more} more"),
        }
    }
}

impl BuildDifference {
    pub(super) fn new(old: &Record, new_build: &str, found: Vec<Difference>) -> BuildDifference {
        BuildDifference {
            key: old.key.clone(),
            labels: old.labels.clone(),
            old_build: old.made.build.clone(),
            new_build: new_build.to_owned(),
            count: found.len(),
            differences: found.into_iter().take(TOLD).collect(),
            timed_out: false,
        }
    }

    /// What the user can do about it.
    pub fn help(&self) -> String {
        match self.timed_out {
            true => "raise the limit of time".to_owned(),
            false => format!(
                "name another folder, go on with build {}, or give --replace-older, which drops the records that \
                 other builds made of the points of this sweep",
                self.old_build
            ),
        }
    }
}

/// Which of the finished points of other builds are to be run again: for each build one in a hundred, at least one, less
/// those that were already. They are chosen by their keys and this build, so that the next build tries others.
pub(super) fn sample(
    finished: &[(usize, Key, String)],
    build: &str,
    is_checked: impl Fn(&str, &Key) -> bool,
) -> Vec<(usize, String)> {
    let mut by_build: BTreeMap<&str, Vec<(String, usize, &Key)>> = BTreeMap::new();
    for (task, key, other) in finished.iter().filter(|(_, _, other)| other != build) {
        by_build.entry(other).or_default().push((sha256(format!("{build} {key}").as_bytes()), *task, key));
    }
    let mut chosen = Vec::new();
    for (other, mut points) in by_build {
        points.sort();
        let wanted = points.len().div_ceil(ONE_IN);
        let checked = points.iter().filter(|(_, _, key)| is_checked(other, key)).count();
        let open = points.iter().filter(|(_, _, key)| !is_checked(other, key));
        chosen
            .extend(open.take(wanted.saturating_sub(checked)).map(|(_, task, _)| (*task, other.to_owned())));
    }
    chosen.sort();
    chosen
}

/// In what two records of one point differ, apart from the build and from what the experiment calls it.
pub fn differences(old: &Record, new: &Record) -> Vec<Difference> {
    let mut found = Found::default();
    let of = |record: &Record| {
        let made = &record.made;
        [made.behaviour.to_string(), made.program.clone(), made.graph.clone(), made.machine.clone()]
    };
    for ((name, old), new) in
        ["behaviour", "program", "graph", "machine"].into_iter().zip(of(old)).zip(of(new))
    {
        found.compare(format!("made.{name}"), Some(old), Some(new));
    }
    match (&old.outcome, &new.outcome) {
        (Outcome::Done { run, launches }, Outcome::Done { run: new_run, launches: new_launches }) => {
            found.rows("", Some(run), Some(new_run));
            let number = |launches: &[Row]| Some(launches.len().to_string());
            found.compare("launches".to_owned(), number(launches), number(new_launches));
            for number in 0..launches.len().max(new_launches.len()) {
                let place = format!("launch {}, ", number + 1);
                found.rows(&place, launches.get(number), new_launches.get(number));
            }
        }
        (old, new) if old == new => {}
        (old, new) => found.compare("outcome".to_owned(), Some(outcome(old)), Some(outcome(new))),
    }
    found.0
}

fn outcome(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Done { .. } => "figures".to_owned(),
        Outcome::Failed { error, .. } => format!("the failure `{error}`"),
    }
}

#[derive(Default)]
struct Found(Vec<Difference>);

impl Found {
    fn compare(&mut self, name: String, old: Option<String>, new: Option<String>) {
        if old != new {
            self.0.push(Difference { name, old, new });
        }
    }

    fn rows(&mut self, place: &str, old: Option<&Row>, new: Option<&Row>) {
        let empty = Row::default();
        let (old, new) = (old.unwrap_or(&empty), new.unwrap_or(&empty));
        self.maps(place, &old.counts, &new.counts, u64::to_string);
        // Told to the last digit that distinguishes them.
        self.maps(place, &old.reals, &new.reals, |real| format!("{real:?}"));
        self.maps(place, &old.texts, &new.texts, String::clone);
    }

    fn maps<T>(
        &mut self,
        place: &str,
        old: &BTreeMap<String, T>,
        new: &BTreeMap<String, T>,
        word: impl Fn(&T) -> String,
    ) {
        let names: BTreeSet<&String> = old.keys().chain(new.keys()).collect();
        for name in names {
            self.compare(format!("{place}{name}"), old.get(name).map(&word), new.get(name).map(&word));
        }
    }
}
