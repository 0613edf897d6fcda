//! The prefetch distance of a loop invocation (\[Lakshminarayana14\] section 3.3.2.3, listing 1):
//!
//! ```text
//! if   avg_iter_count < MID  then pref_distance = low     MID = 4, low  = 1
//! elif avg_iter_count < HIGH then pref_distance = med     HIGH = 6, med = 2
//! else                            pref_distance = high    high = 3
//! ```
//!
//! It is reduced until the spare registers suffice: a load takes one for each iteration of the distance.

/// The longest distance, and so the entries of an `AllocatedReg` list.
pub(super) const LONGEST: u32 = 3;

const MID: u32 = 4;
const HIGH: u32 = 6;
const LOW_DISTANCE: u32 = 1;
const MEDIUM_DISTANCE: u32 = 2;

/// How a mechanism chooses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Distance {
    /// Always one.
    One,
    /// By the average number of iterations that threads have to go.
    Dynamic,
}

impl Distance {
    /// The longest that it chooses.
    pub(super) fn longest(self) -> u32 {
        match self {
            Distance::One => 1,
            Distance::Dynamic => LONGEST,
        }
    }

    /// Of an invocation whose `threads` have `iterations` to go together, where registers allow at most `most`.
    pub(super) fn of(self, iterations: u32, threads: u32, most: u32) -> u32 {
        let wanted = match self {
            Distance::One => 1,
            Distance::Dynamic if iterations < MID * threads => LOW_DISTANCE,
            Distance::Dynamic if iterations < HIGH * threads => MEDIUM_DISTANCE,
            Distance::Dynamic => LONGEST,
        };
        wanted.min(most)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn listing_1_step_by_step() {
        let of_average = |average: u32| Distance::Dynamic.of(average * 8, 8, LONGEST);
        assert_eq!([1, 3, 4, 5, 6, 15].map(of_average), [1, 1, 2, 2, 3, 3]);
        assert_eq!(Distance::Dynamic.of(31, 8, LONGEST), 1, "just below four");
        assert_eq!(Distance::Dynamic.of(47, 8, LONGEST), 2, "just below six");
        assert_eq!(Distance::One.of(15, 1, LONGEST), 1);
    }

    #[test]
    fn registers_bound_it() {
        assert_eq!(Distance::Dynamic.of(15, 1, 2), 2);
        assert_eq!(Distance::Dynamic.of(15, 1, 1), 1);
    }
}
