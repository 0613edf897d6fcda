//! Lists in every code, files of the reference encoder, damaged bits, and missing companions.

use super::encode;
use super::files::Files;
use super::flags::Flags;
use super::properties::{self, Properties};
use super::*;
use crate::read::ReadOptions;
use dsi_bitstream::dispatch::Codes;
use proptest::prelude::*;
use std::fs;
use std::path::PathBuf;

const OPTIONS: ReadOptions<'static> = ReadOptions {
    format: None,
    undirected: false,
    weights: crate::read::WeightPolicy::Refuse,
    limits: None,
    progress: &crate::progress::Silent,
};

fn read_from(path: &Path) -> Result<Content, GraphError> {
    read(path, &Context::new(path, 0, &OPTIONS))
}

/// A graph in files.
struct Encoded {
    folder: tempfile::TempDir,
    lists: Vec<Vec<u32>>,
}

impl Encoded {
    fn new(lists: Vec<Vec<u32>>, flags: Flags, bit_order: BitOrder) -> Encoded {
        let folder = tempfile::tempdir().unwrap();
        encode::store(&lists, &flags, bit_order, folder.path());
        Encoded { folder, lists }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn bytes(&self) -> Vec<u8> {
        fs::read(self.path("g.graph")).unwrap()
    }

    fn properties(&self) -> Properties {
        let path = self.path("g.properties");
        properties::parse(&fs::read(&path).unwrap(), &path).unwrap()
    }

    fn decode(&self, bytes: &[u8], properties: &Properties) -> Result<Csr, GraphError> {
        let path = self.path("g.graph");
        decode_bytes(bytes, properties, &path, &Context::new(&path, 0, &OPTIONS))
    }
}

fn zstd(bytes: &[u8]) -> Vec<u8> {
    ruzstd::encoding::compress_to_vec(bytes, ruzstd::encoding::CompressionLevel::Fastest)
}

/// Lists that have what the format compresses: runs, likeness to the list before, and scattered arcs.
fn lists() -> impl Strategy<Value = Vec<Vec<u32>>> {
    let vertices = 48u32;
    let run = (0..vertices, 1u32..12)
        .prop_map(move |(start, length)| (start..(start + length).min(vertices)).collect::<Vec<u32>>());
    let scattered = proptest::collection::vec(0..vertices, 0..6);
    let list = (run, scattered, any::<bool>(), any::<bool>());
    proptest::collection::vec(list, vertices as usize).prop_map(|parts| {
        let mut lists: Vec<Vec<u32>> = Vec::new();
        for (run, scattered, copies, empty) in parts {
            let mut list = if copies { lists.last().cloned().unwrap_or_default() } else { run };
            list.extend(scattered);
            list.sort_unstable();
            list.dedup();
            lists.push(if empty && !copies { Vec::new() } else { list });
        }
        lists
    })
}

fn flags() -> impl Strategy<Value = Flags> {
    let code = || {
        prop_oneof![
            Just(Codes::Unary),
            Just(Codes::Gamma),
            Just(Codes::Delta),
            Just(Codes::Omega),
            (1usize..=7).prop_map(Codes::Zeta),
            (1usize..=4).prop_map(Codes::Pi)
        ]
    };
    (code(), code(), code(), code(), code(), 0u64..9, prop_oneof![Just(0u64), 2u64..6]).prop_map(
        |(outdegrees, references, blocks, intervals, residuals, compression_window, min_interval_length)| {
            Flags {
                outdegrees,
                references,
                blocks,
                intervals,
                residuals,
                min_interval_length,
                compression_window,
            }
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn every_combination_of_codes_decodes_to_what_was_encoded(lists in lists(), flags in flags()) {
        for bit_order in [BitOrder::BigEndian, BitOrder::LittleEndian] {
            let encoded = Encoded::new(lists.clone(), flags, bit_order);
            let content = read_from(&encoded.path("g.graph")).unwrap();
            for (vertex, list) in (0..).zip(&encoded.lists) {
                prop_assert_eq!(content.graph.out_edges().neighbours(vertex), list.as_slice());
            }
        }
    }

    #[test]
    fn damaged_bits_give_a_graph_or_an_error(
        lists in lists(),
        flags in flags(),
        damage in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..40),
        cut in any::<prop::sample::Index>(),
        arcs_more in 0u64..1 << 50,
    ) {
        let encoded = Encoded::new(lists, flags, BitOrder::LittleEndian);
        let whole = encoded.bytes();
        let mut properties = encoded.properties();
        for (index, bits) in &damage {
            let mut bytes = whole.clone();
            *index.get_mut(&mut bytes) ^= bits;
            for bytes in [&bytes[..], &bytes[..cut.index(bytes.len())]] {
                if let Ok(csr) = encoded.decode(bytes, &properties) {
                    prop_assert_eq!(csr.num_arcs(), properties.arcs);
                }
            }
        }
        // More arcs allowed must not mean that more is believed.
        properties.arcs += arcs_more;
        prop_assert!(encoded.decode(&whole, &properties).is_err() || arcs_more == 0);
    }

    #[test]
    fn arbitrary_bytes_are_no_reason_to_panic(
        bytes in proptest::collection::vec(any::<u8>(), 0..600),
        vertices in 0u64..2000,
        arcs in 0u64..1 << 24,
        flags in flags(),
    ) {
        let path = Path::new("arbitrary.graph");
        let context = Context::new(path, 0, &OPTIONS);
        for bit_order in [BitOrder::BigEndian, BitOrder::LittleEndian] {
            let properties = Properties { vertices, arcs, bit_order, flags, path: PathBuf::new(), arcs_line: 1 };
            if let Ok(csr) = decode_bytes(&bytes, &properties, path, &context) {
                prop_assert_eq!(csr.num_arcs(), arcs);
            }
        }
    }

    #[test]
    fn arbitrary_properties_are_no_reason_to_panic(text in "[a-z=|_#:\n 0-9A-Z]{0,200}") {
        if let Err(error) = properties::parse(text.as_bytes(), Path::new("g.properties")) {
            prop_assert!(error.to_string().starts_with("g.properties"), "{}", error);
        }
    }
}

#[test]
fn bad_properties_are_refused_with_their_line() {
    let whole = "#BVGraph properties\nnodes=3\narcs=2\nwindowsize=7\nzetak=3\ncompressionflags=\n";
    let path = Path::new("g.properties");
    assert!(properties::parse(whole.as_bytes(), path).is_ok());
    for (from, to, expected) in [
        ("nodes=3\n", "", "g.properties:5: there is no property `nodes`"),
        ("arcs=2\n", "", "g.properties:5: there is no property `arcs`"),
        ("nodes=3", "nodes=-3", "g.properties:2: `nodes` is `-3`; a natural number was expected"),
        (
            "nodes=3",
            "nodes=4294967296",
            "g.properties:2: 4294967296 vertices; at most 4294967295 fit 32-bit ids",
        ),
        ("arcs=2", "arcs=many", "g.properties:3: `arcs` is `many`; a natural number was expected"),
        ("windowsize=7", "windowsize", "g.properties:4: not a property: `key=value` was expected"),
        ("zetak=3", "zetak=0", "g.properties:5: `zetak` is 0; 1 to 7 was expected"),
        (
            "flags=",
            "flags=RESIDUALS_GOLOMB",
            "g.properties:6: the compression flag `RESIDUALS_GOLOMB` is not known",
        ),
        ("flags=", "flags=GAMMA", "g.properties:6: the compression flag `GAMMA` is not known"),
        (
            "nodes=3",
            "nodes=3\ngraphclass=x.EFGraph",
            "g.properties:3: `graphclass` is `x.EFGraph`; it.unimi.dsi.webgraph.BVGraph was expected",
        ),
        ("nodes=3", "nodes=3\nversion=9", "g.properties:3: version 9; 0 and 1 are known"),
        (
            "nodes=3",
            "nodes=3\nendianness=middle",
            "g.properties:3: `endianness` is `middle`; big or little was expected",
        ),
    ] {
        let error = properties::parse(whole.replace(from, to).as_bytes(), path).unwrap_err();
        assert_eq!(error.to_string(), expected);
    }
    let error = properties::parse(b"nodes=3\n\xff\xfe", path).unwrap_err();
    assert_eq!(error.to_string(), "g.properties:2: is not text: invalid UTF-8");
}

#[test]
fn zetak_alone_sets_the_code_of_the_residuals() {
    let properties = properties::parse(b"nodes=1\narcs=0\nzetak=5\n", Path::new("g")).unwrap();
    assert_eq!(properties.flags.residuals, Codes::Zeta(5));
}

#[test]
fn promises_that_the_bytes_cannot_keep_are_refused() {
    let encoded = Encoded::new(vec![vec![1], vec![0]], Flags::default(), BitOrder::BigEndian);
    let honest = encoded.properties();
    let bytes = encoded.bytes();
    let mut properties = honest.clone();
    properties.vertices = 1 << 31;
    let error = encoded.decode(&bytes, &properties).unwrap_err();
    assert!(error.problem.contains("cannot hold that many"), "{error}");
    properties = honest.clone();
    properties.arcs = 1_000_000_000_000_000_000;
    let error = encoded.decode(&bytes, &properties).unwrap_err();
    assert!(error.problem.contains("bytes of memory"), "{error}");
    assert_eq!(
        (error.input, error.place),
        (honest.path.clone(), crate::error::Place::Line(honest.arcs_line))
    );
    properties = honest.clone();
    properties.arcs = 3;
    let error = encoded.decode(&bytes, &properties).unwrap_err();
    assert!(error.problem.contains("hold 2 arcs, but the properties promise 3"), "{error}");
    let mut longer = bytes.clone();
    longer.extend([0; 32]);
    let error = encoded.decode(&longer, &honest).unwrap_err();
    assert!(error.problem.contains("more bytes follow"), "{error}");
}

#[test]
fn any_of_the_files_or_their_common_name_will_do() {
    let encoded = Encoded::new(vec![vec![1, 2], vec![], vec![0]], Flags::default(), BitOrder::BigEndian);
    let plain = read_from(&encoded.path("g.graph")).unwrap().graph;
    assert_eq!(plain.out_edges().neighbours(0), [1, 2]);
    assert!(plain.is_directed());
    for name in ["g.properties", "g.offsets", "g"] {
        assert_eq!(read_from(&encoded.path(name)).unwrap().graph, plain);
    }
    fs::write(encoded.path("g.graph.zst"), zstd(&encoded.bytes())).unwrap();
    fs::remove_file(encoded.path("g.graph")).unwrap();
    assert_eq!(read_from(&encoded.path("g")).unwrap().graph, plain);
    assert_eq!(read_from(&encoded.path("g.graph.zst")).unwrap().graph, plain);
    let files = files::find(&encoded.path("g.properties")).unwrap();
    assert_eq!(files, Files { graph: encoded.path("g.graph.zst"), properties: encoded.path("g.properties") });
}

#[test]
fn a_missing_companion_is_named() {
    let encoded = Encoded::new(vec![vec![]], Flags::default(), BitOrder::BigEndian);
    fs::remove_file(encoded.path("g.properties")).unwrap();
    let error = read_from(&encoded.path("g.graph")).err().unwrap();
    assert!(error.problem.contains(&encoded.path("g.properties").display().to_string()), "{error}");
    fs::remove_file(encoded.path("g.graph")).unwrap();
    let error = read_from(&encoded.path("g")).err().unwrap();
    assert!(error.problem.contains(&encoded.path("g.graph").display().to_string()), "{error}");
}

#[test]
fn a_bomb_stops_at_the_limit() {
    let encoded = Encoded::new(vec![vec![]], Flags::default(), BitOrder::BigEndian);
    let zeros = zstd(&[0; 100_000]);
    fs::write(encoded.path("g.graph"), zeros).unwrap();
    let limits = crate::limits::Limits { memory_bytes: 1 << 20, decompressed_bytes: 50_000 };
    let error = files::load(&encoded.path("g.graph"), &limits).unwrap_err();
    assert!(error.problem.contains("limit") && error.problem.contains("50000"), "{error}");
}

#[test]
fn the_shared_web_graphs_have_their_published_counts() {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/graphs");
    let folder = std::env::var_os("HEDDLE_GRAPHS").map_or(beside, PathBuf::from);
    for (name, vertices, arcs, self_loops) in
        [("cnr-2000", 325_557, 3_216_152, Some(87_442)), ("dblp-2010", 326_186, 1_615_400, None)]
    {
        let path = folder.join(format!("{name}/{name}.graph.gz"));
        if !path.exists() {
            return;
        }
        let graph = read_from(&path).unwrap().graph;
        assert_eq!((graph.num_vertices(), graph.num_arcs()), (vertices, arcs));
        let loops = graph.out_edges().arcs().filter(|(source, target)| source == target).count();
        assert!(self_loops.is_none_or(|expected| loops == expected), "{loops}");
    }
}
