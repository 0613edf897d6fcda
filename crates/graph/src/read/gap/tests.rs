//! Byte-exact GAP files, damaged ones, and round trips.

use super::*;
use crate::read::ReadOptions;
use crate::source::WeightsSeen;
use proptest::prelude::*;
use std::path::Path;

fn read_under(bytes: &[u8], weights: WeightPolicy) -> Result<Content, GraphError> {
    let options = ReadOptions { weights, ..ReadOptions::default() };
    read(&mut &bytes[..], &Context::new(Path::new("g.sg"), 0, &options))
}

fn refuse(bytes: &[u8]) -> Result<Content, GraphError> {
    read_under(bytes, WeightPolicy::Refuse)
}

/// One part of a file.
enum Part<'a> {
    Byte(u8),
    Long(&'a [i64]),
    Short(&'a [i32]),
}
use Part::{Byte, Long, Short};

fn bytes(parts: &[Part<'_>]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for part in parts {
        match part {
            Byte(byte) => bytes.push(*byte),
            Long(numbers) => bytes.extend(numbers.iter().flat_map(|number| number.to_le_bytes())),
            Short(numbers) => bytes.extend(numbers.iter().flat_map(|number| number.to_le_bytes())),
        }
    }
    bytes
}

/// 0→1, 0→2, 2→0.
fn directed() -> Vec<u8> {
    bytes(&[Byte(1), Long(&[3, 3, 0, 2, 2, 3]), Short(&[1, 2, 0]), Long(&[0, 1, 2, 3]), Short(&[2, 0, 0])])
}

fn directed_weighted() -> Vec<u8> {
    bytes(&[
        Byte(1),
        Long(&[3, 3, 0, 2, 2, 3]),
        Short(&[1, 7, 2, 8, 0, 9]),
        Long(&[0, 1, 2, 3]),
        Short(&[2, 9, 0, 7, 0, 8]),
    ])
}

fn rows_of(offsets: &[u64], targets: &[u32], weights: Option<&[u32]>) -> Csr {
    Csr::new(offsets.to_vec(), targets.to_vec(), weights.map(<[u32]>::to_vec)).unwrap()
}

#[test]
fn a_directed_graph_is_its_outgoing_arcs() {
    let content = refuse(&directed()).unwrap();
    assert_eq!(content.graph, Graph::directed(rows_of(&[0, 2, 2, 3], &[1, 2, 0], None)));
    assert_eq!(content.weights, WeightsSeen::None);
}

#[test]
fn the_length_tells_that_there_are_weights() {
    let content = refuse(&directed_weighted()).unwrap();
    assert_eq!(content.graph, Graph::directed(rows_of(&[0, 2, 2, 3], &[1, 2, 0], Some(&[7, 8, 9]))));
    assert_eq!(content.weights, WeightsSeen::Held);
}

#[test]
fn an_undirected_graph_counts_both_directions() {
    let header = Long(&[3, 2, 0, 1, 3]);
    let content = refuse(&bytes(&[Byte(0), header, Short(&[1, 0, 1])])).unwrap();
    assert_eq!(content.graph, Graph::undirected(rows_of(&[0, 1, 3], &[1, 0, 1], None)));
    let header = Long(&[3, 2, 0, 1, 3]);
    let content = refuse(&bytes(&[Byte(0), header, Short(&[1, 5, 0, 5, 1, 6])])).unwrap();
    assert_eq!(content.graph, Graph::undirected(rows_of(&[0, 1, 3], &[1, 0, 1], Some(&[5, 5, 6]))));
}

#[test]
fn neighbours_may_stand_in_any_order() {
    // Two parallel arcs whose weights stand the other way round in the incoming rows.
    let stored = bytes(&[
        Byte(1),
        Long(&[3, 2, 0, 2, 3]),
        Short(&[1, 4, 1, 3, 1, 2]),
        Long(&[0, 0, 3]),
        Short(&[1, 2, 0, 3, 0, 4]),
    ]);
    assert_eq!(refuse(&stored).unwrap().graph.out_edges().neighbours(0), [1, 1]);
}

#[test]
fn a_graph_may_be_empty() {
    assert_eq!(refuse(&bytes(&[Byte(0), Long(&[0, 0, 0])])).unwrap().graph.num_vertices(), 0);
    let stored = bytes(&[Byte(1), Long(&[0, 2, 0, 0, 0, 0, 0, 0])]);
    assert_eq!(refuse(&stored).unwrap().graph, Graph::directed(Csr::empty(2)));
}

#[test]
fn negative_weights_follow_the_policy() {
    let stored = bytes(&[Byte(0), Long(&[2, 2, 0, 1, 2]), Short(&[1, -5, 0, -5])]);
    for policy in [WeightPolicy::Refuse, WeightPolicy::Round, WeightPolicy::Scale(2.0)] {
        let error = read_under(&stored, policy).err().unwrap().to_string();
        assert!(error.starts_with("g.sg: offset 45: the weight -5 is negative"), "{error}");
    }
    let absolute = read_under(&stored, WeightPolicy::Absolute).unwrap();
    assert_eq!(absolute.graph.out_edges().weights(), Some(&[5, 5][..]));
    assert_eq!(absolute.weights, WeightsSeen::Converted);
    for policy in [WeightPolicy::Drop, WeightPolicy::Describe] {
        let content = read_under(&stored, policy).unwrap();
        assert!(!content.graph.is_weighted());
        assert_eq!(content.weights, WeightsSeen::Dropped);
    }
}

#[test]
fn hostile_files_are_refused_with_their_offset() {
    let huge = 1_000_000_000_000_000_000;
    let one_way = "offset 41: the graph is said to be undirected, but the arcs of vertex 0 are not the arcs that lead to it, turned round";
    let not_inverse =
        "offset 97: the incoming arcs of vertex 1 are not the arcs that lead to it, turned round";
    let mut inverse_targets = directed();
    let place = inverse_targets.len() - 8;
    inverse_targets[place] = 2;
    for (stored, expected) in [
        (
            vec![],
            "offset 0: the file ends within the flag that says whether the graph is directed; 1 more bytes were promised",
        ),
        (vec![2], "offset 0: the flag `directed` is 2; 0 or 1 was expected"),
        (
            bytes(&[Byte(0), Long(&[5])]),
            "offset 9: the file ends within the number of vertices; 8 more bytes were promised",
        ),
        (bytes(&[Byte(0), Long(&[5, -1])]), "offset 9: -1 vertices; at most 4294967295 fit 32-bit ids"),
        (bytes(&[Byte(0), Long(&[-5, 1])]), "offset 1: -5 edges"),
        (
            bytes(&[Byte(0), Long(&[huge, 1])]),
            "offset 1: the graph that the header promises would need 4000000000000000016 bytes of memory; the limit for this input is 67108864",
        ),
        (
            bytes(&[Byte(0), Long(&[1, 9, 0, 1])]),
            "offset 33: the file ends within the offsets; 64 more bytes were promised",
        ),
        (bytes(&[Byte(0), Long(&[1, 1, 1, 1])]), "offset 17: the first offset is 1, not 0"),
        (
            bytes(&[Byte(0), Long(&[2, 2, 0, 2, 1])]),
            "offset 33: offset 2 is 1, not from 2, the one before it, to 2, the number of arcs",
        ),
        (
            bytes(&[Byte(0), Long(&[2, 2, 0, -1, 2])]),
            "offset 25: offset 1 is -1, not from 0, the one before it, to 2, the number of arcs",
        ),
        (
            bytes(&[Byte(0), Long(&[2, 2, 0, 1, 1])]),
            "offset 33: the last offset is 1, but the header promises 2 arcs",
        ),
        (
            bytes(&[Byte(0), Long(&[2, 2, 0, 1, 2]), Short(&[1])]),
            "offset 45: the file ends within the neighbours; 4 more bytes were promised",
        ),
        (
            bytes(&[Byte(0), Long(&[2, 2, 0, 1, 2]), Short(&[1, 0, 5])]),
            "offset 53: the file ends within the neighbours and weights; 4 more bytes were promised",
        ),
        (
            bytes(&[Byte(0), Long(&[2, 2, 0, 1, 2]), Short(&[1, 5, 0, 5, 9])]),
            "offset 57: the graph ends here, but more bytes follow",
        ),
        (
            bytes(&[Byte(0), Long(&[2, 2, 0, 1, 2]), Short(&[1, -2])]),
            "offset 45: an arc leads to vertex -2; there are only 2 vertices",
        ),
        (bytes(&[Byte(0), Long(&[1, 2, 0, 1, 1]), Short(&[1])]), one_way),
        (
            bytes(&[Byte(1), Long(&[1, 2, 0, 1, 1]), Short(&[1])]),
            "offset 45: the file ends within the outgoing and incoming neighbours; 28 more bytes were promised",
        ),
        (inverse_targets, not_inverse),
    ] {
        let error = refuse(&stored).err().unwrap().to_string();
        assert_eq!(error.strip_prefix("g.sg: "), Some(expected));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn arbitrary_bytes_are_no_reason_to_panic(
        header in (0u8..3, 0i64..8, 0i64..6),
        rest in proptest::collection::vec(prop_oneof![4 => Just(0u8), 2 => 1u8..3, 1 => any::<u8>()], 0..200),
    ) {
        let (flag, arcs, vertices) = header;
        let mut stored = bytes(&[Byte(flag), Long(&[arcs, vertices])]);
        stored.extend(&rest);
        for stored in [&stored, &rest] {
            if let Ok(content) = refuse(stored) {
                prop_assert!(content.graph.num_arcs() * 4 <= stored.len() as u64);
            }
        }
    }

    #[test]
    fn every_damaged_byte_gives_an_error_or_a_consistent_graph(place in any::<prop::sample::Index>(), bits: u8) {
        for mut stored in [directed(), directed_weighted()] {
            *place.get_mut(&mut stored) ^= bits;
            if let Ok(content) = refuse(&stored) {
                // What is left undetected must be no damage at all.
                prop_assert_eq!(bits, 0);
                prop_assert_eq!(content.graph.num_arcs(), 3);
            }
        }
    }

    #[test]
    fn every_truncation_and_extension_is_noticed(cut in 1usize..120) {
        for whole in [directed(), directed_weighted()] {
            prop_assert!(refuse(&whole[..whole.len().saturating_sub(cut)]).is_err());
            let mut long = whole.clone();
            long.resize(whole.len() + cut, 0);
            prop_assert!(refuse(&long).is_err());
        }
    }
}

/// A graph with isolated vertices, self-loops and parallel arcs.
fn graphs() -> impl Strategy<Value = Graph> {
    let arcs = proptest::collection::vec((0u32..12, 0u32..12, 0u32..=i32::MAX as u32), 0..40);
    (arcs, any::<bool>(), any::<bool>(), 12u64..20).prop_map(|(arcs, directed, weighted, vertices)| {
        let list: crate::ArcList = if weighted {
            arcs.into_iter().collect()
        } else {
            arcs.into_iter().map(|(source, target, _)| (source, target)).collect()
        };
        if directed {
            Graph::directed(build::from_arcs(&list, vertices).unwrap())
        } else {
            Graph::undirected(build::from_undirected_arcs(&list, vertices).unwrap())
        }
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn what_is_written_is_read(graph in graphs()) {
        let mut stored = Vec::new();
        crate::write::write(&graph, crate::Format::Gap, &mut stored).unwrap();
        let read_back = refuse(&stored).unwrap().graph;
        if graph.num_arcs() == 0 {
            prop_assert_eq!(read_back.num_vertices(), graph.num_vertices());
        } else {
            prop_assert_eq!(&read_back, &graph);
        }
        let mut stored = Vec::new();
        crate::write::write(&graph, crate::Format::Galois, &mut stored).unwrap();
        let options = ReadOptions::default();
        let context = Context::new(Path::new("g.gr"), 0, &options);
        let read_back = crate::read::galois::read(&mut &stored[..], &context).unwrap().graph;
        prop_assert_eq!(read_back.out_edges(), graph.out_edges());
        prop_assert!(read_back.is_directed());
    }
}
