//! Galois binary graphs (`.gr`), versions 1 and 2.
//!
//! Little-endian: version, bytes of data per edge, vertices and edges as 64-bit numbers; the end offset of
//! every vertex's edges (64 bits each); the destinations (32 bits in version 1, 64 in version 2); the edge
//! data. Version 1 pads an odd number of destinations to 8 bytes, but not every writer does and some files
//! without edge data lack the padding, so what follows the destinations decides. Edge data of 4 bytes are
//! taken as unsigned weights; of 8 bytes could as well be integers as reals, so they are refused unless the
//! user wants the structure alone.

use super::WeightPolicy;
use super::binary::{LittleEndian, make_room};
use super::context::{Content, Context};
use super::integer_weights::{self, Signedness, Weights};
use crate::csr::{Csr, VERTICES_MAX, Vertex};
use crate::error::GraphError;
use crate::graph::Graph;
use std::io::Read;

struct Header {
    version: u64,
    edge_data_bytes: u64,
    vertices: u64,
    edges: u64,
}

/// Where the offsets begin.
const HEADER_BYTES: u64 = 32;

/// Reads a Galois graph, which is always directed.
pub(super) fn read(source: &mut dyn Read, context: &Context<'_>) -> Result<Content, GraphError> {
    let mut input = LittleEndian::new(source, context);
    let header = read_header(&mut input)?;
    let offsets = read_offsets(&mut input, &header)?;
    let targets = read_targets(&mut input, &header)?;
    let weights = read_edge_data(&mut input, &header)?;
    let csr =
        Csr::new(offsets, targets, weights.values).map_err(|problem| context.error(problem.to_string()))?;
    Ok(Content { graph: Graph::directed(csr), weights: weights.seen, notes: weights.notes })
}

fn read_header(input: &mut LittleEndian<'_>) -> Result<Header, GraphError> {
    let header = Header {
        version: input.number("the version")?,
        edge_data_bytes: input.number("the size of the edge data")?,
        vertices: input.number("the number of vertices")?,
        edges: input.number("the number of edges")?,
    };
    if !matches!(header.version, 1 | 2) {
        return Err(input.error_at(0, format!("Galois version {}; 1 and 2 are known", header.version)));
    }
    if header.vertices > VERTICES_MAX {
        let problem = format!("{} vertices; at most {VERTICES_MAX} fit 32-bit ids", header.vertices);
        return Err(input.error_at(16, problem));
    }
    let context = input.context();
    let weights_bytes = if keeps_weights(&header, context) { 4 } else { 0 };
    let arrays = header.edges.saturating_mul(4 + weights_bytes).saturating_add(8 * (header.vertices + 1));
    context.grant(arrays, "the graph that the header promises")?;
    let data = header.edges.saturating_mul(header.edge_data_bytes.saturating_add(4 * header.version));
    context.progress.begin("reading", data.saturating_add(8 * header.vertices));
    Ok(header)
}

fn keeps_weights(header: &Header, context: &Context<'_>) -> bool {
    header.edge_data_bytes == 4 && context.weights != WeightPolicy::Drop
}

fn read_offsets(input: &mut LittleEndian<'_>, header: &Header) -> Result<Vec<u64>, GraphError> {
    let mut offsets = vec![0];
    input.numbers_u64(header.vertices, "the offsets", &mut offsets)?;
    let place = |index: usize| HEADER_BYTES + 8 * (index as u64).saturating_sub(1);
    for (index, pair) in offsets.windows(2).enumerate() {
        if let &[before, offset] = pair
            && offset < before
        {
            let problem =
                format!("the edges of vertex {index} end at {offset}, before they begin ({before})");
            return Err(input.error_at(place(index + 1), problem));
        }
    }
    match offsets.last() {
        Some(&last) if last != header.edges => {
            let problem =
                format!("the last offset is {last}, but the header promises {} edges", header.edges);
            Err(input.error_at(place(offsets.len() - 1), problem))
        }
        _ => Ok(offsets),
    }
}

fn read_targets(input: &mut LittleEndian<'_>, header: &Header) -> Result<Vec<Vertex>, GraphError> {
    const WHAT: &str = "the destinations";
    let (context, start, vertices) = (input.context(), input.offset(), header.vertices);
    let out_of_range = |offset: u64, target: u64| {
        let problem = format!("an edge leads to vertex {target}; there are only {vertices} vertices");
        context.error(problem).at_offset(offset)
    };
    if header.version == 1 {
        let targets = input.numbers_u32(header.edges, WHAT)?;
        return match targets.iter().enumerate().find(|&(_, &target)| u64::from(target) >= vertices) {
            Some((edge, &target)) => Err(out_of_range(start + 4 * edge as u64, target.into())),
            None => Ok(targets),
        };
    }
    let mut targets: Vec<Vertex> = Vec::new();
    input.exactly(header.edges.saturating_mul(8), WHAT, |block| {
        let (words, _) = block.as_chunks::<8>();
        make_room(&mut targets, words.len(), header.edges);
        for &word in words {
            let target = u64::from_le_bytes(word);
            if target >= vertices {
                return Err(out_of_range(start + 8 * targets.len() as u64, target));
            }
            targets.push(target as Vertex);
        }
        Ok(())
    })?;
    Ok(targets)
}

fn read_edge_data(input: &mut LittleEndian<'_>, header: &Header) -> Result<Weights, GraphError> {
    const WHAT: &str = "the edge data";
    let (context, start) = (input.context(), input.offset());
    let data_bytes = header.edges.saturating_mul(header.edge_data_bytes);
    let padding_bytes = if header.version == 1 && header.edges % 2 == 1 { 4 } else { 0 };
    let keeps_weights = keeps_weights(header, context);
    if !keeps_weights && header.edge_data_bytes != 0 {
        refuse_unless_dropped(header, context)?;
    }
    let mut words: Vec<u32> = Vec::new();
    let bytes = input.up_to(data_bytes.saturating_add(padding_bytes), |block| {
        if keeps_weights {
            let (more, _) = block.as_chunks::<4>();
            make_room(&mut words, more.len(), header.edges + 1);
            words.extend(more.iter().map(|&word| u32::from_le_bytes(word)));
        }
        Ok(())
    })?;
    if bytes < data_bytes {
        return Err(input.truncated(WHAT, data_bytes - bytes));
    }
    if bytes != data_bytes && bytes != data_bytes + padding_bytes {
        let problem = "the graph ends here, but bytes follow that are neither padding nor edge data";
        return Err(input.error_at(start + data_bytes, problem));
    }
    input.finish()?;
    match header.edge_data_bytes {
        0 => Ok(Weights::none()),
        4 => {
            let padding_bytes = bytes - data_bytes;
            words.drain(..words.len().min(padding_bytes as usize / 4));
            let place = |edge: usize| start + padding_bytes + 4 * edge as u64;
            integer_weights::convert(words, Signedness::Unsigned, place, context)
        }
        size => Ok(Weights::dropped(format!(
            "The edge data of {size} bytes could be integers or reals, so the structure was read without weights."
        ))),
    }
}

/// Edge data of other sizes than 4 bytes may be skipped, but never guessed.
fn refuse_unless_dropped(header: &Header, context: &Context<'_>) -> Result<(), GraphError> {
    if matches!(context.weights, WeightPolicy::Drop | WeightPolicy::Describe) {
        return Ok(());
    }
    let size = header.edge_data_bytes;
    let problem =
        format!("edge data of {size} bytes; whether they are integers or reals is not said in the file");
    let help = "read the structure alone with --weights drop, or convert the file to 4-byte integer weights";
    Err(context.error(problem).at_offset(8).with_help(help))
}

#[cfg(test)]
mod tests {
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
                "the graph that the header promises would need 4000000000000000016 bytes of memory; the limit for this input is 1073741824",
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
            (
                bytes(&[1, 0, 0, 2], &[0, 0]),
                "offset 32: the last offset is 0, but the header promises 2 edges",
            ),
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
            (
                version_1(4, &[1, 2]),
                "offset 76: the file ends within the edge data; 4 more bytes were promised",
            ),
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
}
