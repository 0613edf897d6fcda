//! Generators: seeded, and identical on every host and for any number of threads.
//!
//! A generator is one file (or folder) and one line in [`GENERATORS`]; what several share stands in `parts`. It draws only from [`random`], and takes its
//! logarithms and powers from `libm`, because those of the platform differ in the last bit.

mod bipartite;
mod cliques;
mod er;
mod grid;
mod mesh;
mod parameters;
mod parts;
mod powerlaw;
pub mod random;
mod rgg;
mod rmat;
mod road;
mod rodinia;
mod sprand;
mod uniform;
mod web;

pub use parameters::{Parameter, ParameterKind, Parameters, Shrinks};

use crate::error::{GraphError, nearest};
use crate::graph::Graph;
use crate::progress::Progress;
use crate::source::{Loaded, Origin, WeightsSeen};

/// One kind of generated graph.
pub struct Generator {
    /// What the user types before the colon.
    pub name: &'static str,
    /// One line for the list.
    pub summary: &'static str,
    /// The keys, with defaults.
    pub parameters: &'static [Parameter],
    /// Makes the graph.
    pub build: fn(&Parameters, &dyn Progress) -> Result<Graph, String>,
}

/// All generators. To add one: a file beside this one, and a line here.
pub const GENERATORS: &[Generator] = &[
    uniform::GENERATOR,
    sprand::GENERATOR,
    rodinia::GENERATOR,
    rmat::GENERATOR,
    er::GENERATOR,
    rgg::GENERATOR,
    grid::GENERATOR,
    road::GENERATOR,
    bipartite::GENERATOR,
    powerlaw::GENERATOR,
    web::GENERATOR,
    cliques::GENERATOR,
    mesh::GENERATOR,
];

/// The generator of that name.
pub fn by_name(name: &str) -> Option<&'static Generator> {
    GENERATORS.iter().find(|generator| generator.name == name)
}

/// Generates what `recipe` says: `NAME` or `NAME:key=value,key=value`.
pub fn generate(recipe: &str, progress: &dyn Progress) -> Result<Loaded, GraphError> {
    let (generator, parameters) = parse(recipe)?;
    let name = generator.name;
    let graph =
        (generator.build)(&parameters, progress).map_err(|problem| GraphError::new(recipe, problem))?;
    let recipe = format!("{name}:{}", parameters.spelled_out());
    let weights = if graph.is_weighted() { WeightsSeen::Held } else { WeightsSeen::None };
    Ok(Loaded { graph, origin: Origin::Generated { recipe }, weights, notes: Vec::new() })
}

/// Whether a recipe can be followed; nothing is generated.
pub(crate) fn check(recipe: &str) -> Result<(), GraphError> {
    parse(recipe).map(drop)
}

/// The recipe of the same graph `factor` times smaller, every key spelled out.
pub(crate) fn shrunk(recipe: &str, factor: u64) -> Result<String, GraphError> {
    let (generator, parameters) = parse(recipe)?;
    let smaller = parameters.shrunk(factor).map_err(|problem| GraphError::new(recipe, problem))?;
    Ok(format!("{}:{}", generator.name, smaller.spelled_out()))
}

fn parse(recipe: &str) -> Result<(&'static Generator, Parameters), GraphError> {
    let (name, values) = recipe.split_once(':').unwrap_or((recipe, ""));
    let generator = by_name(name).ok_or_else(|| unknown_generator(recipe, name))?;
    let parameters = Parameters::parse(generator.parameters, values)
        .map_err(|problem| GraphError::new(recipe, problem))?;
    Ok((generator, parameters))
}

fn unknown_generator(recipe: &str, name: &str) -> GraphError {
    let names = || GENERATORS.iter().map(|generator| generator.name).chain([crate::surrogate::SCHEME]);
    let error = GraphError::new(recipe, format!("no such file, and no generator is called `{name}`"));
    match nearest(name, names()) {
        Some(near) => error.with_help(format!("did you mean `{near}:`?")),
        None => error.with_help(format!("generators are {}", names().collect::<Vec<_>>().join(", "))),
    }
}
