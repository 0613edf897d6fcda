//! The roads of one cell.

use super::plan::Plan;
use crate::csr::Vertex;
use crate::generate::random::Random;

/// A vertex takes no more edges than this where there is another that can.
const CROSSING: u32 = 4;
/// How often a dead end goes on from its last vertex rather than branching off anywhere: three in four.
const LONGER_OF_FOUR: u64 = 3;

/// Appends the edges of `cell`, each once.
pub(super) fn lay(plan: &Plan, cell: u64, random: &mut Random, edges: &mut Vec<(Vertex, Vertex)>) {
    let (line, column) = (cell / plan.columns, cell % plan.columns);
    let junction = plan.firsts[cell as usize];
    let mut laid = Laid { first: junction, degrees: Vec::new(), edges };
    laid.vertex(0);
    if let Some(&hops) = plan.column_hops.get(column as usize) {
        laid.road(hops, plan.firsts[cell as usize + 1]);
    }
    if let Some(&hops) = plan.line_hops.get(line as usize) {
        laid.road(hops, plan.firsts[(cell + plan.columns) as usize]);
    }
    // Roads from the junctions before it end here too.
    laid.degrees[0] += u32::from(column > 0) + u32::from(line > 0);
    if cell == 0 {
        (0..plan.hub_dead_ends).for_each(|_| laid.hang(0));
        // Nothing else may hang there.
        laid.degrees[0] = u32::MAX / 2;
    }
    for _ in 0..plan.triangles[cell as usize] {
        let host = laid.host(random, 2);
        laid.hang(host);
        laid.hang(host);
        let last = laid.degrees.len() as u32 - 1;
        laid.edge(last - 1, last);
    }
    let mut end = None;
    for _ in 0..plan.dead_ends[cell as usize] {
        let longer = random.below(4) < LONGER_OF_FOUR;
        let host = end.filter(|_| longer).unwrap_or_else(|| laid.host(random, 1));
        laid.hang(host);
        end = Some(laid.degrees.len() as u32 - 1);
    }
}

/// Vertices of the cell so far, numbered from zero, with their degrees.
struct Laid<'a> {
    first: Vertex,
    degrees: Vec<u32>,
    edges: &'a mut Vec<(Vertex, Vertex)>,
}

impl Laid<'_> {
    fn vertex(&mut self, degree: u32) -> u32 {
        self.degrees.push(degree);
        self.degrees.len() as u32 - 1
    }

    fn edge(&mut self, one: u32, other: u32) {
        self.degrees[one as usize] += 1;
        self.degrees[other as usize] += 1;
        self.edges.push((self.first + one, self.first + other));
    }

    /// A new vertex at `host`.
    fn hang(&mut self, host: u32) {
        let new = self.vertex(0);
        self.edge(host, new);
    }

    /// A road of `hops` from the junction to another cell's.
    fn road(&mut self, hops: u32, junction: Vertex) {
        let mut end = 0;
        for _ in 1..hops {
            self.hang(end);
            end = self.degrees.len() as u32 - 1;
        }
        self.degrees[end as usize] += 1;
        self.edges.push((self.first + end, junction));
    }

    /// A random vertex that can take `more` edges and stay a crossing; the junction if there is none.
    fn host(&self, random: &mut Random, more: u32) -> u32 {
        let count = self.degrees.len() as u32;
        let start = random.below(u64::from(count)) as u32;
        let candidates = (start..count).chain(0..start);
        let mut fitting = candidates.filter(|&vertex| self.degrees[vertex as usize] + more <= CROSSING);
        fitting.next().unwrap_or(0)
    }
}
