//! A cache without any notion of time: tags, outstanding misses, and the policies that decide.
//!
//! Whoever owns a cache asks it with [`Cache::access`], carries out what it answers, and gives it back what
//! arrives from below with [`Cache::fill`].

mod spec;

pub use spec::{
    Allocate, BypassKind, CacheSpec, GranularityKind, InclusionKind, IndexKind, PrefetchKind,
    ReplacementKind, WriteHit, WriteMiss,
};
