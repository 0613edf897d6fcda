//! Random geometric graph: uniform points of the unit square, an edge between any two nearer than the
//! radius.
//!
//! With neither `radius` nor `degree` the radius is that of the 10th DIMACS challenge's `rgg_n_2_*_s0`,
//! 0.55·sqrt(ln n / n), which is just enough for the graph to be almost surely connected. `order=space`
//! numbers the points by strips of cells, so that neighbours have near ids; `order=random` scatters them.

use super::parts::rows::csr_by_row;
use super::parts::size::{self, Size};
use super::random::{BLOCK_ITEMS, Random};
use super::{Generator, Parameter, Parameters};
use crate::csr::Vertex;
use crate::graph::Graph;
use crate::progress::Progress;
use rayon::prelude::*;

pub(super) const GENERATOR: Generator = Generator {
    name: "rgg",
    summary: "random geometric: points of a square, edges between near ones",
    parameters: &[
        size::scale("16"),
        size::VERTICES,
        Parameter::real("radius", (0.0, 1.5), "0", "how near; 0: by degree"),
        Parameter::real(
            "degree",
            (0.0, 1e6),
            "0",
            "average degree far from the border; 0: DIMACS10's radius",
        ),
        Parameter::word("order", &["space", "random"], "space", "how vertices are numbered"),
        size::SEED,
    ],
    build: generate,
};

type Point = (f64, f64);

fn generate(parameters: &Parameters, _: &dyn Progress) -> Result<Graph, String> {
    let vertices = size::vertices(parameters);
    let radius = radius(parameters, vertices as f64);
    let degree = vertices as f64 * std::f64::consts::PI * radius * radius;
    let arcs = (vertices as f64 * degree.min(vertices as f64)) as u128;
    Size::checked(vertices, arcs, "`vertices`, `radius` or `degree`")?;
    let seed = parameters.integer("seed");
    let cells = Cells::new(points(seed, vertices), radius);
    let csr = if parameters.word("order") == "space" {
        csr_by_row(seed, vertices, |_, vertex, targets| cells.near(vertex, |near| targets.push(near)))
    } else {
        let (place_of, id_of) = random_order(seed, vertices);
        csr_by_row(seed, vertices, |_, vertex, targets| {
            cells.near(place_of[vertex as usize], |near| targets.push(id_of[near as usize]));
        })
    };
    Ok(Graph::undirected(csr))
}

fn radius(parameters: &Parameters, vertices: f64) -> f64 {
    match (parameters.real("radius"), parameters.real("degree")) {
        (radius, _) if radius > 0.0 => radius,
        (_, degree) if degree > 0.0 => (degree / (vertices * std::f64::consts::PI)).sqrt(),
        _ => 0.55 * (libm::log(vertices) / vertices).sqrt(),
    }
}

fn points(seed: u64, vertices: u64) -> Vec<Point> {
    let mut points: Vec<Point> = vec![(0.0, 0.0); vertices as usize];
    points.par_chunks_mut(BLOCK_ITEMS as usize).enumerate().for_each(|(block, points)| {
        let mut random = Random::new(seed, block as u64);
        points.iter_mut().for_each(|point| *point = (random.unit(), random.unit()));
    });
    points
}

/// Which place each id has, and which id each place.
fn random_order(seed: u64, vertices: u64) -> (Vec<Vertex>, Vec<Vertex>) {
    let mut place_of: Vec<Vertex> = (0..vertices as Vertex).collect();
    Random::new(seed, u64::MAX).shuffle(&mut place_of);
    let mut id_of = vec![0; place_of.len()];
    for (id, &place) in place_of.iter().enumerate() {
        id_of[place as usize] = id as Vertex;
    }
    (place_of, id_of)
}

/// Points sorted into square cells no smaller than the radius, strip by strip.
struct Cells {
    /// Cells along one side.
    side: usize,
    /// Where each cell's points begin, and the end.
    starts: Vec<u32>,
    points: Vec<Point>,
    radius: f64,
}

impl Cells {
    fn new(points: Vec<Point>, radius: f64) -> Cells {
        // More cells than points would only cost memory.
        let most = (points.len() as f64).sqrt().max(1.0);
        let side = if radius > 0.0 { (1.0 / radius).min(most) } else { most };
        let side = (side as usize).max(1);
        let cell_of = |&(x, y): &Point| (y * side as f64) as usize * side + (x * side as f64) as usize;
        let mut starts = vec![0u32; side * side + 1];
        points.iter().for_each(|point| starts[cell_of(point) + 1] += 1);
        for cell in 0..side * side {
            starts[cell + 1] += starts[cell];
        }
        let mut cursors = starts.clone();
        let mut sorted = vec![(0.0, 0.0); points.len()];
        for point in points {
            let cursor = &mut cursors[cell_of(&point)];
            sorted[*cursor as usize] = point;
            *cursor += 1;
        }
        Cells { side, starts, points: sorted, radius }
    }

    /// Visits the places of all points near the one at `place`, in order.
    fn near(&self, place: Vertex, mut visit: impl FnMut(Vertex)) {
        let (x, y) = self.points[place as usize];
        let (column, line) = ((x * self.side as f64) as usize, (y * self.side as f64) as usize);
        let columns = column.saturating_sub(1)..=(column + 1).min(self.side - 1);
        let limit = self.radius * self.radius;
        for line in line.saturating_sub(1)..=(line + 1).min(self.side - 1) {
            // Cells of a strip stand side by side, so three of them are one range.
            let first = self.starts[line * self.side + columns.start()];
            let end = self.starts[line * self.side + columns.end() + 1];
            for other in first..end {
                let (other_x, other_y) = self.points[other as usize];
                let (dx, dy) = (other_x - x, other_y - y);
                if dx * dx + dy * dy < limit && other != place {
                    visit(other);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_find_what_a_search_of_all_points_finds() {
        for radius in [0.02, 0.3, 1.5] {
            let cells = Cells::new(points(5, 300), radius);
            for place in 0..300 {
                let mut found = Vec::new();
                cells.near(place, |near| found.push(near));
                let distance = |other: u32| {
                    let ((x, y), (u, v)) = (cells.points[place as usize], cells.points[other as usize]);
                    (u - x) * (u - x) + (v - y) * (v - y)
                };
                let all: Vec<u32> =
                    (0..300).filter(|&other| other != place && distance(other) < radius * radius).collect();
                assert_eq!(found, all);
            }
        }
    }
}
