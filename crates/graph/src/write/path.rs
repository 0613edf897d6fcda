//! A graph to a file, whole or not at all.

use super::{WriteError, write};
use crate::format::Format;
use crate::graph::Graph;
use flate2::write::GzEncoder;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// How a file is packed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Compression {
    /// As it is.
    #[default]
    None,
    /// gzip.
    Gzip,
    /// Zstandard.
    Zstd,
}

/// Writes `graph` to `path`. The text or bytes go to a temporary file in the same folder that takes the
/// name at the end, so nobody ever sees a part of the graph, and an existing file survives a failure.
/// Devices and pipes, and the standard streams by their names in `/dev`, are written to directly.
pub fn to_path(
    graph: &Graph,
    format: Format,
    path: &Path,
    compression: Compression,
) -> Result<Vec<String>, WriteError> {
    if is_special(path) {
        // Appending is right for a pipe or device, and leaves what `>>` had redirected.
        let mut file = OpenOptions::new().append(true).open(path)?;
        return write_packed(graph, format, &mut file, compression);
    }
    // Through a symbolic link, so that the link stays one.
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
    if target.is_dir() {
        return Err(io::Error::new(io::ErrorKind::IsADirectory, "it is a directory").into());
    }
    let mut temporary = Temporary::beside(&target)?;
    let notes = write_packed(graph, format, &mut temporary.file, compression)?;
    temporary.rename(&target)?;
    Ok(notes)
}

/// Names of open files. What they stand for may be an ordinary file, but it is not ours to replace.
const OPEN_FILES: [&str; 4] = ["/dev/stdout", "/dev/stderr", "/dev/fd", "/proc"];

fn is_special(path: &Path) -> bool {
    let kind = fs::metadata(path).map(|metadata| metadata.file_type());
    OPEN_FILES.iter().any(|name| path.starts_with(name))
        || kind.is_ok_and(|kind| !kind.is_file() && !kind.is_dir())
}

fn write_packed(
    graph: &Graph,
    format: Format,
    file: &mut File,
    compression: Compression,
) -> Result<Vec<String>, WriteError> {
    match compression {
        Compression::None => write(graph, format, &mut BufWriter::new(file)),
        Compression::Gzip => {
            let mut packer = GzEncoder::new(BufWriter::new(file), flate2::Compression::default());
            let notes = write(graph, format, &mut packer)?;
            packer.finish()?.flush()?;
            Ok(notes)
        }
        Compression::Zstd => {
            let mut packer = zstd::stream::write::Encoder::new(BufWriter::new(file), 0)?;
            packer.include_checksum(true)?;
            let notes = write(graph, format, &mut packer)?;
            packer.finish()?.flush()?;
            Ok(notes)
        }
    }
}

/// A file that disappears unless it gets its name.
struct Temporary {
    path: PathBuf,
    file: File,
}

impl Temporary {
    fn beside(target: &Path) -> io::Result<Temporary> {
        let name = target
            .file_name()
            .ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, "it ends in no file name"))?;
        for attempt in 0u32.. {
            let mut hidden = std::ffi::OsString::from(".");
            hidden.push(name);
            hidden.push(format!(".{}-{attempt}.partial", std::process::id()));
            let path = target.with_file_name(hidden);
            match OpenOptions::new().write(true).create_new(true).open(&path) {
                Ok(file) => return Ok(Temporary { path, file }),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
        Err(io::Error::other("every temporary name is taken"))
    }

    fn rename(self, target: &Path) -> io::Result<()> {
        if let Ok(existing) = fs::metadata(target) {
            fs::set_permissions(&self.path, existing.permissions())?;
        }
        // Dropping afterwards removes nothing, for the temporary name is gone.
        fs::rename(&self.path, target)
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        // After a rename there is nothing to remove; after a failure nothing better can be done.
        let _ = fs::remove_file(&self.path);
    }
}
