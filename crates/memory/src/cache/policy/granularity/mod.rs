//! How much of a line a miss fetches.

mod line;
mod sector;

use crate::cache::spec::GranularityKind;
use crate::request::Sectors;

/// A granularity policy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Granularity {
    Line(line::WholeLine),
    Sector(sector::SectorsAsked),
}

impl Granularity {
    pub(crate) fn new(kind: GranularityKind) -> Granularity {
        match kind {
            GranularityKind::Line => Granularity::Line(line::WholeLine),
            GranularityKind::Sector => Granularity::Sector(sector::SectorsAsked),
        }
    }

    /// What to fetch of a line of sectors `all` for a request that lacks `missing`; the cache leaves out what it
    /// has already.
    #[inline(always)]
    pub(crate) fn fetch(self, missing: Sectors, all: Sectors) -> Sectors {
        match self {
            Granularity::Line(policy) => policy.fetch(all),
            Granularity::Sector(policy) => policy.fetch(missing),
        }
    }
}
