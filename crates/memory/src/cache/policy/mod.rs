//! The decisions of a cache, one family per folder, and the registry of all policies.
//!
//! A policy decides, the cache acts: policies are given plain data (`context`), keep tables of their own by dense
//! numbers, and touch neither time nor counters. A family is an enum over its policies, so that a decision is a branch
//! that the processor predicts.
//!
//! A new policy is a file in its family's folder with its parameters, their checks, its decisions and its cost, and
//! below its module and its line; what a user switches on is a mechanism, a file in `machines/mechanisms`.

#[macro_use]
mod families;
mod context;
mod cost;
mod parameters;
pub(super) mod replacement;
mod tables;

policies! { $
    /// Which level may hold what the other holds.
    Inclusion, InclusionKind, each_inclusion {
        /// Both are filled, each evicts on its own.
        NonInclusive = "non-inclusive" => inclusion::non_inclusive::NonInclusive;
        /// Fills go to the upper cache only, its victims to the lower; a hit in the lower one moves the line up.
        Exclusive = "exclusive" => inclusion::exclusive::Exclusive;
        /// Exclusive for allocations that cores reuse by themselves, non-inclusive for all others (R-EX).
        RegionExclusive = "r-ex" => inclusion::rex::Rex, rex: RexSpec;
    }

    /// Which fills bypass the cache: they are not inserted.
    Bypass, BypassKind, each_bypass {
        /// None does.
        Never = "never" => bypass::never::Never;
        /// The optimal bypass monitor.
        Obm = "obm" => bypass::obm::Obm, obm: ObmSpec;
    }

    /// How much of a line is fetched.
    Granularity, GranularityKind, each_granularity {
        /// All of it.
        Line = "line" => granularity::line::WholeLine;
        /// The sectors that are asked for.
        Sector = "sector" => granularity::sector::SectorsAsked;
        /// Those, and neighbours that the instruction has been seen to use (NAP).
        Nap = "nap" => granularity::nap::Nap, nap: NapSpec;
    }

    /// What is prefetched.
    Prefetcher, PrefetchKind, each_prefetcher {
        /// Nothing.
        None = "none" => prefetch::none::NoPrefetch;
        /// The next address of a load with a constant stride, by a reference prediction table.
        Stride = "stride" => prefetch::stride::Stride, stride: StrideSpec;
        /// The lines that followed the same distances before, by a global history buffer.
        Ghb = "ghb" => prefetch::ghb::Ghb, ghb: GhbSpec;
    }
}

/// Which of two levels holds a line.
pub mod inclusion {
    pub(super) mod exclusive;
    mod family;
    pub(super) mod non_inclusive;
    pub(super) mod region_table;
    pub(super) mod rex;
    pub use family::{AfterHit, Fetched, Hit, HitLine, InclusionPolicy, OnFetch};
}

/// Which fills are not inserted.
pub mod bypass {
    mod family;
    pub(super) mod never;
    pub(super) mod obm;
    pub use family::BypassPolicy;
}

/// How much of a line a miss fetches.
pub mod granularity {
    mod family;
    pub(super) mod line;
    pub(super) mod nap;
    pub(super) mod sector;
    pub(super) use family::needs_sectors;
    pub use family::{GranularityPolicy, Lack};
}

/// What is fetched before it is asked for.
pub mod prefetch {
    mod family;
    pub(super) mod ghb;
    pub(super) mod none;
    pub(super) mod stride;
    pub use family::PrefetchPolicy;
}

pub use bypass::obm::ObmSpec;
pub use context::{Block, Departure, Fill, Met, Policy, Storage, Visit, Wants, Why};
pub use cost::PolicyBits;
pub use granularity::nap::NapSpec;
pub use inclusion::region_table::RexSpec;
pub use parameters::{Limit, Parameters, ROWS_MAX};
pub use prefetch::ghb::GhbSpec;
pub use prefetch::stride::StrideSpec;
pub use tables::CoreTables;
