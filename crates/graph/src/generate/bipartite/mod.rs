//! Ratings: users on one side, items on the other, an edge where a user has rated an item.
//!
//! Both sides have power-law degrees with an exact largest one, and everybody has at least one rating. The
//! ratings are a uniform matching of the two sides' ends (a configuration model); an item that comes to a
//! user twice is exchanged with another rating, so that the graph is simple. Users are numbered before
//! items, in no order of degree. An edge is held both ways unless `directed=yes`, which keeps the arcs from
//! users to items.

mod degrees;

use super::parts::size::{self, Size};
use super::random::Random;
use super::{Generator, Parameter, Parameters, Shrinks};
use crate::arcs::{ArcList, ArcSegment};
use crate::build;
use crate::csr::{VERTICES_MAX, Vertex};
use crate::graph::Graph;
use crate::progress::Progress;
use rayon::prelude::*;

const fn side(name: &'static str, default: &'static str, summary: &'static str) -> Parameter {
    Parameter::size(name, (1, VERTICES_MAX), Shrinks::Linearly, default, summary)
}

/// A largest degree shrinks by less than the graph: with the root of the factor the share of vertices of
/// each low degree stays nearly what it was, and the largest still fits the smaller sides.
const fn largest(name: &'static str, default: &'static str, summary: &'static str) -> Parameter {
    Parameter::size(name, (1, VERTICES_MAX), Shrinks::AsLength, default, summary)
}

const fn exponent(name: &'static str, default: &'static str, summary: &'static str) -> Parameter {
    Parameter::real(name, (1.1, 10.0), default, summary)
}

pub(super) const GENERATOR: Generator = Generator {
    name: "bipartite",
    summary: "ratings: users and items, power-law degrees on both sides",
    parameters: &[
        side("users", "40000", "how many users"),
        side("items", "20000", "how many items"),
        side("edges", "120000", "how many ratings, each held both ways"),
        largest("max_degree", "400", "ratings of the most active user"),
        largest("item_max_degree", "200", "ratings of the most popular item"),
        exponent("exponent", "2.1", "of the users' power law"),
        exponent("item_exponent", "2.1", "of the items' power law"),
        Parameter::word("directed", &["no", "yes"], "no", "hold only the arcs from users to items"),
        size::SEED,
    ],
    build: generate,
};

/// Streams of the users' order, the items' order, the matching and its repair.
const USERS_STREAM: u64 = 0;
const ITEMS_STREAM: u64 = 1;
const MATCHING_STREAM: u64 = 2;
const REPAIR_STREAM: u64 = 3;

fn generate(parameters: &Parameters, _: &dyn Progress) -> Result<Graph, String> {
    let [users, items, edges] = ["users", "items", "edges"].map(|key| parameters.integer(key));
    let directed = parameters.word("directed") == "yes";
    let arcs = u128::from(edges) * if directed { 1 } else { 2 };
    Size::checked(users.saturating_add(items), arcs, "`users`, `items` or `edges`")?;
    let seed = parameters.integer("seed");
    let side = |names: [&str; 3], opposite: u64, stream: u64| {
        let [count, largest, exponent] = names;
        let degrees = degrees::power_law(
            parameters.integer(count),
            edges,
            parameters.integer(largest),
            parameters.real(exponent),
        )
        .map_err(|problem| format!("`{count}`, `{largest}`: {problem}"))?;
        if parameters.integer(largest) > opposite {
            return Err(format!(
                "`{largest}={}`: there are only {opposite} to rate or be rated by",
                parameters.integer(largest)
            ));
        }
        Ok(in_random_order(degrees, &mut Random::new(seed, stream)))
    };
    let user_degrees = side(["users", "max_degree", "exponent"], items, USERS_STREAM)?;
    let item_degrees = side(["items", "item_max_degree", "item_exponent"], users, ITEMS_STREAM)?;
    let mut rated = ends(&item_degrees, users as Vertex);
    Random::new(seed, MATCHING_STREAM).shuffle(&mut rated);
    let starts = starts(&user_degrees);
    part_repeated(&starts, &mut rated, &mut Random::new(seed, REPAIR_STREAM))?;
    let mut list = ArcList::unweighted();
    list.push(ArcSegment {
        pairs: ends(&user_degrees, 0).into_iter().zip(rated).collect(),
        weights: Vec::new(),
    });
    let built = if directed {
        build::from_arcs(&list, users + items).map(Graph::directed)
    } else {
        build::from_undirected_arcs(&list, users + items).map(Graph::undirected)
    };
    built.map_err(|error| error.to_string())
}

fn in_random_order(mut degrees: Vec<u32>, random: &mut Random) -> Vec<u32> {
    random.shuffle(&mut degrees);
    degrees
}

/// Every vertex as often as its degree, numbered from `first`.
fn ends(degrees: &[u32], first: Vertex) -> Vec<Vertex> {
    let repeated =
        |(vertex, &degree): (usize, &u32)| std::iter::repeat_n(first + vertex as Vertex, degree as usize);
    degrees.iter().enumerate().flat_map(repeated).collect()
}

/// Where every user's ratings begin, and the end.
fn starts(degrees: &[u32]) -> Vec<usize> {
    let mut starts = vec![0];
    let mut end = 0;
    starts.extend(degrees.iter().map(|&degree| {
        end += degree as usize;
        end
    }));
    starts
}

/// Exchanges items that a user has twice with those at random places, until nobody has any twice.
fn part_repeated(starts: &[usize], rated: &mut [Vertex], random: &mut Random) -> Result<(), String> {
    const ROUNDS_MAX: usize = 200;
    for _ in 0..ROUNDS_MAX {
        let repeated = repeated_places(starts, rated);
        if repeated.is_empty() {
            return Ok(());
        }
        for place in repeated {
            rated.swap(place, random.below(rated.len() as u64) as usize);
        }
    }
    Err("the degrees are too dense for a graph without parallel edges: make `edges` smaller".to_owned())
}

/// The places of items that the same user has already.
fn repeated_places(starts: &[usize], rated: &[Vertex]) -> Vec<usize> {
    starts
        .par_windows(2)
        .flat_map_iter(|places| {
            let (first, end) = (places[0], places[1]);
            let mut order: Vec<usize> = (first..end).collect();
            order.sort_unstable_by_key(|&place| (rated[place], place));
            let pairs = (1..order.len()).filter(|&i| rated[order[i]] == rated[order[i - 1]]);
            pairs.map(|i| order[i]).collect::<Vec<_>>()
        })
        .collect()
}
