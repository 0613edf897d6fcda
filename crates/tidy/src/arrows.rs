//! Which crate may depend on which.
//!
//! The arrows are the architecture: a crate that is not listed, or a dependency that is not listed for it,
//! is a decision to be taken here first.

use std::path::Path;

/// `(folder under crates/, folders it may depend on)`. Data flows down the list.
pub const ARROWS: &[(&str, &[&str])] = &[
    ("graph", &[]),
    // Knows no hardware.
    ("engine", &[]),
    ("image", &["engine"]),
    ("memory", &["engine"]),
    ("energy", &["engine"]),
    ("ptx", &["image"]),
    // Below every machine, so that a workload drives functional and timing machines alike.
    ("device", &["image", "ptx"]),
    ("workloads", &["graph", "engine", "image", "ptx", "device"]),
    ("gpu", &["engine", "image", "memory", "ptx", "device"]),
    // The only crate that names all parts of a machine.
    ("machine", &["engine", "memory", "gpu", "energy", "ptx", "device"]),
    // Experiments: what is run on which machine, and what came out.
    ("lab", &["graph", "image", "engine", "energy", "gpu", "machine", "ptx", "device", "workloads"]),
    (
        "cli",
        &[
            "graph",
            "image",
            "engine",
            "memory",
            "energy",
            "gpu",
            "machine",
            "ptx",
            "device",
            "workloads",
            "lab",
        ],
    ),
    // Reads the other crates as text; links to none.
    ("tidy", &[]),
];

/// The workspace crates that a manifest depends on, in any section, as package names.
pub fn workspace_dependencies(manifest: &str) -> Result<Vec<String>, toml::de::Error> {
    let manifest: toml::Table = manifest.parse()?;
    let sections = ["dependencies", "dev-dependencies", "build-dependencies"];
    let tables = sections.iter().filter_map(|section| manifest.get(*section)?.as_table());
    Ok(tables.flat_map(|table| table.keys()).filter(|name| name.starts_with("heddle")).cloned().collect())
}

/// The folder of a workspace package: `heddle-graph` lives in `graph`, the command `heddle` in `cli`.
fn folder_of(package: &str) -> &str {
    package.strip_prefix("heddle-").unwrap_or("cli")
}

/// What is wrong with one crate's manifest.
pub fn check_manifest(folder: &str, manifest: &str) -> Vec<String> {
    let Some((_, allowed)) = ARROWS.iter().find(|(name, _)| *name == folder) else {
        return vec![format!(
            "crates/{folder} is not in the list of arrows; add it with what it may depend on"
        )];
    };
    let dependencies = match workspace_dependencies(manifest) {
        Ok(dependencies) => dependencies,
        Err(error) => return vec![format!("crates/{folder}/Cargo.toml: {error}")],
    };
    let forbidden = dependencies.iter().filter(|package| !allowed.contains(&folder_of(package)));
    forbidden
        .map(|package| format!("crates/{folder} must not depend on {package}; it may on {allowed:?}"))
        .collect()
}

/// What is wrong with the crates of the workspace at `root`.
pub fn check(root: &Path) -> std::io::Result<Vec<String>> {
    let mut folders: Vec<_> = std::fs::read_dir(root.join("crates"))?.collect::<Result<_, _>>()?;
    folders.sort_by_key(|entry| entry.file_name());
    let mut findings = Vec::new();
    for entry in folders {
        let manifest = std::fs::read_to_string(entry.path().join("Cargo.toml"))?;
        findings.extend(check_manifest(&entry.file_name().to_string_lossy(), &manifest));
    }
    for (folder, _) in ARROWS {
        if !root.join("crates").join(folder).is_dir() {
            findings.push(format!("the list of arrows names crates/{folder}, which does not exist"));
        }
    }
    Ok(findings)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_arrow_against_the_flow_is_found() {
        let manifest = "[dev-dependencies]\nheddle-workloads.workspace = true\nrayon = \"1\"\n";
        assert_eq!(check_manifest("graph", manifest).len(), 1);
        assert_eq!(check_manifest("cli", manifest), Vec::<String>::new());
    }

    #[test]
    fn an_unlisted_crate_is_found() {
        assert!(check_manifest("novelty", "")[0].contains("not in the list"));
    }
}
