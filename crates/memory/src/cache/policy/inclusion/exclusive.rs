//! A sector is in the upper cache or in the lower one, never in both (\[Lakshminarayana14\] section 4.4.2 and
//! figure 20): what DRAM returns passes to the upper cache only, the upper cache's victims are inserted in the
//! lower one, and a hit there moves the sectors up.
//!
//! What the text leaves open: sectors that are dirty in the lower cache when they move up are written below
//! first, as the upper cache holds no dirty global data; atomics are performed in the lower cache, so what they
//! fetch is kept there; a line that a store or an atomic evicts from the upper cache is not given to the lower
//! one, as its data has just been overwritten below.

use super::super::{BypassKind, CoreTables, Policy, Visit};
use super::{AfterHit, Fetched, Hit, HitLine, InclusionPolicy, OnFetch};
use crate::cache::spec::CacheSpec;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Exclusive;

impl Policy for Exclusive {
    type Spec = ();

    fn new(_: &(), _: u32) -> Exclusive {
        Exclusive
    }

    fn check_cache(cache: &CacheSpec) -> Result<(), (&'static str, String)> {
        if cache.bypass != BypassKind::Never {
            let problem = "exclusion (inclusion = \"exclusive\") already keeps fills out; use \"never\"";
            return Err(("bypass", problem.to_string()));
        }
        if cache.victim_lines > 0 {
            let problem = "an exclusive cache is the victim cache of the level above; use 0 here";
            return Err(("victim_lines", problem.to_string()));
        }
        Ok(())
    }
}

impl InclusionPolicy for Exclusive {
    const MOVES_LINES: bool = true;

    #[inline(always)]
    fn hit(&mut self, _: &Visit, _: HitLine, _: &mut CoreTables) -> Hit {
        Hit { after: AfterHit::MoveUp, line_bits: 0, reply_bits: 0 }
    }

    #[inline(always)]
    fn on_fetch(&mut self, _: &Visit, _: &mut CoreTables) -> Fetched {
        Fetched { then: OnFetch::PassUp, policy_bits: 0 }
    }

    #[inline(always)]
    fn after_fill(&self) -> AfterHit {
        AfterHit::MoveUp
    }
}
