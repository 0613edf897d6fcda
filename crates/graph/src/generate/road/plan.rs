//! How many of what a road network has, so that vertices and edges come out exactly.

use crate::generate::random::Random;

/// The lattice of through roads and what hangs off it, cell by cell. Cell `line * columns + column` is the
/// junction there with the roads from it to the next junction of its line and of its column.
pub(super) struct Plan {
    pub(super) columns: u64,
    pub(super) lines: u64,
    /// Hops between a column and the next.
    pub(super) column_hops: Vec<u32>,
    /// Hops between a line and the next.
    pub(super) line_hops: Vec<u32>,
    /// Triangles of each cell.
    pub(super) triangles: Vec<u32>,
    /// Vertices of each cell's dead ends.
    pub(super) dead_ends: Vec<u32>,
    /// The first vertex of each cell, and the number of all.
    pub(super) firsts: Vec<u32>,
    /// Dead ends of the first junction alone, which bring it to the largest degree.
    pub(super) hub_dead_ends: u32,
}

/// Sizes of a lattice before it is laid out.
#[derive(Clone, Copy)]
struct Lattice {
    columns: u64,
    lines: u64,
    hops: u64,
}

/// What share of the vertices through roads take where no diameter is asked for.
const THROUGH_SHARE: f64 = 2.0 / 3.0;

impl Lattice {
    /// Square, with `blocks` blocks along each side; without any, a single road.
    fn new(blocks: u64, hops: u64) -> Lattice {
        Lattice { columns: blocks.max(1) + 1, lines: blocks + 1, hops }
    }

    fn cycles(self) -> u64 {
        (self.columns - 1) * (self.lines - 1)
    }

    fn hops_min(self) -> u64 {
        self.columns + self.lines - 2
    }

    /// Hops along a line of junctions, and along a column: in proportion to their number.
    fn hops_split(self) -> (u64, u64) {
        let along_line =
            (u128::from(self.hops) * u128::from(self.columns - 1) / u128::from(self.hops_min())) as u64;
        (along_line, self.hops - along_line)
    }

    /// Vertices of junctions and roads.
    fn vertices(self) -> u128 {
        let (along_line, along_column) = self.hops_split();
        let [columns, lines] = [self.columns, self.lines].map(u128::from);
        // Every line has `hops + 1` vertices, every column too, and the junctions are in both.
        lines * (u128::from(along_line) + 1) + columns * (u128::from(along_column) + 1) - columns * lines
    }
}

impl Plan {
    pub(super) fn new(
        vertices: u64,
        edges: u64,
        degree_max: u64,
        diameter: u64,
        random: &mut Random,
    ) -> Result<Plan, String> {
        if edges < vertices - 1 {
            return Err(format!(
                "{edges} edges cannot join {vertices} vertices; at least {} can",
                vertices - 1
            ));
        }
        let cycles = edges - (vertices - 1);
        let lattice = fitting(vertices, cycles, degree_max, diameter)?;
        let triangles = cycles - lattice.cycles();
        let corner_degree = if lattice.lines > 1 { 2 } else { 1 };
        let hub_dead_ends = degree_max - corner_degree;
        let dead_ends = vertices - lattice.vertices() as u64 - 2 * triangles - hub_dead_ends;
        let (along_line, along_column) = lattice.hops_split();
        let cells = lattice.columns * lattice.lines;
        let mut plan = Plan {
            columns: lattice.columns,
            lines: lattice.lines,
            column_hops: hops_of_gaps(lattice.columns - 1, along_line, random),
            line_hops: hops_of_gaps(lattice.lines - 1, along_column, random),
            triangles: scattered(triangles, cells, random),
            dead_ends: scattered(dead_ends, cells, random),
            firsts: Vec::with_capacity(cells as usize + 1),
            hub_dead_ends: hub_dead_ends as u32,
        };
        plan.number_vertices();
        assert_eq!(
            plan.firsts.last().map(|&end| u64::from(end)),
            Some(vertices),
            "all vertices are laid out"
        );
        Ok(plan)
    }

    pub(super) fn cells(&self) -> u64 {
        self.columns * self.lines
    }

    fn number_vertices(&mut self) {
        let mut first = 0;
        for cell in 0..self.cells() as usize {
            self.firsts.push(first);
            let (line, column) = (cell / self.columns as usize, cell % self.columns as usize);
            // A road of h hops to the next junction has h-1 vertices of its own.
            let road = |hops: &[u32], gap: usize| hops.get(gap).map_or(0, |&hops| hops - 1);
            first += 1 + road(&self.column_hops, column) + road(&self.line_hops, line);
            first += 2 * self.triangles[cell] + self.dead_ends[cell];
            first += if cell == 0 { self.hub_dead_ends } else { 0 };
        }
        self.firsts.push(first);
    }
}

/// The largest lattice that has no more cycles than wanted and leaves the vertices that triangles and the
/// first junction need.
fn fitting(vertices: u64, cycles: u64, degree_max: u64, diameter: u64) -> Result<Lattice, String> {
    let root = cycles.isqrt();
    let most = if diameter == 0 { root } else { root.min(diameter / 2) };
    let mut blocks = most;
    loop {
        let wanted = if diameter == 0 { natural_hops(vertices, blocks) } else { diameter };
        let mut lattice = Lattice::new(blocks, wanted);
        lattice.hops = lattice.hops.max(lattice.hops_min());
        let hanging = 2 * u128::from(cycles - lattice.cycles()) + u128::from(degree_max);
        if lattice.vertices() + hanging <= u128::from(vertices) {
            return Ok(lattice);
        }
        if blocks == 0 {
            return single_road(vertices, hanging, diameter)
                .ok_or_else(|| too_few(vertices, cycles, diameter));
        }
        // Large lattices need not be tried one by one.
        blocks -= (blocks / 64).max(1);
    }
}

/// One road with what must hang off it, as long as a small network can make it. None where the diameter is
/// given, or nothing is left.
fn single_road(vertices: u64, hanging: u128, diameter: u64) -> Option<Lattice> {
    let left = u128::from(vertices).checked_sub(hanging).filter(|&left| left >= 2 && diameter == 0)?;
    Some(Lattice::new(0, left as u64 - 1))
}

fn too_few(vertices: u64, cycles: u64, diameter: u64) -> String {
    let few = format!("{vertices} vertices with {cycles} independent cycles are too few");
    match diameter {
        0 => format!("{few} for a junction of the largest degree: make `max_degree` or `edges` smaller"),
        _ => format!("{few} for a diameter of {diameter}: make `diameter` or `edges` smaller"),
    }
}

/// The diameter with which through roads take their share.
fn natural_hops(vertices: u64, blocks: u64) -> u64 {
    let lines = blocks as f64 + 1.0;
    let hops = vertices as f64 * THROUGH_SHARE / lines + lines;
    // With hardly any cycle the roads would be one long line.
    hops.min(4.0 * (vertices as f64).sqrt()) as u64
}

/// Cuts `hops` into `gaps` parts of at least one, at random.
fn hops_of_gaps(gaps: u64, hops: u64, random: &mut Random) -> Vec<u32> {
    let mut parts = vec![1u32; gaps as usize];
    for _ in gaps..hops {
        parts[random.below(gaps) as usize] += 1;
    }
    parts
}

/// Throws `items` into `cells` at random.
fn scattered(items: u64, cells: u64, random: &mut Random) -> Vec<u32> {
    let mut counts = vec![0u32; cells as usize];
    for _ in 0..items {
        counts[random.below(cells) as usize] += 1;
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plan_without_cycles_is_a_tree_along_one_road() {
        let plan = Plan::new(1000, 999, 8, 100, &mut Random::new(1, 0)).unwrap();
        assert_eq!((plan.columns, plan.lines), (2, 1));
        assert_eq!(plan.column_hops, [100]);
    }

    #[test]
    fn what_cannot_be_is_refused() {
        let problem = |vertices, edges, diameter| {
            Plan::new(vertices, edges, 8, diameter, &mut Random::new(1, 0)).err().unwrap()
        };
        assert!(problem(1000, 998, 0).contains("at least 999"));
        assert!(problem(1000, 1100, 999).contains("too few for a diameter of 999"));
        assert!(problem(4, 3, 0).contains("too few"));
    }
}
