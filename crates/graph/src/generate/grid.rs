//! Grids of two or three dimensions, held both ways.
//!
//! `wrap` joins opposite borders (a torus); `diagonals` adds the neighbours that differ in several
//! coordinates. Vertices are numbered by x, then y, then z. No self-loops, no parallel edges, whatever the
//! sides.

use super::parts::rows::csr_by_row;
use super::parts::size::Size;
use super::{Generator, Parameter, Parameters, Shrinks};
use crate::csr::{VERTICES_MAX, Vertex};
use crate::graph::Graph;
use crate::progress::Progress;

const SIDE: (u64, u64) = (1, VERTICES_MAX);
const NO_OR_YES: &[&str] = &["no", "yes"];

pub(super) const GENERATOR: Generator = Generator {
    name: "grid",
    summary: "two- or three-dimensional grid",
    parameters: &[
        Parameter::size("width", SIDE, Shrinks::AsLength, "256", "vertices along x"),
        Parameter::size("height", SIDE, Shrinks::AsLength, "256", "vertices along y"),
        Parameter::integer("depth", (1, VERTICES_MAX), "1", "vertices along z"),
        Parameter::word("wrap", NO_OR_YES, "no", "join opposite borders"),
        Parameter::word("diagonals", NO_OR_YES, "no", "join diagonal neighbours"),
    ],
    build: generate,
};

fn generate(parameters: &Parameters, _: &dyn Progress) -> Result<Graph, String> {
    let sides = ["width", "height", "depth"].map(|key| parameters.integer(key));
    let product = sides.iter().fold(1u64, |product, &side| product.saturating_mul(side));
    let grid = Grid {
        sides,
        wrap: parameters.word("wrap") == "yes",
        diagonals: parameters.word("diagonals") == "yes",
    };
    let degree_max = if grid.diagonals { 26 } else { 6 };
    let Size { vertices, .. } =
        Size::checked(product, u128::from(product) * degree_max, "`width`, `height` or `depth`")?;
    Ok(Graph::undirected(csr_by_row(0, vertices, |_, vertex, targets| grid.neighbours(vertex, targets))))
}

struct Grid {
    sides: [u64; 3],
    wrap: bool,
    diagonals: bool,
}

impl Grid {
    /// Appends the neighbours of `vertex` by rising id.
    fn neighbours(&self, vertex: Vertex, targets: &mut Vec<Vertex>) {
        let [width, height, _] = self.sides;
        let id = u64::from(vertex);
        let at = [id % width, id / width % height, id / width / height];
        let mut found = [0; 27];
        let mut count = 0;
        for step in 0..27 {
            let steps = [step % 3, step / 3 % 3, step / 9];
            // A step of 1 stays; a straight neighbour moves along one axis only.
            let moves = steps.iter().filter(|&&step| step != 1).count();
            if moves == 0 || (moves > 1 && !self.diagonals) {
                continue;
            }
            if let Some(neighbour) = self.moved(at, steps).filter(|&neighbour| neighbour != vertex) {
                found[count] = neighbour;
                count += 1;
            }
        }
        let found = &mut found[..count];
        found.sort_unstable();
        // On a torus with a side of two, both ways lead to the same neighbour.
        let repeated = |place: usize, found: &[Vertex]| place > 0 && found[place] == found[place - 1];
        targets.extend((0..count).filter(|&place| !repeated(place, found)).map(|place| found[place]));
    }

    fn moved(&self, at: [u64; 3], steps: [u64; 3]) -> Option<Vertex> {
        let mut moved = [0; 3];
        for axis in 0..3 {
            // One side is added before one step back is taken, so nothing falls below zero.
            let place = at[axis] + self.sides[axis] + steps[axis] - 1;
            let inside = (self.sides[axis]..2 * self.sides[axis]).contains(&place);
            if !inside && !self.wrap {
                return None;
            }
            moved[axis] = place % self.sides[axis];
        }
        Some(((moved[2] * self.sides[1] + moved[1]) * self.sides[0] + moved[0]) as Vertex)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(sides: [u64; 3], wrap: bool, diagonals: bool) -> Vec<Vec<Vertex>> {
        let grid = Grid { sides, wrap, diagonals };
        let row = |vertex| {
            let mut targets = Vec::new();
            grid.neighbours(vertex, &mut targets);
            targets
        };
        (0..sides.iter().product::<u64>() as Vertex).map(row).collect()
    }

    #[test]
    fn straight_and_diagonal_neighbours() {
        assert_eq!(rows([3, 3, 1], false, false)[4], [1, 3, 5, 7]);
        assert_eq!(rows([3, 3, 1], false, true)[4], [0, 1, 2, 3, 5, 6, 7, 8]);
        assert_eq!(rows([3, 3, 1], false, false)[0], [1, 3]);
        assert_eq!(rows([3, 3, 3], false, true)[13].len(), 26);
    }

    #[test]
    fn a_torus_has_no_border_and_no_duplicates() {
        assert_eq!(rows([4, 4, 1], true, false)[0], [1, 3, 4, 12]);
        assert_eq!(rows([2, 1, 1], true, true), [vec![1], vec![0]]);
        assert!(rows([5, 5, 5], true, false).iter().all(|row| row.len() == 6));
    }
}
