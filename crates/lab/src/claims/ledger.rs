//! The ledger: one entry per claim, as a table that is committed and read again.

use super::book::{Book, Claim};
use super::error::ClaimsError;
use super::evaluation::Evaluation;
use super::judge::{Larger, judge};
use super::observations::Observations;
use super::published::Published;
use crate::scale::Scale;
use serde::Serialize;
use std::collections::BTreeMap;

/// What came of a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// Ours is where the claim says.
    Agrees,
    /// It is not.
    DoesNotAgree,
    /// The effect has another sign at a larger scale.
    NotJudged,
    /// Points are missing or failed.
    Incomplete,
    /// A mechanism or a machine is missing.
    NotYet,
}

impl Verdict {
    /// All of them, in the order of summaries.
    pub const ALL: [Verdict; 5] =
        [Verdict::Agrees, Verdict::DoesNotAgree, Verdict::NotJudged, Verdict::Incomplete, Verdict::NotYet];

    /// In words.
    pub fn words(self) -> &'static str {
        match self {
            Verdict::Agrees => "agrees",
            Verdict::DoesNotAgree => "does not agree",
            Verdict::NotJudged => "not judged",
            Verdict::Incomplete => "incomplete",
            Verdict::NotYet => "not yet",
        }
    }
}

/// A claim beside what we measure.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Entry {
    /// Name of the claim.
    pub id: String,
    /// Where it is published.
    pub source: String,
    /// What it says.
    pub what: String,
    /// The published figure.
    pub published: String,
    /// When ours agrees.
    pub agrees_when: String,
    /// Scale of the results.
    pub scale: Scale,
    /// What came of it.
    pub verdict: Verdict,
    /// Ours, in words.
    pub ours: Option<String>,
    /// Ours, if it is a number.
    pub value: Option<f64>,
    /// The least of all invocations.
    pub minimum: Option<f64>,
    /// The greatest of all invocations.
    pub maximum: Option<f64>,
    /// The least and the greatest, in words.
    pub range: Option<String>,
    /// On how many invocations it rests.
    pub invocations: Option<usize>,
    /// The cause of a disagreement; what is missing; why it is not judged.
    pub why: String,
}

impl Entry {
    pub(super) fn new(published: &Published, scale: Scale) -> Entry {
        let Published { id, source, what, published, agrees_when } = published.clone();
        Entry {
            id,
            source,
            what,
            published,
            agrees_when,
            scale,
            verdict: Verdict::NotYet,
            ours: None,
            value: None,
            minimum: None,
            maximum: None,
            range: None,
            invocations: None,
            why: String::new(),
        }
    }

    pub(super) fn with(self, verdict: Verdict, why: String) -> Entry {
        Entry { verdict, why, ..self }
    }
}

/// What a ledger was made by.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Heading {
    /// The command.
    pub command: String,
    /// Version of the program.
    pub version: String,
    /// The day, as 2026-01-31.
    pub date: String,
}

/// A ledger.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Ledger {
    /// What it was made by.
    pub heading: Heading,
    /// Scale of the results.
    pub scale: Scale,
    /// In the order of the table of claims.
    pub entries: Vec<Entry>,
}

impl Ledger {
    /// Judges the chosen claims. `results` gives what an experiment has at this scale, and is asked once for each that
    /// a chosen claim needs; `larger` are the committed ledgers of larger scales.
    pub fn judge<E>(
        book: &Book,
        scale: Scale,
        heading: Heading,
        is_chosen: impl Fn(&Claim) -> bool,
        mut results: impl FnMut(&str) -> Result<Observations, E>,
        committed: &[Committed],
    ) -> Result<Ledger, E> {
        let mut known: BTreeMap<&str, Observations> = BTreeMap::new();
        let mut entries = Vec::new();
        for claim in book.claims.iter().filter(|claim| is_chosen(claim)) {
            let own = match &claim.evaluation {
                Evaluation::NotYet(_) => &[][..],
                Evaluation::Measured(measured) => &measured.experiments,
            };
            for experiment in own.iter().filter(|name| !known.contains_key(name.as_str())).collect::<Vec<_>>()
            {
                known.insert(experiment, results(experiment)?);
            }
            let mut together = Observations::default();
            let observations = match own {
                [experiment] => known.get(experiment.as_str()).unwrap_or(&together),
                several => {
                    several.iter().for_each(|name| together.add(name, &known[name.as_str()]));
                    &together
                }
            };
            entries.push(judge(claim, scale, observations, &larger(committed, scale, &claim.published.id)));
        }
        Ok(Ledger { heading, scale, entries })
    }

    /// How many claims have a verdict.
    pub fn count(&self, verdict: Verdict) -> usize {
        self.entries.iter().filter(|entry| entry.verdict == verdict).count()
    }

    /// The table that is committed.
    pub fn to_tsv(&self) -> String {
        let Heading { command, version, date } = &self.heading;
        let scale = self.scale;
        let mut text =
            format!("# command: {command}\n# version: {version}\n# date: {date}\n# scale: {scale}\n");
        text += &(COLUMNS.join("\t") + "\n");
        let number = |number: Option<f64>| number.map_or(String::new(), |number| number.to_string());
        for entry in &self.entries {
            let cells = [
                entry.id.clone(),
                entry.source.clone(),
                entry.published.clone(),
                entry.agrees_when.clone(),
                entry.verdict.words().to_owned(),
                entry.ours.clone().unwrap_or_default(),
                number(entry.value),
                number(entry.minimum),
                number(entry.maximum),
                entry.invocations.map_or(String::new(), |count| count.to_string()),
                entry.why.clone(),
            ];
            // An error may quote anything; a row is a line.
            let cells = cells.map(|cell| cell.replace(|c: char| c.is_control(), " "));
            text += &(cells.join("\t").trim_end_matches('\t').to_owned() + "\n");
        }
        text
    }
}

const COLUMNS: [&str; 11] = [
    "id",
    "source",
    "published",
    "agrees_when",
    "verdict",
    "ours",
    "value",
    "minimum",
    "maximum",
    "invocations",
    "why",
];

/// What is read of a committed ledger.
#[derive(Clone, Debug, PartialEq)]
pub struct Committed {
    /// What it was made by.
    pub heading: Heading,
    /// Scale of the results.
    pub scale: Scale,
    /// By claim: verdict, and the value if it is a number.
    pub verdicts: BTreeMap<String, (Verdict, Option<f64>)>,
}

impl Committed {
    /// Reads a ledger. `file` is its name in errors.
    pub fn parse(file: &str, text: &str) -> Result<Committed, ClaimsError> {
        let missing = |what: &str| ClaimsError::new(file, "heading", format!("`# {what}: …` is missing"));
        let head = |what: &str| {
            let mut lines = text.lines().take_while(|line| line.starts_with('#'));
            lines.find_map(|line| line.strip_prefix(&format!("# {what}: "))).ok_or_else(|| missing(what))
        };
        let heading = Heading {
            command: head("command")?.to_owned(),
            version: head("version")?.to_owned(),
            date: head("date")?.to_owned(),
        };
        let scale = head("scale")?;
        let scale = Scale::ALL.into_iter().find(|known| known.name() == scale);
        let scale = scale.ok_or_else(|| ClaimsError::new(file, "heading", "the scale is unknown"))?;
        let mut rows = text.lines().enumerate().skip_while(|(_, line)| line.starts_with('#'));
        if rows.next().is_none_or(|(_, columns)| columns != COLUMNS.join("\t")) {
            return Err(ClaimsError::new(file, "heading", "the columns are not those of this version"));
        }
        let mut verdicts = BTreeMap::new();
        for (index, line) in rows {
            let at = |problem| ClaimsError::new(file, format!("line {}", index + 1), problem);
            let (id, found) = row(line).ok_or_else(|| at("it is no row of a ledger"))?;
            if verdicts.insert(id, found).is_some() {
                return Err(at("the claim is a duplicate"));
            }
        }
        Ok(Committed { heading, scale, verdicts })
    }

    /// How many claims have a verdict.
    pub fn count(&self, verdict: Verdict) -> usize {
        self.verdicts.values().filter(|(found, _)| *found == verdict).count()
    }
}

fn row(line: &str) -> Option<(String, (Verdict, Option<f64>))> {
    let cells: Vec<&str> = line.split('\t').collect();
    let verdict = *Verdict::ALL.iter().find(|verdict| Some(&verdict.words()) == cells.get(4))?;
    let value = match cells.get(6).copied().unwrap_or_default() {
        "" => None,
        number => Some(number.parse().ok()?),
    };
    Some((cells.first()?.to_string(), (verdict, value)))
}

/// The values of a claim in ledgers of larger scales.
fn larger(committed: &[Committed], scale: Scale, id: &str) -> Vec<Larger> {
    let above = committed.iter().filter(|ledger| ledger.scale > scale);
    above
        .filter_map(|ledger| Some(Larger { scale: ledger.scale, value: ledger.verdicts.get(id)?.1? }))
        .collect()
}
