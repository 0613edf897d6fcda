//! The folder of sweeps: what is known of every point that has run. Any number of experiments and of runners, on any
//! number of hosts, may share one.
//!
//! ```text
//! store.json            what the folder is, and its schema
//! points/KEY.json       a finished point; KEY.json.corrupt-N: a file that was set aside, because it does not verify
//! failed/KEY.json       a point that failed or took longer than the limit
//! host/N.jsonl          what points cost the host, by runner, a line each: for estimates, never a result
//! builds/BUILD.json     which points of other builds this build has run again, with equal figures
//! leases/KEY[.N]        who runs the point; N counts the times that it was taken over from a runner that is gone
//! partial/              files that are being written
//! runners/N             a runner, with a count of its heartbeats; N.id: its id, which leases are links to
//! ```
//!
//! A file is written whole or not at all: under a temporary name, and renamed. A point has one content,
//! whoever runs it, so that two runners that write the same point write the same bytes.

mod builds;
mod error;
mod host;
mod lease;
mod member;
mod pack;
mod read_ahead;
mod recent;
mod sealed;

pub use error::StoreError;
pub(crate) use error::words;
pub use host::{Cost, Estimate, History, HostLog, HostRecord, LearntFrom};
pub use lease::{Claim, Lease, Leases};
pub use member::{Member, Timing};
pub use pack::{Unpacked, pack, read_packed, unpack};
pub use recent::Recent;
pub use sealed::{Unsealed, seal, unseal};

use crate::hash::Key;
use crate::record::{Outcome, Record};
use heddle_graph::write::whole_file;
use serde::{Deserialize, Serialize};
use std::fs::{self, DirEntry, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// Version of the folder's shape.
pub const STORE_SCHEMA: u32 = 1;

/// Says that a folder is a store.
const STORE_FILE: &str = "store.json";
/// The folders in it.
pub(crate) const FOLDERS: [&str; 7] = ["points", "failed", "host", "builds", "leases", "runners", "partial"];
/// How the temporary names of files that are being written end.
const PARTIAL: &str = ".partial";

/// A record that took longer to make is forced to the disk, so that it survives the host as well. Forcing takes
/// milliseconds, in which other files of the folder wait too; a short point whose file is torn when the power fails is
/// recognised by its checksum and runs again.
const WORTH_FORCING: Duration = Duration::from_millis(500);

/// A store.
#[derive(Clone, Debug)]
pub struct Store {
    folder: PathBuf,
}

/// What a store has of a point.
#[derive(Clone, Debug, PartialEq)]
pub enum Found {
    /// It is finished.
    Done(Box<Record>),
    /// It failed.
    Failed(Box<Record>),
    /// A file that is not what was written.
    Corrupt {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        why: String,
    },
    /// Nothing.
    Missing,
}

#[derive(Serialize, Deserialize)]
struct StoreFile {
    kind: String,
    schema: u32,
}

/// What `store.json` says the folder is.
const KIND: &str = "heddle sweep";

impl Store {
    /// Opens the store in a folder; makes one where there is no folder, or an empty one.
    pub fn create(folder: &Path) -> Result<Store, StoreError> {
        if !folder.join(STORE_FILE).exists() {
            fs::create_dir_all(folder).map_err(|error| StoreError::writing(folder, &error))?;
            refuse_foreign(folder)?;
            let file = StoreFile { kind: KIND.to_owned(), schema: STORE_SCHEMA };
            // First, so that whoever comes while the folders are being made knows what they are.
            let path = folder.join(STORE_FILE);
            write_whole(&path, &json_line(&path, &file)?)?;
        }
        let store = Store::open(folder)?;
        for name in FOLDERS.map(|name| folder.join(name)).iter().filter(|path| !path.is_dir()) {
            fs::create_dir_all(name).map_err(|error| StoreError::writing(name, &error))?;
        }
        Ok(store)
    }

    /// Opens the store in a folder, which may be read-only.
    pub fn open(folder: &Path) -> Result<Store, StoreError> {
        let path = folder.join(STORE_FILE);
        let bytes = fs::read(&path).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound if folder.join("points").is_dir() => {
                let problem = "the folder has points of a sweep, but not the file that says so";
                StoreError::new(&path, problem, restore_help())
            }
            io::ErrorKind::NotFound => StoreError::new(
                folder,
                "no folder of a sweep",
                "`heddle sweep` makes one where there is none",
            ),
            _ => StoreError::reading(&path, &error),
        })?;
        let file: StoreFile = serde_json::from_slice(&bytes)
            .ok()
            .filter(|file: &StoreFile| file.kind == KIND)
            .ok_or_else(|| {
                let problem = "it does not say that the folder is one of sweeps";
                StoreError::new(&path, problem, restore_help())
            })?;
        if file.schema > STORE_SCHEMA {
            let problem = format!(
                "the folder has schema {}, which is newer than this program's, {STORE_SCHEMA}",
                file.schema
            );
            return Err(StoreError::new(&path, problem, "use the newer program, or another folder"));
        }
        Ok(Store { folder: folder.to_path_buf() })
    }

    /// Opens the store in a folder, if there is anything; an error where that is no store, or a damaged one.
    pub fn open_if_there(folder: &Path) -> Result<Option<Store>, StoreError> {
        match folder.try_exists() {
            Ok(false) => Ok(None),
            Ok(true) => Store::open(folder).map(Some),
            Err(error) => Err(StoreError::reading(folder, &error)),
        }
    }

    /// Where it is.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// What there is of a point.
    pub fn find(&self, key: &Key) -> Result<Found, StoreError> {
        let (done, failed) = (self.point_path(key), self.failed_path(key));
        let (path, bytes) = match read_record(&done)? {
            Some(bytes) => (done, bytes),
            None => match read_record(&failed)? {
                Some(bytes) => (failed, bytes),
                None => return Ok(Found::Missing),
            },
        };
        let Some(bytes) = bytes else {
            return Ok(Found::Corrupt { path, why: "it is no file".to_owned() });
        };
        match unseal(&bytes, Some(key)) {
            Ok(record) => Ok(match record.outcome {
                Outcome::Done { .. } => Found::Done(Box::new(record)),
                Outcome::Failed { .. } => Found::Failed(Box::new(record)),
            }),
            Err(Unsealed::Corrupt(why)) => Ok(Found::Corrupt { path, why }),
            Err(newer @ Unsealed::Newer(_)) => {
                Err(StoreError::new(&path, newer.to_string(), "use the newer program, or another folder"))
            }
        }
    }

    /// Whether anything is known of a point, verified or not.
    pub(crate) fn has(&self, key: &Key) -> bool {
        self.point_path(key).exists() || self.failed_path(key).exists()
    }

    /// Keeps a record that took so long to make; the inner error tells which figure cannot be kept.
    pub(crate) fn keep(&self, record: &Record, wall: Duration) -> Result<Result<(), String>, StoreError> {
        let line = match seal(record) {
            Ok(line) => line,
            Err(why) => return Ok(Err(why)),
        };
        let write = if wall >= WORTH_FORCING { write_whole } else { write_lightly };
        match record.outcome {
            Outcome::Done { .. } => {
                write(&self.point_path(&record.key), line.as_bytes())?;
                self.forget_failure(&record.key)?;
            }
            Outcome::Failed { .. } => write(&self.failed_path(&record.key), line.as_bytes())?,
        }
        Ok(Ok(()))
    }

    /// Whether any point failed.
    pub(crate) fn has_failures(&self) -> Result<bool, StoreError> {
        Ok(!names_in(&self.folder.join("failed"))?.is_empty())
    }

    /// Forgets that a point failed.
    pub(crate) fn forget_failure(&self, key: &Key) -> Result<(), StoreError> {
        remove_if_there(&self.failed_path(key))
    }

    /// Takes a file that does not verify out of the way, and tells where it is then. Only who holds the point's lease
    /// may: another runner may have written the point again in the meantime.
    pub(crate) fn set_aside(&self, path: &Path) -> Result<PathBuf, StoreError> {
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let aside = (1u32..)
            .map(|number| path.with_file_name(format!("{name}.corrupt-{number}")))
            .find(|aside| !aside.exists())
            .unwrap_or_else(|| path.with_file_name(format!("{name}.corrupt")));
        match fs::rename(path, &aside) {
            Ok(()) => Ok(aside),
            Err(error) => Err(StoreError::writing(&aside, &error)),
        }
    }

    /// Drops the records of these points that another build made, finished or failed; tells how many. Other points may
    /// be those of experiments that nobody means to run again.
    pub fn drop_other_builds<'a>(
        &self,
        keys: impl IntoIterator<Item = &'a Key>,
        build: &str,
    ) -> Result<usize, StoreError> {
        let mut dropped = 0;
        for key in keys {
            if let Found::Done(record) | Found::Failed(record) = self.find(key)?
                && record.made.build != build
            {
                remove_if_there(&self.point_path(key))?;
                remove_if_there(&self.failed_path(key))?;
                dropped += 1;
            }
        }
        Ok(dropped)
    }

    /// The keys of all points of which there is a file, in order.
    pub fn keys(&self) -> Result<Vec<Key>, StoreError> {
        let mut keys = Vec::new();
        for folder in ["points", "failed"] {
            let names = names_in(&self.folder.join(folder))?;
            keys.extend(names.iter().filter_map(|name| Key::parse(name.strip_suffix(".json")?)));
        }
        keys.sort();
        keys.dedup();
        Ok(keys)
    }

    fn point_path(&self, key: &Key) -> PathBuf {
        self.folder.join("points").join(format!("{key}.json"))
    }

    fn failed_path(&self, key: &Key) -> PathBuf {
        self.folder.join("failed").join(format!("{key}.json"))
    }

    /// The temporary files in it, which killed runners may have left or others are about to rename.
    fn partial_files(&self) -> Result<Vec<PathBuf>, StoreError> {
        let mut found = Vec::new();
        for folder in FOLDERS.map(|name| self.folder.join(name)) {
            let partial = |name: &String| name.starts_with('.') && name.ends_with(PARTIAL);
            found
                .extend(names_in(&folder)?.iter().filter(|name| partial(name)).map(|name| folder.join(name)));
        }
        Ok(found)
    }
}

/// What to do about a `store.json` that is damaged or lost.
fn restore_help() -> String {
    format!(
        "name another folder; if only this file is damaged or lost, write `{{\"kind\":\"{KIND}\",\"schema\":\
         {STORE_SCHEMA}}}` into it: the points are kept"
    )
}

/// Refuses a folder that holds anything but a store that is about to be made.
fn refuse_foreign(folder: &Path) -> Result<(), StoreError> {
    let is_foreign = |name: &String| !name.starts_with(&format!(".{STORE_FILE}"));
    match names_in(folder)?.into_iter().find(is_foreign) {
        // Another runner may have made it meanwhile.
        Some(name) if !folder.join(STORE_FILE).exists() => {
            if folder.join("points").is_dir() {
                let problem = "the folder has points of a sweep, but not the file that says so";
                return Err(StoreError::new(&folder.join(STORE_FILE), problem, restore_help()));
            }
            let problem = format!("no folder of a sweep, and not empty: it holds `{name}`");
            Err(StoreError::new(folder, problem, "name a folder that is empty or not there yet"))
        }
        _ => Ok(()),
    }
}

/// The names of the files in a folder; none where there is no folder.
fn names_in(folder: &Path) -> Result<Vec<String>, StoreError> {
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(StoreError::reading(folder, &error)),
    };
    let name =
        |entry: io::Result<DirEntry>| entry.map(|entry| entry.file_name().to_string_lossy().into_owned());
    let mut names = entries
        .map(name)
        .collect::<io::Result<Vec<_>>>()
        .map_err(|error| StoreError::reading(folder, &error))?;
    names.sort();
    Ok(names)
}

fn read_if_there(path: &Path) -> Result<Option<Vec<u8>>, StoreError> {
    match fs::read(path) {
        Ok(bytes) => Ok(Some(bytes)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(StoreError::reading(path, &error)),
    }
}

/// The bytes of a record's file, where there is one; none within for something else in its place. A pipe would have no
/// end, and is not opened.
fn read_record(path: &Path) -> Result<Option<Option<Vec<u8>>>, StoreError> {
    match fs::metadata(path) {
        Ok(found) if !found.is_file() => Ok(Some(None)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        _ => Ok(read_if_there(path)?.map(Some)),
    }
}

fn remove_if_there(path: &Path) -> Result<(), StoreError> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(StoreError::writing(path, &error)),
        _ => Ok(()),
    }
}

/// Writes a file whole or not at all, forced to the disk. It is there before it has its name: a file system may accept
/// what it has no room for, and say so only then.
fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), StoreError> {
    let fill = |file: &mut File| file.write_all(bytes).and_then(|()| file.sync_data());
    whole_file(path, fill).map_err(|error: io::Error| StoreError::writing(path, &error))
}

/// Numbers of temporary files of this process.
static PARTIAL_FILES: AtomicU64 = AtomicU64::new(0);

/// Writes a file whole or not at all, whoever is killed; it need not survive a failure of the host. In fewer calls than
/// [`whole_file`], for the many small files of a sweep; what a killed runner leaves under the temporary name is removed
/// by the next.
fn write_lightly(path: &Path, bytes: &[u8]) -> Result<(), StoreError> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let number = PARTIAL_FILES.fetch_add(1, Ordering::Relaxed);
    // In a folder of their own, so that what is killed leaves nothing among what is finished.
    let folder = path.parent().and_then(Path::parent).unwrap_or(Path::new("")).join("partial");
    let partial = folder.join(format!(".{name}.{}-{number}{PARTIAL}", std::process::id()));
    // A runner of another host may have the same process number: the name is ours alone only if we made it.
    let made = File::options().write(true).create_new(true).open(&partial);
    if made.as_ref().is_err_and(|error| error.kind() == io::ErrorKind::AlreadyExists) {
        return whole_file(path, |file: &mut File| file.write_all(bytes))
            .map_err(|error: io::Error| StoreError::writing(path, &error));
    }
    let written = made.and_then(|mut file| {
        let renamed = file.write_all(bytes).and_then(|()| fs::rename(&partial, path));
        match renamed {
            // Another has taken this runner for one that is gone, while it was suspended, and cleaned up after it.
            Err(error) if error.kind() == io::ErrorKind::NotFound && !partial.exists() => {
                whole_file(path, |file: &mut File| file.write_all(bytes))
            }
            Err(error) => fs::remove_file(&partial).and(Err(error)),
            Ok(()) => Ok(()),
        }
    });
    written.map_err(|error| StoreError::writing(path, &error))
}

/// The line of JSON of a value that a file at `path` is to hold.
fn json_line(path: &Path, value: &impl Serialize) -> Result<Vec<u8>, StoreError> {
    let mut bytes = serde_json::to_vec(value).map_err(|error| {
        let help = "use names without odd characters, and start the command again";
        StoreError::new(path, format!("cannot be written as JSON: {error}"), help)
    })?;
    bytes.push(b'\n');
    Ok(bytes)
}
