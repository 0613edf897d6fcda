//! What no memory system can be because of the policies of its caches: where they are, and what they share.

use super::limits::wrong;
use super::spec::{FabricSpec, LevelSpec};
use crate::cache::policy::{Neighbour, Surroundings};
use crate::spec_error::SpecError;

/// A policy that uses policy bits.
#[derive(Clone, Copy, Debug)]
struct BitUser<'a> {
    level: &'a str,
    /// Its key in the level's table, and its name.
    key: &'static str,
    policy: &'static str,
    bits: u16,
}

/// The policies of a level that use any.
fn users_of(level: &LevelSpec) -> impl Iterator<Item = BitUser<'_>> {
    let all = level.slice().bits_used().into_iter();
    let users = all.map(|(key, policy, bits)| BitUser { level: &level.name, key, policy, bits });
    users.filter(|user| user.bits != 0)
}

/// Refuses two different policies that use the same bit, of those on one way, the uppermost first.
fn clash(users: &[BitUser<'_>]) -> Result<(), SpecError> {
    for (place, one) in users.iter().enumerate() {
        let clashes = |other: &&BitUser<'_>| {
            one.bits & other.bits != 0 && (one.key, one.policy) != (other.key, other.policy)
        };
        let Some(other) = users[place + 1..].iter().find(clashes) else { continue };
        let way = match one.level == other.level {
            true => format!("in {}", one.level),
            false => format!("on the way between {} and {}", one.level, other.level),
        };
        let problem = format!(
            "\"{}\" uses the policy bits {:#06x} {way}, which are those of \"{}\" ({}.{}): the one would take them for \
             its own",
            one.policy,
            one.bits & other.bits,
            other.policy,
            other.level,
            other.key
        );
        return wrong(format!("{}.{}", one.level, one.key), problem);
    }
    Ok(())
}

impl FabricSpec {
    /// What a level's policies may know of where it is.
    pub(super) fn place<'a>(&'a self, level: &'a LevelSpec) -> Surroundings<'a> {
        let neighbour = |level: &'a LevelSpec| Neighbour { name: &level.name, cache: level.slice() };
        Surroundings {
            name: &level.name,
            cache: level.slice(),
            slices: level.slices,
            is_private: level.is_private(),
            above: self.caches.iter().filter(|above| above.below == level.name).map(neighbour).collect(),
            below: self.cache(&level.below).map(neighbour),
        }
    }

    /// Whether every policy bit on a way to memory is one policy's, at whatever levels of the way that policy is.
    pub(super) fn check_bits(&self) -> Result<(), SpecError> {
        let below = |level: &&LevelSpec| self.cache(&level.below);
        for level in &self.caches {
            let way = std::iter::successors(Some(level), below).take(self.caches.len());
            let users: Vec<BitUser<'_>> = way.flat_map(users_of).collect();
            clash(&users)?;
        }
        Ok(())
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cache::{BypassKind, InclusionKind};

    fn user(level: &'static str, key: &'static str, policy: &'static str, bits: u16) -> BitUser<'static> {
        BitUser { level, key, policy, bits }
    }

    #[test]
    fn one_policy_bit_of_two_policies_on_one_way_is_refused_by_both_keys() {
        let ahead = user("l1", "prefetch", "next-line", 1);
        let error = clash(&[ahead, user("l2", "inclusion", "r-ex", 15)]).unwrap_err();
        assert_eq!(error.key, "l1.prefetch");
        let expected = "\"next-line\" uses the policy bits 0x0001 on the way between l1 and l2, which are those of \
                        \"r-ex\" (l2.inclusion): the one would take them for its own";
        assert_eq!(error.problem, expected);
        assert!(
            clash(&[ahead, user("l1", "bypass", "other", 3)]).unwrap_err().problem.contains("0x0001 in l1,")
        );
        // The same policy at two levels means the same by it, and other bits are no matter.
        assert_eq!(clash(&[ahead, user("l2", "prefetch", "next-line", 1)]), Ok(()));
        assert_eq!(clash(&[ahead, user("l2", "inclusion", "r-ex", 14)]), Ok(()));
    }

    /// R-EX and B+C have some in common, and tables that no machine has twice.
    #[test]
    fn policies_that_a_machine_may_have_at_one_time_use_bits_of_their_own() {
        let kinds = [InclusionKind::BypassCopyback, InclusionKind::Flexclusion];
        let bits = kinds.map(InclusionKind::bits_used).into_iter().chain([BypassKind::PcReuse.bits_used()]);
        assert_eq!(
            bits.clone().fold(0, |all, bits| all | bits).count_ones(),
            bits.map(u16::count_ones).sum()
        );
    }
}
