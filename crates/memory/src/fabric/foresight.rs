//! Runs that record what caches are asked, and runs that foresee it: see `cache/foresight`.

use super::Fabric;
use super::spec::FabricSpec;
use crate::cache::{Budget, Foresight, LaunchFutures};
use std::sync::Arc;

/// What a memory system does for policies that decide by a recorded run.
#[derive(Clone, Debug, Default)]
pub(super) enum Seeing {
    /// Nothing: it has no such policies.
    #[default]
    Nothing,
    /// Records, for a run after this one.
    Records(Budget),
    /// Foresees what was recorded, launch by launch.
    Foresees {
        /// Of all launches.
        foresight: Arc<Foresight>,
        /// The next of them.
        launch: usize,
    },
}

impl FabricSpec {
    /// Whether a policy of one of its caches decides by what a recorded run tells.
    pub fn foresees(&self) -> bool {
        self.caches.iter().any(|level| level.slice().foresees())
    }
}

impl Fabric {
    /// From now on every launch is recorded.
    pub fn record(&mut self) {
        self.seeing = Seeing::Records(Budget::new());
    }

    /// From now on every launch foresees what was recorded of it.
    pub fn foresee(&mut self, foresight: Arc<Foresight>) {
        self.seeing = Seeing::Foresees { foresight, launch: 0 };
    }

    /// Goes on recording, or foreseeing, behind the launches of a memory system whose place this one takes.
    pub fn continue_seeing(&mut self, before: &mut Fabric) {
        self.seeing = std::mem::take(&mut before.seeing);
    }

    /// A launch has begun: caches whose policies decide by it are recorded, or get to know what comes.
    pub(super) fn see_launch(&mut self) {
        let foresees = |node: usize| {
            let level = self.nodes[node].level;
            self.levels[level.index()].spec.slice().foresees()
        };
        match &mut self.seeing {
            Seeing::Nothing => {}
            Seeing::Records(budget) => {
                let budget = budget.clone();
                let seeing: Vec<usize> = (0..self.nodes.len()).filter(|&node| foresees(node)).collect();
                seeing.into_iter().for_each(|node| self.nodes[node].cache.record(&budget));
            }
            Seeing::Foresees { foresight, launch } => {
                let futures = foresight.launches.get(*launch).into_iter().flatten();
                for (node, future) in self.nodes.iter_mut().zip(futures) {
                    if let Some(future) = future {
                        node.cache.foresee(future);
                    }
                }
                *launch += 1;
            }
        }
    }

    /// What was recorded of the launch that has ended, and whether there was room for all of it; nothing if nothing is
    /// recorded.
    pub fn take_recorded(&mut self) -> Option<(LaunchFutures, bool)> {
        let Seeing::Records(budget) = &self.seeing else { return None };
        let is_whole = budget.is_left();
        let futures = self.nodes.iter_mut().map(|node| node.cache.take_recorded().map(Arc::new));
        Some((futures.collect(), is_whole))
    }
}
