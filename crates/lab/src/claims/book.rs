//! All claims: what is published, how each is evaluated, and why ours differs where that is known.

use super::error::ClaimsError;
use super::evaluation::{self, Evaluation, Measured};
use super::expression::{Filter, Node, parse as parse_expression};
use super::published::{self, Published};
use crate::record::Labels;
use serde::Deserialize;
use std::collections::BTreeMap;

/// The files of `claims/`, which come with the program.
pub const PUBLISHED: &str = include_str!("../../../../claims/claims.tsv");
const CAUSES: &str = include_str!("../../../../claims/causes.toml");
const EVALUATIONS: &[(&str, &str)] = &[
    ("prefetching.toml", include_str!("../../../../claims/evaluation/prefetching.toml")),
    ("inclusion.toml", include_str!("../../../../claims/evaluation/inclusion.toml")),
    ("bypass.toml", include_str!("../../../../claims/evaluation/bypass.toml")),
    ("granularity.toml", include_str!("../../../../claims/evaluation/granularity.toml")),
    ("strategies.toml", include_str!("../../../../claims/evaluation/strategies.toml")),
    ("memory-fast-forward.toml", include_str!("../../../../claims/evaluation/memory-fast-forward.toml")),
    ("coherence.toml", include_str!("../../../../claims/evaluation/coherence.toml")),
    ("worklists.toml", include_str!("../../../../claims/evaluation/worklists.toml")),
];

/// All claims.
#[derive(Clone, Debug)]
pub struct Book {
    /// In the order of the table.
    pub claims: Vec<Claim>,
}

/// A claim.
#[derive(Clone, Debug)]
pub struct Claim {
    /// What is published.
    pub published: Published,
    /// How it is evaluated.
    pub evaluation: Evaluation,
    /// Why ours differs, as far as that is known.
    pub cause: Option<Cause>,
}

/// Why ours differs.
#[derive(Clone, Debug, PartialEq)]
pub enum Cause {
    /// An experiment has switched the verdict.
    Shown(ShownCause),
    /// None has: what is known all the same, one sentence.
    Unknown(String),
}

/// A cause that an experiment has shown.
#[derive(Clone, Debug, PartialEq)]
pub struct ShownCause {
    /// One sentence.
    pub cause: String,
    /// The experiment that switched the verdict.
    pub experiment: String,
    /// What its results have to say for that, where it can be read off them.
    pub flips: Option<Node>,
}

impl Claim {
    /// The expressions of the claim.
    pub fn measured(&self) -> Option<&Measured> {
        match &self.evaluation {
            Evaluation::Measured(measured) => Some(measured),
            Evaluation::NotYet(_) => None,
        }
    }

    /// The cause that is read off results: its experiment, and what must hold.
    pub fn flips(&self) -> Option<(&str, &Node)> {
        match &self.cause {
            Some(Cause::Shown(ShownCause { experiment, flips: Some(flips), .. })) => {
                Some((experiment, flips))
            }
            _ => None,
        }
    }

    /// The experiments that it looks at, and those of its cause.
    pub fn experiments(&self) -> impl Iterator<Item = &str> {
        let own = self.measured().into_iter().flat_map(|measured| &measured.experiments);
        own.map(String::as_str).chain(self.flips().map(|(experiment, _)| experiment))
    }

    /// Whether it, or its cause, looks at a point of an experiment with these labels.
    pub fn needs(&self, experiment: &str, labels: &Labels) -> bool {
        let admits = |filter: &Filter| labels.get(&filter.label).is_none_or(|value| filter.admits(value));
        let flips = self.flips().filter(|(own, _)| *own == experiment);
        let mut selections = flips.into_iter().flat_map(|(_, flips)| flips.selections());
        self.measured().is_some_and(|measured| measured.needs(experiment, labels))
            || selections.any(|selection| selection.filters.iter().all(admits))
    }
}

/// The file as it is written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Causes {
    #[serde(default)]
    cause: Vec<WrittenCause>,
    #[serde(default)]
    remark: Vec<WrittenRemark>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenCause {
    claim: String,
    cause: String,
    experiment: String,
    flips: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenRemark {
    claim: String,
    remark: String,
}

impl Book {
    /// The claims that come with the program.
    pub fn built_in() -> Result<Book, ClaimsError> {
        let evaluations = EVALUATIONS.iter().map(|&(name, text)| (format!("claims/evaluation/{name}"), text));
        Book::new(PUBLISHED, &evaluations.collect::<Vec<_>>(), CAUSES)
    }

    /// Claims from the texts of their files. Every claim is evaluated, or says what it needs, exactly once.
    pub fn new(published: &str, evaluations: &[(String, &str)], causes: &str) -> Result<Book, ClaimsError> {
        let table = published::parse("claims/claims.tsv", published)?;
        let mut found: BTreeMap<String, Evaluation> = BTreeMap::new();
        for (file, text) in evaluations {
            for (id, evaluation) in evaluation::parse(file, text, &table)? {
                if found.insert(id.clone(), evaluation).is_some() {
                    return Err(ClaimsError::new(file, format!("claim `{id}`"), "it is evaluated twice"));
                }
            }
        }
        let mut causes = read_causes(causes, &table)?;
        let mut claims = Vec::new();
        for published in table {
            let Some(evaluation) = found.remove(&published.id) else {
                let place = format!("claim `{}`", published.id);
                let problem = "no file of claims/evaluation has it; evaluate it there, or say what it needs";
                return Err(ClaimsError::new("claims/claims.tsv", place, problem));
            };
            let cause = causes.remove(&published.id);
            claims.push(Claim { published, evaluation, cause });
        }
        Ok(Book { claims })
    }
}

fn read_causes(text: &str, table: &[Published]) -> Result<BTreeMap<String, Cause>, ClaimsError> {
    let file = "claims/causes.toml";
    let read: Causes =
        toml::from_str(text).map_err(|error| ClaimsError::new(file, "", error.to_string().trim_end()))?;
    let mut causes = BTreeMap::new();
    let shown = read.cause.into_iter().map(|written| (written.claim.clone(), shown(written)));
    let unknown = read.remark.into_iter().map(|written| match written.remark.is_empty() {
        true => (written.claim, Err("the remark must not be empty".to_owned())),
        false => (written.claim, Ok(Cause::Unknown(written.remark))),
    });
    for (claim, cause) in shown.chain(unknown) {
        let at = |problem: &str| ClaimsError::new(file, format!("cause of `{claim}`"), problem);
        if !table.iter().any(|published| published.id == claim) {
            return Err(at("no such claim is published"));
        }
        let cause = cause.map_err(|problem| at(&problem))?;
        if causes.contains_key(&claim) {
            return Err(at("it is a duplicate"));
        }
        causes.insert(claim, cause);
    }
    Ok(causes)
}

fn shown(written: WrittenCause) -> Result<Cause, String> {
    let WrittenCause { cause, experiment, flips, .. } = written;
    if cause.is_empty() || experiment.is_empty() {
        return Err("the sentence and its experiment must not be empty".to_owned());
    }
    let flips = flips.map(|text| parse_expression(&text)).transpose();
    let flips = flips.map_err(|problem| format!("flips: {problem}"))?;
    Ok(Cause::Shown(ShownCause { cause, experiment, flips }))
}
