//! Who runs a point: a file that only one runner can create.
//!
//! `leases/KEY` is the lease of a point. When its runner is gone, another takes the point over by creating `leases/KEY.1`,
//! and the next `leases/KEY.2`: creation is exclusive, so that one wins, and a lease that is alive is never touched. A
//! lease is given back from the highest number to the lowest, so that no gap appears below one that is held.

use super::{Member, Store, StoreError, Timing, names_in, read_if_there, remove_if_there};
use crate::hash::Key;
use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A point that this runner may run.
#[derive(Clone, Debug)]
pub struct Lease {
    store: Store,
    key: Key,
    /// How often it was taken over.
    takeovers: u32,
    /// From whom, if it was.
    pub from: Option<String>,
}

/// What came of asking for a point.
#[derive(Clone, Debug)]
pub enum Claim {
    /// It is ours.
    Taken(Lease),
    /// Another runner has it.
    Held {
        /// Its number and name.
        by: String,
    },
}

/// The leases of a store, as one runner sees them.
#[derive(Debug)]
pub struct Leases {
    member: Member,
}

impl Leases {
    /// Registers a runner, which may take leases then.
    pub fn join(store: &Store, name: &str, timing: Timing, now: Duration) -> Result<Leases, StoreError> {
        let mut leases = Leases { member: Member::register(store, name, timing, now)? };
        match leases.clean(now) {
            Ok(()) => Ok(leases),
            Err(error) => leases.member.leave().and(Err(error)),
        }
    }

    /// The runner.
    pub fn member(&mut self) -> &mut Member {
        &mut self.member
    }

    /// Asks for a point.
    pub fn claim(&mut self, key: &Key, now: Duration) -> Result<Claim, StoreError> {
        let store = self.member.store().clone();
        let (mut takeovers, mut from) = (0, None);
        loop {
            let path = lease_path(&store, key, takeovers);
            let take =
                |from| Ok(Claim::Taken(Lease { store: store.clone(), key: key.clone(), takeovers, from }));
            if self.create(&path)? {
                return take(from);
            }
            // Given back in this moment: whoever asks next gets it.
            let Some(bytes) = read_if_there(&path)? else { return Ok(Claim::Held { by: String::new() }) };
            let holder = holder(bytes, key);
            if holder == self.member.id() {
                // A file system on another host may have made the link, and lost its answer.
                return take(from);
            }
            if !self.member.is_gone(&holder, now)? {
                return Ok(Claim::Held { by: holder });
            }
            takeovers += 1;
            from = Some(holder);
        }
    }

    /// Creates a lease, if nobody has: as a link to the file with the runner's id, so that it has its content at once and
    /// nothing is allocated; as a file where the file system has no links.
    fn create(&self, path: &Path) -> Result<bool, StoreError> {
        let created = fs::hard_link(self.member.seal_path(), path).or_else(|error| match error.kind() {
            io::ErrorKind::AlreadyExists | io::ErrorKind::StorageFull | io::ErrorKind::ReadOnlyFilesystem => {
                Err(error)
            }
            _ => {
                let mut file = OpenOptions::new().write(true).create_new(true).open(path)?;
                file.write_all(self.member.id().as_bytes())
                    .or_else(|error| fs::remove_file(path).and(Err(error)))
            }
        });
        match created {
            Ok(()) => Ok(true),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(false),
            Err(error) => Err(StoreError::writing(path, &error)),
        }
    }

    /// Ends in order: cleans up what is not needed any more, and leaves.
    pub fn leave(mut self, now: Duration) -> Result<(), StoreError> {
        let cleaned = self.clean(now);
        self.member.leave().and(cleaned)
    }

    /// Removes leases of points that are finished, and what runners that are gone have left.
    fn clean(&mut self, now: Duration) -> Result<(), StoreError> {
        let (store, mut holders) = (self.member.store().clone(), Vec::new());
        let folder = store.folder.join("leases");
        // From the last, so that of one point the highest number comes first.
        for name in names_in(&folder)?.iter().rev() {
            let Some(key) = name.split('.').next().and_then(Key::parse) else { continue };
            if store.has(&key) {
                remove_if_there(&folder.join(name))?;
            } else {
                holders.push(holder(read_if_there(&folder.join(name))?.unwrap_or_default(), &key));
            }
        }
        self.member.clean(&holders, now)
    }
}

/// The id in a lease. A runner that was killed before it could write it is known by the point.
fn holder(bytes: Vec<u8>, key: &Key) -> String {
    match String::from_utf8(bytes) {
        Ok(id) if !id.is_empty() => id,
        _ => format!("0 nameless-{key}"),
    }
}

fn lease_path(store: &Store, key: &Key, takeovers: u32) -> PathBuf {
    let name = if takeovers == 0 { key.to_string() } else { format!("{key}.{takeovers}") };
    store.folder.join("leases").join(name)
}

impl Lease {
    /// Gives the point back. If another has taken it over, it does so for both.
    pub fn give_back(&self) -> Result<(), StoreError> {
        let path = |takeovers| lease_path(&self.store, &self.key, takeovers);
        if path(self.takeovers + 1).exists() {
            return Ok(());
        }
        (0..=self.takeovers).rev().try_for_each(|takeovers| remove_if_there(&path(takeovers)))
    }
}
