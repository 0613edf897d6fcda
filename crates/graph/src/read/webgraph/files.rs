//! The files of one graph: which they are, and their bytes.

use crate::error::GraphError;
use crate::limits::Limits;
use crate::read::input::Input;
use std::ffi::OsString;
use std::io::Read;
use std::path::{Path, PathBuf};

/// The two files that a graph needs.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Files {
    pub(super) graph: PathBuf,
    pub(super) properties: PathBuf,
}

const COMPRESSIONS: [&str; 3] = ["", ".gz", ".zst"];

/// Finds the graph and the properties that `given` names: one of them, their offsets, or their common name.
pub(super) fn find(given: &Path) -> Result<Files, GraphError> {
    let has = |path: &Path, extensions: &[&str]| {
        path.extension().is_some_and(|own| extensions.iter().any(|extension| own == *extension))
    };
    let plain = if has(given, &["gz", "zst"]) { given.with_extension("") } else { given.to_path_buf() };
    let is_part = has(&plain, &["graph", "properties", "offsets"]);
    let base_path = if is_part { plain.with_extension("") } else { given.to_path_buf() };
    // A file that was named is the one that is meant, even if another compression of it lies beside it.
    let named = |extension: &str| has(&plain, &[extension]).then(|| given.to_path_buf());
    Ok(Files {
        graph: named("graph").map_or_else(|| companion(&base_path, ".graph", given), Ok)?,
        properties: named("properties").map_or_else(|| companion(&base_path, ".properties", given), Ok)?,
    })
}

fn companion(base: &Path, extension: &str, given: &Path) -> Result<PathBuf, GraphError> {
    let with = |compression: &str| {
        let mut path = OsString::from(base);
        path.push(extension);
        path.push(compression);
        PathBuf::from(path)
    };
    COMPRESSIONS.iter().map(|compression| with(compression)).find(|path| path.is_file()).ok_or_else(|| {
        let wanted = with("");
        let problem = format!("a WebGraph needs `{}` (or .gz, .zst), which is not there", wanted.display());
        GraphError::new(given, problem).with_help("put the .graph and the .properties into one folder")
    })
}

/// The bytes of a file, decompressed if its first bytes say so.
pub(super) fn load(path: &Path, limits: &Limits) -> Result<Vec<u8>, GraphError> {
    let input = Input::open(path, limits)?;
    let mut bytes = Vec::new();
    input.reader()?.read_to_end(&mut bytes).map_err(|error| input.error(&error))?;
    Ok(bytes)
}
