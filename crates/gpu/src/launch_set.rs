//! Which launches of a run are simulated in time.

use std::ops::Range;

/// Numbers of launches, from 0.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LaunchSet {
    /// In ascending order, none of them empty.
    ranges: Vec<Range<u64>>,
}

impl LaunchSet {
    /// Whether a launch is among them.
    pub fn contains(&self, launch: u64) -> bool {
        self.ranges.iter().any(|range| range.contains(&launch))
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.ranges.is_empty()
    }
}

impl From<Range<u64>> for LaunchSet {
    fn from(range: Range<u64>) -> LaunchSet {
        LaunchSet::from_iter([range])
    }
}

impl FromIterator<Range<u64>> for LaunchSet {
    fn from_iter<I: IntoIterator<Item = Range<u64>>>(ranges: I) -> LaunchSet {
        let mut ranges: Vec<_> = ranges.into_iter().filter(|range| !range.is_empty()).collect();
        ranges.sort_by_key(|range| range.start);
        LaunchSet { ranges }
    }
}

impl FromIterator<u64> for LaunchSet {
    fn from_iter<I: IntoIterator<Item = u64>>(launches: I) -> LaunchSet {
        launches.into_iter().map(|launch| launch..launch + 1).collect()
    }
}
