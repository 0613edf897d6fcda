//! Where the issue slots of a run went: every slot of every cycle has one owner.
//!
//! The counters of the group `slots` tile the slots. The sentence of each begins with its group's name and a
//! colon: "Data: waited for a load that DRAM answered."

use crate::ratio::{Counts, group};
use std::collections::BTreeMap;

/// The groups, in the order of reports.
pub(crate) const GROUPS: [&str; 5] = ["Busy", "Compute", "Data", "Synchronisation", "Idle"];

/// One owner of slots.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Owner<'a> {
    pub(crate) name: &'a str,
    pub(crate) group: &'a str,
    pub(crate) meaning: &'a str,
    pub(crate) slots: u64,
}

/// All owners, by group, the largest first in each.
pub(crate) fn owners<'a>(counts: &'a Counts, meanings: &'a BTreeMap<String, String>) -> Vec<Owner<'a>> {
    let owner = |(name, slots): (&'a str, u64)| {
        let meaning = meanings.get(&format!("slots.{name}")).map_or("", String::as_str);
        let (group, meaning) = meaning.split_once(": ").unwrap_or(("other", meaning));
        Owner { name, group, meaning, slots }
    };
    let mut owners: Vec<Owner<'a>> = group(counts, "slots").map(owner).collect();
    let rank = |group: &str| GROUPS.iter().position(|known| *known == group).unwrap_or(GROUPS.len());
    owners.sort_by_key(|owner| (rank(owner.group), std::cmp::Reverse(owner.slots)));
    owners
}

/// Percent of all slots that belong to a group; nothing where there are no slots.
pub(crate) fn group_percent(owners: &[Owner<'_>], group: &str) -> Option<f64> {
    let total: u64 = owners.iter().map(|owner| owner.slots).sum();
    let own: u64 = owners.iter().filter(|owner| owner.group == group).map(|owner| owner.slots).sum();
    (total > 0).then(|| 100.0 * own as f64 / total as f64)
}

/// Shares in tenths of a percent that sum to 1000, by the largest remainders; all 0 of nothing.
pub(crate) fn shares(counts: &[u64]) -> Vec<u64> {
    let total: u128 = counts.iter().map(|&count| u128::from(count)).sum();
    if total == 0 {
        return vec![0; counts.len()];
    }
    let scaled = |count: u64| u128::from(count) * 1000;
    let mut shares: Vec<u64> = counts.iter().map(|&count| (scaled(count) / total) as u64).collect();
    let missing = 1000 - shares.iter().sum::<u64>();
    let mut by_remainder: Vec<usize> = (0..counts.len()).collect();
    by_remainder.sort_by_key(|&index| std::cmp::Reverse(scaled(counts[index]) % total));
    by_remainder.iter().take(missing as usize).for_each(|&index| shares[index] += 1);
    shares
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_always_sum_to_the_whole() {
        for counts in [&[1, 1, 1][..], &[7], &[u64::MAX, u64::MAX, 3], &[0, 5, 0], &[1; 13]] {
            assert_eq!(shares(counts).iter().sum::<u64>(), 1000, "{counts:?}");
        }
        assert_eq!(shares(&[0, 0]), [0, 0]);
    }

    #[test]
    fn owners_are_ordered_by_group_and_size() {
        let counts = Counts::from([
            ("slots.busy".into(), 2),
            ("slots.dram".into(), 5),
            ("slots.l2".into(), 1),
            ("slots.fetch".into(), 2),
        ]);
        let meanings = BTreeMap::from(
            [
                ("slots.busy", "Busy: issued."),
                ("slots.dram", "Data: waited for DRAM."),
                ("slots.l2", "Data: waited for L2."),
                ("slots.fetch", "Idle: no instruction."),
            ]
            .map(|(name, meaning)| (name.to_owned(), meaning.to_owned())),
        );
        let owners = owners(&counts, &meanings);
        assert_eq!(
            owners.iter().map(|owner| owner.name).collect::<Vec<_>>(),
            ["busy", "dram", "l2", "fetch"]
        );
        assert_eq!(owners[1].meaning, "waited for DRAM.");
        assert_eq!(group_percent(&owners, "Data"), Some(60.0));
    }
}
