//! The sort itself: first into buckets of neighbouring vertices, then every bucket on its own.
//!
//! Putting each arc straight in its place misses the cache and the address translation once per arc. Here a
//! first visit of the arcs counts them by bucket, a second one appends each to its bucket (a few hundred
//! places that are written one after the other), and the last step orders a bucket while it is in the
//! cache. A bucket's arcs stand where its rows will be, so there is no second copy of them. Beside its target
//! an arc needs the low bits of its source there: they share the target's word where ids are short, and
//! stand in an array of their own where not.
//!
//! The vertices are cut into groups of buckets. Each group reads all arcs and keeps its share, so threads
//! need neither atomics nor unsafe code, and the order within a vertex is the input's whatever their number.

use super::bucket::{BucketSorter, Layout};
use super::{ArcSource, BuildError};
use crate::csr::{Csr, VERTICES_MAX, Vertex, Weight};
use rayon::prelude::*;
use std::slice::IterMut;

/// Even the smallest graph may use that many bytes while it is built.
const SPARE_BYTES_MIN: u64 = 1 << 20;

/// Builds the rows of `source` over `vertices` vertices, if there is room for so many bytes.
pub(super) fn build<S: ArcSource>(
    source: &S,
    vertices: u64,
    has_room: impl Fn(u64) -> bool,
) -> Result<Csr, BuildError> {
    if vertices > VERTICES_MAX {
        return Err(BuildError::TooManyVertices(vertices));
    }
    let layout = Layout::new(vertices as u32);
    let counts = count_by_bucket(source, layout)?;
    let arcs: u64 = counts.iter().sum();
    let bytes = 8 * (vertices + 1) + arcs * if source.is_weighted() { 8 } else { 4 };
    if !has_room(bytes) {
        return Err(BuildError::NoRoom(bytes));
    }
    let mut offsets = vec![0u64; vertices as usize + 1];
    let mut targets: Vec<Vertex> = vec![0; arcs as usize];
    let mut weights: Vec<Weight> = if source.is_weighted() { vec![0; arcs as usize] } else { Vec::new() };
    let spare = Spare::new(source, layout, arcs);
    let groups = cut(layout, &counts, spare.groups, &mut offsets[1..], &mut targets, &mut weights);
    groups.into_par_iter().for_each(|group| group.fill(source, spare.bucket_arcs_max));
    Ok(Csr::from_parts(offsets, targets, source.is_weighted().then_some(weights)))
}

fn count_by_bucket<S: ArcSource>(source: &S, layout: Layout) -> Result<Vec<u64>, BuildError> {
    let buckets = layout.buckets();
    // One count more, for vertices that do not exist.
    let mut counts = vec![0u64; buckets + 1];
    let mut vertex_max = 0;
    let (largest, slots) = (&mut vertex_max, counts.as_mut_slice());
    // By value: what a closure borrows is loaded again for every arc.
    source.for_each(move |source, target, _| {
        slots[layout.bucket(source).min(buckets)] += 1;
        *largest = source.max(target).max(*largest);
    });
    let any = counts.iter().any(|&count| count > 0);
    if any && vertex_max >= layout.vertices {
        return Err(BuildError::VertexOutOfRange { vertex: vertex_max, vertices: layout.vertices });
    }
    counts.truncate(buckets);
    Ok(counts)
}

/// What may be used beside arcs and result, and what follows from it.
struct Spare {
    groups: usize,
    bucket_arcs_max: u64,
}

impl Spare {
    fn new<S: ArcSource>(source: &S, layout: Layout, arcs: u64) -> Spare {
        let threads = rayon::current_num_threads() as u64;
        let bytes_per_arc = if source.is_weighted() { 8 } else { 4 };
        let result = 8 * (u64::from(layout.vertices) + 1) + bytes_per_arc * arcs;
        let spare = (2 * result).saturating_sub(source.bytes()).max(SPARE_BYTES_MIN) / threads;
        // A quarter for a copy of the bucket that is put in order, the rest for the low bits of sources.
        let bucket_arcs_max = (spare / 16).min(u64::from(u32::MAX));
        let group_arcs_max = spare * 3 / 4 / 2;
        let least = if layout.is_packed() { 1 } else { arcs.div_ceil(group_arcs_max) };
        let groups = least.next_multiple_of(threads).min(layout.buckets() as u64).max(1) as usize;
        Spare { groups, bucket_arcs_max }
    }
}

/// A run of buckets and the slices of the result that hold their rows.
struct Group<'a> {
    layout: Layout,
    first_bucket: usize,
    first_arc: u64,
    /// Arcs of each bucket.
    counts: &'a [u64],
    /// Where the row of each vertex ends.
    ends: &'a mut [u64],
    targets: &'a mut [Vertex],
    weights: &'a mut [Weight],
}

/// Cuts the buckets into groups of about equally many arcs.
fn cut<'a>(
    layout: Layout,
    counts: &'a [u64],
    groups: usize,
    mut ends: &'a mut [u64],
    mut targets: &'a mut [Vertex],
    mut weights: &'a mut [Weight],
) -> Vec<Group<'a>> {
    let arcs = targets.len() as u128;
    let mut result = Vec::with_capacity(groups);
    let (mut first_bucket, mut first_arc) = (0, 0);
    for group in 1..=groups {
        let share = (arcs * group as u128 / groups as u128) as u64;
        let (mut last_bucket, mut last_arc) = (first_bucket, first_arc);
        while last_bucket < counts.len() && (group == groups || last_arc < share) {
            last_arc += counts[last_bucket];
            last_bucket += 1;
        }
        let own_vertices = ends.len().min((last_bucket - first_bucket) << layout.low_bits);
        let own_arcs = (last_arc - first_arc) as usize;
        let (own_ends, rest_ends) = ends.split_at_mut(own_vertices);
        let (own_targets, rest_targets) = targets.split_at_mut(own_arcs);
        let (own_weights, rest_weights) = weights.split_at_mut(own_arcs.min(weights.len()));
        result.push(Group {
            layout,
            first_bucket,
            first_arc,
            counts: &counts[first_bucket..last_bucket],
            ends: own_ends,
            targets: own_targets,
            weights: own_weights,
        });
        (ends, targets, weights) = (rest_ends, rest_targets, rest_weights);
        (first_bucket, first_arc) = (last_bucket, last_arc);
    }
    result
}

impl Group<'_> {
    fn fill<S: ArcSource>(mut self, source: &S, bucket_arcs_max: u64) {
        let is_large: Vec<bool> = self.counts.iter().map(|&count| count > bucket_arcs_max).collect();
        if is_large.contains(&true) {
            self.place_directly(source, &is_large);
        }
        let lows = if is_large.contains(&false) { self.append(source, &is_large) } else { Vec::new() };
        self.sort_buckets(&lows, &is_large);
    }

    /// Puts the arcs of large buckets straight in their places: slower, but without a copy of them.
    fn place_directly<S: ArcSource>(&mut self, source: &S, is_large: &[bool]) {
        let Group { layout, first_bucket, .. } = *self;
        let (ends, targets, weights) = (&mut *self.ends, &mut *self.targets, &mut *self.weights);
        let row = |vertex| {
            let large = *is_large.get(layout.bucket(vertex).wrapping_sub(first_bucket))?;
            large.then(|| vertex as usize - (first_bucket << layout.low_bits))
        };
        source.for_each(|source, _, _| {
            if let Some(row) = row(source) {
                ends[row] += 1;
            }
        });
        let mut first_arc = 0;
        for (index, rows) in ends.chunks_mut(1 << layout.low_bits).enumerate() {
            if is_large[index] {
                degrees_to_starts(rows, first_arc);
            }
            first_arc += self.counts[index];
        }
        let weighted = source.is_weighted();
        source.for_each(|source, target, weight| {
            if let Some(row) = row(source) {
                let place = ends[row] as usize;
                ends[row] += 1;
                targets[place] = target;
                if weighted {
                    weights[place] = weight;
                }
            }
        });
    }

    /// Appends every arc to its bucket, in the order of the input; large buckets are left out. Returns the
    /// low bits of the sources, where they are not packed with the targets.
    fn append<S: ArcSource>(&mut self, source: &S, is_large: &[bool]) -> Vec<u16> {
        let Group { layout, first_bucket, counts, .. } = *self;
        let (weighted, arcs) = (source.is_weighted(), self.targets.len());
        let mut targets = slots(self.targets, counts, is_large);
        let mut weights = slots(self.weights, counts, is_large);
        let (targets, weights) = (targets.as_mut_slice(), weights.as_mut_slice());
        // By value: what a closure borrows is loaded again for every arc.
        let mut append = move |source: Vertex, word: u32, weight: Weight| -> Option<usize> {
            let bucket = layout.bucket(source).wrapping_sub(first_bucket);
            *targets.get_mut(bucket)?.next()? = word;
            if weighted {
                *weights[bucket].next()? = weight;
            }
            Some(bucket)
        };
        if layout.is_packed() {
            source.for_each(move |source, target, weight| {
                append(source, layout.pack(source, target), weight);
            });
            return Vec::new();
        }
        let mut lows = vec![0u16; arcs];
        let mut low_slots = slots(&mut lows, counts, is_large);
        let low_slots = low_slots.as_mut_slice();
        source.for_each(move |source, target, weight| {
            if let Some(bucket) = append(source, target, weight)
                && let Some(low) = low_slots[bucket].next()
            {
                *low = layout.low(source) as u16;
            }
        });
        lows
    }

    /// Orders the arcs of every bucket by vertex, and says where rows end.
    fn sort_buckets(self, lows: &[u16], is_large: &[bool]) {
        let layout = self.layout;
        let mut sorter = BucketSorter::default();
        let mut first = 0;
        for (index, rows) in self.ends.chunks_mut(1 << layout.low_bits).enumerate() {
            let places = first..first + self.counts[index] as usize;
            first = places.end;
            if !is_large[index] {
                let weights = self.weights.get_mut(places.clone()).unwrap_or_default();
                let own_lows = lows.get(places.clone()).unwrap_or_default();
                let first_arc = places.start as u64;
                sorter.sort(layout, own_lows, rows, &mut self.targets[places], weights);
                rows.iter_mut().for_each(|end| *end += first_arc);
            }
            rows.iter_mut().for_each(|end| *end += self.first_arc);
        }
    }
}

/// An iterator over the places of every bucket, an empty one for a large bucket.
fn slots<'a, T>(mut places: &'a mut [T], counts: &[u64], is_large: &[bool]) -> Vec<IterMut<'a, T>> {
    let bucket = |(&count, &large): (&u64, &bool)| {
        let own = places.split_off_mut(..(count as usize).min(places.len())).unwrap_or_default();
        if large { IterMut::default() } else { own.iter_mut() }
    };
    counts.iter().zip(is_large).map(bucket).collect()
}

fn degrees_to_starts(degrees: &mut [u64], first: u64) {
    let mut sum = first;
    for degree in degrees {
        sum += std::mem::replace(degree, sum);
    }
}
