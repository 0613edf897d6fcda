//! Named stand-ins for the input graphs of the four source documents.
//!
//! Each entry of `data/surrogates/*.toml` says what a document publishes of one of its inputs and gives a
//! generator's recipe for a graph with the same figures. A surrogate is never the published graph: it has
//! its size, its largest degree, its depth and its class, and nothing else of it. `shrink` makes the graph
//! that many times smaller; average degree, shape of the degrees and class stay.

mod measured;
mod table;

pub use measured::{Measured, recorded};

use crate::error::{GraphError, nearest};
use crate::generate;
use crate::progress::Progress;
use crate::source::Loaded;

/// What stands before the colon: `surrogate:in-2004`.
pub const SCHEME: &str = "surrogate";

/// What a document publishes of an input graph. `None`: it does not say.
#[derive(Clone, Debug, PartialEq)]
pub struct Published {
    /// Vertices.
    pub vertices: u64,
    /// Directed arcs.
    pub arcs: u64,
    /// Largest degree.
    pub degree_max: Option<u64>,
    /// Iterations of a breadth-first search.
    pub depth: Option<u64>,
    /// Estimated diameter.
    pub diameter: Option<u64>,
    /// Classes of volume, reuse and imbalance, such as `HML`.
    pub taxonomy: Option<String>,
    /// Whether the document rounds its figures (6.2M).
    pub rounded: bool,
}

impl Published {
    /// Arcs for each vertex.
    pub fn degree_average(&self) -> f64 {
        self.arcs as f64 / self.vertices as f64
    }
}

/// A named stand-in.
#[derive(Clone, Debug, PartialEq)]
pub struct Surrogate {
    /// What the user types.
    pub name: String,
    /// Other names of the same graph.
    pub aliases: Vec<String>,
    /// Which document and table.
    pub document: String,
    /// What the document says.
    pub published: Published,
    /// The generator's recipe.
    pub recipe: String,
    /// What else must be said: which model and why, where the search that gives the depth starts.
    pub note: Option<String>,
}

/// All surrogates, by document.
pub fn list() -> Vec<Surrogate> {
    table::parse_all()
}

/// The surrogate of that name. Capitals do not matter, nor does `_` for `-`.
pub fn by_name(name: &str) -> Option<Surrogate> {
    let wanted = folded(name);
    list().into_iter().find(|surrogate| surrogate.names().any(|name| folded(name) == wanted))
}

impl Surrogate {
    /// The name and its aliases.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        std::iter::once(self.name.as_str()).chain(self.aliases.iter().map(String::as_str))
    }

    /// The recipe of a graph `shrink` times smaller, every key spelled out.
    pub fn recipe_shrunk(&self, shrink: u64) -> Result<String, GraphError> {
        let left = self.published.vertices / shrink.max(1);
        if shrink == 0 || left < VERTICES_MIN {
            let largest = (self.published.vertices / VERTICES_MIN).max(1);
            return Err(GraphError::new(
                format!("{SCHEME}:{},shrink={shrink}", self.name),
                format!("`shrink={shrink}`: expected 1 to {largest}, so that {VERTICES_MIN} vertices remain"),
            ));
        }
        generate::shrunk(&self.recipe, shrink)
    }
}

/// Below this many vertices a graph has too few thread blocks to be of any class.
const VERTICES_MIN: u64 = 1024;

/// Whether `NAME` or `NAME,shrink=8` can be generated; nothing is.
pub(crate) fn check(request: &str) -> Result<(), GraphError> {
    find(request).map(drop)
}

/// The surrogate of a request, how much smaller it is to be, and the recipe of that.
fn find(request: &str) -> Result<(Surrogate, u64, String), GraphError> {
    let input = format!("{SCHEME}:{request}");
    let (name, shrink) = parse_request(request).map_err(|problem| GraphError::new(&input, problem))?;
    let surrogate = by_name(name).ok_or_else(|| unknown(&input, name))?;
    let recipe = surrogate.recipe_shrunk(shrink)?;
    Ok((surrogate, shrink, recipe))
}

/// Generates `NAME` or `NAME,shrink=8`.
pub fn generate(request: &str, progress: &dyn Progress) -> Result<Loaded, GraphError> {
    let (surrogate, shrink, recipe) = find(request)?;
    let mut loaded = generate::generate(&recipe, progress)?;
    let smaller = if shrink == 1 { String::new() } else { format!(", {shrink} times smaller") };
    loaded.notes.insert(
        0,
        format!(
            "a surrogate of {} ({}){smaller}: a generated graph with its published figures, not the graph itself",
            surrogate.name, surrogate.document
        ),
    );
    if shrink > 1 {
        loaded.notes.push(format!(
            "its class of volume is that of the whole graph beside caches {shrink} times smaller (--l1, --l2)"
        ));
    }
    loaded.notes.extend(surrogate.note);
    Ok(loaded)
}

/// `NAME` and the factor of `NAME,shrink=8`.
fn parse_request(request: &str) -> Result<(&str, u64), String> {
    let (name, keys) = request.split_once(',').unwrap_or((request, ""));
    let mut shrink = None;
    for item in keys.split(',').filter(|item| !item.is_empty()) {
        let value = match item.split_once('=') {
            Some((key, value)) if key.trim() == "shrink" => value.trim(),
            _ => return Err(format!("`{item}`: the only key of a surrogate is `shrink=N`")),
        };
        let factor = value.parse::<u64>().ok().filter(|&factor| factor > 0);
        let factor = factor.ok_or_else(|| format!("`shrink={value}`: expected an integer of at least 1"))?;
        if shrink.replace(factor).is_some() {
            return Err("`shrink` is given twice".to_owned());
        }
    }
    Ok((name.trim(), shrink.unwrap_or(1)))
}

fn folded(name: &str) -> String {
    name.to_lowercase().replace('_', "-")
}

fn unknown(input: &str, name: &str) -> GraphError {
    let known = list();
    let error = GraphError::new(input, format!("no surrogate is called `{name}`"));
    let names: Vec<&str> = known.iter().map(|surrogate| surrogate.name.as_str()).collect();
    match nearest(name, known.iter().flat_map(Surrogate::names)) {
        Some(near) => {
            error.with_help(format!("did you mean `{SCHEME}:{near}`? Surrogates are {}", names.join(", ")))
        }
        None => error.with_help(format!("surrogates are {}", names.join(", "))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_is_a_name_and_perhaps_a_factor() {
        assert_eq!(parse_request("in-2004"), Ok(("in-2004", 1)));
        assert_eq!(parse_request("in-2004,shrink=8"), Ok(("in-2004", 8)));
        assert_eq!(
            parse_request("x,shrink=0"),
            Err("`shrink=0`: expected an integer of at least 1".to_owned())
        );
        assert_eq!(parse_request("x,shrink=2,shrink=2"), Err("`shrink` is given twice".to_owned()));
        assert!(parse_request("x,seed=2").unwrap_err().contains("the only key"));
    }

    #[test]
    fn every_name_is_unique_and_every_recipe_is_valid_and_shrinks() {
        let mut names: Vec<String> = Vec::new();
        for surrogate in list() {
            names.extend(surrogate.names().map(folded));
            let full =
                surrogate.recipe_shrunk(1).unwrap_or_else(|error| panic!("{}: {error}", surrogate.name));
            assert_ne!(surrogate.recipe_shrunk(4).unwrap(), full, "{} does not shrink", surrogate.name);
        }
        let count = names.len();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), count, "two surrogates share a name: {names:?}");
    }
}
