//! Which mechanisms go together on a machine, and why others do not.

use crate::error::MachineError;
use crate::machine::Machine;
use crate::mechanism::{Mechanism, mechanisms, why_one_value};
use serde::Serialize;

/// Two mechanisms.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Pair {
    /// One of them.
    pub one: String,
    /// The other.
    pub other: String,
    /// Why no machine has both; none if they go together.
    pub refusal: Option<String>,
}

/// Mechanisms two by two.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Pairs {
    /// The mechanisms that the machine can have, in the order of their names.
    pub mechanisms: Vec<String>,
    /// Those that it cannot have at all, and why.
    pub impossible: Vec<(String, String)>,
    /// Each two of the mechanisms.
    pub pairs: Vec<Pair>,
}

impl Pairs {
    /// Why two of them do not go together, if they do not.
    pub fn refusal(&self, one: &str, other: &str) -> Option<&str> {
        let is_it = |pair: &&Pair| {
            (pair.one == one && pair.other == other) || (pair.one == other && pair.other == one)
        };
        self.pairs.iter().find(is_it)?.refusal.as_deref()
    }
}

/// Tries each two of the mechanisms with these names on a machine; of all that come with the program if none is named.
pub fn pairs(machine: &Machine, names: &[String]) -> Result<Pairs, MachineError> {
    let chosen: Vec<Mechanism> = match names {
        [] => mechanisms()?.into_iter().filter(|mechanism| mechanism.name != "none").collect(),
        names => names.iter().map(|name| Mechanism::named(name)).collect::<Result<_, _>>()?,
    };
    let (mut possible, mut impossible): (Vec<&Mechanism>, _) = (Vec::new(), Vec::new());
    for mechanism in &chosen {
        match machine.clone().with(&[&mechanism.word()]).resolve_any() {
            Ok(_) => possible.push(mechanism),
            Err(error) => impossible.push((mechanism.name.clone(), told(&error))),
        }
    }
    let mut pairs = Vec::new();
    for (place, one) in possible.iter().enumerate() {
        for other in &possible[place + 1..] {
            let refusal = refusal(machine, one, other);
            pairs.push(Pair { one: one.name.clone(), other: other.name.clone(), refusal });
        }
    }
    let mechanisms = possible.iter().map(|mechanism| mechanism.name.clone()).collect();
    Ok(Pairs { mechanisms, impossible, pairs })
}

/// Why a machine cannot have both.
fn refusal(machine: &Machine, one: &Mechanism, other: &Mechanism) -> Option<String> {
    if let Some(because) = one.against(other).or_else(|| other.against(one)) {
        return Some(because.to_owned());
    }
    if let Some(key) = one.clash(other) {
        return Some(format!("both set `{key}`: {}", why_one_value(&key)));
    }
    machine.clone().with(&[one.word(), other.word()]).resolve_any().err().map(|error| told(&error))
}

/// An error without the place of a mechanism's file, which no user wrote.
fn told(error: &MachineError) -> String {
    match error.key.as_str() {
        "" => error.problem.clone(),
        key => format!("`{key}`: {}", error.problem),
    }
}
