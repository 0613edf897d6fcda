//! Betweenness centrality by Brandes' algorithm, level by level, from one source or several.
//!
//! Values are single precision. Shares of paths are quotients of numbers that were added up along the levels, so
//! what rounding does to them grows with the number of levels, and so does the tolerance that the answer comes with.

use super::arguments::arguments;
use super::flags::count_equal;
use super::{Answer, Session, Setting, WorkloadError};
use heddle_device::{Argument, Buffer, FunctionHandle};
use heddle_graph::Vertex;

pub mod bc_pull;
pub mod bc_push;

/// What both can be told.
const SETTINGS: &[Setting] = &[Setting::whole(
    "sources",
    "number of sources: the source, and others spread evenly over the vertices",
    1,
    [1, u32::MAX],
)];

/// What both have.
struct Common {
    vertices: u32,
    sources: Vec<Vertex>,
    row: Buffer,
    col: Buffer,
    row_in: Buffer,
    col_in: Buffer,
    depth: Buffer,
    sigma: Buffer,
    sigma_exponent: Buffer,
    delta: Buffer,
    bc: Buffer,
    over: Buffer,
    start: FunctionHandle,
    accumulate: FunctionHandle,
    /// Whether single precision adds up what arrives at a vertex, term by term.
    adds_in_single: bool,
    /// Roundings on the way through all levels and back, for the source of the most.
    roundings: f64,
}

impl Common {
    fn new(session: &mut Session<'_>, adds_in_single: bool) -> Result<Common, WorkloadError> {
        let (outgoing, incoming) = (session.graph().out_edges(), session.graph().in_edges());
        let vertices = outgoing.num_vertices();
        let count = vertices as usize;
        let common = Common {
            vertices,
            sources: spread(session.source(), session.whole("sources"), vertices),
            row: session.upload_offsets("row", outgoing)?,
            col: session.upload("col", outgoing.targets())?,
            row_in: session.upload_offsets("row_in", incoming)?,
            col_in: session.upload("col_in", incoming.targets())?,
            depth: session.filled("depth", count, 0u32)?,
            sigma: session.filled("sigma", count, 0f32)?,
            sigma_exponent: session.filled("sigma_exponent", count, 0i32)?,
            delta: session.filled("delta", count, 0f32)?,
            bc: session.filled("bc", count, 0f32)?,
            over: session.filled("over", 1, 0u32)?,
            start: session.kernel("bc_start")?,
            accumulate: session.kernel("bc_accumulate")?,
            adds_in_single,
            roundings: 0.0,
        };
        let init = session.kernel("bc_init")?;
        common.over_vertices(session, init, &arguments![common.bc, vertices])?;
        Ok(common)
    }

    /// Launches a kernel with a thread for every vertex.
    fn over_vertices(
        &self,
        session: &mut Session<'_>,
        kernel: FunctionHandle,
        arguments: &[Argument],
    ) -> Result<(), WorkloadError> {
        session.launch(kernel, self.vertices.into(), arguments)?;
        Ok(())
    }

    /// Runs Brandes' algorithm from every source. `forward` goes from one level to the next and says whether there
    /// is a next one; `backward` goes from a level to the one above it, which is never below 0.
    fn run(
        &mut self,
        session: &mut Session<'_>,
        forward: impl Fn(&Common, &mut Session<'_>, u32) -> Result<bool, WorkloadError>,
        backward: impl Fn(&Common, &mut Session<'_>, u32) -> Result<(), WorkloadError>,
    ) -> Result<(), WorkloadError> {
        let (vertices, levels_max) = (self.vertices, u64::from(self.vertices));
        for source in self.sources.clone() {
            let first =
                &arguments![self.depth, self.sigma, self.sigma_exponent, self.delta, source, vertices];
            self.over_vertices(session, self.start, first)?;
            let mut level = 0;
            loop {
                let bound = levels_max.saturating_mul(self.sources.len() as u64);
                session.iteration(Some(count_equal(session, self.depth, level)?), bound)?;
                if !forward(self, session, level)? {
                    break;
                }
                level += 1;
            }
            self.roundings = self.roundings.max(self.roundings_of_search(session, level)?);
            for level in (1..=level).rev() {
                backward(self, session, level)?;
            }
            self.over_vertices(session, self.accumulate, &arguments![self.delta, self.bc, source, vertices])?;
        }
        Ok(())
    }

    /// How often a value is rounded on its way through the levels of the search that has just been made. At each
    /// level there are as many additions as a vertex has terms, and a division and two products; numbers of paths
    /// go forward to a vertex and to a target, and dependencies come back.
    fn roundings_of_search(&self, session: &Session<'_>, levels: u32) -> Result<f64, WorkloadError> {
        let mut terms = vec![1u64; levels as usize + 1];
        if self.adds_in_single {
            let (outgoing, incoming) = (session.graph().out_edges(), session.graph().in_edges());
            for (vertex, depth) in outgoing.vertices().zip(session.read::<u32>(self.depth)?) {
                if let Some(most) = terms.get_mut(depth as usize) {
                    *most = outgoing.degree(vertex).max(incoming.degree(vertex)).max(*most);
                }
            }
        }
        Ok(terms.iter().map(|&terms| 3.0 * (terms as f64 + 3.0)).sum())
    }

    /// The centralities, each of which may be off by 2^-24 of itself for every rounding.
    fn answer(&self, session: &Session<'_>) -> Result<Answer, WorkloadError> {
        let values = session.read::<f32>(self.bc)?.into_iter().map(f64::from).collect();
        let tolerance = (self.roundings + self.sources.len() as f64) / f64::from(1 << 24);
        Ok(Answer::Centrality { values, sources: self.sources.clone(), tolerance })
    }
}

/// `count` sources: the first one, and others at equal distances around the circle of all vertices.
fn spread(first: Vertex, count: u32, vertices: u32) -> Vec<Vertex> {
    let (vertices, count) = (u64::from(vertices), u64::from(count.min(vertices)));
    (0..count).map(|i| ((u64::from(first) + i * vertices / count) % vertices) as Vertex).collect()
}

#[cfg(test)]
mod tests {
    use super::spread;

    #[test]
    fn sources_differ_and_begin_with_the_first() {
        assert_eq!(spread(7, 1, 10), [7]);
        assert_eq!(spread(7, 2, 10), [7, 2]);
        assert_eq!(spread(3, 4, 4), [3, 0, 1, 2]);
        assert_eq!(spread(0, u32::MAX, 3), [0, 1, 2]);
    }
}
