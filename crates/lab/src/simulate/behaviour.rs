//! Behaviour versions: numbers that are raised when the simulated figures of a machine move.

use serde::Deserialize;
use std::collections::BTreeMap;

const FILE: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/data/behaviour.toml"));

/// What machines of files of their own have.
const OTHER: &str = "other";

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Behaviour {
    version: u32,
    /// SHA-256 of the recorded statistics, which a test of the command compares.
    #[serde(default)]
    golden: String,
}

/// The version of the machine of this name.
pub(super) fn version(machine: &str) -> u32 {
    let all = all();
    let found = all.get(machine).or_else(|| all.get(OTHER));
    found.map_or(0, |behaviour| behaviour.version)
}

/// The hashes of the recorded statistics, by machine.
pub fn golden_hashes() -> BTreeMap<String, String> {
    all().into_iter().map(|(machine, behaviour)| (machine, behaviour.golden)).collect()
}

fn all() -> BTreeMap<String, Behaviour> {
    toml::from_str(FILE).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_preset_has_a_version_and_other_machines_have_one() {
        let all = all();
        for preset in heddle_machine::presets().unwrap() {
            assert!(all.contains_key(preset.spec.name()), "{}", preset.spec.name());
        }
        let other = all[OTHER].version;
        assert!(all.values().all(|behaviour| behaviour.version <= other), "`other` is raised with any");
        assert_eq!(version("a machine of a file"), other);
    }
}
