//! Each structured surrogate (power law, web, cliques, mesh) against what its document publishes, whole
//! and eight times smaller.

mod structure;

use heddle_graph::progress::Silent;
use heddle_graph::surrogate::{self, Surrogate};
use heddle_graph::{Graph, generate};
use structure::Structure;

const SHRINK: u64 = 8;

/// What table II of 002_4488ae5b21985a34.txt prints beside the columns that a surrogate is declared with:
/// deviation of degrees, AN_L, AN_R, imbalance.
const TABLE_II: [(&str, f64, f64, f64, f64); 6] = [
    ("AMZ", 16.298, 2.616, 13.749, 0.000),
    ("DCT", 4.475, 1.215, 2.167, 0.083),
    ("EML", 42.490, 0.167, 2.992, 1.000),
    ("OLS", 2.411, 3.446, 4.295, 0.000),
    ("RAJ", 32.954, 4.697, 3.209, 0.617),
    ("WNG", 0.278, 0.020, 3.899, 0.000),
];

fn make(recipe: &str) -> Graph {
    generate::generate(recipe, &Silent).unwrap_or_else(|error| panic!("{error}")).graph
}

#[track_caller]
fn near(what: &str, published: f64, generated: f64, tolerance: f64) {
    let within = (generated - published).abs() <= tolerance * published;
    assert!(within, "{what}: published {published}, generated {generated}");
}

fn is_simple(graph: &Graph) -> bool {
    let csr = graph.out_edges();
    csr.vertices().all(|v| {
        let row = csr.neighbours(v);
        row.windows(2).all(|pair| pair[0] < pair[1]) && !row.contains(&v)
    })
}

fn holds_what_is_published(surrogate: &Surrogate) -> Structure {
    let graph = make(&surrogate.recipe);
    assert!(is_simple(&graph), "{}", surrogate.name);
    let found = Structure::of(&graph);
    let published = &surrogate.published;
    let name = &surrogate.name;
    near(name, published.vertices as f64, found.vertices as f64, 0.01);
    near(name, published.arcs as f64, found.arcs as f64, 0.01);
    if !published.rounded {
        assert_eq!((found.vertices, found.arcs), (published.vertices, published.arcs), "{name}");
    }
    if let Some(degree_max) = published.degree_max {
        assert_eq!(found.degree_max, degree_max, "{name}");
    }
    assert!(found.reached > found.vertices / 2, "{name}: a search reaches only {}", found.reached);
    if let Some(depth) = published.depth {
        near(name, depth as f64, found.depth as f64, 0.25);
    }
    if let Some(diameter) = published.diameter {
        near(name, diameter as f64, found.diameter as f64, 0.25);
    }
    if let Some(taxonomy) = &published.taxonomy {
        assert_eq!(&found.taxonomy(1.0), taxonomy, "{name}");
    }
    found
}

fn keeps_its_character_when_smaller(surrogate: &Surrogate, whole: &Structure) {
    let name = &surrogate.name;
    let graph = make(&surrogate.recipe_shrunk(SHRINK).unwrap());
    assert!(is_simple(&graph), "{name}");
    let small = Structure::of(&graph);
    near(name, whole.vertices as f64 / SHRINK as f64, small.vertices as f64, 0.01);
    near(name, whole.degree_average, small.degree_average, 0.01);
    assert!(small.degree_max < whole.degree_max || whole.degree_max <= 64, "{name}: {}", small.degree_max);
    let quantiles = (whole.degree_quantiles, small.degree_quantiles);
    let kept = (0..3).all(|i| quantiles.0[i].abs_diff(quantiles.1[i]) <= 1 + quantiles.0[i] / 4);
    assert!(kept, "{name}: quantiles of the degrees {quantiles:?}");
    if let Some(taxonomy) = &surrogate.published.taxonomy {
        assert_eq!(&small.taxonomy(SHRINK as f64), taxonomy, "{name}");
    }
}

fn check(names: &[&str]) {
    for name in names {
        let surrogate = surrogate::by_name(name).unwrap();
        let whole = holds_what_is_published(&surrogate);
        keeps_its_character_when_smaller(&surrogate, &whole);
    }
}

#[test]
fn the_web_and_the_papers_of_the_gpu_thesis_have_their_published_figures() {
    check(&["in-2004", "coPapersDBLP"]);
}

#[test]
fn the_graphs_of_the_fetch_unit_study_have_their_published_figures() {
    check(&["dblp-2010", "dblp-2011", "cnr-2000", "amazon-2008", "dewiki-2013"]);
}

#[test]
fn the_graphs_of_the_worklist_thesis_have_their_published_figures() {
    check(&["wikipedia-20051105", "wiki-Talk", "com-dblp-sym"]);
}

#[test]
fn the_graphs_of_the_coherence_study_have_their_published_figures_and_classes() {
    check(&["amazon0505", "dictionary28", "email-EuAll", "olesnik0", "rajat27", "wing"]);
}

#[test]
fn the_graphs_of_the_coherence_study_are_near_all_columns_of_its_table() {
    for (alias, deviation, local, remote, imbalance) in TABLE_II {
        let found = Structure::of(&make(&surrogate::by_name(alias).unwrap().recipe));
        near(alias, deviation, found.degree_deviation, 0.025);
        assert!((found.local - local).abs() < 0.02, "{alias}: AN_L {local}, generated {}", found.local);
        assert!((found.remote - remote).abs() < 0.02, "{alias}: AN_R {remote}, generated {}", found.remote);
        let apart = (found.imbalance - imbalance).abs();
        assert!(apart < 0.005, "{alias}: imbalance {imbalance}, generated {}", found.imbalance);
    }
}
