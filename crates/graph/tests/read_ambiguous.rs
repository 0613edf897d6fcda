//! Files whose first lines do not settle their format: the rest of them does.

use heddle_graph::read::{ReadOptions, WeightPolicy, read};
use heddle_graph::source::{Loaded, Origin};
use heddle_graph::{ArcList, Format, Graph, GraphError, build};
use std::fmt::Write as _;
use std::io::Write as _;

fn try_load(bytes: &[u8]) -> Result<Loaded, GraphError> {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    file.write_all(bytes).unwrap();
    read(file.path(), &ReadOptions { weights: WeightPolicy::Describe, ..ReadOptions::default() })
}

/// Format, vertices and arcs of a text, plain and compressed.
fn counts(text: &str) -> (Format, u32, u64) {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(text.as_bytes()).unwrap();
    let [plain, packed] = [text.as_bytes(), &encoder.finish().unwrap()].map(|bytes| {
        let loaded = try_load(bytes).unwrap_or_else(|error| panic!("{error}"));
        let Origin::File { format, .. } = loaded.origin else { panic!("read from a file") };
        (format, loaded.graph.num_vertices(), loaded.graph.num_arcs())
    });
    assert_eq!(plain, packed);
    plain
}

#[test]
fn arcs_below_a_header_are_no_neighbour_lists() {
    assert_eq!(counts("5 4\n1 5\n2 5\n3 5\n4 5\n"), (Format::EdgeList, 5, 4));
    assert_eq!(counts("6 3\n1 4\n2 5\n3 6\n"), (Format::EdgeList, 6, 3));
    assert_eq!(counts("4 3\n2 3\n3 4\n4 2\n"), (Format::EdgeList, 4, 3));
    for first in [1, 2] {
        let mut text = String::from("100000 49999\n");
        for source in first..first + 49_999u64 {
            writeln!(text, "{source} {}", 50_001 + source * 48_271 % 50_000).unwrap();
        }
        assert_eq!(counts(&text), (Format::EdgeList, 100_000, 49_999));
    }
}

#[test]
fn regular_graphs_of_any_size_are_metis() {
    let ring = |vertices: u64| {
        let mut text = format!("{vertices} {vertices}\n");
        for vertex in 0..vertices {
            let (before, after) = ((vertex + vertices - 1) % vertices, (vertex + 1) % vertices);
            writeln!(text, "{} {}", before + 1, after + 1).unwrap();
        }
        text
    };
    assert_eq!(counts(&ring(3)), (Format::Metis, 3, 6));
    assert_eq!(counts(&ring(100_000)), (Format::Metis, 100_000, 200_000));
    // One entry that is not answered, far behind the first lines.
    let arcs = ring(100_000).replace("\n90000 90002\n", "\n90000 90003\n");
    assert_eq!(counts(&arcs), (Format::EdgeList, 100_000, 100_000));
}

#[test]
fn the_first_list_of_neighbours_may_be_long_or_far() {
    for weight in ["", " 1"] {
        let mut star = format!("20001 20000{weight}\n");
        for vertex in 2..=20_001 {
            write!(star, "{vertex}{weight} ").unwrap();
        }
        star += "\n";
        star += &format!("1{weight}\n").repeat(20_000);
        assert_eq!(counts(&star), (Format::Metis, 20_001, 40_000));
        let error = try_load(star.replacen("\n2", "\n20002", 1).as_bytes()).unwrap_err().to_string();
        assert!(error.contains(":2: neighbour 20002 is outside"), "{error}");
    }
    let isolated = format!("100000 1\n{}100000\n99999\n", "\n".repeat(99_998));
    assert_eq!(counts(&isolated), (Format::Metis, 100_000, 2));
}

#[test]
fn comments_of_any_length_are_passed_over() {
    for (comment, body, expected) in [
        ("% c\n", "3 2\n2\n1 3\n2\n", (Format::Metis, 3, 4)),
        ("% c\n", "0 1\n1 2\n", (Format::EdgeList, 3, 2)),
        ("\n", "0 1\n1 2\n", (Format::EdgeList, 3, 2)),
        ("# c\n", "0 1\n1 2\n", (Format::EdgeList, 3, 2)),
        ("# c\n", "3 3 2\n1 2\n2 3\n", (Format::MatrixMarket, 3, 2)),
    ] {
        let above = comment.repeat(70_000);
        assert_eq!(counts(&format!("{above}{body}")), expected, "{comment:?} above {body:?}");
        let (first, rest) = body.split_once('\n').unwrap();
        if comment.starts_with('%') {
            assert_eq!(counts(&format!("{first}\n{above}{rest}")), expected, "{comment:?} within {body:?}");
        }
        let error = try_load(format!("{above}hello {first}\n").as_bytes()).unwrap_err().to_string();
        assert!(error.contains(":70001: "), "{error}");
    }
}

#[test]
fn an_empty_line_does_not_make_an_edge_list_metis() {
    assert_eq!(counts("4 3\n\n0 1\n1 2\n2 3\n"), (Format::EdgeList, 4, 3));
    assert_eq!(counts("5 3\n0 1\n\n1 2\n2 3"), (Format::EdgeList, 5, 3));
    assert_eq!(counts("100 200\n1 2\n\n3 4\n"), (Format::EdgeList, 6, 3));
    // Two neighbours or none, each answered: a METIS file.
    assert_eq!(counts("4 3\n2 4\n1 4\n\n1 2\n"), (Format::Metis, 4, 6));
}

#[test]
fn a_rodinia_file_keeps_its_format_where_a_line_is_wrong() {
    let mut text = String::from("20000\n");
    for vertex in 0..20_000 {
        let begin = if vertex == 100 { 7 } else { vertex };
        writeln!(text, "{begin} 1").unwrap();
    }
    text += "\n0\n\n20000\n";
    text += &"5 1\n".repeat(20_000);
    let error = try_load(text.as_bytes()).unwrap_err().to_string();
    assert!(error.contains(":102: the edges of vertex 100 begin at 7; 100 are before"), "{error}");
}

#[test]
fn a_triangle_that_was_cut_in_its_last_line_is_one_still() {
    let mut text = String::new();
    for column in 1..=20_000 {
        writeln!(text, "{} {column}", column + 1).unwrap();
        writeln!(text, "{} {column}", column + 7).unwrap();
    }
    // Long and short; the last line is `20007 20000`, of which digits are lost.
    for whole in [&text[..], &text[..text.match_indices('\n').nth(99).unwrap().0 + 1]] {
        let lines = whole.lines().count() as u64;
        let cut = &whole[..whole.len() - 2];
        let (format, _, arcs) = counts(cut);
        assert_eq!((format, arcs), (Format::MatrixMarket, 2 * lines));
        let notes = try_load(cut.as_bytes()).unwrap().notes;
        assert!(notes.iter().any(|note| note.contains("may be truncated")), "{notes:?}");
        let error = try_load(&whole.as_bytes()[..whole.rfind(' ').unwrap()]).unwrap_err().to_string();
        assert!(error.contains(&format!(":{lines}: the target is missing")), "{error}");
        // With a line end it is no cut, but another order.
        assert_eq!(counts(&format!("{cut}\n")).0, Format::EdgeList);
    }
}

#[test]
fn graphs_without_vertices_are_read_as_they_are_written() {
    let empty = Graph::undirected(build::from_arcs(&ArcList::unweighted(), 0).unwrap());
    for format in [Format::EdgeList, Format::Metis, Format::MatrixMarket, Format::Dimacs] {
        let mut text = Vec::new();
        heddle_graph::write::write(&empty, format, &mut text).unwrap();
        assert_eq!(counts(&String::from_utf8(text).unwrap()), (format, 0, 0));
    }
}
