//! The structured generators: exact figures whatever the seed, and clear refusals.

use heddle_graph::progress::Silent;
use heddle_graph::{Graph, generate};
use proptest::prelude::*;

fn make(recipe: &str) -> Graph {
    generate::generate(recipe, &Silent).unwrap_or_else(|error| panic!("{error}")).graph
}

fn problem(recipe: &str) -> String {
    generate::generate(recipe, &Silent).map(|_| ()).unwrap_err().problem
}

fn largest_degree(graph: &Graph) -> u64 {
    let csr = graph.out_edges();
    csr.vertices().map(|v| csr.degree(v)).max().unwrap_or(0)
}

fn is_simple(graph: &Graph) -> bool {
    let csr = graph.out_edges();
    csr.vertices().all(|v| {
        let row = csr.neighbours(v);
        row.windows(2).all(|pair| pair[0] < pair[1]) && !row.contains(&v)
    })
}

fn is_symmetric(graph: &Graph) -> bool {
    let csr = graph.out_edges();
    csr.arcs().all(|(a, b)| csr.neighbours(b).binary_search(&a).is_ok())
}

/// Small recipes of every kind.
const RECIPES: [&str; 8] = [
    "powerlaw:vertices=3000,arcs=24000,max_degree=300",
    "powerlaw:vertices=3000,arcs=24000,max_degree=300,local=0.4,order=warps,imbalance=0.5,stages=3",
    "powerlaw:vertices=3000,arcs=24001,max_degree=300,direction=directed,local=0.3,skew=2.5",
    "web:vertices=9000,arcs=90001,max_degree=500,stages=4",
    "web:vertices=9000,arcs=90000,max_degree=900,direction=symmetric",
    "cliques:vertices=9000,arcs=90000,max_degree=200,isolated=0.1,stages=3",
    "mesh:vertices=3000,arcs=20000,max_degree=8,sparse=5",
    "mesh:vertices=3000,arcs=11000,max_degree=4,order=random",
];

#[test]
fn another_seed_is_another_graph_with_the_same_figures() {
    for recipe in RECIPES {
        let (one, two) = (make(recipe), make(&format!("{recipe},seed=2")));
        assert!(one != two, "{recipe}");
        assert_eq!(one.num_arcs(), two.num_arcs());
        assert_eq!(largest_degree(&one), largest_degree(&two), "{recipe}");
    }
}

/// How often two neighbours of a vertex are neighbours, on average over the vertices that have two.
fn clustering(graph: &Graph) -> f64 {
    let csr = graph.out_edges();
    let shares: Vec<f64> = csr
        .vertices()
        .filter(|&v| csr.degree(v) > 1)
        .map(|v| {
            let row = csr.neighbours(v);
            let pairs = row.len() * (row.len() - 1) / 2;
            let joined = |(i, &a): (usize, &u32)| {
                row[i + 1..].iter().filter(|&&b| csr.neighbours(a).contains(&b)).count()
            };
            row.iter().enumerate().map(joined).sum::<usize>() as f64 / pairs as f64
        })
        .collect();
    shares.iter().sum::<f64>() / shares.len() as f64
}

#[test]
fn webs_and_co_authors_are_clustered_and_configurations_are_not() {
    let of = |keys: &str| clustering(&make(&format!("{keys},vertices=8192,arcs=81920,max_degree=128")));
    let [web, cliques, powerlaw] =
        ["web:direction=symmetric", "cliques:community=128", "powerlaw:min_degree=1"].map(of);
    assert!(powerlaw < 0.05, "{powerlaw}");
    assert!(web > 5.0 * powerlaw && web > 0.15, "{web} beside {powerlaw}");
    assert!(cliques > 0.5, "{cliques}");
}

#[test]
fn a_graph_that_cannot_be_is_refused_with_the_reason() {
    for kind in ["powerlaw", "cliques", "mesh", "web"] {
        let crowded = problem(&format!("{kind}:vertices=10,arcs=20,max_degree=10"));
        assert!(crowded.contains("at most 9 neighbours among 10 vertices"), "{crowded}");
        let full = problem(&format!("{kind}:vertices=10,arcs=92,max_degree=8"));
        assert!(full.contains("cannot have 92 arcs"), "{full}");
    }
    for kind in ["powerlaw", "cliques", "mesh"] {
        let odd = problem(&format!("{kind}:vertices=10,arcs=21,max_degree=4"));
        assert!(odd.contains("`arcs=21` is odd"), "{odd}");
    }
    let sparse = problem("powerlaw:vertices=100,arcs=90,max_degree=9");
    assert!(sparse.contains("have 108 to 900 arcs, not 90"), "{sparse}");
    let gone = problem("cliques:vertices=100,arcs=90,max_degree=9,isolated=0.95");
    assert!(gone.contains("only 5 vertices are not isolated"), "{gone}");
}

#[test]
fn a_search_without_success_ends() {
    // A star twice over: two vertices cannot both be joined to more others than there are.
    let stars = problem("powerlaw:vertices=20,arcs=72,max_degree=19,min_degree=1,shift=-0.9");
    assert!(stars.contains("no simple graph"), "{stars}");
    let lattice = problem("mesh:vertices=100,arcs=798,max_degree=8");
    assert!(lattice.contains("has at most"), "{lattice}");
}

#[test]
fn stages_deepen_a_graph() {
    let depth = |recipe: &str| {
        let graph = make(recipe);
        let csr = graph.out_edges();
        let mut level = vec![u32::MAX; csr.num_vertices() as usize];
        let source = csr.first_of_largest_degree().unwrap();
        level[source as usize] = 0;
        let mut queue = std::collections::VecDeque::from([source]);
        let mut deepest = 0;
        while let Some(vertex) = queue.pop_front() {
            deepest = level[vertex as usize];
            for &target in csr.neighbours(vertex) {
                if level[target as usize] == u32::MAX {
                    level[target as usize] = deepest + 1;
                    queue.push_back(target);
                }
            }
        }
        deepest
    };
    for recipe in [
        "powerlaw:vertices=20000,arcs=200000,max_degree=200",
        "web:vertices=20000,arcs=200000,max_degree=400,direction=symmetric,host=64",
        "cliques:vertices=20000,arcs=200000,max_degree=200,community=64",
    ] {
        assert!(depth(&format!("{recipe},stages=40")) > depth(recipe) + 8, "{recipe}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn arcs_and_largest_degree_are_exact_and_the_graph_simple(
        vertices in 600u64..3000, degree in 4u64..16, hub in 40u64..120, seed in 0u64..1000, kind in 0usize..5,
        local in 0.0f64..0.7, stages in 1u64..5,
    ) {
        let arcs = vertices * degree / 2 * 2;
        let keys = [
            format!("powerlaw:local={local},order=warps,imbalance=0.5"),
            format!("powerlaw:local={local},direction=directed"),
            format!("web:local={local},direction=symmetric"),
            format!("web:local={local}"),
            "cliques:".to_owned(),
        ];
        let recipe = format!("{},vertices={vertices},arcs={arcs},max_degree={hub},stages={stages},seed={seed}", keys[kind]);
        let graph = make(&recipe);
        prop_assert_eq!(graph.num_arcs(), arcs);
        prop_assert_eq!(largest_degree(&graph), hub);
        prop_assert!(is_simple(&graph));
        prop_assert!(graph.is_directed() || is_symmetric(&graph));
    }
}
