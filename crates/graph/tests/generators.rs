//! Every generator gives the same graph on every host and for any number of threads.

use heddle_graph::generate::{self, GENERATORS};
use heddle_graph::progress::Silent;
use heddle_graph::source::{Loaded, Origin};
use heddle_graph::{Csr, Graph};

/// Graphs of more than one block each, with the hash that they must have for ever.
const GOLDEN: &[(&str, u64)] = &[
    ("uniform:scale=17,degree=2", 0xC384_F6F2_5317_3225),
    ("uniform:vertices=1000,degree=3,seed=7", 0x0572_6AEC_C722_E783),
    ("sprand:scale=17,degree=2", 0x09D0_D0A2_D95C_4A48),
    ("rodinia:vertices=70000", 0xD515_9055_B6CF_DAD9),
    ("rodinia:vertices=70000,edges=200000,weights=yes", 0xB0FC_6E46_08C4_6FF0),
    ("rmat:scale=14,degree=12", 0xFBA3_E325_2412_FF28),
    ("rmat:vertices=10000,arcs=200000,a=0.45,b=0.15,c=0.15,noise=0.1,simple=yes", 0x650E_2936_BE69_131D),
    ("rmat:scale=12,degree=4,permute=no", 0x1352_A6AB_25A1_6C34),
    ("er:scale=15,degree=8", 0xEE7B_3EAC_7A79_1876),
    ("er:vertices=3000,p=0.05,directed=yes", 0x5F3E_288F_6820_FBCC),
    ("rgg:vertices=70000", 0x50D7_FD89_A080_055E),
    ("rgg:vertices=70000,degree=3,order=random", 0xFA1E_CE59_CB99_A84C),
    ("grid:width=300,height=300", 0x50C4_32E1_CE92_1B40),
    ("grid:width=20,height=21,depth=22,wrap=yes,diagonals=yes", 0x93AF_E82D_E948_2D11),
    ("road:vertices=300000,degree=2.8", 0xBCC3_6681_30A7_3E61),
    ("road:vertices=100000,edges=110000,max_degree=9,diameter=900", 0xB733_7F32_ECFB_F10D),
    ("bipartite", 0xEBB5_4977_8F88_9246),
    ("bipartite:directed=yes,exponent=3,item_exponent=2.5", 0x3AB2_C240_210E_FBC0),
    ("powerlaw:vertices=3000,arcs=24000,max_degree=300", 0x82C9_E142_1586_896A),
    (
        "powerlaw:vertices=3000,arcs=24000,max_degree=300,local=0.4,order=warps,imbalance=0.5,stages=3",
        0x952B_3F54_C07D_1B85,
    ),
    (
        "powerlaw:vertices=3000,arcs=24001,max_degree=300,direction=directed,local=0.3,skew=2.5",
        0x2D3E_C583_4DCF_3D6B,
    ),
    ("web:vertices=9000,arcs=90000,max_degree=900,direction=symmetric", 0x2294_3D7A_4270_A6D7),
    ("mesh:vertices=3000,arcs=11000,max_degree=4,order=random", 0x9BEE_E6E8_A643_63A1),
    ("web:vertices=9000,arcs=90001,max_degree=500,stages=4", 0x5B27_9123_733D_3797),
    ("cliques:vertices=9000,arcs=90000,max_degree=200,isolated=0.1,stages=3", 0x9C0C_BBD0_2EEB_BF64),
    ("mesh:vertices=3000,arcs=20000,max_degree=8,sparse=5", 0x078E_0644_41AE_9D98),
];

fn load(recipe: &str) -> Loaded {
    generate::generate(recipe, &Silent).unwrap_or_else(|error| panic!("{error}"))
}

fn graph(recipe: &str) -> Graph {
    load(recipe).graph
}

/// FNV-1a over all arrays.
fn hash(csr: &Csr) -> u64 {
    let mut hash = 0xCBF2_9CE4_8422_2325u64;
    let mut feed = |word: u64| {
        for byte in word.to_le_bytes() {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01B3);
        }
    };
    csr.offsets().iter().for_each(|&offset| feed(offset));
    csr.targets().iter().for_each(|&target| feed(u64::from(target)));
    csr.weights().unwrap_or_default().iter().for_each(|&weight| feed(u64::from(weight)));
    hash
}

fn with_threads<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> T {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(work)
}

#[test]
fn graphs_are_what_they_were_with_one_thread_and_with_three() {
    let mut wrong = Vec::new();
    for &(recipe, golden) in GOLDEN {
        for threads in [1, 3] {
            let found = with_threads(threads, || hash(graph(recipe).out_edges()));
            if found != golden {
                wrong.push(format!("(\"{recipe}\", 0x{found:016X}), with {threads} threads"));
            }
        }
    }
    assert!(wrong.is_empty(), "these graphs are not what they were:\n{}", wrong.join("\n"));
}

#[test]
fn every_generator_has_a_golden_graph() {
    for generator in GENERATORS {
        let has = GOLDEN.iter().any(|(recipe, _)| recipe.split(':').next() == Some(generator.name));
        assert!(has, "{} has no golden graph", generator.name);
    }
}

#[test]
fn the_spelled_out_recipe_gives_the_same_graph() {
    for &(recipe, _) in GOLDEN {
        let first = load(recipe);
        let Origin::Generated { recipe: full } = &first.origin else { panic!("not generated") };
        assert!(load(full).graph == first.graph, "{recipe} is not {full}");
    }
}

#[test]
fn undirected_graphs_hold_both_directions_and_simple_ones_nothing_twice() {
    for recipe in ["er:scale=12,degree=9", "rgg:scale=12", "grid", "road:scale=14", "bipartite"] {
        let graph = graph(recipe);
        assert!(!graph.is_directed());
        let mut arcs: Vec<(u32, u32)> = graph.out_edges().arcs().collect();
        let mut opposite: Vec<(u32, u32)> = arcs.iter().map(|&(source, target)| (target, source)).collect();
        arcs.sort_unstable();
        opposite.sort_unstable();
        assert!(arcs == opposite, "{recipe} is not symmetric");
        assert!(arcs.iter().all(|(source, target)| source != target), "{recipe} has a loop");
        assert!(arcs.windows(2).all(|pair| pair[0] != pair[1]), "{recipe} has a parallel arc");
    }
}

#[test]
fn sizes_are_exact() {
    for (recipe, vertices, arcs) in [
        ("rodinia:vertices=12345,edges=40000", 12345, 80000),
        ("rmat:vertices=1000,arcs=7777", 1000, 7777),
        ("er:vertices=1000,edges=7777", 1000, 15554),
        ("er:vertices=1000,edges=0", 1000, 0),
        ("er:vertices=1000,edges=0,p=0.5", 1000, 0),
        ("er:vertices=1000,p=0", 1000, 0),
        ("sprand:vertices=1000,arcs=7777", 1000, 7777),
        ("road:vertices=54321,edges=60000,diameter=500", 54321, 120000),
        ("road:vertices=54321,edges=54320", 54321, 108640),
        ("bipartite:users=1000,items=500,edges=3333,max_degree=60,item_max_degree=70", 1500, 6666),
    ] {
        let graph = graph(recipe);
        assert_eq!((graph.num_vertices(), graph.num_arcs()), (vertices, arcs), "{recipe}");
    }
}

#[test]
fn roads_are_one_piece_with_the_largest_degree_and_the_diameter_asked_for() {
    for (recipe, degree, diameter) in [
        ("road:vertices=54321,edges=60000,diameter=500,max_degree=9", 9, 500),
        ("road:vertices=20000,edges=19999,diameter=3000", 8, 3000),
        ("road:vertices=50000,degree=2.8,diameter=400", 8, 400),
    ] {
        let graph = graph(recipe);
        let csr = graph.out_edges();
        assert_eq!(csr.first_of_largest_degree(), Some(0), "{recipe}");
        assert_eq!(csr.degree(0), degree, "{recipe}");
        let (reached, hops) = search(csr, 0);
        assert_eq!(reached, u64::from(csr.num_vertices()), "{recipe} is in pieces");
        // A dead end at the far corner makes it a little longer.
        assert!((diameter..diameter * 108 / 100).contains(&hops), "{recipe}: {hops} hops");
    }
}

/// Vertices reached from `source`, and hops to the farthest.
fn search(csr: &Csr, source: u32) -> (u64, u64) {
    let mut seen = vec![false; csr.num_vertices() as usize];
    seen[source as usize] = true;
    let (mut reached, mut levels) = (0, 0);
    let mut frontier = vec![source];
    while !frontier.is_empty() {
        reached += frontier.len() as u64;
        levels += 1;
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
    (reached, levels - 1)
}

#[test]
fn impossible_recipes_are_refused_before_anything_is_allocated() {
    for (recipe, key) in [
        ("uniform:scale=31,degree=1048576", "degree"),
        ("rmat:scale=31,degree=1048576", "degree"),
        ("rmat:arcs=1099511627776", "arcs"),
        ("rmat:a=0.9,b=0.2", "above 1"),
        ("rmat:noise=0.5", "noise"),
        ("sprand:vertices=100,arcs=99", "arcs=99"),
        ("rodinia:scale=31,edges_max=65536", "edges_max"),
        ("rodinia:edges_min=5", "edges_min=5"),
        ("rodinia:vertices=100,edges=1000", "edges=1000"),
        ("er:vertices=10,edges=46", "room for 45"),
        ("er:scale=31,p=1", "`p`"),
        ("er:scale=0,degree=1", "room for 0"),
        ("rgg:scale=31,radius=1", "radius"),
        ("grid:width=4294967295,height=4294967295,depth=4294967295", "width"),
        ("road:vertices=4000000000,edges=1099511627776", "edges"),
        ("road:vertices=100,edges=50", "at least 99"),
        ("road:vertices=1", "too few"),
        ("bipartite:users=10,items=10,edges=101,max_degree=10,item_max_degree=10", "101 edges"),
        ("bipartite:users=100,items=10,edges=300,max_degree=11", "max_degree=11"),
    ] {
        let error = generate::generate(recipe, &Silent).err().unwrap_or_else(|| panic!("{recipe} is made"));
        assert!(error.problem.contains(key), "{recipe}: {error}");
    }
}

#[test]
fn the_smallest_graphs_are_made() {
    for recipe in [
        "uniform:scale=0,degree=1",
        "uniform:scale=0,degree=0",
        "sprand:scale=0,degree=1",
        "rodinia:vertices=1",
        "rmat:scale=0,degree=2",
        "rmat:vertices=3,degree=2",
        "er:scale=0,degree=0",
        "er:vertices=2,edges=1",
        "rgg:vertices=1",
        "rgg:vertices=2,radius=1.5",
        "grid:width=1,height=1",
        "grid:width=1,height=1,depth=1,wrap=yes,diagonals=yes",
        "road:vertices=40",
        "bipartite:users=1,items=1,edges=1,max_degree=1,item_max_degree=1",
    ] {
        load(recipe);
    }
}
