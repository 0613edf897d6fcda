//! Replacement: which line of a full set is the victim.
//!
//! The cache tells when the line in a place is touched and when a place gets a new line, and asks for one of the
//! places of a set, the victim's. Empty places come before all others.

use crate::cache::foresight::Future;
use crate::request::LineAddress;
use heddle_engine::fetch_ahead;
use std::ops::Range;
use std::sync::Arc;

/// Makes, of a line per policy, its module, the names that machine files use, and an enum over all policies that hands
/// on what each of them does.
macro_rules! replacements {
    ($($(#[$meta:meta])* $variant:ident = $name:literal => $file:ident::$policy:ident;)*) => {
        $(mod $file;)*

        $crate::choices::choices! {
            /// Which line of a full set is the victim.
            ReplacementKind { $($(#[$meta])* $variant = $name,)* }
        }

        /// A replacement policy.
        #[derive(Clone, Debug)]
        pub(crate) enum Replacement { $($variant($file::$policy),)* }

        impl Replacement {
            pub(crate) fn new(kind: ReplacementKind, places: usize) -> Replacement {
                match kind { $(ReplacementKind::$variant => Replacement::$variant($file::$policy::new(places)),)* }
            }

            /// The line in this place was touched.
            #[inline(always)]
            pub(crate) fn touch(&mut self, place: u32) {
                match self { $(Replacement::$variant(policy) => policy.touch(place),)* }
            }

            /// This place got a new line.
            #[inline(always)]
            pub(crate) fn insert(&mut self, place: u32, line: LineAddress) {
                match self { $(Replacement::$variant(policy) => policy.insert(place, line),)* }
            }

            /// A line of a set, which is at these places, was visited, whether it was there or not.
            #[inline(always)]
            pub(crate) fn visited(&mut self, set: Range<u32>, line: LineAddress) {
                match self { $(Replacement::$variant(policy) => policy.visited(set, line),)* }
            }

            /// What the cache will be asked from now on.
            pub(crate) fn foresee(&mut self, future: &Arc<Future>) {
                match self { $(Replacement::$variant(policy) => policy.foresee(future),)* }
            }

            /// The line of this place was invalidated: the place is the next to be used.
            pub(crate) fn clear(&mut self, place: u32) {
                match self { $(Replacement::$variant(policy) => policy.clear(place),)* }
            }

            /// By place: the line with the least is evicted first; 0 if the place is empty.
            #[inline(always)]
            fn stamps(&self) -> &[u64] {
                match self { $(Replacement::$variant(policy) => policy.stamps(),)* }
            }

            /// Its cost in bits.
            pub(crate) fn bits(&self, sets: u32, ways: u32) -> u64 {
                let bits_of_way = u64::from(ways.next_power_of_two().ilog2());
                u64::from(sets) * match self {
                    $(Replacement::$variant(_) => $file::$policy::bits_of_set(u64::from(ways), bits_of_way),)*
                }
            }
        }
    };
}

replacements! {
    /// The least recently used.
    Lru = "lru" => lru::Lru;
    /// The one that came first.
    Fifo = "fifo" => fifo::Fifo;
    /// The one that is used last, or never again: Belady's choice, from a recorded run.
    Oracle = "oracle" => oracle::OptimalReplacement;
}

impl Replacement {
    /// The victim among the `ways` places from `first` on, of those that may be evicted; the first empty one if there
    /// is any.
    #[inline(always)]
    pub(crate) fn victim(&self, first: u32, ways: u32, may: impl Fn(u32) -> bool) -> Option<u32> {
        let stamps = self.stamps();
        let (mut best, mut least) = (first, u64::MAX);
        for (&stamp, place) in stamps[first as usize..(first + ways) as usize].iter().zip(first..) {
            if stamp < least && may(place) {
                (best, least) = (place, stamp);
            }
        }
        // No stamp gets as large as this.
        (least != u64::MAX).then_some(best)
    }

    /// A set whose first place is this one will be asked for soon.
    #[inline(always)]
    pub(crate) fn fetch_ahead(&self, first: u32) {
        fetch_ahead(self.stamps(), first as usize);
    }
}
