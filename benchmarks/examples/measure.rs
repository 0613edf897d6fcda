//! One piece of work in one thread, to be counted from outside: `scripts/instructions` runs it under callgrind.
//!
//! `measure read FILE`, `measure build SCALE DEGREE`, `measure generate RECIPE`; prints how many bytes or
//! arcs went through [`measured`], which is where counting begins and ends.

use heddle_graph::build::from_arcs;
use heddle_graph::generate::{generate, random::Random};
use heddle_graph::progress::Silent;
use heddle_graph::read::{ReadOptions, read};
use heddle_graph::{ArcList, Graph};
use std::path::Path;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("one thread");
    let units = pool.install(|| match arguments[..] {
        ["read", file] => {
            measured(|| read(Path::new(file), &ReadOptions::default()).expect("a graph file").graph);
            std::fs::metadata(file).expect("the file that was read").len()
        }
        ["build", scale, degree] => {
            let vertices = 1u64 << scale.parse::<u32>().expect("SCALE is a number");
            let list = random_arcs(vertices, vertices * degree.parse::<u64>().expect("DEGREE is a number"));
            measured(|| Graph::directed(from_arcs(&list, vertices).expect("ids are in range"))).num_arcs()
        }
        ["generate", recipe] => measured(|| generate(recipe, &Silent).expect("a recipe").graph).num_arcs(),
        _ => panic!("measure read FILE | build SCALE DEGREE | generate RECIPE"),
    });
    println!("{units}");
}

/// The work that is counted; never inlined, so that its name can be found.
#[inline(never)]
fn measured(work: impl FnOnce() -> Graph) -> Graph {
    std::hint::black_box(work())
}

fn random_arcs(vertices: u64, arcs: u64) -> ArcList {
    let mut random = Random::new(1, 0);
    (0..arcs).map(|_| (random.below(vertices) as u32, random.below(vertices) as u32)).collect()
}
