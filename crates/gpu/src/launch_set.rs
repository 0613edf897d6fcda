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

    /// The first launch of a range that begins behind the last of so many; none where every range has one of them.
    pub fn beyond(&self, launches: u64) -> Option<u64> {
        self.ranges.iter().map(|range| range.start).find(|&first| first >= launches)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_that_begins_behind_the_last_launch_is_seen() {
        let set: LaunchSet = [6..7, 8..12, 2..u64::MAX].into_iter().collect();
        assert_eq!((set.beyond(8), set.beyond(9), set.beyond(2)), (Some(8), None, Some(2)));
    }
}
