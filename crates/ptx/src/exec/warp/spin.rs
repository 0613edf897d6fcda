//! Notices that a group repeats itself: the same stack, registers, predicates and local memory as before, while
//! nothing changed in memory that others write, it passed no barrier and did not read the clock.
//!
//! Such a group will do the same for ever unless something else changes memory, so that it need not run until
//! then. States are compared only at backward branches, every few of them, and only while memory does not
//! change; a state is remembered at the first, second, fourth … comparison, which finds any period (Brent,
//! "An improved Monte Carlo factorization algorithm").

use super::{Entry, Warp};
use crate::exec::lanes::Mask;

/// States with more local memory than this are not compared.
pub(super) const LOCAL_COMPARED: usize = 1 << 20;

/// What is remembered of a group.
#[derive(Clone, Debug, Default)]
pub(crate) struct Watch {
    /// The changes of memory when it was last looked at.
    changes: u64,
    /// Comparisons since memory changed.
    checks: u32,
    /// Instructions of the warp when the stack last lost an entry.
    pub(crate) since: u64,
    remembered: Option<Box<Remembered>>,
}

#[derive(Clone, Debug, Default)]
struct Remembered {
    stack: Vec<Entry>,
    narrow: Vec<u64>,
    wide: Vec<u64>,
    predicates: Vec<Mask>,
    local: Vec<u8>,
}

impl Watch {
    /// Starts anew.
    pub(crate) fn reset(&mut self) {
        self.checks = 0;
        self.since = 0;
    }

    /// The group took part in something that is no change of memory: it passed a barrier, or read the clock. What
    /// it was before does not tell any more what it will be.
    pub(crate) fn forget(&mut self) {
        self.checks = 0;
    }

    /// Looks at a group with this stack; true if it is in a state in which it was before and memory is as it
    /// was then.
    pub(super) fn repeats(&mut self, warp: &Warp, stack: &[Entry], changes: u64) -> bool {
        if self.changes != changes {
            self.changes = changes;
            self.checks = 0;
            return false;
        }
        if warp.local.bytes.len() > LOCAL_COMPARED {
            return false;
        }
        if self.checks > 0
            && let Some(old) = &self.remembered
            && old.stack == stack
            && old.predicates[..] == warp.predicates[..]
            && old.narrow == warp.narrow
            && old.wide == warp.wide
            && old.local == warp.local.bytes
        {
            return true;
        }
        self.checks += 1;
        if self.checks.is_power_of_two() {
            let new = self.remembered.get_or_insert_default();
            new.stack.clear();
            new.stack.extend_from_slice(stack);
            new.narrow.clone_from(&warp.narrow);
            new.wide.clone_from(&warp.wide);
            warp.predicates.as_slice().clone_into(&mut new.predicates);
            new.local.clone_from(&warp.local.bytes);
        }
        false
    }
}
