//! Minimum spanning forests by Borůvka's algorithm, to the end: until no edge leaves a component.

use super::{Answer, Session, WorkloadError};
use heddle_device::Buffer;

pub mod h_mst;
pub mod ls_mst;

/// Rounds that Borůvka's algorithm can take: a component that goes on is at least doubled by each, and the last
/// round finds that none goes on.
const ROUNDS_MAX: u64 = 33;

/// The arcs that a byte each marks, as edges.
fn forest(session: &Session<'_>, marks: Buffer) -> Result<Answer, WorkloadError> {
    let marks = session.read::<u8>(marks)?;
    let arcs = session.graph().out_edges().arcs();
    let marked = arcs.zip(marks).filter(|&(_, mark)| mark != 0);
    Ok(Answer::Forest(marked.map(|(arc, _)| arc).collect()))
}

/// Repeats the passes of an inner loop as long as they set `flag` to 1: `limit` times at most, so that a defect
/// ends instead of running for ever.
fn repeat_while_set(
    session: &mut Session<'_>,
    flag: Buffer,
    limit: u64,
    mut pass: impl FnMut(&mut Session<'_>) -> Result<(), WorkloadError>,
) -> Result<(), WorkloadError> {
    for _ in 0..limit {
        session.write(flag, &[0u8])?;
        pass(session)?;
        if session.read::<u8>(flag)? == [0] {
            return Ok(());
        }
    }
    Err(WorkloadError::Endless { workload: session.workload.name, iterations: limit })
}
