//! The text of a PTX file.

use crate::bounded;
use crate::failure::{Failure, words};
use std::path::Path;

/// A file in memory.
#[derive(Debug)]
pub(crate) struct Source {
    /// How the user named it.
    pub(crate) name: String,
    /// Its text.
    pub(crate) text: String,
}

/// Reads a file, or standard input for `-`. An error says what is wrong with it.
pub(crate) fn read(path: &Path) -> Result<Source, String> {
    let is_stdin = path == Path::new("-");
    let name = if is_stdin { "<stdin>".to_string() } else { path.display().to_string() };
    let read = match is_stdin {
        true => bounded::PTX.bytes(std::io::stdin().lock()),
        false => {
            std::fs::File::open(path).map_err(|error| words(&error)).and_then(|file| bounded::PTX.bytes(file))
        }
    };
    let bytes = read.map_err(|problem| format!("{name}: {problem}"))?;
    match String::from_utf8(bytes) {
        Ok(text) => Ok(Source { name, text }),
        Err(error) => {
            let valid = error.utf8_error().valid_up_to();
            let line = 1 + error.as_bytes()[..valid].iter().filter(|&&byte| byte == b'\n').count();
            Err(format!(
                "{name}:{line}: not text: byte {valid} is no UTF-8; expected PTX, not a cubin or fatbin"
            ))
        }
    }
}

/// The same, as the failure of a command that reads one file.
pub(crate) fn read_one(path: &Path) -> Result<Source, Failure> {
    read(path).map_err(Failure::new)
}
