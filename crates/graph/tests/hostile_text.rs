//! Bad input of every text format: an error that names the place, never a panic or a huge allocation.

use heddle_graph::limits::Limits;
use heddle_graph::read::{ReadOptions, WeightPolicy, read};
use heddle_graph::source::Loaded;
use heddle_graph::{Format, GraphError};
use proptest::prelude::*;
use std::io::Write;

fn load_with(bytes: &[u8], options: &ReadOptions<'_>) -> Result<Loaded, GraphError> {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(bytes).unwrap();
    read(file.path(), options)
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// What a file says, and what the error must say.
const CASES: &[(&[u8], &str)] = &[
    (b"", "the file is empty"),
    (b"\n\n", "nothing but comments"),
    (b"hello world\n", ":1: no known graph format"),
    (b"\xFF\xFE0\0 \x001\0\n\0", "no known graph format"),
    // Edge lists.
    (b"0 1\n1 x\n", ":2: the target should be a whole number, found `x`"),
    (b"0 1\n1\n", ":2: the target is missing"),
    (b"0 1\n1 2\n# c\n\n1 2 3\n", ":5: two columns expected"),
    (b"0 1\n1 2 3\n", ":1: `0 1` is neither an arc like the others nor a header"),
    (b"0 1 5\n1 2\n", ":2: the weight is missing"),
    (b"0 1\n1 99999999999999999999\n", ":2: the target is too large"),
    (b"0 1\n-1 2\n", ":2: the source should be a whole number, found `-1`"),
    (b"0 1\n1.5 2\n", ":2: the source should be a whole number, found `1.5`"),
    (b"0 1\n1 2x\n", ":2: the target should be a whole number, found `2x`"),
    (b"0 1\n1 2\xFF\n", ":2: the target should be a whole number, found bytes that are not UTF-8"),
    (b"0 1\n1 2\0\n", ":2: the target should be a whole number, found a NUL byte"),
    (b"0 1 1\n1 2 heavy\n", ":2: the weight should be a number"),
    (b"# Nodes: 3 Edges: 9\n0 1\n1 2\n", ":1: this comment promises 9 edges, but only 2"),
    (b"# Nodes: 1000000000000000000 Edges: 1\n0 1\n", ":1: 1000000000000000000 vertices"),
    (b"#\n# Nodes: 4294967295 Edges: 2\n0 1\n1 2\n", ":2: 4294967295 vertices"),
    (b"5000000000 2\n0 1\n1 2\n", ":1: 5000000000 vertices"),
    (b"s,t\n\"0\",\"1\"\n\"0\",\"1\n", ":3: the target should be a whole number, found `\"1`"),
    (b"9 1000000000000000000\n0 1\n1 2\n", ":1: `9 1000000000000000000` promises"),
    (b"% bip unweighted\n1 1\n", ":1: a bipartite"),
    // Matrix Market.
    (b"%%MatrixMarket matrix coordinate pattern general\n", "ends before its size line"),
    (b"%%MatrixMarket matrix coordinate pattern general\n3 3\n", ":2: a size line"),
    (
        b"%%MatrixMarket matrix coordinate pattern general\n3 3 2\n1 2\n",
        ":2: 2 entries are promised, but only 1",
    ),
    (b"%%MatrixMarket matrix coordinate pattern general\n3 3 1\n1 2\n% c\n2 1\n", ":5: only 1 entries"),
    (b"%%MatrixMarket matrix coordinate pattern general\n3 3 1\n0 2\n", ":3: id 0 in `0 2` is outside 1..3"),
    (b"%%MatrixMarket matrix coordinate pattern general\n3 3 1\n1 4\n", ":3: id 4 in `1 4` is outside 1..3"),
    (
        b"%%MatrixMarket matrix coordinate pattern symmetric\n3 4 1\n1 2\n",
        ":2: a symmetric matrix must be square",
    ),
    (
        b"%%MatrixMarket matrix coordinate pattern general\n3 3 1000000000000000000\n1 2\n",
        ":2: 1000000000000000000 entries",
    ),
    (
        b"%%MatrixMarket matrix coordinate pattern general\n4000000000 4000000000 1\n1 2\n",
        ":2: 4000000000 vertices",
    ),
    (b"%%MatrixMarket matrix coordinate integer general\n3 3 1\n1 2\n", ":3: the weight is missing"),
    (
        b"%%MatrixMarket matrix coordinate pattern general\n7 7 3\n1 2\n7 7 7 7 7\n2 3\n",
        ":4: two columns expected, found more",
    ),
    (
        b"%%MatrixMarket matrix coordinate pattern general\n7 7 3\n1 2 1\n7 7 7 7 7\n2 3 1\n",
        ":4: three columns expected, found more",
    ),
    // DIMACS.
    (b"c only\n", "ends before its problem line"),
    (b"p sp 3 2\na 1 2 3\n", ":1: 2 arcs are promised, but only 1"),
    (b"p sp 3 1\na 1 2 3\na 2 3 4\n", ":3: only 1 entries are promised"),
    (b"p sp 3 1\na 1 4 3\n", ":2: id 4"),
    (b"p sp 3 1\nx 1 2 3\n", ":2: a line `a source target"),
    (b"p sp 3 1\na 1 2 -3\n", ":2: weight `-3`"),
    (b"p sp 3 1000000000000000000\na 1 2 3\n", ":1: 1000000000000000000 arcs"),
    (b"p max 3 1\n", ":1: problem `max` is unknown"),
    (b"p aux sp co 3\n", ":1: `p aux`"),
    // METIS.
    (b"3 2\n2\n1 4\n2\n", ":3: neighbour 4 is outside 1..3"),
    (b"3 2\n2\n1 0\n2\n", ":3: neighbour 0 is outside 1..3"),
    (b"3 2\n2\n1 3\n", ":1: 3 vertices are promised, but only 2"),
    (b"3 2\n2\n1 3\n2\n\n1\n", ":6: only 3 vertices"),
    (b"3 3\n2\n1 3\n2\n", ":1: 3 edges are promised, which is 6 entries; found 4"),
    (b"3 2 1\n2 5\n1 5 3\n2 6\n", ":3: the weight of the last neighbour is missing"),
    (b"3 2\n2\n1 x 3\n2\n", ":3: the neighbour should be"),
    (b"3 2\n2\n1 3\n2\n4\n", ":5: neighbour 4 is outside 1..3"),
    (b"1000000000000000000 2\n2\n1 3\n2\n", "1000000000000000000 vertices"),
    // Rodinia.
    (b"2\n0 1\n1 1\n0\n2\n1 1\n", "2 edges are promised, but 2 numbers follow"),
    (b"2\n0 1\n1 1\n7\n2\n1 1\n0 1\n", ":4: the source is 7"),
    (b"2\n0 1\n1 1\n0\n2\n1 1\n5 1\n", ":7: an edge leads to 5"),
    (b"2\n0 1\n1 1\n0\n3\n1 1\n0 1\n", ":5: 3 edges are promised"),
    (b"2\n0 1\n1 1\n0\n2\n1 1\n0 z\n", ":7: an entry should be"),
    (b"3\n0 2\n1 1\n3 0\n\n0\n\n3\n1 5\n2 6\n0 1\n", ":3: the edges of vertex 1 begin at 1; 2 are before"),
    (b"1000000000\n0 1\n1 1\n", "1000000000 vertices"),
];

#[test]
fn every_mistake_is_named_with_its_line() {
    let mut wrong = Vec::new();
    for (bytes, expected) in CASES {
        let shown = bytes.escape_ascii();
        let error = match load_with(bytes, &ReadOptions::default()) {
            Err(error) => error.to_string(),
            Ok(loaded) => panic!("{shown} was read: {:?}", loaded.notes),
        };
        let packed = load_with(&gzip(bytes), &ReadOptions::default()).unwrap_err().to_string();
        let packed_fits = bytes.is_empty() || packed.contains(expected);
        if !error.contains(expected) || !packed_fits {
            wrong.push(format!("{shown}: {error}; compressed: {packed}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn lines_are_counted_across_pieces_and_blocks() {
    let mut text = String::new();
    let lines = 1_500_000;
    for line in 1..=lines {
        text.push_str(if line == lines { "7 x\n" } else { "7 1000000\n" });
    }
    for bytes in [text.as_bytes().to_vec(), gzip(text.as_bytes())] {
        let error = load_with(&bytes, &ReadOptions::default()).unwrap_err().to_string();
        assert!(error.contains(":1500000: the target"), "{error}");
    }
}

#[test]
fn a_line_without_end_is_no_trouble() {
    // Longer than a block of compressed text, as comment, as header, and as arc.
    let long = "1 ".repeat(6 << 20);
    let commented = format!("# {long}\n0 1\n1 2\n");
    let loaded = load_with(&gzip(commented.as_bytes()), &ReadOptions::default()).unwrap();
    assert_eq!(loaded.graph.num_arcs(), 2);
    let error = load_with(&gzip(long.as_bytes()), &ReadOptions::default()).unwrap_err();
    assert!(error.to_string().contains(":1: "), "{error}");
    let error =
        load_with(&gzip(format!("0 1\n1 2\n{long}").as_bytes()), &ReadOptions::default()).unwrap_err();
    assert!(error.to_string().contains(":3: two columns expected"), "{error}");
}

#[test]
fn a_lost_tail_is_noticed() {
    let mut text = String::from("1000 5000\n");
    for line in 0..3000 {
        text += &format!("{} {}\n", line % 1000, (line * 7) % 1000);
    }
    let error = load_with(text.as_bytes(), &ReadOptions::default()).unwrap_err().to_string();
    assert!(error.contains(":1: `1000 5000` promises 1000 vertices and 5000 edges, but 3000"), "{error}");
}

#[test]
fn compressed_data_keeps_to_its_limit_and_its_end() {
    let limits = Limits { memory_bytes: 1 << 20, decompressed_bytes: 1 << 20 };
    let options = ReadOptions { limits: Some(limits), ..ReadOptions::default() };
    let bomb = gzip(&b"0 1\n".repeat(1 << 19));
    let error = load_with(&bomb, &options).unwrap_err();
    assert!(error.problem.contains("--decompressed-limit"), "{error}");
    let error = load_with(&b"0 1\n".repeat(1 << 19), &options).unwrap_err();
    assert!(error.problem.contains("memory") && error.help.unwrap().contains("--memory-limit"));
    let text: String = (0..100_000).map(|i| format!("{i} {}\n", i * 7 % 1000)).collect();
    let whole = gzip(text.as_bytes());
    let error = load_with(&whole[..whole.len() / 2], &ReadOptions::default()).unwrap_err();
    assert!(error.problem.contains("truncated"), "{error}");
}

#[test]
fn compression_and_threads_do_not_change_the_graph() {
    let mut text = String::new();
    for line in 0..400_000u64 {
        text += &format!("{}\t{}\n", line * 2_654_435_761 % 50_000, line * 40_503 % 49_999);
    }
    let load = |bytes: &[u8], threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| load_with(bytes, &ReadOptions::default()).unwrap())
    };
    let one = load(text.as_bytes(), 1);
    assert_eq!(one.graph.num_arcs(), 400_000);
    let level = ruzstd::encoding::CompressionLevel::Fastest;
    let packed = [gzip(text.as_bytes()), ruzstd::encoding::compress_to_vec(text.as_bytes(), level)];
    for bytes in [text.as_bytes(), &packed[0], &packed[1]] {
        for threads in [1, 2, 5] {
            let other = load(bytes, threads);
            assert_eq!((&other.graph, &other.notes), (&one.graph, &one.notes));
        }
    }
}

const TEXT_FORMATS: [Format; 5] =
    [Format::MatrixMarket, Format::EdgeList, Format::Dimacs, Format::Metis, Format::Rodinia];

/// Bytes that get past the first checks more often than random ones.
fn nearly_text() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        Just("%%MatrixMarket matrix coordinate real general\n".to_owned()),
        Just("p sp 3 2\n".to_owned()),
        Just("# Nodes: 3 Edges: 2\n".to_owned()),
        Just("% sym unweighted\n".to_owned()),
        Just("3 2 11 2\n".to_owned()),
        "[ae] [0-9]{1,3} [0-9]{1,3}",
        "[0-9]{1,2}[ \t,;][0-9]{1,2}( -?[0-9]\\.[0-9])?\n",
        "[0-9]{1,25}",
        "[ \t\r\n,;%#.-]{1,4}",
        ".{0,6}",
    ];
    prop::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat().into_bytes())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(192))]

    #[test]
    fn no_bytes_make_a_reader_panic(
        bytes in prop_oneof![prop::collection::vec(any::<u8>(), 1..200), nearly_text()],
    ) {
        for format in TEXT_FORMATS.into_iter().map(Some).chain([None]) {
            for weights in [WeightPolicy::Refuse, WeightPolicy::Describe, WeightPolicy::Drop] {
                let options = ReadOptions { format, weights, ..ReadOptions::default() };
                if let Ok(loaded) = load_with(&bytes, &options) {
                    let arcs = loaded.graph.num_arcs();
                    prop_assert!(arcs <= 2 * bytes.len() as u64, "{arcs} arcs from {} bytes", bytes.len());
                }
            }
        }
    }

    #[test]
    fn what_is_rendered_is_read_back(
        arcs in prop::collection::vec((0u32..40, 0u32..40, any::<u32>()), 1..60),
        separator in prop::sample::select(vec![" ", "\t", "  ", " \t "]),
        end in prop::sample::select(vec!["\n", "\r\n", " \n", "\n\n", "\n% c\n"]),
    ) {
        let expected: heddle_graph::ArcList = arcs.iter().copied().collect();
        let expected = heddle_graph::build::from_arcs(&expected, 40).unwrap();
        let join = |columns: &[String]| columns.join(separator);
        let count = arcs.len();
        let mut matrix = format!("%%MatrixMarket matrix coordinate integer general\n40 40 {count}{end}");
        let mut list = format!("# Nodes: 40 Edges: {count}{end}");
        let mut dimacs = format!("p sp 40 {count}\n");
        for &(source, target, weight) in &arcs {
            let one_based = join(&[(source + 1).to_string(), (target + 1).to_string(), weight.to_string()]);
            matrix += &format!("{one_based}{end}");
            list += &format!("{}{end}", join(&[source.to_string(), target.to_string(), weight.to_string()]));
            dimacs += &format!("a {one_based}\n");
        }
        let mut rodinia = "40\n".to_owned();
        for vertex in expected.vertices() {
            rodinia += &format!("{} {}\n", expected.offsets()[vertex as usize], expected.degree(vertex));
        }
        rodinia += &format!("\n0\n\n{count}\n");
        for vertex in expected.vertices() {
            for (target, weight) in expected.weighted_neighbours(vertex) {
                rodinia += &format!("{target} {weight}\n");
            }
        }
        for text in [matrix, list, dimacs, rodinia] {
            let loaded = load_with(text.as_bytes(), &ReadOptions::default()).map_err(|error| {
                TestCaseError::fail(format!("{error}: {text}"))
            })?;
            prop_assert_eq!(loaded.graph.out_edges(), &expected);
        }
    }

    #[test]
    fn rendered_neighbour_lists_are_read_back(
        edges in prop::collection::btree_set((0u32..30, 0u32..30), 1..60),
        code in 0u32..8,
    ) {
        let list: heddle_graph::ArcList =
            edges.iter().filter(|(u, v)| u < v).map(|&(u, v)| (u, v, 3 * u + v)).collect();
        let csr = heddle_graph::build::from_undirected_arcs(&list, 30).unwrap();
        let mut text = format!("30 {} {code:03b} 2\n", list.len());
        for vertex in csr.vertices() {
            let mut row = String::new();
            if code & 4 != 0 { row += "77 "; }
            if code & 2 != 0 { row += "88 99 "; }
            for (target, weight) in csr.weighted_neighbours(vertex) {
                row += &format!("{} ", target + 1);
                if code & 1 != 0 { row += &format!("{weight} "); }
            }
            text += &format!("{row}\n");
        }
        let options = ReadOptions { format: Some(Format::Metis), ..ReadOptions::default() };
        let loaded = load_with(text.as_bytes(), &options).map_err(|error| TestCaseError::fail(format!("{error}: {text}")))?;
        let expected = if code & 1 != 0 { csr } else { csr.with_weights(None).unwrap() };
        prop_assert_eq!(loaded.graph.out_edges(), &expected);
    }
}
