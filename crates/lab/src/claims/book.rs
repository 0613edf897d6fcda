//! All claims: what is published, how each is evaluated, and why ours differs where that is known.

use super::error::ClaimsError;
use super::evaluation::{self, Evaluation};
use super::published::{self, Published};
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
    /// Why ours differs, if that is known.
    pub cause: Option<Cause>,
}

/// Why ours differs.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cause {
    /// The claim.
    pub claim: String,
    /// One sentence.
    pub cause: String,
    /// The experiment that switched it.
    pub experiment: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Causes {
    #[serde(default)]
    cause: Vec<Cause>,
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
    for cause in read.cause {
        let place = format!("cause of `{}`", cause.claim);
        if !table.iter().any(|claim| claim.id == cause.claim) {
            return Err(ClaimsError::new(file, place, "no such claim is published"));
        }
        if cause.cause.is_empty() || cause.experiment.is_empty() {
            return Err(ClaimsError::new(file, place, "the sentence and its experiment must not be empty"));
        }
        if causes.insert(cause.claim.clone(), cause).is_some() {
            return Err(ClaimsError::new(file, place, "it is a duplicate"));
        }
    }
    Ok(causes)
}
