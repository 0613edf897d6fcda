//! Finite-element-like mesh: a lattice in which every vertex is joined to the nearest others around it.
//!
//! A dense part has the full `max_degree` everywhere but at its two ends, a sparse part is thinned out to
//! the average degree `sparse`; where the border between them runs is found so that the arcs are exact.
//! Rows of the lattice are as long as the wanted fraction of arcs within an aligned block of 256 ids
//! allows. `order=random` gives the ids of a mesher that numbers without care.

use super::parts::arrangement::BLOCK;
use super::parts::edge_set::{EdgeSet, key};
use super::parts::keys::{self, SimpleSize};
use super::parts::size::SEED;
use super::random::Random;
use super::{Generator, Parameter, Parameters};
use crate::csr::Vertex;
use crate::graph::Graph;
use crate::progress::Progress;

pub(super) const GENERATOR: Generator = Generator {
    name: "mesh",
    summary: "lattice mesh with a dense and a sparse part, exact arcs and largest degree",
    parameters: &[
        keys::vertices("65536"),
        keys::arcs("250000"),
        keys::max_degree("4"),
        Parameter::real(
            "sparse",
            (0.0, 64.0),
            "0",
            "average degree of the sparse part; 0: all of one density",
        ),
        Parameter::real("local", (0.0, 1.0), "0.5", "fraction of arcs within an aligned block of 256 ids"),
        Parameter::word(
            "order",
            &["rows", "random"],
            "rows",
            "ids along the rows of the lattice, or shuffled",
        ),
        SEED,
    ],
    build: generate,
};

fn generate(parameters: &Parameters, _: &dyn Progress) -> Result<Graph, String> {
    let size = SimpleSize::of(parameters, true)?;
    let random = &mut Random::new(parameters.integer("seed"), 0);
    if size.max_degree % 2 == 1 || size.max_degree > 24 {
        return Err(format!("`max_degree={}`: expected an even number up to 24", size.max_degree));
    }
    let half = size.max_degree as usize / 2;
    let width = row_length(size.vertices, half, parameters.real("local"));
    let mut set = lattice(size.vertices, width, half);
    let edges = size.arcs / 2;
    if set.len() < edges {
        return Err(format!(
            "a lattice of {} vertices in rows of {width} has at most {} arcs of degree {}, not {}",
            size.vertices,
            2 * set.len(),
            size.max_degree,
            size.arcs
        ));
    }
    let dense = dense_vertices(size, parameters.real("sparse"));
    set.thin(edges, random, |a, _| u64::from(a) < dense);
    set.thin(edges, random, |_, _| false);
    if parameters.word("order") == "random" {
        let mut ids: Vec<Vertex> = (0..size.vertices as Vertex).collect();
        random.shuffle(&mut ids);
        set = EdgeSet::from_keys(
            set.keys()
                .iter()
                .map(|&edge| key(ids[(edge >> 32) as usize], ids[edge as u32 as usize]))
                .collect(),
        );
    }
    set.into_graph(size.vertices)
}

/// How far the vertices of the dense part reach, so that the sparse part has its degree.
fn dense_vertices(size: SimpleSize, sparse: f64) -> u64 {
    let (full, average) = (size.max_degree as f64, size.arcs as f64 / size.vertices as f64);
    if sparse == 0.0 || sparse >= average {
        return 0;
    }
    ((average - sparse) / (full - sparse) * size.vertices as f64) as u64
}

/// The neighbours after a vertex in a lattice with rows of `width`, as (columns, rows) away: along the row
/// first, then the next row from the middle outwards.
fn neighbourhood(half: usize) -> Vec<(i64, i64)> {
    // Of three neighbours one lies ahead in the same row and two in the next row.
    let ahead = if half <= 2 { half.min(1) } else { 2 };
    let along = (1..=ahead as i64).map(|step| (step, 0));
    let across = (0..(half - ahead) as i64).map(|i| (if i % 2 == 1 { i / 2 + 1 } else { -(i / 2) }, 1));
    along.chain(across).collect()
}

/// The row length at which `local` of the arcs stay in a block of 256 ids.
fn row_length(vertices: u64, half: usize, local: f64) -> u64 {
    let block = BLOCK as f64;
    let square = (vertices as f64).sqrt() as u64 + 1;
    let stays = |distance: f64| (1.0 - distance / block).max(0.0);
    let share = |width: u64| {
        let sum: f64 =
            neighbourhood(half).iter().map(|&(x, y)| stays((x + y * width as i64).abs() as f64)).sum();
        sum / half.max(1) as f64
    };
    // Longer rows keep fewer arcs at home; a square needs no more than it has rows.
    let shortest = 2 * half as u64 + 2;
    (shortest..square.max(shortest + 1)).find(|&width| share(width) <= local).unwrap_or(square)
}

/// Rows follow each other like the turns of a screw, so that only the first and the last have a border.
fn lattice(vertices: u64, width: u64, half: usize) -> EdgeSet {
    let offsets = neighbourhood(half);
    let mut keys = Vec::with_capacity(vertices as usize * half);
    for vertex in 0..vertices {
        let others = offsets.iter().map(|&(x, y)| vertex as i64 + x + y * width as i64);
        let there = others.filter(|other| (0..vertices as i64).contains(other));
        keys.extend(there.map(|other| key(vertex as Vertex, other as Vertex)));
    }
    EdgeSet::from_keys(keys)
}
