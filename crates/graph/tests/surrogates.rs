//! Every surrogate is held to what its document publishes: vertices and arcs within 1 %, largest degree
//! within 10 %, depth or diameter within 25 %. A shrunken one keeps average degree and shape of degrees.
//!
//! Depth is the number of levels of a search from the first vertex of largest degree; the diameter is the
//! longer of that search and one from the vertex that it reaches last, in hops along the arcs held.

use heddle_graph::progress::Silent;
use heddle_graph::source::Origin;
use heddle_graph::surrogate::{self, Published, Surrogate};
use heddle_graph::{Csr, Graph};

fn generate(request: &str) -> Graph {
    surrogate::generate(request, &Silent).unwrap_or_else(|error| panic!("{error}")).graph
}

/// What is measured of a graph.
struct Measured {
    vertices: u64,
    arcs: u64,
    degree_max: u64,
    depth: u64,
    diameter: u64,
}

impl Measured {
    fn of(csr: &Csr) -> Measured {
        let hub = csr.first_of_largest_degree().expect("a surrogate has vertices");
        let (depth, last) = search(csr, hub);
        let (second, _) = search(csr, last);
        Measured {
            vertices: u64::from(csr.num_vertices()),
            arcs: csr.num_arcs(),
            degree_max: csr.degree(hub),
            depth,
            diameter: depth.max(second) - 1,
        }
    }

    /// What does not agree, in words.
    fn disagreements(&self, published: &Published) -> Vec<String> {
        let bounds = [
            ("vertices", self.vertices, Some(published.vertices), 0.01),
            ("arcs", self.arcs, Some(published.arcs), 0.01),
            ("largest degree", self.degree_max, published.degree_max, 0.1),
            ("depth", self.depth, published.depth, 0.25),
            ("diameter", self.diameter, published.diameter, 0.25),
        ];
        let off = |(what, measured, published, bound): (&str, u64, Option<u64>, f64)| {
            let published = published?;
            let error = (measured as f64 - published as f64).abs() / published as f64;
            (error > bound).then(|| format!("{what} {measured} instead of {published}"))
        };
        bounds.into_iter().filter_map(off).collect()
    }
}

/// Levels of a search, that of the source included, and a vertex of the last.
fn search(csr: &Csr, source: u32) -> (u64, u32) {
    let mut seen = vec![false; csr.num_vertices() as usize];
    seen[source as usize] = true;
    let (mut levels, mut last) = (0, source);
    let mut frontier = vec![source];
    while let Some(&first) = frontier.first() {
        levels += 1;
        last = first;
        let mut next = Vec::new();
        for vertex in frontier {
            for &target in csr.neighbours(vertex) {
                if !std::mem::replace(&mut seen[target as usize], true) {
                    next.push(target);
                }
            }
        }
        frontier = next;
    }
    (levels, last)
}

/// Shares of the vertices with at most 0, 1, half the average, the average, and four times the average arcs.
fn shape(csr: &Csr) -> [f64; 5] {
    let average = csr.num_arcs() as f64 / f64::from(csr.num_vertices());
    [0.0, 1.0, average / 2.0, average, 4.0 * average].map(|bound| {
        let count = csr.vertices().filter(|&vertex| csr.degree(vertex) as f64 <= bound).count();
        count as f64 / f64::from(csr.num_vertices())
    })
}

#[test]
fn every_surrogate_has_the_published_figures() {
    let mut wrong = Vec::new();
    for surrogate in surrogate::list() {
        let graph = generate(&surrogate.name);
        let disagreements = Measured::of(graph.out_edges()).disagreements(&surrogate.published);
        wrong.extend(disagreements.into_iter().map(|what| format!("{}: {what}", surrogate.name)));
    }
    assert!(wrong.is_empty(), "not what the documents publish:\n{}", wrong.join("\n"));
}

/// The largest surrogates would take longer here than all others together.
fn is_quick(surrogate: &Surrogate) -> bool {
    surrogate.published.arcs < 20_000_000
}

#[test]
fn a_shrunken_surrogate_keeps_average_degree_and_shape() {
    const SHRINK: u64 = 8;
    let mut wrong = Vec::new();
    for surrogate in surrogate::list().into_iter().filter(is_quick) {
        let full = generate(&surrogate.name);
        let small = generate(&format!("{},shrink={SHRINK}", surrogate.name));
        let average = |graph: &Graph| graph.num_arcs() as f64 / f64::from(graph.num_vertices());
        let factor = f64::from(full.num_vertices()) / f64::from(small.num_vertices());
        if (factor / SHRINK as f64 - 1.0).abs() > 0.01 {
            wrong.push(format!("{}: {factor:.3} times smaller", surrogate.name));
        }
        if (average(&small) / average(&full) - 1.0).abs() > 0.05 {
            wrong.push(format!(
                "{}: average degree {:.3} of {:.3}",
                surrogate.name,
                average(&small),
                average(&full)
            ));
        }
        let (small_shape, full_shape) = (shape(small.out_edges()), shape(full.out_edges()));
        if small_shape.iter().zip(full_shape).any(|(small, full)| (small - full).abs() > 0.05) {
            wrong.push(format!("{}: shape {small_shape:.3?} of {full_shape:.3?}", surrogate.name));
        }
    }
    assert!(wrong.is_empty(), "shrinking changes more than the size:\n{}", wrong.join("\n"));
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
    assert!(loaded.notes[0].starts_with("a surrogate of usa-road-ny (004_0ea13f9a0f6f6945.txt"));
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
