//! When cores have something to do next.

use heddle_memory::CoreId;

/// The next cycle of a core that sleeps.
pub(crate) const ASLEEP: u64 = u64::MAX;

/// By core: the next cycle in which there is something to do, [`ASLEEP`] for those that wait to be woken.
#[derive(Debug)]
pub(crate) struct Wakes {
    at: Vec<u64>,
    /// The first of all, or an earlier cycle while cores act.
    first: u64,
}

impl Wakes {
    /// All cores sleep.
    pub(crate) fn new(cores: usize) -> Wakes {
        Wakes { at: vec![ASLEEP; cores], first: ASLEEP }
    }

    /// Puts all cores to sleep.
    pub(crate) fn clear(&mut self) {
        self.at.fill(ASLEEP);
        self.first = ASLEEP;
    }

    /// When a core has something to do next.
    #[inline(always)]
    pub(crate) fn of(&self, core: CoreId) -> u64 {
        self.at[core.index()]
    }

    /// When a core has something to do next, now that it has acted.
    #[inline(always)]
    pub(crate) fn set(&mut self, core: CoreId, cycle: u64) {
        self.at[core.index()] = cycle;
    }

    /// Wakes a core for a cycle.
    #[inline(always)]
    pub(crate) fn wake(&mut self, core: CoreId, cycle: u64) {
        let next = &mut self.at[core.index()];
        *next = cycle.min(*next);
        self.first = self.first.min(cycle);
    }

    /// All cores have had their turn: this is the first of their next cycles.
    #[inline(always)]
    pub(crate) fn passed(&mut self, first: u64) {
        self.first = first;
    }

    /// The next cycle in which a core has something to do.
    #[inline(always)]
    pub(crate) fn first(&self) -> u64 {
        self.first
    }
}
