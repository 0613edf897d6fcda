//! Which points of other builds a build has run again and found equal.

use super::{Store, StoreError, json_line, names_in, read_if_there, write_whole};
use crate::hash::{Key, sha256};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

/// What a build has run again.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Checked {
    /// The build.
    build: String,
    /// Points of other builds with equal figures, by build.
    equal: BTreeMap<String, BTreeSet<Key>>,
}

impl Checked {
    /// Whether a point of another build was run again already.
    pub(crate) fn has(&self, other: &str, key: &Key) -> bool {
        self.equal.get(other).is_some_and(|keys| keys.contains(key))
    }
}

impl Store {
    /// What `build` has run again. A file that cannot be read is no knowledge: it is checked again.
    pub(crate) fn checked(&self, build: &str) -> Result<Checked, StoreError> {
        let bytes = read_if_there(&self.build_path(build))?.unwrap_or_default();
        let found = serde_json::from_slice(&bytes).ok().filter(|found: &Checked| found.build == build);
        Ok(found.unwrap_or_else(|| Checked { build: build.to_owned(), ..Checked::default() }))
    }

    /// Remembers that `build` gives the same figures for points of other builds.
    pub(crate) fn remember_equal(&self, build: &str, points: &[(String, Key)]) -> Result<(), StoreError> {
        let mut checked = self.checked(build)?;
        for (other, key) in points {
            checked.equal.entry(other.clone()).or_default().insert(key.clone());
        }
        let path = self.build_path(build);
        write_whole(&path, &json_line(&path, &checked)?)
    }

    /// Builds of which each was compared with one of its set, with equal figures.
    pub fn compared_builds(&self) -> Result<Vec<BTreeSet<String>>, StoreError> {
        let folder = self.folder.join("builds");
        let mut compared = Vec::new();
        for name in names_in(&folder)? {
            let bytes = read_if_there(&folder.join(name))?.unwrap_or_default();
            let Ok(Checked { build, equal }) = serde_json::from_slice(&bytes) else { continue };
            let with_points = equal.into_iter().filter(|(_, points)| !points.is_empty());
            compared.push(with_points.map(|(other, _)| other).chain([build]).collect());
        }
        Ok(compared)
    }

    fn build_path(&self, build: &str) -> PathBuf {
        let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '-';
        let name = match !build.is_empty() && build.chars().all(is_plain) {
            true => build.to_owned(),
            false => sha256(build.as_bytes()),
        };
        self.folder.join("builds").join(format!("{name}.json"))
    }
}
