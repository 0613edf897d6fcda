//! Vertex ids of edge lists: kept where they are dense, renumbered where they are sparse.
//!
//! - A header that promises `V` vertices counts if all ids fit it: from 0 to `V - 1`, or, where id `V`
//!   occurs and 0 does not, from 1 to `V`. Ids that do not occur are isolated vertices then.
//! - Without such a header, ids are kept if all of 0 to their maximum occur, or all of 1 to their maximum
//!   and 0 does not.
//! - All others are renumbered in ascending order of the original ids.

use crate::arcs::ArcSegment;
use crate::csr::Vertex;
use rayon::prelude::*;
use std::sync::atomic::{AtomicU64, Ordering};

/// The vertices after the ids have become dense.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Settled {
    pub(super) vertices: u64,
    pub(super) note: Option<String>,
}

/// Makes the ids of all arcs dense, counted from 0. `promised` is the number of vertices that a header
/// names.
pub(super) fn settle(segments: &mut [ArcSegment], promised: Option<u64>) -> Settled {
    let Some((first, last)) = range(segments) else {
        return Settled { vertices: promised.unwrap_or(0), note: None };
    };
    let (first, last) = (u64::from(first), u64::from(last));
    if let Some(promised) = promised {
        if last < promised {
            return Settled { vertices: promised, note: None };
        }
        if last == promised && first > 0 {
            count_from_zero(segments);
            return Settled { vertices: promised, note: Some(one_based(promised)) };
        }
    }
    let arcs: u64 = segments.iter().map(|segment| segment.pairs.len() as u64).sum();
    // A bit per possible id is less than the arcs themselves, unless ids are very sparse.
    let used = if last / 64 <= arcs { Used::Bits(bits(segments, last)) } else { Used::List(list(segments)) };
    let vertices = used.count();
    if vertices == last + 1 {
        return Settled { vertices, note: None };
    }
    if vertices == last && first == 1 {
        count_from_zero(segments);
        return Settled { vertices, note: Some(one_based(vertices)) };
    }
    used.renumber(segments);
    let mut note = format!(
        "ids {first}..{last} are sparse: renumbered to 0..{} in ascending order",
        vertices.saturating_sub(1)
    );
    if let Some(promised) = promised.filter(|&promised| promised != vertices) {
        note += &format!(" (the header names {promised} vertices, which does not fit these ids)");
    }
    Settled { vertices, note: Some(note) }
}

fn one_based(vertices: u64) -> String {
    format!("ids count from 1 to {vertices} in the file, from 0 here")
}

fn range(segments: &[ArcSegment]) -> Option<(Vertex, Vertex)> {
    let ends = |segment: &ArcSegment| {
        let mut pairs = segment.pairs.iter();
        let &(source, target) = pairs.next()?;
        let start = (source.min(target), source.max(target));
        Some(pairs.fold(start, |(low, high), &(s, t)| (low.min(s).min(t), high.max(s).max(t))))
    };
    let join = |a: (Vertex, Vertex), b: (Vertex, Vertex)| (a.0.min(b.0), a.1.max(b.1));
    segments.par_iter().filter_map(ends).reduce_with(join)
}

fn count_from_zero(segments: &mut [ArcSegment]) {
    renumber(segments, |id| id - 1);
}

fn renumber(segments: &mut [ArcSegment], vertex: impl Fn(Vertex) -> Vertex + Sync) {
    segments.par_iter_mut().for_each(|segment| {
        segment.pairs.iter_mut().for_each(|pair| *pair = (vertex(pair.0), vertex(pair.1)));
    });
}

/// Which ids occur.
enum Used {
    /// A bit per id.
    Bits(Vec<u64>),
    /// Every id once, ascending.
    List(Vec<Vertex>),
}

fn bits(segments: &[ArcSegment], last: u64) -> Vec<u64> {
    let words: Vec<AtomicU64> = (0..=last / 64).map(|_| AtomicU64::new(0)).collect();
    let mark = |id: Vertex| {
        let (word, bit) = (&words[id as usize / 64], 1u64 << (id % 64));
        // Most ids have been seen before, and looking is far cheaper than writing.
        if word.load(Ordering::Relaxed) & bit == 0 {
            word.fetch_or(bit, Ordering::Relaxed);
        }
    };
    segments.par_iter().for_each(|segment| {
        segment.pairs.iter().for_each(|&(source, target)| {
            mark(source);
            mark(target);
        });
    });
    words.into_iter().map(AtomicU64::into_inner).collect()
}

fn list(segments: &[ArcSegment]) -> Vec<Vertex> {
    let distinct = |segment: &ArcSegment| {
        let mut ids: Vec<Vertex> = segment.pairs.iter().flat_map(|&(s, t)| [s, t]).collect();
        ids.sort_unstable();
        ids.dedup();
        ids
    };
    segments.par_iter().map(distinct).reduce(Vec::new, |a, b| union(&a, &b))
}

/// Two ascending lists as one, each id once.
pub(super) fn union<T: Ord + Copy>(a: &[T], b: &[T]) -> Vec<T> {
    let mut both = Vec::with_capacity(a.len().max(b.len()));
    let (mut i, mut j) = (0, 0);
    while let (Some(&x), Some(&y)) = (a.get(i), b.get(j)) {
        both.push(x.min(y));
        i += usize::from(x <= y);
        j += usize::from(y <= x);
    }
    both.extend_from_slice(&a[i..]);
    both.extend_from_slice(&b[j..]);
    both
}

/// Keeps the union of all lists passed in while holding few of them, smallest last.
#[derive(Default)]
pub(super) struct Union {
    lists: Vec<Vec<u64>>,
}

impl Union {
    pub(super) fn add(&mut self, list: Vec<u64>) {
        self.lists.push(list);
        // Like a binary counter: lists of similar length are joined, so every id is copied O(log n) times.
        while let [.., a, b] = &self.lists[..]
            && a.len() <= 2 * b.len()
        {
            let joined = union(a, b);
            self.lists.truncate(self.lists.len() - 2);
            self.lists.push(joined);
        }
    }

    pub(super) fn finish(self) -> Vec<u64> {
        self.lists.into_iter().rev().reduce(|a, b| union(&a, &b)).unwrap_or_default()
    }
}

impl Used {
    fn count(&self) -> u64 {
        match self {
            Used::Bits(words) => words.par_iter().map(|word| u64::from(word.count_ones())).sum(),
            Used::List(ids) => ids.len() as u64,
        }
    }

    fn renumber(&self, segments: &mut [ArcSegment]) {
        match self {
            Used::Bits(words) => {
                let mut before = 0u32;
                let ranks: Vec<u32> = words
                    .iter()
                    .map(|word| {
                        let rank = before;
                        before = before.wrapping_add(word.count_ones());
                        rank
                    })
                    .collect();
                renumber(segments, |id| {
                    let word = id as usize / 64;
                    ranks[word] + (words[word] & ((1u64 << (id % 64)) - 1)).count_ones()
                });
            }
            Used::List(ids) => {
                renumber(segments, |id| ids.partition_point(|&other| other < id) as Vertex);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settled(pairs: &[(u32, u32)], promised: Option<u64>) -> (u64, Vec<(u32, u32)>, Option<String>) {
        let mut segments: Vec<_> =
            pairs.chunks(2).map(|pairs| ArcSegment { pairs: pairs.to_vec(), weights: Vec::new() }).collect();
        let Settled { vertices, note } = settle(&mut segments, promised);
        (vertices, segments.into_iter().flat_map(|segment| segment.pairs).collect(), note)
    }

    #[test]
    fn dense_ids_stay_as_they_are() {
        assert_eq!(settled(&[(0, 2), (1, 0)], None), (3, vec![(0, 2), (1, 0)], None));
    }

    #[test]
    fn ids_from_one_are_counted_from_zero_and_said_so() {
        let (vertices, pairs, note) = settled(&[(1, 3), (2, 1)], None);
        assert_eq!((vertices, pairs), (3, vec![(0, 2), (1, 0)]));
        assert!(note.unwrap().contains("from 1"));
    }

    #[test]
    fn sparse_ids_are_renumbered_in_order_and_said_so() {
        // The first has few possible ids (a bit each), the second very many (a list).
        for far in [100, 4_000_000_000] {
            let (vertices, pairs, note) = settled(&[(far, 7), (7, 64), (63, far)], None);
            assert_eq!((vertices, pairs), (4, vec![(3, 0), (0, 2), (1, 3)]));
            assert!(note.unwrap().contains("renumbered to 0..3"));
        }
    }

    #[test]
    fn a_header_adds_isolated_vertices_where_ids_fit_it() {
        assert_eq!(settled(&[(0, 2)], Some(9)), (9, vec![(0, 2)], None));
        assert_eq!(settled(&[(5, 9)], Some(9)).1, vec![(4, 8)], "id V occurs, so ids count from 1");
        assert_eq!(settled(&[(5, 8)], Some(9)), (9, vec![(5, 8)], None));
        let (vertices, pairs, note) = settled(&[(0, 12)], Some(9));
        assert_eq!((vertices, pairs), (2, vec![(0, 1)]));
        assert!(note.unwrap().contains("header names 9"));
        assert_eq!(settled(&[], Some(9)), (9, vec![], None));
    }

    #[test]
    fn union_holds_each_once() {
        let mut all = Union::default();
        for list in [vec![1, 5], vec![5, 9], vec![2], vec![], vec![0, 9, 11]] {
            all.add(list);
        }
        assert_eq!(all.finish(), [0, 1, 2, 5, 9, 11]);
        assert_eq!(union(&[1, 3], &[2, 3, 4]), [1, 2, 3, 4]);
    }
}
