//! A runner as the others see it: a file with a count of heartbeats, and one with its id that leases are links to.
//!
//! No clock of another host is trusted, and none is compared: a runner is gone when whoever watches it has seen its count
//! unchanged by his own clock for the time of expiry: the longer of his own and of the one that the runner's file tells,
//! because one that is heard once a minute is not gone after a second. One that was only suspended does no harm when it comes back,
//! because the same point gives the same bytes.

use super::{Store, StoreError, json_line, names_in, read_if_there, remove_if_there, write_lightly};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs::OpenOptions;
use std::io::{self, Write};
use std::path::PathBuf;
use std::time::Duration;

/// How often a runner is heard, and when it is given up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timing {
    /// Time between two heartbeats.
    pub heartbeat: Duration,
    /// Time without a heartbeat after which a runner is gone.
    pub expiry: Duration,
}

impl Default for Timing {
    fn default() -> Timing {
        Timing { heartbeat: Duration::from_secs(2), expiry: Duration::from_secs(20) }
    }
}

/// The file of a runner.
#[derive(Debug, Serialize, Deserialize)]
struct Heartbeat {
    runner: String,
    beats: u64,
    /// After how many milliseconds of silence it wants to be given up; none in files of older programs.
    #[serde(default)]
    expiry_ms: u64,
}

/// What was seen of a runner, and since when nothing else.
#[derive(Clone, Copy, Debug)]
struct Seen {
    beats: Option<u64>,
    since: Duration,
}

/// This runner, registered in a store.
#[derive(Debug)]
pub struct Member {
    store: Store,
    /// Host and process, for people.
    name: String,
    /// Its number in the store and its name: different from those of every runner that is registered.
    id: String,
    beats: u64,
    timing: Timing,
    /// Other runners, by id.
    seen: BTreeMap<String, Seen>,
}

impl Member {
    /// Registers a runner under the first free number. `name` tells people which host and process it is.
    pub fn register(store: &Store, name: &str, timing: Timing, now: Duration) -> Result<Member, StoreError> {
        let printable = |c: char| if c.is_ascii_graphic() { c } else { '-' };
        let name = name.chars().map(printable).collect();
        let (store, seen) = (store.clone(), BTreeMap::new());
        let mut member = Member { store, name, id: String::new(), beats: 0, timing, seen };
        member.enrol()?;
        for id in member.others()? {
            member.is_gone(&id, now)?;
        }
        Ok(member)
    }

    /// Its number and name.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Its number in the store.
    pub(crate) fn number(&self) -> u64 {
        self.id.split(' ').next().and_then(|number| number.parse().ok()).unwrap_or_default()
    }

    fn enrol(&mut self) -> Result<(), StoreError> {
        for number in 1u64.. {
            let id = format!("{number} {}", self.name);
            let path = self.path(&id);
            match OpenOptions::new().write(true).create_new(true).open(&path) {
                Ok(mut file) => {
                    self.id = id;
                    let line = self.line(&path)?;
                    let written = file.write_all(&line).map_err(|error| StoreError::writing(&path, &error));
                    let written = written.and_then(|()| write_lightly(&self.seal_path(), self.id.as_bytes()));
                    return written.map_err(|failed| remove_if_there(&path).err().unwrap_or(failed));
                }
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(StoreError::writing(&path, &error)),
            }
        }
        Ok(())
    }

    /// Tells the others that this runner is there. One that the others gave up, while it was suspended, registers anew.
    pub fn beat(&mut self) -> Result<(), StoreError> {
        let path = self.path(&self.id);
        if self.heartbeat(&self.id)?.is_none() {
            return self.enrol();
        }
        self.beats += 1;
        write_lightly(&path, &self.line(&path)?)
    }

    fn line(&self, path: &std::path::Path) -> Result<Vec<u8>, StoreError> {
        let expiry_ms = u64::try_from(self.timing.expiry.as_millis()).unwrap_or(u64::MAX);
        json_line(path, &Heartbeat { runner: self.id.clone(), beats: self.beats, expiry_ms })
    }

    /// Whether a runner has not been heard for the longer of its time of expiry and this one's.
    pub(super) fn is_gone(&mut self, id: &str, now: Duration) -> Result<bool, StoreError> {
        if id == self.id {
            return Ok(false);
        }
        let heard = self.heartbeat(id)?;
        let beats = heard.as_ref().map(|heard| heard.beats);
        let own = Duration::from_millis(heard.map_or(0, |heard| heard.expiry_ms));
        let seen = self.seen.entry(id.to_owned()).or_insert(Seen { beats, since: now });
        if seen.beats != beats {
            *seen = Seen { beats, since: now };
        }
        Ok(now.saturating_sub(seen.since) >= self.timing.expiry.max(own))
    }

    /// The last heartbeat of a runner; none where it is not registered, or another has its number now.
    fn heartbeat(&self, id: &str) -> Result<Option<Heartbeat>, StoreError> {
        let bytes = read_if_there(&self.path(id))?.unwrap_or_default();
        let found: Option<Heartbeat> = serde_json::from_slice(&bytes).ok();
        Ok(found.filter(|found| found.runner == id))
    }

    /// The file of a runner, by its number.
    fn path(&self, id: &str) -> PathBuf {
        let digits: String = id.chars().take_while(char::is_ascii_digit).collect();
        self.store.folder.join("runners").join(if digits.is_empty() { "0" } else { &digits })
    }

    /// The file with nothing but its id, which leases are links to.
    pub(super) fn seal_path(&self) -> PathBuf {
        self.path(&self.id).with_extension("id")
    }

    /// The ids of the other runners. A file without an id is known by its number.
    fn others(&self) -> Result<Vec<String>, StoreError> {
        let folder = self.store.folder.join("runners");
        let mut found = Vec::new();
        // No runner is a folder: one that somebody has made is left alone, and its number taken.
        let is_runner = |name: &String| name.parse::<u64>().is_ok() && !folder.join(name).is_dir();
        for name in names_in(&folder)?.into_iter().filter(is_runner) {
            let bytes = read_if_there(&folder.join(&name))?.unwrap_or_default();
            let id = serde_json::from_slice(&bytes).map_or(name, |found: Heartbeat| found.runner);
            found.extend((id != self.id).then_some(id));
        }
        Ok(found)
    }

    /// Removes what runners that are gone have left: their files, if no lease needs them any more, and temporary files
    /// if nobody else is there who may be about to rename them.
    pub(super) fn clean(&mut self, holders: &[String], now: Duration) -> Result<(), StoreError> {
        // Listed before it is known that nobody else is here: who comes later makes other ones.
        let partial = self.store.partial_files()?;
        let mut is_alone = true;
        for id in self.others()? {
            let is_gone = self.is_gone(&id, now)?;
            is_alone &= is_gone;
            if is_gone && !holders.contains(&id) {
                remove_if_there(&self.path(&id).with_extension("id"))?;
                remove_if_there(&self.path(&id))?;
            }
        }
        match is_alone {
            true => partial.iter().try_for_each(|path| remove_if_there(path)),
            false => Ok(()),
        }
    }

    /// Leaves the store.
    pub(super) fn leave(&self) -> Result<(), StoreError> {
        match self.heartbeat(&self.id)? {
            Some(_) => {
                remove_if_there(&self.seal_path()).and_then(|()| remove_if_there(&self.path(&self.id)))
            }
            None => Ok(()),
        }
    }

    pub(super) fn store(&self) -> &Store {
        &self.store
    }
}
