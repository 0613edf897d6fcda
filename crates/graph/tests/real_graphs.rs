//! Every text file of the shared collection gives the counts that its manifest states.

use crate::common::real_graphs;
use heddle_graph::read::{ReadOptions, WeightPolicy, read};
use heddle_graph::source::{Loaded, Origin};
use heddle_graph::{Format, Graph};

fn load(name: &str, options: &ReadOptions<'_>) -> Option<Loaded> {
    Some(read(&real_graphs()?.join(name), options).unwrap_or_else(|error| panic!("{error}")))
}

fn described() -> ReadOptions<'static> {
    ReadOptions { weights: WeightPolicy::Describe, ..ReadOptions::default() }
}

fn self_loops(graph: &Graph) -> usize {
    graph.out_edges().arcs().filter(|(source, target)| source == target).count()
}

#[test]
fn a_test_without_its_graphs_says_that_it_was_skipped() {
    let name = "weights_of_roads_are_held";
    let tests = std::env::current_exe().unwrap();
    let run = |graphs: Option<&str>| {
        let mut command = std::process::Command::new(&tests);
        command.envs(graphs.map(|folder| ("HEDDLE_GRAPHS", folder)));
        let output = command.arg(name).output().unwrap();
        assert!(output.status.success());
        String::from_utf8(output.stderr).unwrap()
    };
    let skipped = run(Some("no/such/folder"));
    assert!(skipped.contains("SKIPPED") && skipped.contains(name), "{skipped}");
    assert!(skipped.contains("no real graphs in no/such/folder (HEDDLE_GRAPHS)"), "{skipped}");
    if real_graphs().is_some() {
        assert_eq!(run(None), "");
    }
}

#[test]
fn counts_are_those_of_the_manifest() {
    // File, format, vertices, arcs held, directed.
    let expected = [
        ("wing/wing.graph.gz", Format::Metis, 62032, 243_088, false),
        ("4elt/4elt.graph.gz", Format::Metis, 15606, 91756, false),
        ("rgg_n_2_15_s0/rgg_n_2_15_s0.graph.gz", Format::Metis, 32768, 320_480, false),
        ("brack2/brack2_3.graph.gz", Format::Metis, 62631, 733_118, false),
        ("dictionary28/dictionary28.mtx.gz", Format::MatrixMarket, 52652, 178_076, false),
        ("luxembourg_osm/luxembourg_osm.mtx.gz", Format::MatrixMarket, 114_599, 239_332, false),
        ("memplus/memplus.mtx.gz", Format::MatrixMarket, 17758, 126_150, true),
        ("email-EuAll/email-EuAll.undirected.txt.gz", Format::EdgeList, 265_214, 364_481, true),
        ("p2p-Gnutella31/p2p-Gnutella31.txt.gz", Format::EdgeList, 62586, 147_892, true),
        ("email-Enron/email-Enron.txt.gz", Format::EdgeList, 36692, 367_662, true),
        ("com-dblp/com-dblp.csv.gz", Format::EdgeList, 317_080, 1_049_866, true),
        ("USA-road-d.NY/USA-road-d.NY.gr.gz", Format::Dimacs, 264_346, 733_846, true),
        ("rodinia-graph4096/graph4096.txt.gz", Format::Rodinia, 4096, 24576, true),
    ];
    for (file, format, vertices, arcs, directed) in expected {
        let Some(loaded) = load(file, &described()) else { return };
        let Origin::File { format: found, .. } = loaded.origin else { panic!("{file} is a file") };
        let graph = &loaded.graph;
        assert_eq!(
            (found, graph.num_vertices(), graph.num_arcs(), graph.is_directed()),
            (format, vertices, arcs, directed),
            "{file}: {:?}",
            loaded.notes
        );
        assert!(directed || graph.out_edges().arcs().count() as u64 == arcs);
    }
}

#[test]
fn undirected_on_request_holds_both_directions() {
    let options = ReadOptions { undirected: true, ..ReadOptions::default() };
    let counts = [
        ("email-EuAll/email-EuAll.undirected.txt.gz", 728_962),
        ("com-dblp/com-dblp.csv.gz", 2_099_732),
        ("email-Enron/email-Enron.txt.gz", 367_662),
    ];
    for (file, arcs) in counts {
        let Some(loaded) = load(file, &options) else { return };
        assert_eq!(loaded.graph.num_arcs(), arcs, "{file}: {:?}", loaded.notes);
        assert!(!loaded.graph.is_directed());
    }
}

#[test]
fn decisions_are_said() {
    let said = |file: &str, words: &str| {
        let Some(loaded) = load(file, &described()) else { return };
        assert!(loaded.notes.iter().any(|note| note.contains(words)), "{file}: {:?}", loaded.notes);
    };
    said("com-dblp/com-dblp.csv.gz", "renumbered to 0..317079");
    said("luxembourg_osm/luxembourg_osm.mtx.gz", "symmetric");
    said("brack2/brack2_3.graph.gz", "3 weights of every vertex");
    said("memplus/memplus.mtx.gz", "without its weights");
    said("dictionary28/dictionary28.mtx.gz", "third column");
    said("email-EuAll/email-EuAll.undirected.txt.gz", "265214 vertices");
}

#[test]
fn real_weights_need_a_conversion() {
    let Some(folder) = real_graphs() else { return };
    let path = folder.join("memplus/memplus.mtx.gz");
    let error = read(&path, &ReadOptions::default()).unwrap_err();
    assert!(error.to_string().contains(":3: weight `8.3208769837292e-02`"), "{error}");
    assert!(error.help.unwrap().contains("--weights"));
    let options = ReadOptions { weights: WeightPolicy::Absolute, ..ReadOptions::default() };
    assert!(load("memplus/memplus.mtx.gz", &options).unwrap().graph.is_weighted());
    assert_eq!(self_loops(&load("memplus/memplus.mtx.gz", &described()).unwrap().graph), 17758);
}

#[test]
fn weights_of_roads_are_held() {
    let Some(loaded) = load("USA-road-d.NY/USA-road-d.NY.gr.gz", &ReadOptions::default()) else { return };
    let csr = loaded.graph.out_edges();
    assert_eq!(csr.weighted_neighbours(0).next(), Some((1, 803)));
}
