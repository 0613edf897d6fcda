//! PageRank: iterations from the uniform distribution until no rank moves by more than a share of itself.
//!
//! Ranks are single precision, as in the documents. The answer therefore comes with the tolerance that this
//! precision allows.

use super::arguments::arguments;
use super::{Answer, Session, Setting, WorkloadError};
use heddle_device::{Buffer, FunctionHandle, Launch};

pub mod pagerank_bsp;
pub mod pagerank_pull;
pub mod pagerank_push;

/// What all of them can be told.
const SETTINGS: &[Setting] = &[
    Setting::real("damping", "share of rank that follows arcs", 0.85, [0.0, 0.99]),
    Setting::real(
        "tolerance",
        "a rank has settled when it moves by no more than this share",
        1e-6,
        [1e-6, 1e-3],
    ),
];

/// What all of them keep.
struct Common {
    vertices: u32,
    damping: f64,
    tolerance: f32,
    /// Sums of the blocks, and their total: the rank of vertices without outgoing arcs.
    partial: Buffer,
    blocks: u32,
    dangling: Buffer,
    over: Buffer,
    total: FunctionHandle,
}

impl Common {
    fn new(session: &mut Session<'_>) -> Result<Common, WorkloadError> {
        let vertices = session.graph().num_vertices();
        let blocks = vertices.div_ceil(session.block().max(1));
        Ok(Common {
            vertices,
            damping: session.real("damping"),
            tolerance: session.real("tolerance") as f32,
            partial: session.filled("partial", blocks as usize, 0f64)?,
            blocks,
            dangling: session.filled("dangling", 1, 0f64)?,
            over: session.filled("over", 1, 0u32)?,
            total: session.kernel("pagerank_total")?,
        })
    }

    /// Adds up what the blocks have found.
    fn sum_dangling(&self, session: &mut Session<'_>) -> Result<(), WorkloadError> {
        let one_block = Launch::new([1; 3], [session.block(), 1, 1]);
        session.launch_with(self.total, one_block, &arguments![self.partial, self.dangling, self.blocks])?;
        Ok(())
    }

    /// Iterates until no rank moves, or for as long as the start can still be felt. Rounding may move ranks for
    /// ever: where sums depend on the order in which they are made, that must not keep the loop going.
    fn iterate(
        &self,
        session: &mut Session<'_>,
        mut iteration: impl FnMut(&mut Session<'_>) -> Result<(), WorkloadError>,
    ) -> Result<(), WorkloadError> {
        // What is left of a wrong start, in all, compared with what the smallest rank may be off.
        let allowed = f64::from(self.tolerance) * (1.0 - self.damping) / f64::from(self.vertices);
        let mut left = 2.0;
        while left > allowed {
            session.iteration(Some(self.vertices.into()), u64::MAX)?;
            session.write(self.over, &[0u32])?;
            iteration(session)?;
            if session.read_word(self.over)? == 0 {
                break;
            }
            left *= self.damping;
        }
        Ok(())
    }

    /// The ranks. A vertex whose rank comes from afar may have moved in every one of the last iterations by the
    /// tolerance; a hundred of them is more than damping leaves anything of. `terms` is the largest number
    /// of ranks that single precision adds up, each addition being off by 2^-24 at most, and what a rank is off
    /// by goes around with it.
    fn answer(&self, session: &Session<'_>, ranks: Buffer, terms: u64) -> Result<Answer, WorkloadError> {
        let ranks = session.read::<f32>(ranks)?.into_iter().map(f64::from).collect();
        let rounding = terms as f64 / f64::from(1 << 24) / (1.0 - self.damping);
        let tolerance = 100.0 * f64::from(self.tolerance) + rounding;
        Ok(Answer::Ranks { ranks, damping: self.damping, tolerance })
    }
}
