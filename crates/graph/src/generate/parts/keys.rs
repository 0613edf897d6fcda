//! The keys that the structured generators (`powerlaw`, `web`, `cliques`, `mesh`) have in common, and the
//! checks on them that need no graph.

use super::size::Size;
use crate::csr::VERTICES_MAX;
use crate::generate::{Parameter, ParameterKind, Parameters, Shrinks};

/// `vertices`.
pub(crate) const fn vertices(default: &'static str) -> Parameter {
    Parameter {
        name: "vertices",
        kind: ParameterKind::Size { min: 1, max: VERTICES_MAX, shrinks: Shrinks::Linearly },
        default,
        summary: "how many vertices",
    }
}

/// `arcs`.
pub(crate) const fn arcs(default: &'static str) -> Parameter {
    Parameter {
        name: "arcs",
        kind: ParameterKind::Size { min: 0, max: 1 << 40, shrinks: Shrinks::ToEven },
        default,
        summary: "how many arcs, exactly; an undirected edge is two",
    }
}

/// `max_degree`.
pub(crate) const fn max_degree(default: &'static str) -> Parameter {
    Parameter {
        name: "max_degree",
        // The degree law is summed term by term, so the bound keeps an answer within seconds.
        kind: ParameterKind::Size { min: 0, max: 1 << 22, shrinks: Shrinks::AsDegree },
        default,
        summary: "the largest degree, exactly",
    }
}

/// An integer that does not follow the size.
pub(crate) const fn integer(
    name: &'static str,
    (min, max): (u64, u64),
    default: &'static str,
    summary: &'static str,
) -> Parameter {
    Parameter { name, kind: ParameterKind::Integer { min, max }, default, summary }
}

/// A real number.
pub(crate) const fn real(
    name: &'static str,
    (min, max): (f64, f64),
    default: &'static str,
    summary: &'static str,
) -> Parameter {
    Parameter { name, kind: ParameterKind::Real { min, max }, default, summary }
}

/// `direction`.
pub(crate) const fn direction(default: &'static str) -> Parameter {
    Parameter {
        name: "direction",
        kind: ParameterKind::Word(&["symmetric", "directed"]),
        default,
        summary: "symmetric: every edge both ways; directed: degrees are out-degrees",
    }
}

/// `stages`.
pub(crate) const STAGES: Parameter = Parameter {
    name: "stages",
    kind: ParameterKind::Integer { min: 1, max: 1 << 20 },
    default: "1",
    summary: "ranges of ids in a line; long links reach the next range only, which deepens a traversal",
};

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
