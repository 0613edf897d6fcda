//! The best granularity: a miss fetches the sectors that are used before the line leaves, and no others, as a recorded run
//! tells (`foresight`). No hardware can have it; it shows what fetching parts of lines could give.
//!
//! Where a line left in the run that was recorded ends what its misses fetch for; it may stay longer or shorter now. In the
//! run that records, misses fetch what they are asked for, so that the level below records what is used and not what is fetched.

use super::super::{CoreTables, Policy, Visit, Wants};
use super::{GranularityPolicy, Lack, needs_sectors};
use crate::cache::foresight::{Future, Oracle};
use crate::cache::spec::CacheSpec;
use crate::request::Sectors;
use std::sync::Arc;

#[derive(Clone, Debug)]
pub(crate) struct OptimalSectors {
    oracle: Option<Oracle>,
}

impl Policy for OptimalSectors {
    type Spec = ();

    const WANTS: Wants = Wants { visits: true, departures: true, ..Wants::NOTHING };

    fn new(_: &(), _: u32) -> OptimalSectors {
        OptimalSectors { oracle: None }
    }

    fn check_cache(cache: &CacheSpec) -> Result<(), (&'static str, String)> {
        needs_sectors(cache)
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

impl GranularityPolicy for OptimalSectors {
    fn fetch(&mut self, lack: &Lack, _: &mut CoreTables) -> Sectors {
        match &self.oracle {
            Some(oracle) => Sectors(oracle.until_departure(lack.line).0 & lack.all.0).or(lack.missing),
            None => lack.missing,
        }
    }
}
