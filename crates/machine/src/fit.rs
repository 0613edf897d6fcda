//! Ways of a cache that follow its size where only the size was changed.

use crate::blame::is_users;
use crate::origin::Origin;
use crate::tree::{self, Table};
use heddle_memory::fabric::{FabricSpec, LevelSpec};

/// Where the user changed the size of a cache and not its ways, and these ways do not divide its lines, takes the
/// largest smaller number that does; says so.
pub(crate) fn fit(memory: &mut FabricSpec, tree: &Table) -> Vec<String> {
    let mut notes = Vec::new();
    for level in &mut memory.caches {
        let LevelSpec { name, size, line, ways, .. } = level;
        let instances = u64::from(level.slices.max(1));
        let origin = |key: &str| tree::get(tree, &format!("{name}.{key}")).map(|node| &node.origin);
        let is_set = |key: &str| matches!(origin(key), Some(Origin::Setting(_)));
        let is_users_key = |key: &str| origin(key).is_some_and(is_users);
        // The ways of a file are no choice for a size that was set on top of it.
        let is_chosen = if is_set("size") { is_set("ways") } else { is_users_key("ways") };
        let lines = size.0.checked_div(line.0.saturating_mul(instances)).unwrap_or(0);
        let whole = lines.saturating_mul(line.0).saturating_mul(instances) == size.0;
        let before = u64::from(*ways);
        if !is_users_key("size") || is_chosen || !whole || lines == 0 || before == 0 {
            continue;
        }
        let fitting = (1..=before).rev().find(|ways| lines.is_multiple_of(*ways)).unwrap_or(1);
        if fitting != before {
            *ways = fitting as u32;
            notes.push(format!(
                "{name}.ways is {fitting} in place of {before}, which does not divide the {lines} lines of \
                 {name}.size = {size}; --set {name}.ways=N chooses another"
            ));
        }
    }
    notes
}
