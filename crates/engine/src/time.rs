//! Ticks and cycles.
//!
//! The tick of a machine is one over the least common multiple of its frequencies, so that every edge of every
//! clock falls on a whole tick: 700 and 924 MHz have periods of 33 and 25 ticks of 1/23.1 ns. No crossing
//! between domains ever rounds.

use crate::divisor::Divisor;
use crate::units::Frequency;
use thiserror::Error;

/// A point in time, in ticks since the machine was made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Tick(pub u64);

/// A point in time or a duration, in cycles of one clock domain.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cycle(pub u64);

impl std::ops::Add<u64> for Cycle {
    type Output = Cycle;

    #[inline(always)]
    fn add(self, cycles: u64) -> Cycle {
        Cycle(self.0 + cycles)
    }
}

impl std::ops::Sub for Cycle {
    type Output = u64;

    /// The cycles between two points; the earlier one must not be the left one.
    #[inline(always)]
    fn sub(self, earlier: Cycle) -> u64 {
        self.0 - earlier.0
    }
}

/// One clock domain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    /// Ticks of one cycle.
    period: Divisor,
}

impl Clock {
    /// A clock whose cycle is so many ticks.
    pub fn with_period(ticks: u64) -> Clock {
        Clock { period: Divisor::new(ticks) }
    }

    /// Ticks of one cycle.
    #[inline(always)]
    pub fn period(self) -> u64 {
        self.period.get()
    }

    /// When a cycle begins.
    #[inline(always)]
    pub fn start_of(self, cycle: Cycle) -> Tick {
        Tick(cycle.0 * self.period())
    }

    /// The first cycle that begins at this time or later.
    #[inline(always)]
    pub fn at_or_after(self, tick: Tick) -> Cycle {
        let (cycles, beyond) = self.period.divide(tick.0);
        Cycle(cycles + u64::from(beyond > 0))
    }

    /// The first edge at this time or later.
    #[inline(always)]
    pub fn edge(self, tick: Tick) -> Tick {
        self.start_of(self.at_or_after(tick))
    }

    /// The cycle that this time is in.
    #[inline(always)]
    pub fn during(self, tick: Tick) -> Cycle {
        Cycle(self.period.divide(tick.0).0)
    }

    /// So many cycles, in ticks.
    #[inline(always)]
    pub fn ticks(self, cycles: u64) -> u64 {
        cycles * self.period()
    }
}

/// The tick of a machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeBase {
    ticks_per_second: u64,
}

/// Most ticks per second: leaves room for two days of simulated time in 64 bits, and for sums of waiting times.
const FASTEST: u64 = 100_000_000_000_000;

/// Frequencies that cannot be one machine's.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum TimeError {
    /// A clock that stands still.
    #[error("a frequency of 0 Hz: the clock would stand still")]
    Zero,
    /// The common multiple is too large.
    #[error("{second} has no common tick of at least 0.01 ps with {first}: round them to multiples of 5 MHz")]
    NoCommonTick {
        /// The frequencies before, in words.
        first: String,
        /// The one that does not fit.
        second: Frequency,
    },
}

impl TimeBase {
    /// The tick that divides the periods of all these frequencies.
    pub fn common(frequencies: &[Frequency]) -> Result<TimeBase, TimeError> {
        let mut common = 1u64;
        for (number, &frequency) in frequencies.iter().enumerate() {
            let hertz = frequency.hertz();
            if hertz == 0 {
                return Err(TimeError::Zero);
            }
            let multiple = u128::from(common) / u128::from(gcd(common, hertz)) * u128::from(hertz);
            common =
                u64::try_from(multiple).ok().filter(|&multiple| multiple <= FASTEST).ok_or_else(|| {
                    TimeError::NoCommonTick { first: in_words(&frequencies[..number]), second: frequency }
                })?;
        }
        Ok(TimeBase { ticks_per_second: common })
    }

    /// The clock of a frequency; it must be one that the base was made for.
    pub fn clock(self, frequency: Frequency) -> Clock {
        Clock::with_period(self.ticks_per_second / frequency.hertz().max(1))
    }

    /// Ticks of one second.
    pub fn ticks_per_second(self) -> u64 {
        self.ticks_per_second
    }

    /// A time in seconds.
    pub fn seconds(self, tick: Tick) -> f64 {
        tick.0 as f64 / self.ticks_per_second as f64
    }
}

/// Each frequency once.
fn in_words(frequencies: &[Frequency]) -> String {
    let mut words: Vec<String> = frequencies.iter().map(Frequency::to_string).collect();
    words.dedup();
    words.join(" and ")
}

fn gcd(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

#[cfg(test)]
mod tests {
    use super::*;

    fn megahertz(value: u64) -> Frequency {
        Frequency::from_hertz(value * 1_000_000)
    }

    #[test]
    fn clocks_that_are_not_whole_picoseconds_cross_exactly() {
        let base = TimeBase::common(&[megahertz(700), megahertz(924)]).unwrap();
        let (core, dram) = (base.clock(megahertz(700)), base.clock(megahertz(924)));
        assert_eq!((core.period(), dram.period()), (33, 25));
        // After a second, both have counted their frequency.
        assert_eq!(core.start_of(Cycle(700_000_000)), dram.start_of(Cycle(924_000_000)));
        assert_eq!(dram.at_or_after(core.start_of(Cycle(1))), Cycle(2));
        assert_eq!(dram.at_or_after(Tick(25)), Cycle(1));
        assert_eq!(dram.at_or_after(Tick(26)), Cycle(2));
        assert_eq!(dram.during(Tick(49)), Cycle(1));
    }

    #[test]
    fn cycles_are_those_of_a_division_up_to_the_end_of_time() {
        for period in [1, 2, 3, 25, 33, 4096, 1_000_003, u64::MAX / 2, u64::MAX] {
            let clock = Clock::with_period(period);
            let near = |around: u64| (around.saturating_sub(2)..=around.saturating_add(2)).map(Tick);
            let edges = [1, 7, 1 << 20, u64::MAX / period].map(|cycles| period.saturating_mul(cycles));
            for tick in edges.into_iter().chain([0, u64::MAX]).flat_map(near) {
                assert_eq!(clock.during(tick).0, tick.0 / period, "{tick:?} by {period}");
                assert_eq!(clock.at_or_after(tick).0, tick.0.div_ceil(period), "{tick:?} by {period}");
            }
        }
    }

    #[test]
    fn clocks_that_stand_still_or_have_no_common_tick_are_refused() {
        assert_eq!(TimeBase::common(&[Frequency::from_hertz(0)]), Err(TimeError::Zero));
        let odd = [Frequency::from_hertz(999_999_937), Frequency::from_hertz(999_999_893)];
        assert!(matches!(TimeBase::common(&odd), Err(TimeError::NoCommonTick { .. })));
        // Whole megahertz of odd values are no problem yet.
        let base = TimeBase::common(&[megahertz(1401), megahertz(700), megahertz(924)]).unwrap();
        assert_eq!(base.clock(megahertz(1401)).period(), 7700);
        let many = [megahertz(700), megahertz(700), megahertz(1009), megahertz(1013)];
        let error = TimeBase::common(&many).unwrap_err().to_string();
        assert!(
            error.starts_with("1.013GHz has no common tick") && error.contains("700MHz and 1.009GHz"),
            "{error}"
        );
    }
}
