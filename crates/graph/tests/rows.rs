//! The rows that arcs make, against the plainest way to make them.

use heddle_graph::build::{from_arcs, from_undirected_arcs, transposed};
use heddle_graph::generate::random::Random;
use heddle_graph::{ArcList, ArcSegment, Csr, Vertex, Weight};
use proptest::prelude::*;

type Arc = (Vertex, Vertex, Weight);

/// Rows by a stable sort of all arcs.
fn plain(arcs: &[Arc], vertices: u32, weighted: bool) -> Csr {
    let mut sorted = arcs.to_vec();
    sorted.sort_by_key(|&(source, _, _)| source);
    let mut offsets = vec![0u64; vertices as usize + 1];
    arcs.iter().for_each(|&(source, _, _)| offsets[source as usize + 1] += 1);
    (0..vertices as usize).for_each(|vertex| offsets[vertex + 1] += offsets[vertex]);
    let targets = sorted.iter().map(|&(_, target, _)| target).collect();
    let weights = weighted.then(|| sorted.iter().map(|&(_, _, weight)| weight).collect());
    Csr::new(offsets, targets, weights).unwrap()
}

fn list(arcs: &[Arc], weighted: bool) -> ArcList {
    let mut list = if weighted { ArcList::weighted() } else { ArcList::unweighted() };
    for part in arcs.chunks(arcs.len().div_ceil(3).max(1)) {
        list.push(ArcSegment {
            pairs: part.iter().map(|&(source, target, _)| (source, target)).collect(),
            weights: if weighted { part.iter().map(|&(_, _, weight)| weight).collect() } else { Vec::new() },
        });
    }
    list
}

fn check(arcs: &[Arc], vertices: u32, weighted: bool, threads: usize) {
    let list = list(arcs, weighted);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    let (rows, both, columns) = pool.install(|| {
        let rows = from_arcs(&list, vertices.into()).unwrap();
        let both = from_undirected_arcs(&list, vertices.into()).unwrap();
        let columns = transposed(&rows);
        (rows, both, columns)
    });
    // `assert!` and not `assert_eq!`: nobody reads a million arcs.
    assert!(rows == plain(arcs, vertices, weighted), "rows, {vertices} vertices, {threads} threads");
    let mirrored: Vec<Arc> = arcs
        .iter()
        .flat_map(|&(s, t, w)| [(s, t, w), (t, s, w)].into_iter().take(if s == t { 1 } else { 2 }))
        .collect();
    assert!(both == plain(&mirrored, vertices, weighted), "mirrored, {vertices} vertices");
    let mut turned: Vec<Arc> = arcs.to_vec();
    turned.sort_by_key(|&(source, _, _)| source);
    let turned: Vec<Arc> = turned.into_iter().map(|(s, t, w)| (t, s, w)).collect();
    assert!(columns == plain(&turned, vertices, weighted), "transposed, {vertices} vertices");
}

/// Random arcs of which every third starts at `hub`, so that its bucket outgrows all bounds.
fn arcs(vertices: u32, count: usize, hub: Option<Vertex>) -> Vec<Arc> {
    let mut random = Random::new(1, 0);
    let mut below = |bound: u32| random.below(u64::from(bound)) as u32;
    (0..count)
        .map(|index| {
            let source = below(vertices);
            (hub.filter(|_| index % 3 == 0).unwrap_or(source), below(vertices), below(1000))
        })
        .collect()
}

#[test]
fn words_that_hold_target_and_source_make_the_plain_rows() {
    for vertices in [1, 2, 255, 256, 257, 1000, (1 << 20) - 1, (1 << 20) + 1] {
        for weighted in [false, true] {
            check(&arcs(vertices, 50_000, None), vertices, weighted, 1);
            check(&arcs(vertices, 50_000, None), vertices, weighted, 3);
        }
    }
}

#[test]
fn ids_too_long_to_share_a_word_make_the_plain_rows() {
    let vertices = (1 << 21) + 12345;
    for weighted in [false, true] {
        check(&arcs(vertices, 300_000, None), vertices, weighted, 1);
        check(&arcs(vertices, 300_000, Some(777)), vertices, weighted, 3);
    }
}

#[test]
fn a_bucket_too_large_to_copy_makes_the_plain_rows() {
    for vertices in [300, 5000] {
        for weighted in [false, true] {
            check(&arcs(vertices, 600_000, Some(vertices - 1)), vertices, weighted, 1);
            check(&arcs(vertices, 600_000, Some(7)), vertices, weighted, 4);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_arcs_make_the_plain_rows(
        vertices in 1u32..2000,
        ends in prop::collection::vec((any::<u32>(), any::<u32>(), any::<u32>()), 0..500),
        weighted: bool,
        threads in 1usize..4,
    ) {
        let arcs: Vec<Arc> = ends.iter().map(|&(s, t, w)| (s % vertices, t % vertices, w)).collect();
        check(&arcs, vertices, weighted, threads);
    }
}
