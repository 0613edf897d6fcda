//! The best bypass: a fill passes if what it would evict is used before it (\[Belady66\]), as a recorded run tells
//! (`foresight`). No hardware can have it; it shows what bypassing could give.
//!
//! With the replacement policy `oracle` this is the optimal choice among all lines of the set and the one that comes.
//! In the run that records, nothing passes.

use super::super::{Block, CoreTables, Policy, Visit, Wants};
use super::BypassPolicy;
use crate::cache::foresight::{Future, Oracle};
use std::sync::Arc;

#[derive(Clone, Debug)]
pub(crate) struct OptimalBypass {
    oracle: Option<Oracle>,
}

impl Policy for OptimalBypass {
    type Spec = ();

    const WANTS: Wants = Wants { visits: true, ..Wants::NOTHING };

    fn new(_: &(), _: u32) -> OptimalBypass {
        OptimalBypass { oracle: None }
    }

    fn visited(&mut self, visit: &Visit, _: &mut CoreTables) {
        if let Some(oracle) = &mut self.oracle {
            oracle.visited(visit.line);
        }
    }

    fn foresee(&mut self, future: &Arc<Future>) {
        self.oracle = Some(Oracle::new(future));
    }
}

impl BypassPolicy for OptimalBypass {
    fn passes(&mut self, incoming: &Block, victim: &Block, _: &mut CoreTables) -> bool {
        let Some(oracle) = &self.oracle else { return false };
        oracle.next_use(incoming.line) > oracle.next_use(victim.line)
    }
}
