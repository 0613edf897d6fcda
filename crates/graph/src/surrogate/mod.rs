//! Named stand-ins for the input graphs of the four source documents.

use crate::error::GraphError;
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
}

/// A named stand-in.
#[derive(Clone, Debug)]
pub struct Surrogate {
    /// What the user types.
    pub name: String,
    /// Which document and table.
    pub document: String,
    /// What the document says.
    pub published: Published,
    /// The generator's recipe.
    pub recipe: String,
}

/// All surrogates, by document.
pub fn list() -> Vec<Surrogate> {
    Vec::new()
}

/// Generates `NAME` or `NAME,shrink=8`.
pub fn generate(name: &str, progress: &dyn Progress) -> Result<Loaded, GraphError> {
    let _ = progress;
    Err(GraphError::new(format!("{SCHEME}:{name}"), "no such surrogate"))
}
