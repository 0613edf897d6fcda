//! `heddle mechanisms`.

use crate::arguments::MechanismsArguments;
use crate::failure::Failure;
use crate::{output, view};
use heddle_machine::{Machine, Mechanism, Pairs, added_bits, mechanisms, pairs};
use serde::Serialize;

/// A mechanism.
#[derive(Debug, Serialize)]
pub(crate) struct MechanismEntry {
    pub(crate) name: String,
    pub(crate) description: String,
    pub(crate) source: String,
    /// The keys that it sets.
    pub(crate) settings: Vec<(String, String)>,
    /// What it does not go together with.
    pub(crate) conflicts: Vec<String>,
    /// The machines that it is for; empty for all.
    pub(crate) machines: Vec<String>,
    /// Bits that it adds to the caches of the machine; nothing where it is not for that machine.
    pub(crate) bits: Option<i64>,
}

/// Which mechanisms go together.
#[derive(Debug, Serialize)]
pub(crate) struct PairsReport {
    pub(crate) machine: String,
    #[serde(flatten)]
    pub(crate) pairs: Pairs,
    /// The mechanisms that were asked about together; empty for all, two by two.
    pub(crate) set: Vec<String>,
    /// Why these do not go together, if they do not.
    pub(crate) refusal: Option<String>,
}

/// Lists the mechanisms.
pub(super) fn run(arguments: &MechanismsArguments) -> Result<(), Failure> {
    let machine = Machine::named(&arguments.machine)?;
    machine.resolve_any()?;
    if arguments.pairs {
        return show_pairs(arguments, &machine);
    }
    let entry = |mechanism: Mechanism| MechanismEntry {
        bits: added_bits(&machine, &mechanism.name).ok(),
        settings: mechanism.settings(&machine),
        conflicts: mechanism.conflicts.into_iter().map(|conflict| conflict.with).collect(),
        machines: mechanism.machines,
        name: mechanism.name,
        description: mechanism.description,
        source: mechanism.source,
    };
    let entries: Vec<MechanismEntry> = mechanisms()?.into_iter().map(entry).collect();
    match arguments.json {
        true => output::json(&entries),
        false => output::page(&view::mechanisms::list(&arguments.machine, &entries)),
    }
}

/// Shows which mechanisms go together, and why others do not.
fn show_pairs(arguments: &MechanismsArguments, machine: &Machine) -> Result<(), Failure> {
    let words = arguments.with.iter().flat_map(|words| words.split('+'));
    let mut set: Vec<String> = Vec::new();
    for word in words.map(str::trim).filter(|word| *word != "none") {
        if !set.iter().any(|known| known == word) {
            set.push(word.to_owned());
        }
    }
    let pairs = pairs(machine, &set)?;
    let together = machine.clone().with(&set).resolve_any();
    let report = PairsReport {
        machine: arguments.machine.clone(),
        refusal: together.err().filter(|_| !set.is_empty()).map(|error| error.to_string()),
        pairs,
        set,
    };
    match arguments.json {
        true => output::json(&report),
        false => output::page(&view::pairs::page(&report)),
    }
}
