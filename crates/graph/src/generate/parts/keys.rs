//! The keys that the structured generators (`powerlaw`, `web`, `cliques`, `mesh`) have in common, and the
//! checks on them that need no graph.

use super::size::Size;
use crate::csr::VERTICES_MAX;
use crate::generate::{Parameter, Parameters, Shrinks};

/// `vertices`.
pub(crate) const fn vertices(default: &'static str) -> Parameter {
    Parameter::size("vertices", (1, VERTICES_MAX), Shrinks::Linearly, default, "how many vertices")
}

/// `arcs`.
pub(crate) const fn arcs(default: &'static str) -> Parameter {
    Parameter::size(
        "arcs",
        (0, 1 << 40),
        Shrinks::ToEven,
        default,
        "how many arcs, exactly; an undirected edge is two",
    )
}

/// `max_degree`.
pub(crate) const fn max_degree(default: &'static str) -> Parameter {
    // The degree law is summed term by term, so the bound keeps an answer within seconds.
    Parameter::size("max_degree", (0, 1 << 22), Shrinks::AsDegree, default, "the largest degree, exactly")
}

/// `direction`.
pub(crate) const fn direction(default: &'static str) -> Parameter {
    Parameter::word(
        "direction",
        &["symmetric", "directed"],
        default,
        "symmetric: every edge both ways; directed: degrees are out-degrees",
    )
}

/// `stages`.
pub(crate) const STAGES: Parameter = Parameter::integer(
    "stages",
    (1, 1 << 20),
    "1",
    "ranges of ids in a line; long links reach the next range only, which deepens a traversal",
);

/// Vertices, arcs and largest degree that fit each other in a graph without loops and parallel arcs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SimpleSize {
    pub vertices: u64,
    pub arcs: u64,
    pub max_degree: u64,
}

impl SimpleSize {
    /// Reads the three keys. `symmetric` graphs have an even number of arcs.
    pub(crate) fn of(parameters: &Parameters, symmetric: bool) -> Result<SimpleSize, String> {
        let (vertices, arcs) = (parameters.integer("vertices"), parameters.integer("arcs"));
        let max_degree = parameters.integer("max_degree");
        Size::checked(vertices, u128::from(arcs), "`vertices` or `arcs`")?;
        if symmetric && arcs % 2 == 1 {
            return Err(format!("`arcs={arcs}` is odd, but an undirected edge is two arcs"));
        }
        if max_degree >= vertices {
            return Err(format!(
                "`max_degree={max_degree}`: a vertex has at most {} neighbours among {vertices} vertices",
                vertices - 1
            ));
        }
        if u128::from(arcs) > u128::from(vertices) * u128::from(max_degree) {
            return Err(format!(
                "{vertices} vertices of degree at most {max_degree} cannot have {arcs} arcs"
            ));
        }
        if max_degree > arcs {
            return Err(format!("`max_degree={max_degree}` is more than all `arcs={arcs}`"));
        }
        Ok(SimpleSize { vertices, arcs, max_degree })
    }
}
