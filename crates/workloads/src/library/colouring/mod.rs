//! Colouring by random priorities: in round k, every uncoloured vertex whose priority is the highest among its
//! uncoloured neighbours takes colour k. All five implementations find the same colours under the same seed.

use super::flags::count_equal;
use super::{Answer, Session, Setting, WorkloadError};
use crate::check::colouring::UNCOLOURED;
use heddle_device::Buffer;
use heddle_graph::Csr;

pub mod colouring_dd;
pub mod colouring_pull;
pub mod colouring_push;
pub mod colouring_topology;
pub mod colouring_wc;

/// What all of them can be told.
const SETTINGS: &[Setting] =
    &[Setting::whole("seed", "seed of the random priorities of the vertices", 1, [0, u32::MAX])];

/// The graph and the arrays that every implementation has.
struct Common {
    vertices: u32,
    row: Buffer,
    col: Buffer,
    node_value: Buffer,
    color: Buffer,
}

impl Common {
    fn upload(session: &mut Session<'_>) -> Result<Common, WorkloadError> {
        let rows: &Csr = session.graph().out_edges();
        let vertices = rows.num_vertices();
        Ok(Common {
            vertices,
            row: session.upload_offsets("row", rows)?,
            col: session.upload("col", rows.targets())?,
            node_value: session.filled("node_value", vertices as usize, 0u32)?,
            color: session.filled("color", vertices as usize, UNCOLOURED)?,
        })
    }

    /// Runs rounds until one says that it was the last. `round` launches the kernels of the round of this
    /// number; they set `over` to 1 if vertices remain.
    fn rounds(
        &self,
        session: &mut Session<'_>,
        over: Buffer,
        mut round: impl FnMut(&mut Session<'_>, u32) -> Result<(), WorkloadError>,
    ) -> Result<Answer, WorkloadError> {
        let mut uncoloured = u64::from(self.vertices);
        // The highest of all is coloured in every round.
        let rounds_max = u64::from(self.vertices);
        for number in 0.. {
            session.iteration(Some(uncoloured), rounds_max)?;
            session.write(over, &[0u32])?;
            round(session, number)?;
            if session.read_word(over)? == 0 {
                break;
            }
            uncoloured = count_equal(session, self.color, UNCOLOURED)?;
        }
        Ok(Answer::Colours(session.read(self.color)?))
    }
}
