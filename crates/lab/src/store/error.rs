//! What can be wrong with a store: the file, what is the matter, and what to do.

use std::io;
use std::path::{Path, PathBuf};

/// A store that cannot be read or written.
#[derive(Debug, thiserror::Error)]
#[error("{}: {problem}", path.display())]
pub struct StoreError {
    /// The file or folder.
    pub path: PathBuf,
    /// What is wrong.
    pub problem: String,
    /// What the user can do about it.
    pub help: String,
}

impl StoreError {
    /// An error of a file.
    pub fn new(path: &Path, problem: impl Into<String>, help: impl Into<String>) -> StoreError {
        StoreError { path: path.to_path_buf(), problem: problem.into(), help: help.into() }
    }

    /// What the system said while a file was read.
    pub(crate) fn reading(path: &Path, error: &io::Error) -> StoreError {
        if error.kind() == io::ErrorKind::IsADirectory {
            return StoreError::folder(path);
        }
        let help = "see that the folder is there and may be read, and start the command again";
        StoreError::new(path, words(error), help)
    }

    /// A folder in the place of a file.
    fn folder(path: &Path) -> StoreError {
        let help = "nothing of heddle makes a folder there: move it away and start the command again";
        StoreError::new(path, "it is a folder where a file belongs", help)
    }

    /// What the system said while a file was written. Nothing of it is left behind.
    pub(crate) fn writing(path: &Path, error: &io::Error) -> StoreError {
        // The system calls a folder that it was to remove by other names than one that it was to write.
        if error.kind() == io::ErrorKind::IsADirectory || path.is_dir() {
            return StoreError::folder(path);
        }
        let (problem, help) = match error.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded | io::ErrorKind::FileTooLarge => (
                format!("cannot be written: {}", words(error)),
                "make room there and start the command again: points that are finished are kept, only those in \
                 flight run again",
            ),
            io::ErrorKind::ReadOnlyFilesystem | io::ErrorKind::PermissionDenied => (
                format!("cannot be written: {}", words(error)),
                "make the folder writable, or copy it to one that is, and start the command again: points that are \
                 finished are kept",
            ),
            _ => (
                format!("cannot be written: {}", words(error)),
                "see to the folder and start the command again: points that are finished are kept",
            ),
        };
        StoreError::new(path, problem, help)
    }
}

/// What the system says, without the number that Rust appends.
pub(crate) fn words(error: &io::Error) -> String {
    let text = error.to_string();
    text.split(" (os error").next().unwrap_or_default().to_lowercase()
}
