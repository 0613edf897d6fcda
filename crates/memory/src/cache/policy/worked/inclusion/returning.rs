//! The lower cache keeps what it fetches for cores that have come back to lines here often enough: an inclusion policy with
//! parameters, and a table of each core that it makes itself.

use super::super::{CoreTables, Limit, Parameters, Policy, Visit};
use super::{AfterHit, Fetched, Hit, HitLine, InclusionPolicy, OnFetch};
use serde::{Deserialize, Serialize};

/// The keys of `[policies.returning]`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ReturningSpec {
    /// Hits of a core from which on its lines are kept.
    pub hits: u32,
}

impl Default for ReturningSpec {
    fn default() -> ReturningSpec {
        ReturningSpec { hits: 2 }
    }
}

impl Parameters for ReturningSpec {
    fn limits(&self) -> Vec<Limit> {
        vec![("hits", self.hits, 1, 255)]
    }

    fn rows(&self) -> Vec<(&'static str, u32)> {
        Vec::new()
    }
}

/// Hits of a core.
#[derive(Clone, Debug, Default)]
struct Hits(u32);

#[derive(Clone, Debug)]
pub(crate) struct Returning {
    hits: u32,
}

impl Policy for Returning {
    type Spec = ReturningSpec;

    const SHARES: Option<&'static str> = Some("the hits of cores");

    fn new(spec: &ReturningSpec, _: u32) -> Returning {
        Returning { hits: spec.hits }
    }

    fn share(_: &ReturningSpec, cores: u32, tables: &mut CoreTables) {
        tables.share_by_core(Hits::default(), cores);
    }

    fn bits_of_core(&self) -> u64 {
        8
    }
}

impl InclusionPolicy for Returning {
    const MOVES_LINES: bool = true;

    fn hit(&mut self, visit: &Visit, _: HitLine, tables: &mut CoreTables) -> Hit {
        if let Some(Hits(hits)) = tables.of_core_mut(visit.core) {
            *hits += 1;
        }
        Hit { after: AfterHit::Keep, line_bits: 0, reply_bits: 0 }
    }

    fn on_fetch(&mut self, visit: &Visit, tables: &mut CoreTables) -> Fetched {
        let returns = tables.of_core(visit.core).is_some_and(|Hits(hits)| *hits >= self.hits);
        Fetched { then: if returns { OnFetch::Keep } else { OnFetch::PassUp }, policy_bits: 0 }
    }
}
