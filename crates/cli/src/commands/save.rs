//! Buffers to files.

use crate::failure::Failure;
use heddle_graph::write::whole_file;
use heddle_workloads::plan::SavedBuffer;
use std::io::Write;
use std::path::Path;

/// Writes a buffer to its file, whole or not at all.
pub(super) fn save(saved: &SavedBuffer) -> Result<(), Failure> {
    let path = Path::new(&saved.file);
    let written = whole_file(path, |file| file.write_all(&saved.bytes));
    written.map_err(|error: std::io::Error| Failure::at_path(path, &error))
}
