//! What no memory system can be because of the policies of its caches: where they are, and what they share.

use super::limits::wrong;
use super::spec::{FabricSpec, LevelSpec};
use crate::cache::policy::{Neighbour, Place};
use crate::spec_error::SpecError;

impl FabricSpec {
    /// What a level's policies may know of where it is.
    pub(super) fn place<'a>(&'a self, level: &'a LevelSpec) -> Place<'a> {
        let neighbour = |level: &'a LevelSpec| Neighbour { name: &level.name, cache: level.slice() };
        Place {
            name: &level.name,
            cache: level.slice(),
            slices: level.slices,
            is_private: level.is_private(),
            above: self.caches.iter().filter(|above| above.below == level.name).map(neighbour).collect(),
            below: self.cache(&level.below).map(neighbour),
        }
    }

    /// Whether policies of no two levels share a table of one kind, which each would train for itself.
    pub(super) fn check_tables(&self) -> Result<(), SpecError> {
        let mut known: Vec<(&str, String)> = Vec::new();
        for level in &self.caches {
            for (key, shared) in level.slice().shares() {
                let Some(shared) = shared else { continue };
                let key = format!("{}.{key}", level.name);
                if let Some((_, first)) = known.iter().find(|(table, _)| *table == shared) {
                    return wrong(
                        key,
                        format!("{first} has {shared} already, of which a machine has one set"),
                    );
                }
                known.push((shared, key));
            }
        }
        Ok(())
    }
}
