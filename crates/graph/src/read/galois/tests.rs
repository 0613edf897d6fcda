//! Byte-exact Galois files, damaged ones, and round trips.

use super::*;
use crate::read::ReadOptions;
use crate::source::WeightsSeen;
use proptest::prelude::*;
use std::path::Path;

fn read_under(bytes: &[u8], weights: WeightPolicy) -> Result<Content, GraphError> {
    let options = ReadOptions { weights, ..ReadOptions::default() };
    read(&mut &bytes[..], &Context::new(Path::new("g.gr"), 0, &options))
}

/// 64-bit numbers, then 32-bit ones.
fn bytes(long: &[u64], short: &[u32]) -> Vec<u8> {
    let long = long.iter().flat_map(|number| number.to_le_bytes());
    long.chain(short.iter().flat_map(|number| number.to_le_bytes())).collect()
}

const OFFSETS: [u64; 3] = [2, 2, 3];
const TARGETS: [u32; 3] = [1, 2, 0];

fn version_1(edge_data_bytes: u64, rest: &[u32]) -> Vec<u8> {
    let [first, second, third] = OFFSETS;
    let short: Vec<u32> = TARGETS.iter().chain(rest).copied().collect();
    bytes(&[1, edge_data_bytes, 3, 3, first, second, third], &short)
}

fn expected(weights: Option<Vec<u32>>) -> Graph {
    Graph::directed(Csr::new(vec![0, 2, 2, 3], TARGETS.to_vec(), weights).unwrap())
}

#[test]
fn an_odd_number_of_edges_is_padded_or_not() {
    for rest in [&[][..], &[0], &[77]] {
        let content = read_under(&version_1(0, rest), WeightPolicy::Refuse).unwrap();
        assert_eq!(content.graph, expected(None));
        assert_eq!(content.weights, WeightsSeen::None);
    }
    for rest in [&[7, 8, 9][..], &[0, 7, 8, 9]] {
        let content = read_under(&version_1(4, rest), WeightPolicy::Refuse).unwrap();
        assert_eq!(content.graph, expected(Some(vec![7, 8, 9])));
        assert_eq!(content.weights, WeightsSeen::Held);
    }
}

#[test]
fn version_2_has_long_destinations_and_no_padding() {
    let long = [2, 4, 3, 3, 2, 2, 3, 1, 2, 0];
    let content = read_under(&bytes(&long, &[7, 8, 9]), WeightPolicy::Refuse).unwrap();
    assert_eq!(content.graph, expected(Some(vec![7, 8, 9])));
    let long = [2, 0, 3, 3, 2, 2, 3, 1, 2, 0];
    assert_eq!(read_under(&bytes(&long, &[]), WeightPolicy::Refuse).unwrap().graph, expected(None));
    let error = read_under(&bytes(&long, &[0]), WeightPolicy::Refuse).err().unwrap();
    assert_eq!(error.to_string(), "g.gr: offset 80: the graph ends here, but more bytes follow");
}

#[test]
fn weights_follow_the_policy() {
    let stored = version_1(4, &[7, 8, u32::MAX]);
    let dropped = read_under(&stored, WeightPolicy::Drop).unwrap();
    assert_eq!((dropped.graph, dropped.weights), (expected(None), WeightsSeen::Dropped));
    let scaled = read_under(&stored, WeightPolicy::Scale(0.5)).unwrap();
    assert_eq!(scaled.graph, expected(Some(vec![4, 4, 1 << 31])));
    assert_eq!(scaled.weights, WeightsSeen::Converted);
    let error = read_under(&stored, WeightPolicy::Scale(2.0)).err().unwrap();
    assert_eq!(error.to_string(), "g.gr: offset 76: the weight 4294967295 times 2 does not fit 32 bits");
}

#[test]
fn edge_data_of_unknown_meaning_are_skipped_only_if_asked() {
    for rest in [&[1, 0, 2, 0, 3, 0][..], &[0, 1, 0, 2, 0, 3, 0]] {
        let stored = version_1(8, rest);
        let error = read_under(&stored, WeightPolicy::Round).err().unwrap();
        assert!(error.to_string().starts_with("g.gr: offset 8: edge data of 8 bytes"), "{error}");
        for policy in [WeightPolicy::Drop, WeightPolicy::Describe] {
            let content = read_under(&stored, policy).unwrap();
            assert_eq!((content.graph, content.weights), (expected(None), WeightsSeen::Dropped));
            assert_eq!(content.notes.len(), 1);
        }
    }
}

#[test]
fn a_graph_may_be_empty() {
    let content = read_under(&bytes(&[1, 0, 0, 0], &[]), WeightPolicy::Refuse).unwrap();
    assert_eq!(content.graph.num_vertices(), 0);
    let content = read_under(&bytes(&[1, 4, 2, 0, 0, 0], &[]), WeightPolicy::Refuse).unwrap();
    assert_eq!((content.graph.num_vertices(), content.graph.is_weighted()), (2, true));
}

#[test]
fn hostile_files_are_refused_with_their_offset() {
    let huge = 1_000_000_000_000_000_000;
    for (stored, expected) in [
        (vec![], "offset 0: the file ends within the version; 8 more bytes were promised"),
        (vec![1, 0, 0], "offset 3: the file ends within the version; 5 more bytes were promised"),
        (bytes(&[3, 0, 0, 0], &[]), "offset 0: Galois version 3; 1 and 2 are known"),
        (
            bytes(&[1, 0, huge, 1], &[]),
            "offset 16: 1000000000000000000 vertices; at most 4294967295 fit 32-bit ids",
        ),
        (
            bytes(&[1, 0, 1, huge], &[]),
            "offset 24: the graph that the header promises would need 4000000000000000016 bytes of memory; the limit for this input is 67108864",
        ),
        (
            bytes(&[1, 0, 9, 1, 0, 1], &[]),
            "offset 48: the file ends within the offsets; 56 more bytes were promised",
        ),
        (
            bytes(&[1, 0, 2, 2, 2, 1], &[0, 0]),
            "offset 40: the edges of vertex 1 end at 1, before they begin (2)",
        ),
        (
            bytes(&[1, 0, 2, 2, 0, 1], &[0, 0]),
            "offset 40: the last offset is 1, but the header promises 2 edges",
        ),
        (
            bytes(&[1, 0, 2, 2, 0, 3], &[0, 0]),
            "offset 40: the last offset is 3, but the header promises 2 edges",
        ),
        (bytes(&[1, 0, 0, 2], &[0, 0]), "offset 32: the last offset is 0, but the header promises 2 edges"),
        (
            bytes(&[1, 0, 2, 2, 2, 2], &[0, 2]),
            "offset 52: an edge leads to vertex 2; there are only 2 vertices",
        ),
        (
            bytes(&[2, 0, 2, 2, 2, 2, 0, 1 << 32], &[]),
            "offset 56: an edge leads to vertex 4294967296; there are only 2 vertices",
        ),
        (
            bytes(&[1, 0, 2, 2, 2, 2], &[0]),
            "offset 52: the file ends within the destinations; 4 more bytes were promised",
        ),
        (bytes(&[1, 0, 2, 2, 2, 2], &[0, 1, 0]), "offset 56: the graph ends here, but more bytes follow"),
        (version_1(4, &[1, 2]), "offset 76: the file ends within the edge data; 4 more bytes were promised"),
        (version_1(4, &[1, 2, 3, 4, 5]), "offset 84: the graph ends here, but more bytes follow"),
        (version_1(0, &[1, 2]), "offset 72: the graph ends here, but more bytes follow"),
    ] {
        let error = read_under(&stored, WeightPolicy::Refuse).err().unwrap().to_string();
        assert_eq!(error.strip_prefix("g.gr: "), Some(expected));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn arbitrary_bytes_are_no_reason_to_panic(
        header in (0u64..4, prop_oneof![0u64..10, any::<u64>()], 0u64..12, 0u64..12),
        rest in proptest::collection::vec(prop_oneof![0u8..4, any::<u8>()], 0..200),
        policy in prop_oneof![Just(WeightPolicy::Refuse), Just(WeightPolicy::Drop)],
    ) {
        let (version, size, vertices, edges) = header;
        let mut stored = bytes(&[version, size, vertices, edges], &[]);
        stored.extend(&rest);
        for stored in [&stored, &rest] {
            if let Ok(content) = read_under(stored, policy) {
                prop_assert!(content.graph.num_arcs() * 4 <= stored.len() as u64);
            }
        }
    }

    #[test]
    fn every_truncation_and_extension_is_noticed(cut in 1usize..80, weighted in any::<bool>()) {
        let whole = if weighted { version_1(4, &[0, 7, 8, 9]) } else { version_1(0, &[0]) };
        let short = &whole[..whole.len().saturating_sub(cut)];
        // Four bytes less look like a file that was written without padding.
        let unpadded = cut == 4;
        prop_assert_eq!(read_under(short, WeightPolicy::Refuse).is_ok(), unpadded);
        let mut long = whole.clone();
        long.resize(whole.len() + cut, 0);
        prop_assert!(read_under(&long, WeightPolicy::Refuse).is_err());
    }
}
