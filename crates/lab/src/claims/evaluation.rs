//! How each claim is evaluated: `claims/evaluation/*.toml`.

use super::error::ClaimsError;
use super::expression::{FUNCTIONS, Filter, Node, parse as parse_expression};
use super::observations::EXPERIMENT;
use super::published::Published;
use crate::record::Labels;
use crate::scale::Scale;
use heddle_graph::error::nearest;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// How a claim is evaluated, or what that needs.
#[derive(Clone, Debug, PartialEq)]
pub enum Evaluation {
    /// Expressions over the results of an experiment.
    Measured(Box<Measured>),
    /// Mechanisms and machines that are missing, in words.
    NotYet(Vec<String>),
}

/// Expressions over the results of an experiment.
#[derive(Clone, Debug, PartialEq)]
pub struct Measured {
    /// Names of the experiments; rows of several have theirs as the label `experiment`.
    pub experiments: Vec<String>,
    /// Words for the expressions below, each behind those that it sees.
    pub definitions: Vec<(String, Definition)>,
    /// The effect in each invocation, of which the ledger shows minimum, maximum and count.
    pub each: Option<Node>,
    /// The value that the ledger shows, and that a plain band judges.
    pub value: Option<Node>,
    /// Whether the claim agrees, where no plain band says so.
    pub holds: Option<Node>,
    /// How the value is written.
    pub shown: Shown,
    /// How the document takes the mean, and what was chosen.
    pub how: String,
    /// Numbers that the words of the table and the expressions do not share, and why.
    pub numbers: Vec<Numbers>,
}

/// Numbers of expressions that the line of the claim does not have, or of its words that no expression needs.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Numbers {
    /// Which.
    pub are: Vec<f64>,
    /// Where they are from, or why they are not needed.
    pub from: String,
}

/// An expression, by scale where it differs.
#[derive(Clone, Debug, PartialEq)]
pub enum Definition {
    /// At every scale.
    Same(Node),
    /// Quick, study, paper.
    ByScale([Node; 3]),
}

impl Definition {
    /// The expression at a scale.
    pub fn at(&self, scale: Scale) -> &Node {
        match self {
            Definition::Same(node) => node,
            Definition::ByScale(nodes) => &nodes[scale as usize],
        }
    }

    /// Every expression.
    pub fn all(&self) -> &[Node] {
        match self {
            Definition::Same(node) => std::slice::from_ref(node),
            Definition::ByScale(nodes) => nodes,
        }
    }
}

/// How a value is written, and whether it has a sign.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Shown {
    /// `1.07`: better above one, worse below.
    Ratio,
    /// `+7.0 %`: better above zero, worse below.
    Gain,
    /// `53.1 %`, of a whole.
    Share,
    /// As it is.
    #[default]
    Figure,
}

/// The file as it is written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    claim: Vec<Entry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    id: String,
    experiment: Option<OneOrMore>,
    #[serde(default, rename = "let")]
    definitions: BTreeMap<String, Written>,
    each: Option<String>,
    value: Option<String>,
    holds: Option<String>,
    #[serde(default)]
    shown: Shown,
    #[serde(default)]
    how: String,
    #[serde(default)]
    numbers: Vec<Numbers>,
    #[serde(default)]
    needs: Vec<String>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Written {
    Same(String),
    ByScale { quick: String, study: String, paper: String },
}

#[derive(Deserialize)]
#[serde(untagged)]
enum OneOrMore {
    One(String),
    More(Vec<String>),
}

/// Reads a file. The claims must be published ones.
pub fn parse(
    file: &str,
    text: &str,
    published: &[Published],
) -> Result<Vec<(String, Evaluation)>, ClaimsError> {
    let read: File =
        toml::from_str(text).map_err(|error| ClaimsError::new(file, "", error.to_string().trim_end()))?;
    let mut evaluations = Vec::new();
    for entry in read.claim {
        let id = entry.id.clone();
        let at = |problem: String| ClaimsError::new(file, format!("claim `{id}`"), problem);
        let Some(claim) = published.iter().find(|claim| claim.id == id) else {
            let near = nearest(&id, published.iter().map(|claim| claim.id.as_str()));
            let suggestion = near.map_or(String::new(), |near| format!("; did you mean `{near}`?"));
            return Err(at(format!("no such claim is published{suggestion}")));
        };
        let evaluation = checked(entry, claim).map_err(at)?;
        evaluations.push((claim.id.clone(), evaluation));
    }
    Ok(evaluations)
}

/// An entry whose expressions can be read and whose verdict has one origin.
fn checked(entry: Entry, claim: &Published) -> Result<Evaluation, String> {
    let is_measured = entry.value.is_some() || entry.holds.is_some();
    if !entry.needs.is_empty() {
        return match is_measured || entry.experiment.is_some() {
            true => Err("it has `needs` and an evaluation; one of them".to_owned()),
            false => Ok(Evaluation::NotYet(entry.needs)),
        };
    }
    let experiments = match entry.experiment.ok_or("it has neither `experiment` nor `needs`")? {
        OneOrMore::One(experiment) => vec![experiment],
        OneOrMore::More(experiments) if !experiments.is_empty() => experiments,
        OneOrMore::More(_) => return Err("`experiment` names none".to_owned()),
    };
    if !is_measured {
        return Err("it has neither `value` nor `holds`".to_owned());
    }
    let is_plain = claim.band().is_some_and(|band| band.is_plain);
    match (is_plain, &entry.holds) {
        (true, Some(_)) => return Err(format!("`{}` judges it; `holds` must not", claim.agrees_when)),
        (false, None) => return Err(format!("`{}` is no plain range; it needs `holds`", claim.agrees_when)),
        _ => {}
    }
    let optional = |key: &str, text: &Option<String>| text.as_ref().map(|text| node(key, text)).transpose();
    Ok(Evaluation::Measured(Box::new(Measured {
        experiments,
        definitions: definitions(entry.definitions)?,
        each: optional("each", &entry.each)?,
        value: optional("value", &entry.value)?,
        holds: optional("holds", &entry.holds)?,
        shown: entry.shown,
        how: entry.how,
        numbers: entry.numbers,
    })))
}

/// The expression of a key.
fn node(key: &str, text: &str) -> Result<Node, String> {
    parse_expression(text).map_err(|problem| format!("{key}: {problem}"))
}

/// The words of a claim, each behind those that it sees.
fn definitions(written: BTreeMap<String, Written>) -> Result<Vec<(String, Definition)>, String> {
    let mut open = BTreeMap::new();
    for (name, written) in written {
        if ["each", "value", "band"].contains(&name.as_str())
            || FUNCTIONS.iter().any(|(known, ..)| *known == name)
        {
            return Err(format!("let.{name}: the word has a meaning already"));
        }
        let key = format!("let.{name}");
        let definition = match written {
            Written::Same(text) => Definition::Same(node(&key, &text)?),
            Written::ByScale { quick, study, paper } => {
                Definition::ByScale([node(&key, &quick)?, node(&key, &study)?, node(&key, &paper)?])
            }
        };
        open.insert(name, definition);
    }
    let mut ordered = Vec::new();
    while !open.is_empty() {
        let sees_open = |definition: &Definition| {
            definition.all().iter().flat_map(Node::names).any(|name| open.contains_key(name))
        };
        let Some(next) = open.iter().find(|(_, definition)| !sees_open(definition)) else {
            let names: Vec<&str> = open.keys().map(String::as_str).collect();
            return Err(format!("let.{}: these words need each other, or themselves", names.join(", let.")));
        };
        let name = next.0.clone();
        ordered.extend(open.remove_entry(&name));
    }
    Ok(ordered)
}

impl Measured {
    /// The names of its experiments, in words.
    pub fn experiments(&self) -> String {
        self.experiments.join(" and ")
    }

    /// Whether any of its expressions looks at a point of an experiment with these labels.
    pub fn needs(&self, experiment: &str, labels: &Labels) -> bool {
        let value = |label: &str| match label {
            EXPERIMENT if self.experiments.len() > 1 => Some(experiment),
            _ => labels.get(label).map(String::as_str),
        };
        let is_own = self.experiments.iter().any(|own| own == experiment);
        let admits = |filter: &Filter| value(&filter.label).is_none_or(|value| filter.admits(value));
        let mut selections = self.expressions().flat_map(Node::selections);
        is_own && selections.any(|selection| selection.filters.iter().all(admits))
    }

    /// Whether any of its expressions asks for results with a mechanism, alone or with others.
    pub fn names(&self, mechanism: &str) -> bool {
        let has = |value: &String| value.split('+').any(|word| word == mechanism);
        let names = |filter: &Filter| {
            filter.is_equal
                && ["with", "mechanism"].contains(&filter.label.as_str())
                && filter.values.iter().any(has)
        };
        self.expressions().flat_map(Node::selections).any(|selection| selection.filters.iter().any(names))
    }

    /// Every expression of the claim at a scale.
    pub fn expressions_at(&self, scale: Scale) -> impl Iterator<Item = &Node> {
        let named = self.definitions.iter().map(move |(_, definition)| definition.at(scale));
        named.chain(&self.each).chain(&self.value).chain(&self.holds)
    }

    /// Every expression of the claim.
    pub fn expressions(&self) -> impl Iterator<Item = &Node> {
        let named = self.definitions.iter().flat_map(|(_, definition)| definition.all());
        named.chain(&self.each).chain(&self.value).chain(&self.holds)
    }
}
