//! A graph to a file, whole or not at all.

use super::frame::write_frame;
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

/// Writes `graph` to `path`, as [`whole_file`] does.
pub fn to_path(
    graph: &Graph,
    format: Format,
    path: &Path,
    compression: Compression,
) -> Result<Vec<String>, WriteError> {
    whole_file(path, |file| write_packed(graph, format, file, compression))
}

/// Writes a file whole or not at all. What `fill` writes goes to a temporary file in the same folder that
/// takes the name at the end, so nobody ever sees a part of it, and an existing file survives a failure.
/// Devices and pipes, and the standard streams by their names in `/dev`, are written to directly.
pub fn whole_file<T, E: From<io::Error>>(
    path: &Path,
    fill: impl FnOnce(&mut File) -> Result<T, E>,
) -> Result<T, E> {
    if is_special(path) {
        // Appending is right for a pipe or device, and leaves what `>>` had redirected.
        let mut file = OpenOptions::new().append(true).open(path)?;
        return fill(&mut file);
    }
    // Through a symbolic link, so that the link stays one.
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
    if target.is_dir() {
        return Err(io::Error::new(io::ErrorKind::IsADirectory, "it is a directory").into());
    }
    let mut temporary = Temporary::beside(&target)?;
    let filled = fill(&mut temporary.file)?;
    temporary.rename(&target)?;
    Ok(filled)
}

/// What [`whole_file`] would find out about the folder of a path only in the end: whether files can be made in it.
pub fn check_writable(path: &Path) -> io::Result<()> {
    match is_special(path) {
        true => Ok(()),
        false => {
            let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf());
            Temporary::beside(&target).map(drop)
        }
    }
}

/// Names of open files. What they stand for may be an ordinary file, but it is not ours to replace.
const OPEN_FILES: [&str; 4] = ["/dev/stdout", "/dev/stderr", "/dev/fd", "/proc"];

/// Whether a path stands for a device, a pipe or an open file, which is written to and not replaced.
pub fn is_special(path: &Path) -> bool {
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
        Compression::Zstd => write_frame(BufWriter::new(file), |blocks| write(graph, format, blocks)),
    }
}

/// A file that disappears unless it gets its name.
struct Temporary {
    /// Its name, while it has one.
    path: Option<PathBuf>,
    file: File,
}

impl Temporary {
    /// A file without a name where the system has such: it goes with the process, however that ends.
    fn beside(target: &Path) -> io::Result<Temporary> {
        match unnamed::create(target) {
            Ok(file) => Ok(Temporary { path: None, file }),
            Err(_) => {
                Temporary::named(target, |path| OpenOptions::new().write(true).create_new(true).open(path))
                    .map(|(path, file)| Temporary { path: Some(path), file })
            }
        }
    }

    /// Makes something under a hidden name in the same folder that nobody uses.
    fn named<T>(target: &Path, make: impl Fn(&Path) -> io::Result<T>) -> io::Result<(PathBuf, T)> {
        let name = target
            .file_name()
            .ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, "it ends in no file name"))?;
        for attempt in 0u32.. {
            let mut hidden = std::ffi::OsString::from(".");
            hidden.push(name);
            hidden.push(format!(".{}-{attempt}.partial", std::process::id()));
            let path = target.with_file_name(hidden);
            match make(&path) {
                Ok(made) => return Ok((path, made)),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
        Err(io::Error::other("every temporary name is taken"))
    }

    fn rename(mut self, target: &Path) -> io::Result<()> {
        if let Ok(existing) = fs::metadata(target) {
            self.file.set_permissions(existing.permissions())?;
        }
        // A link cannot take the place of a file, so what has no name gets a hidden one for a moment.
        let path = match self.path.clone() {
            Some(path) => path,
            None => Temporary::named(target, |path| unnamed::link(&self.file, path))?.0,
        };
        // Dropping afterwards removes nothing, for the temporary name is gone.
        fs::rename(self.path.insert(path), target)
    }
}

/// Files without a name.
#[cfg(target_os = "linux")]
mod unnamed {
    use rustix::fs::{AtFlags, CWD, Mode, OFlags, linkat, openat};
    use std::fs::File;
    use std::io;
    use std::os::fd::AsRawFd;
    use std::path::Path;

    /// A file in the folder of `target`, with the permissions of any new file.
    pub(super) fn create(target: &Path) -> io::Result<File> {
        let folder = target.parent().filter(|folder| !folder.as_os_str().is_empty());
        let flags = OFlags::TMPFILE | OFlags::WRONLY | OFlags::CLOEXEC;
        let mode = Mode::from_raw_mode(0o666);
        Ok(File::from(openat(CWD, folder.unwrap_or(Path::new(".")), flags, mode)?))
    }

    /// Gives the file a name.
    pub(super) fn link(file: &File, path: &Path) -> io::Result<()> {
        let open = format!("/proc/self/fd/{}", file.as_raw_fd());
        Ok(linkat(CWD, open, CWD, path, AtFlags::SYMLINK_FOLLOW)?)
    }
}

/// Other systems have none.
#[cfg(not(target_os = "linux"))]
mod unnamed {
    use std::fs::File;
    use std::io::{Error, ErrorKind, Result};
    use std::path::Path;

    pub(super) fn create(_target: &Path) -> Result<File> {
        Err(Error::from(ErrorKind::Unsupported))
    }

    pub(super) fn link(_file: &File, _path: &Path) -> Result<()> {
        Err(Error::from(ErrorKind::Unsupported))
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        // After a rename there is nothing to remove; after a failure nothing better can be done.
        if let Some(path) = &self.path {
            let _ = fs::remove_file(path);
        }
    }
}
