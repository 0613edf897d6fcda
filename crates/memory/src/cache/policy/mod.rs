//! The decisions of a cache, one family per folder, and the registry of all policies.
//!
//! A policy decides, the cache acts: policies are given plain data (`context`), keep tables of their own by dense
//! numbers, and touch neither time nor counters. A family is an enum over its policies, so that a decision is a branch
//! that the processor predicts.
//!
//! A new policy is a file in its family's folder with its parameters, their checks, its decisions and its cost, and
//! below its line, which declares the module as well: variant, name in machine files, file and type in it, and the type
//! of its parameters if it has some. What a user switches on is a mechanism, a file in `machines/mechanisms`.

#[macro_use]
mod families;
mod context;
mod cost;
mod parameters;
mod place;
pub(super) mod replacement;
mod shared;
mod tables;
#[cfg(test)]
mod worked;

policies! { $
    /// Which level may hold what the other holds.
    mod inclusion {
        mod family;
        pub(super) mod region_table;
        pub use family::{AfterHit, Fetched, Hit, HitLine, InclusionPolicy, OnFetch};
    }
    Inclusion, InclusionKind, each_inclusion {
        /// Both are filled, each evicts on its own.
        NonInclusive = "non-inclusive" => non_inclusive::NonInclusive;
        /// Fills go to the upper cache only, its victims to the lower; a hit in the lower one moves the line up.
        Exclusive = "exclusive" => exclusive::Exclusive;
        /// Exclusive for allocations that cores reuse by themselves, non-inclusive for all others (R-EX).
        RegionExclusive = "r-ex" => rex::Rex, RexSpec;
        /// Exclusive or non-inclusive, whichever misses less in sets that always do the one or the other (Flexclusion).
        Flexclusion = "flexclusion" => flexclusion::Flexclusion, FlexclusionSpec;
        /// Allocations without shared reuse bypass the lower cache, and those that cores reuse by themselves are copied
        /// back there (B+C).
        BypassCopyback = "bc" => bc::BypassCopyback, BcSpec;
    }

    /// Which fills bypass the cache: they are not inserted.
    mod bypass {
        mod family;
        pub(super) mod pc_table;
        pub use family::{BypassPolicy, DecisionCounters};
    }
    Bypass, BypassKind, each_bypass {
        /// None does.
        Never = "never" => never::Never;
        /// The optimal bypass monitor.
        Obm = "obm" => obm::Obm, ObmSpec;
        /// Blocks of memory that is accessed less often than that of their victims, by a memory address table.
        Mat = "mat" => mat::Mat, MatSpec;
        /// As many of a set's as it has learned to be right (adaptive bypass).
        Ab = "ab" => ab::Ab, AbSpec;
        /// Blocks of instructions whose blocks give no hits: what B+C does at L1.
        PcReuse = "pc-reuse" => pc_reuse::PcReuse, PcReuseSpec;
        /// Those that are used later than what they would evict, from a recorded run.
        Oracle = "oracle" => oracle::OptimalBypass;
    }

    /// How much of a line is fetched.
    mod granularity {
        mod family;
        pub(super) use family::needs_sectors;
        pub use family::{GranularityPolicy, Lack};
        #[cfg(test)]
        use family::lack_of;
    }
    Granularity, GranularityKind, each_granularity {
        /// All of it.
        Line = "line" => line::WholeLine;
        /// The sectors that are asked for.
        Sector = "sector" => sector::SectorsAsked;
        /// Those, and neighbours that the instruction has been seen to use (NAP).
        Nap = "nap" => nap::Nap, NapSpec;
        /// Those, and what was used of the last line that the instruction began with the same sector (SPP).
        Spp = "spp" => spp::Spp, SppSpec;
        /// Those, or the whole line where lines like it were used in more than a part (BIM).
        Bim = "bim" => bim::Bim, BimSpec;
        /// The sectors that are used before the line leaves, from a recorded run.
        Oracle = "oracle" => oracle::OptimalSectors;
    }

    /// What is prefetched.
    mod prefetch {
        mod family;
        pub use family::{PrefetchPolicy, Wish};
    }
    Prefetcher, PrefetchKind, each_prefetcher {
        /// Nothing.
        None = "none" => none::NoPrefetch;
        /// The next address of a load with a constant stride, by a reference prediction table.
        Stride = "stride" => stride::Stride, StrideSpec;
        /// The lines that followed the same distances before, by a global history buffer.
        Ghb = "ghb" => ghb::Ghb, GhbSpec;
        /// The next lines of streams of lines that are read upwards or downwards.
        Stream = "stream" => stream::Stream, StreamSpec;
    }
}

pub use context::{
    ADDRESS_BITS, Block, Departure, Fill, Met, Neighbour, Policy, SetNumbers, Storage, Surroundings, Visit,
    Wants, Why,
};
pub use cost::PolicyBits;
pub use parameters::{Limit, Parameters, ROWS_MAX};
pub use tables::CoreTables;
