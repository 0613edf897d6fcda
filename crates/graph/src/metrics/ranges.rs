//! Vertices cut into ranges of about equal work, for threads to share.
//!
//! The cuts depend on the graph alone. A vertex is never divided, so one hub is one thread's work.

use crate::csr::Vertex;
use std::ops::Range;

/// Vertices and arcs of one range: large enough to hide the cost of handing it out.
const WORK_PER_RANGE: u64 = 1 << 16;

/// Cuts the vertices of an offset array into ranges of about [`WORK_PER_RANGE`] vertices and arcs.
pub(crate) fn vertex_ranges(offsets: &[u64]) -> Vec<Range<Vertex>> {
    let vertices = offsets.len() - 1;
    // What stands before a vertex grows with every vertex, so each cut is found by bisection.
    let work_before = |vertex: usize| offsets[vertex] + vertex as u64;
    let mut ranges = Vec::new();
    let (mut first, mut share) = (0, 0);
    while first < vertices {
        share = work_before(first).max(share) + WORK_PER_RANGE;
        let (mut low, mut high) = (first + 1, vertices);
        while low < high {
            let middle = low + (high - low) / 2;
            if work_before(middle) < share {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        ranges.push(first as Vertex..low as Vertex);
        first = low;
    }
    ranges
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_cover_every_vertex_once_and_in_order() {
        let degrees = [0u64, 70_000, 3, 1 << 20, 0, 0, 9];
        let mut offsets = vec![0];
        for vertex in 0..300_000usize {
            offsets.push(offsets[vertex] + degrees[vertex % 7] * u64::from(vertex < 20));
        }
        let ranges = vertex_ranges(&offsets);
        assert_eq!(ranges.first().map(|range| range.start), Some(0));
        assert_eq!(ranges.last().map(|range| range.end), Some(300_000));
        assert!(ranges.windows(2).all(|pair| pair[0].end == pair[1].start));
        assert!(ranges.iter().all(|range| !range.is_empty()));
        assert!(ranges.len() > 6, "{ranges:?}");
    }

    #[test]
    fn no_vertex_no_range() {
        assert!(vertex_ranges(&[0]).is_empty());
    }
}
