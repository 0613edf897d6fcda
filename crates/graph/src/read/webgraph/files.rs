//! The files of one graph: which they are, and their bytes.

use crate::error::GraphError;
use crate::limits::Limits;
use crate::read::companions;
use crate::read::input::Input;
use std::io::Read;
use std::path::{Path, PathBuf};

/// The two files that a graph needs.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Files {
    pub(super) graph: PathBuf,
    pub(super) properties: PathBuf,
}

/// Finds the graph and the properties that `given` names: one of them, their offsets, or their common name.
pub(super) fn find(given: &Path) -> Result<Files, GraphError> {
    let graph = companions::bit_stream(given)?;
    let properties = companions::properties(given)
        .ok_or_else(|| companions::missing(given, &companions::properties_name(given)))?;
    Ok(Files { graph, properties })
}

/// The bytes of a file, decompressed if its first bytes say so.
pub(super) fn load(path: &Path, limits: &Limits) -> Result<Vec<u8>, GraphError> {
    let input = Input::open(path, limits)?;
    let mut bytes = Vec::new();
    input.reader()?.read_to_end(&mut bytes).map_err(|error| input.error(&error))?;
    Ok(bytes)
}
