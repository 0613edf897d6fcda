//! Every surrogate is held to what its document publishes: vertices and arcs within 1 %, largest degree
//! within 10 %, depth or diameter within 25 %, the same taxonomy class. One that is eight times smaller keeps
//! average degree, shape of degrees and class.
//!
//! The graphs are generated at full size, each once; a test for each document, so that they run side by side.

use heddle_graph::metrics::{
    TaxonomyMachine, classify, degree_statistics, duplicates, is_symmetric, self_loops,
};
use heddle_graph::progress::Silent;
use heddle_graph::source::Origin;
use heddle_graph::surrogate::{self, Measured, Published, Surrogate};
use heddle_graph::{Csr, Graph};

const SHRINK: u64 = 8;

const DOCUMENTS: [&str; 4] = ["[Lakshminarayana14]", "[Park15]", "[Salvador20]", "[Zhang17]"];

fn generate(request: &str) -> Graph {
    surrogate::generate(request, &Silent).unwrap_or_else(|error| panic!("{error}")).graph
}

/// What does not agree with the document, in words.
fn disagreements(measured: &Measured, published: &Published) -> Vec<String> {
    let bounds = [
        ("vertices", measured.vertices, Some(published.vertices), 0.01),
        ("arcs", measured.arcs, Some(published.arcs), 0.01),
        ("largest degree", measured.degree_max, published.degree_max, 0.1),
        ("depth", measured.depth, published.depth, 0.25),
        ("diameter", measured.diameter, published.diameter, 0.25),
    ];
    let off = |(what, measured, published, bound): (&str, u64, Option<u64>, f64)| {
        let published = published?;
        let error = (measured as f64 - published as f64).abs() / published as f64;
        (error > bound).then(|| format!("{what} {measured} instead of {published}"))
    };
    let class = published.taxonomy.as_ref().filter(|&class| *class != measured.taxonomy);
    let class = class.map(|class| format!("class {} instead of {class}", measured.taxonomy));
    bounds.into_iter().filter_map(off).chain(class).collect()
}

/// What a real graph of that kind does not have: a simple graph is asked for by all but the multigraphs.
fn impurities(surrogate: &Surrogate, graph: &Graph) -> Option<String> {
    let multigraph =
        ["uniform:", "sprand:", "rmat:", "rodinia:"].iter().any(|kind| surrogate.recipe.starts_with(kind));
    let csr = graph.out_edges();
    let (loops, parallel) = (self_loops(csr), duplicates(csr));
    (!multigraph && loops + parallel > 0).then(|| format!("{loops} self-loops, {parallel} parallel arcs"))
}

/// For every degree the share of the vertices with at most as many arcs.
fn distribution(csr: &Csr) -> Vec<f64> {
    let mut counts = vec![0u64; 1 + degree_statistics(csr).max as usize];
    csr.vertices().for_each(|vertex| counts[csr.degree(vertex) as usize] += 1);
    let running = counts.iter().scan(0, |sum, count| {
        *sum += count;
        Some(*sum as f64 / f64::from(csr.num_vertices()))
    });
    running.collect()
}

/// How far two distributions of degrees are apart at most (the statistic of Kolmogorov and Smirnov).
fn distance(left: &[f64], right: &[f64]) -> f64 {
    let at = |shares: &[f64], degree: usize| shares.get(degree).copied().unwrap_or(1.0);
    let degrees = 0..left.len().max(right.len());
    degrees.map(|degree| (at(left, degree) - at(right, degree)).abs()).fold(0.0, f64::max)
}

/// How a shrunken surrogate differs from the whole one in more than size, in words.
fn deformations(whole: &Graph, small: &Graph) -> Vec<String> {
    let (whole, small) = (whole.out_edges(), small.out_edges());
    let mut wrong = Vec::new();
    let factor = f64::from(whole.num_vertices()) / f64::from(small.num_vertices());
    if (factor / SHRINK as f64 - 1.0).abs() > 0.01 {
        wrong.push(format!("{factor:.3} times smaller"));
    }
    let average = |csr: &Csr| csr.num_arcs() as f64 / f64::from(csr.num_vertices());
    if (average(small) / average(whole) - 1.0).abs() > 0.05 {
        wrong.push(format!("average degree {:.3} of {:.3}", average(small), average(whole)));
    }
    let apart = distance(&distribution(small), &distribution(whole));
    if apart > 0.05 {
        wrong.push(format!("distributions of degrees {apart:.3} apart"));
    }
    // A smaller graph is of the same class beside caches that are smaller too.
    let machine = TaxonomyMachine::default();
    let (l1_bytes, l2_bytes) = (machine.l1_bytes / SHRINK, machine.l2_bytes / SHRINK);
    let smaller = TaxonomyMachine { l1_bytes, l2_bytes, ..machine };
    let code = |csr, machine| classify(csr, machine).unwrap().code();
    let (small_class, whole_class) = (code(small, &smaller), code(whole, &machine));
    if small_class != whole_class {
        wrong.push(format!("class {small_class} of {whole_class}"));
    }
    wrong
}

fn check(document: &str) {
    let mut wrong = Vec::new();
    let of_document = surrogate::list().into_iter().filter(|entry| entry.document.starts_with(document));
    for surrogate in of_document {
        let whole = generate(&surrogate.name);
        let measured = Measured::of(&whole);
        let mut found = disagreements(&measured, &surrogate.published);
        found.extend(impurities(&surrogate, &whole));
        let recorded = surrogate::recorded(&surrogate.name);
        if recorded.as_ref() != Some(&measured) {
            found.push(format!("recorded as {recorded:?}, measured {measured:?}"));
        }
        let small = generate(&format!("{},shrink={SHRINK}", surrogate.name));
        found.extend(deformations(&whole, &small).into_iter().map(|what| format!("shrunken: {what}")));
        wrong.extend(found.into_iter().map(|what| format!("{}: {what}", surrogate.name)));
    }
    assert!(wrong.is_empty(), "\n{}\n", wrong.join("\n"));
}

#[test]
fn the_inputs_of_the_gpu_thesis_have_their_published_figures() {
    check(DOCUMENTS[0]);
}

#[test]
fn the_inputs_of_the_fetch_unit_study_have_their_published_figures() {
    check(DOCUMENTS[1]);
}

#[test]
fn the_inputs_of_the_coherence_study_have_their_published_figures() {
    check(DOCUMENTS[2]);
}

#[test]
fn the_inputs_of_the_worklist_thesis_have_their_published_figures() {
    check(DOCUMENTS[3]);
}

#[test]
fn every_surrogate_belongs_to_a_document_that_is_checked() {
    for surrogate in surrogate::list() {
        let checked = DOCUMENTS.iter().filter(|document| surrogate.document.starts_with(*document)).count();
        assert_eq!(checked, 1, "{}: {}", surrogate.name, surrogate.document);
    }
}

/// What table II of \[Salvador20\] prints beside the columns that a surrogate is declared with:
/// deviation of degrees, AN_L, AN_R, imbalance.
const TABLE_II: [(&str, f64, f64, f64, f64); 6] = [
    ("AMZ", 16.298, 2.616, 13.749, 0.000),
    ("DCT", 4.475, 1.215, 2.167, 0.083),
    ("EML", 42.490, 0.167, 2.992, 1.000),
    ("OLS", 2.411, 3.446, 4.295, 0.000),
    ("RAJ", 32.954, 4.697, 3.209, 0.617),
    ("WNG", 0.278, 0.020, 3.899, 0.000),
];

#[test]
fn the_inputs_of_the_coherence_study_are_near_all_columns_of_its_table() {
    for (alias, deviation, local, remote, imbalance) in TABLE_II {
        let graph = generate(alias);
        let csr = graph.out_edges();
        let found = classify(csr, &TaxonomyMachine::default()).unwrap();
        let spread = degree_statistics(csr).standard_deviation;
        assert!(
            (spread / deviation - 1.0).abs() < 0.025,
            "{alias}: deviation {deviation}, generated {spread}"
        );
        for (what, published, generated, bound) in [
            ("AN_L", local, found.an_local, 0.02),
            ("AN_R", remote, found.an_remote, 0.02),
            ("imbalance", imbalance, found.imbalance, 0.005),
        ] {
            let near = (generated - published).abs() < bound;
            assert!(near, "{alias}: {what} {published}, generated {generated}");
        }
        assert!(is_symmetric(csr), "{alias}");
    }
}

#[test]
fn even_the_smallest_shrunken_graph_is_made() {
    for surrogate in surrogate::list() {
        let shrink = surrogate.published.vertices / 1024;
        let graph = generate(&format!("{},shrink={shrink}", surrogate.name));
        let vertices = graph.num_vertices();
        assert!((1000..1100).contains(&vertices), "{}: {vertices} vertices", surrogate.name);
    }
}

#[test]
fn a_surrogate_says_what_it_is_and_how_it_is_made() {
    let loaded = surrogate::generate("USA-Road-NY,shrink=4", &Silent).unwrap();
    assert!(loaded.notes[0].starts_with("a surrogate of usa-road-ny ([Zhang17]"));
    assert!(loaded.notes[0].contains("4 times smaller"));
    let Origin::Generated { recipe } = loaded.origin else { panic!("not generated") };
    assert!(recipe.starts_with("road:") && recipe.contains("vertices=66087,"), "{recipe}");
}

#[test]
fn slips_get_the_nearest_name_and_the_list() {
    let error = surrogate::generate("grat-britain", &Silent).unwrap_err();
    let help = error.help.unwrap();
    assert!(help.contains("did you mean `surrogate:great-britain`?") && help.contains("rmat20"), "{help}");
    let problem = |request: &str| surrogate::generate(request, &Silent).unwrap_err().problem;
    assert!(problem("graph1M,shrink=0").contains("at least 1"));
    assert!(problem("graph1M,shrink=1000000").contains("expected 1 to 976"));
    assert!(problem("graph1M,shrink=-1").contains("at least 1"));
}
