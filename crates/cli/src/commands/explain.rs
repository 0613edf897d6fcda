//! `heddle explain`: a mechanism on a page.

use crate::arguments::ExplainArguments;
use crate::failure::Failure;
use crate::{output, view};
use heddle_lab::claims::book::Book;
use heddle_lab::claims::evaluation::Evaluation;
use heddle_lab::experiment::Experiment;
use heddle_machine::{Conflict, Machine, Mechanism, Parameter, added_bits, parameters};
use serde::Serialize;

/// A mechanism, explained. The field names are the keys of its JSON.
#[derive(Debug, Serialize)]
pub(crate) struct Explanation {
    pub(crate) name: String,
    pub(crate) description: String,
    /// The document and section that it follows.
    pub(crate) source: String,
    /// How it works; empty if its file does not say.
    pub(crate) how: String,
    /// The keys that it sets.
    pub(crate) settings: Vec<(String, String)>,
    /// What it does not go together with.
    pub(crate) conflicts: Vec<(String, String)>,
    /// The machine that parameters and bits are those of.
    pub(crate) machine: String,
    /// What it can be adjusted by; nothing where the machine cannot have it.
    pub(crate) parameters: Option<Vec<Parameter>>,
    /// Bits that it adds to the machine; nothing where the machine cannot have it.
    pub(crate) bits: Option<i64>,
    /// Why the machine cannot have it.
    pub(crate) refusal: Option<String>,
    /// The claims whose evaluation looks at it.
    pub(crate) claims: Vec<Judgement>,
    /// The experiments that run it.
    pub(crate) experiments: Vec<String>,
}

/// A claim that judges a mechanism.
#[derive(Debug, Serialize)]
pub(crate) struct Judgement {
    pub(crate) id: String,
    pub(crate) source: String,
    pub(crate) what: String,
    pub(crate) published: String,
    pub(crate) agrees_when: String,
}

/// Explains a mechanism.
pub(super) fn run(arguments: &ExplainArguments) -> Result<(), Failure> {
    let machine = Machine::named(&arguments.machine)?;
    machine.resolve_any()?;
    let explanation = explain(&machine, &arguments.machine, Mechanism::named(&arguments.mechanism)?)?;
    match arguments.json {
        true => output::json(&explanation),
        false => output::page(&view::explain::page(&explanation)),
    }
}

fn explain(machine: &Machine, machine_name: &str, mechanism: Mechanism) -> Result<Explanation, Failure> {
    let parameters = parameters(machine, &mechanism);
    let refusal = parameters.as_ref().err().map(ToString::to_string);
    let bits = added_bits(machine, &mechanism.word()).ok();
    let conflict = |conflict: Conflict| (conflict.with, conflict.because);
    Ok(Explanation {
        claims: claims_on(&mechanism.name)?,
        experiments: experiments_with(&mechanism.name)?,
        settings: mechanism.settings(machine),
        name: mechanism.name,
        description: mechanism.description,
        source: mechanism.source,
        how: mechanism.how,
        conflicts: mechanism.conflicts.into_iter().map(conflict).collect(),
        machine: machine_name.to_owned(),
        parameters: parameters.ok(),
        bits,
        refusal,
    })
}

/// The claims whose expressions name a mechanism, alone or with others.
fn claims_on(mechanism: &str) -> Result<Vec<Judgement>, Failure> {
    let book = Book::built_in()?;
    let judges = |evaluation: &Evaluation| match evaluation {
        Evaluation::Measured(measured) => measured.names(mechanism),
        Evaluation::NotYet(_) => false,
    };
    let claims = book.claims.into_iter().filter(|claim| judges(&claim.evaluation));
    Ok(claims
        .map(|claim| Judgement {
            id: claim.published.id,
            source: claim.published.source,
            what: claim.published.what,
            published: claim.published.published,
            agrees_when: claim.published.agrees_when,
        })
        .collect())
}

/// The experiments that have points with a mechanism, alone or with others, at their smallest size.
fn experiments_with(mechanism: &str) -> Result<Vec<String>, Failure> {
    let mut found = Vec::new();
    for name in Experiment::names() {
        let experiment = Experiment::named(name, None)?;
        let has = |words: &[String]| words.iter().any(|words| words.split('+').any(|word| word == mechanism));
        if experiment.points.iter().any(|point| has(&point.with)) {
            found.push(name.to_owned());
        }
    }
    Ok(found)
}
