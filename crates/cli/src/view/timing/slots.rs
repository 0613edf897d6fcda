//! Where the issue slots went.

use crate::result::Time;
use crate::slots::{Owner, owners, shares};
use crate::view::page::Page;
use crate::view::text;

/// Characters of a bar.
const BAR: usize = 25;

/// Adds the section.
pub(super) fn section(page: &mut Page, time: &Time) {
    let owners = owners(&time.stats, &time.meanings);
    let total: u64 = owners.iter().map(|owner| owner.slots).sum();
    if total == 0 {
        return;
    }
    page.section("Where the issue slots went");
    page.line(&format!(
        "  {} chances to issue a warp instruction, each counted once:",
        text::thousands(total)
    ));
    let counts: Vec<u64> = owners.iter().map(|owner| owner.slots).collect();
    let shares = shares(&counts);
    for group in groups(&owners) {
        let own: Vec<_> = owners.iter().zip(&shares).filter(|(owner, _)| owner.group == group).collect();
        let share: u64 = own.iter().map(|(_, share)| **share).sum();
        page.line(&format!("  {group:<17} {:>5} %  {}", tenths(share), text::bar(share as f64, 1000.0, BAR)));
        let several = own.len() > 1;
        for (owner, share) in own {
            // A share that rounds to nothing is still told if it is there at all.
            if owner.slots > 0 {
                let percent = if several { format!("{:>5} %", tenths(*share)) } else { " ".repeat(7) };
                page.line(&format!("    {:<17} {percent}  {}", owner.name.replace('_', " "), owner.meaning));
            }
        }
    }
}

/// The groups that there are: the known ones in their order, then others.
fn groups<'a>(owners: &[Owner<'a>]) -> Vec<&'a str> {
    let mut groups: Vec<&'a str> = Vec::new();
    for owner in owners {
        if !groups.contains(&owner.group) {
            groups.push(owner.group);
        }
    }
    groups
}

fn tenths(share: u64) -> String {
    format!("{}.{}", share / 10, share % 10)
}
