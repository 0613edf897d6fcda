//! How large a generated graph may be, and the keys by which most generators are told its size.

use crate::csr::VERTICES_MAX;
use crate::generate::{Parameter, ParameterKind, Parameters, Shrinks};

/// Vertices and arcs of a graph to be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Size {
    /// Vertices.
    pub vertices: u64,
    /// Directed arcs held.
    pub arcs: u64,
}

/// Bytes that arcs, rows and offsets of a generated graph may take together. A recipe is a few typed
/// characters, so a slip in one of them must not bring the machine down.
const BYTES_MAX: u128 = 64 << 30;

impl Size {
    /// Refuses a graph that has no room in 32-bit ids or in memory, before anything is allocated. `keys`
    /// names what the user can make smaller.
    pub(crate) fn checked(vertices: u64, arcs: u128, keys: &str) -> Result<Size, String> {
        if vertices > VERTICES_MAX {
            return Err(format!(
                "{vertices} vertices; at most {VERTICES_MAX} fit 32-bit ids: make {keys} smaller"
            ));
        }
        let bytes = arcs.saturating_mul(12).saturating_add(u128::from(vertices) * 8);
        if bytes > BYTES_MAX {
            return Err(format!(
                "{arcs} arcs of {vertices} vertices need {} GiB while they are built, and 64 is the most: \
                 make {keys} smaller",
                bytes.div_ceil(1 << 30)
            ));
        }
        Ok(Size { vertices, arcs: arcs as u64 })
    }

    /// By the keys `scale` or `vertices`, and `degree` or `arcs`.
    pub(crate) fn directed(parameters: &Parameters) -> Result<Size, String> {
        let vertices = vertices(parameters);
        match parameters.integer("arcs") {
            0 => {
                let arcs = u128::from(vertices) * u128::from(parameters.integer("degree"));
                Size::checked(vertices, arcs, "`scale`, `vertices` or `degree`")
            }
            arcs => Size::checked(vertices, u128::from(arcs), "`vertices` or `arcs`"),
        }
    }
}

/// By the keys `scale` and `vertices`.
pub(crate) fn vertices(parameters: &Parameters) -> u64 {
    match parameters.integer("vertices") {
        0 => 1 << parameters.integer("scale"),
        vertices => vertices,
    }
}

/// `scale`: the size as a power of two.
pub(crate) const fn scale(default: &'static str) -> Parameter {
    Parameter {
        name: "scale",
        kind: ParameterKind::Integer { min: 0, max: 31 },
        default,
        summary: "2^scale vertices",
    }
}

/// `vertices`: the exact size, which goes before `scale`.
pub(crate) const VERTICES: Parameter = Parameter {
    name: "vertices",
    kind: ParameterKind::Size { min: 0, max: VERTICES_MAX, shrinks: Shrinks::Linearly },
    default: "0",
    summary: "how many vertices; 0: 2^scale",
};

/// `arcs`: the exact number, which goes before `degree`.
pub(crate) const ARCS: Parameter = Parameter {
    name: "arcs",
    kind: ParameterKind::Size { min: 0, max: 1 << 40, shrinks: Shrinks::Linearly },
    default: "0",
    summary: "how many arcs; 0: degree × vertices",
};

/// `seed`: which graph of the family.
pub(crate) const SEED: Parameter = Parameter {
    name: "seed",
    kind: ParameterKind::Integer { min: 0, max: u64::MAX },
    default: "1",
    summary: "which graph of the family",
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_impossible_size_is_refused_with_the_keys_to_change() {
        let problem = Size::checked(1 << 31, 1 << 51, "`degree`").unwrap_err();
        assert!(problem.contains("make `degree` smaller"), "{problem}");
        assert!(Size::checked(1 << 33, 0, "`scale`").unwrap_err().contains("32-bit ids"));
        assert!(Size::checked(1 << 20, 1 << 28, "`scale`").is_ok());
    }
}
