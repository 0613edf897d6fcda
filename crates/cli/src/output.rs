//! Standard output and standard error, as a program in a pipeline uses them.

use crate::failure::Failure;
use crate::view::text::{harmless, harmless_json};
use serde::Serialize;
use std::io::{self, Write};

/// Writes a finished page to standard output.
pub(crate) fn page(text: &str) -> Result<(), Failure> {
    bytes(harmless(text).as_bytes())
}

/// Writes bytes to standard output.
pub(crate) fn bytes(bytes: &[u8]) -> Result<(), Failure> {
    let mut stdout = io::stdout().lock();
    stdout.write_all(bytes).and_then(|()| stdout.flush()).map_err(|error| Failure::at_stdout(&error))
}

/// Writes a value to standard output as indented JSON, keys in the order of their declaration.
pub(crate) fn json(value: &impl Serialize) -> Result<(), Failure> {
    let text = serde_json::to_string_pretty(value)
        .map_err(|error| Failure::new(format!("cannot be written as JSON: {error}")))?;
    bytes((harmless_json(&text) + "\n").as_bytes())
}

/// Tells the user, on standard error, something that is no error.
pub(crate) fn note(text: &str) {
    // A note that cannot be delivered must not stop the work.
    let _ = writeln!(io::stderr(), "heddle: {}", harmless(text));
}
