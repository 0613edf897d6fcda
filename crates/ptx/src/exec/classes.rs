//! Counts by class of instruction, from the counts of static instructions.

use super::engine::Engine;
use super::{Action, ClassCounts, Kind, Space};

/// Sums up what the instructions of a launch did.
pub(crate) fn class_counts(engine: &Engine<'_>) -> ClassCounts {
    let mut classes = ClassCounts::default();
    for (operation, count) in engine.code.operations.iter().zip(&engine.counts) {
        let both = [count.warps, count.lanes];
        match operation.kind {
            Kind::Branch(_) | Kind::BranchIndexed(_) => {
                add(&mut classes.branches, both);
                classes.divergent_branches += count.divergent;
            }
            Kind::Barrier(_) => add(&mut classes.barriers, both),
            Kind::Access(number) => {
                let access = &engine.code.accesses[number as usize];
                let generic = engine.generic_counts[number as usize];
                access_counts(&mut classes, access.action, access.space, both, generic);
                match access.action {
                    Action::Load { .. } | Action::Copy { .. } => classes.global_load_sectors += count.sectors,
                    Action::Store => classes.global_store_sectors += count.sectors,
                    _ => {}
                }
            }
            _ => {}
        }
    }
    classes
}

fn access_counts(
    classes: &mut ClassCounts,
    action: Action,
    space: Space,
    both: [u64; 2],
    generic: [[u64; 2]; 3],
) {
    match action {
        Action::Atomic { .. } => return add(&mut classes.atomics, both),
        Action::Texture { .. } => return,
        Action::Copy { .. } => add(&mut classes.shared_accesses, both),
        Action::Load { .. } | Action::Store => {}
    }
    let by_space = match space {
        Space::Global => [both, [0; 2], [0; 2]],
        Space::Shared => [[0; 2], both, [0; 2]],
        Space::Local => [[0; 2], [0; 2], both],
        Space::Generic => generic,
        Space::Constant | Space::Parameter => return,
    };
    let global =
        if matches!(action, Action::Store) { &mut classes.global_stores } else { &mut classes.global_loads };
    add(global, by_space[0]);
    add(&mut classes.shared_accesses, by_space[1]);
    add(&mut classes.local_accesses, by_space[2]);
}

fn add(total: &mut [u64; 2], more: [u64; 2]) {
    total[0] += more[0];
    total[1] += more[1];
}
