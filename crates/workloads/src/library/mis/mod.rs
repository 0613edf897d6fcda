//! Maximal independent sets by random priorities: in each round the undecided vertices whose priority is the
//! lowest among their undecided neighbours join, and their neighbours are out. All three implementations find the
//! same set under the same seed.

use super::flags::count_equal;
use super::{Answer, Session, Setting, WorkloadError};
use heddle_device::Buffer;
use heddle_graph::Csr;

pub mod mis_luby;
pub mod mis_pull;
pub mod mis_push;

/// What all of them can be told.
const SETTINGS: &[Setting] =
    &[Setting::whole("seed", "seed of the random priorities of the vertices", 1, [0, u32::MAX])];

/// The graph and the array that every implementation has.
struct Common {
    vertices: u32,
    row: Buffer,
    col: Buffer,
    node_value: Buffer,
}

/// Where an implementation says what it knows of a vertex.
struct States {
    buffer: Buffer,
    /// The word of a vertex that is not decided.
    undecided: u32,
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
        })
    }

    /// Runs rounds until one leaves no vertex that was beaten. `round` launches its kernels; they set `over` to 1
    /// if there must be another.
    fn rounds(
        &self,
        session: &mut Session<'_>,
        over: Buffer,
        states: &States,
        mut round: impl FnMut(&mut Session<'_>) -> Result<(), WorkloadError>,
    ) -> Result<(), WorkloadError> {
        let mut undecided = u64::from(self.vertices);
        // The lowest of all joins in every round; the last round may only find that all are decided.
        let rounds_max = u64::from(self.vertices) + 1;
        loop {
            session.iteration(Some(undecided), rounds_max)?;
            session.write(over, &[0u32])?;
            round(session)?;
            if session.read_word(over)? == 0 {
                return Ok(());
            }
            undecided = count_equal(session, states.buffer, states.undecided)?;
        }
    }
}

/// The vertices whose word says that they are in the set.
fn members(session: &Session<'_>, buffer: Buffer, member: u32) -> Result<Answer, WorkloadError> {
    let states = session.read::<u32>(buffer)?;
    Ok(Answer::Set(states.into_iter().map(|state| state == member).collect()))
}
