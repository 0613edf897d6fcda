//! WebGraph's files: `NAME.graph` beside `NAME.properties`, each plain or compressed.
//!
//! The user may name either, or `NAME` alone.

use super::input::Input;
use crate::error::GraphError;
use crate::limits::Limits;
use std::path::{Path, PathBuf};

const COMPRESSIONS: [&str; 3] = ["", ".gz", ".zst"];

/// `NAME` of `NAME`, `NAME.graph`, `NAME.properties.gz` and the like.
fn base(path: &Path) -> PathBuf {
    let mut base = path.to_path_buf();
    for extension in ["gz", "zst", "graph", "properties", "offsets"] {
        if base.extension().is_some_and(|own| own == extension) {
            base.set_extension("");
        }
    }
    base
}

fn with_suffix(base: &Path, suffix: &str) -> PathBuf {
    let mut name = base.as_os_str().to_owned();
    name.push(suffix);
    PathBuf::from(name)
}

fn existing(base: &Path, suffix: &str) -> Option<PathBuf> {
    COMPRESSIONS
        .iter()
        .map(|compression| with_suffix(base, &format!("{suffix}{compression}")))
        .find(|path| path.is_file())
}

/// Whether the file is named like a WebGraph bit stream.
pub(super) fn is_named_graph(path: &Path) -> bool {
    COMPRESSIONS
        .iter()
        .any(|compression| path.as_os_str().to_string_lossy().ends_with(&format!(".graph{compression}")))
}

/// Whether the file is named like a graph of the GAP Benchmark Suite.
pub(super) fn is_named_gap(path: &Path) -> bool {
    let name = path.as_os_str().to_string_lossy();
    COMPRESSIONS.iter().any(|compression| {
        name.strip_suffix(compression).is_some_and(|name| name.ends_with(".sg") || name.ends_with(".wsg"))
    })
}

/// The properties file that belongs to `path`, whatever is in it.
pub(super) fn properties(path: &Path) -> Option<PathBuf> {
    existing(&base(path), ".properties")
}

/// The properties file that would belong to `path`.
pub(super) fn properties_name(path: &Path) -> PathBuf {
    with_suffix(&base(path), ".properties")
}

/// Whether a properties file of WebGraph's BV format stands beside `path`, or is it.
pub(super) fn has_properties(path: &Path, limits: &Limits) -> bool {
    let Some(properties) = properties(path) else { return false };
    let head = Input::open(&properties, limits).and_then(|input| input.head());
    head.is_ok_and(|(head, _)| memchr::memmem::find(&head, b"BVGraph").is_some())
}

/// The file of the bit stream for whichever of its names the user gave.
pub(super) fn bit_stream(path: &Path) -> Result<PathBuf, GraphError> {
    if is_named_graph(path) && path.is_file() {
        return Ok(path.to_path_buf());
    }
    existing(&base(path), ".graph").ok_or_else(|| missing(path, &with_suffix(&base(path), ".graph")))
}

/// The error about a companion of `path` that is not there under any compression.
pub(super) fn missing(path: &Path, companion: &Path) -> GraphError {
    GraphError::new(path, format!("its companion {} is missing", companion.display()))
        .with_help("put the .graph and the .properties into one folder")
}

/// The file that stands for `path`: itself, or the bit stream if only `NAME` of a WebGraph is given.
pub(super) fn resolve(path: &Path) -> PathBuf {
    if path.exists() {
        return path.to_path_buf();
    }
    match (existing(path, ".graph"), existing(path, ".properties")) {
        (Some(graph), Some(_)) => graph,
        _ => path.to_path_buf(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_names_of_a_web_graph_lead_to_its_bit_stream() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        let limits = Limits::for_stored_bytes(0);
        std::fs::write(path("web.graph"), [0xAA, 0x01]).unwrap();
        assert!(!has_properties(&path("web.graph"), &limits));
        std::fs::write(path("web.properties"), "graphclass=it.unimi.dsi.webgraph.BVGraph\n").unwrap();
        for name in ["web.graph", "web.properties"] {
            assert!(has_properties(&path(name), &limits));
            assert_eq!(bit_stream(&path(name)).unwrap(), path("web.graph"));
        }
        assert_eq!(resolve(&path("web")), path("web.graph"));
        std::fs::remove_file(path("web.graph")).unwrap();
        assert!(bit_stream(&path("web.properties")).unwrap_err().problem.contains("web.graph is missing"));
    }
}
