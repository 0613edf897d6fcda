//! `heddle mechanisms`.

use crate::arguments::MechanismsArguments;
use crate::failure::Failure;
use crate::{output, view};
use heddle_machine::{Machine, Mechanism, added_bits, mechanisms};
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

/// Lists the mechanisms.
pub(super) fn run(arguments: &MechanismsArguments) -> Result<(), Failure> {
    let machine = Machine::named(&arguments.machine)?;
    machine.resolve_any()?;
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
