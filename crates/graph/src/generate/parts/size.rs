//! How large a generated graph may be, and the keys by which most generators are told its size.

use crate::csr::VERTICES_MAX;
use crate::generate::{Parameter, Parameters, Shrinks};
use crate::limits::host_has;

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
        if !host_has(bytes as u64) {
            return Err(format!(
                "{arcs} arcs of {vertices} vertices need {} GiB while they are built, and the host has no room for \
                 them: make {keys} smaller",
                (bytes as u64).div_ceil(1 << 30)
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
    Parameter::integer("scale", (0, 31), default, "2^scale vertices")
}

/// `vertices`: the exact size, which goes before `scale`.
pub(crate) const VERTICES: Parameter =
    Parameter::size("vertices", (0, VERTICES_MAX), Shrinks::Linearly, "0", "how many vertices; 0: 2^scale");

/// `arcs`: the exact number, which goes before `degree`.
pub(crate) const ARCS: Parameter =
    Parameter::size("arcs", (0, 1 << 40), Shrinks::Linearly, "0", "how many arcs; 0: degree × vertices");

/// `seed`: which graph of the family.
pub(crate) const SEED: Parameter =
    Parameter::integer("seed", (0, u64::MAX), "1", "which graph of the family");

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
