//! CLR, data-driven: a thread for every vertex of a queue (section 5.2 of \[Lakshminarayana14\]).

use super::{Common, SETTINGS};
use crate::library::arguments::arguments;
use crate::library::{Answer, Problem, Session, Workload, WorkloadError, kernel_file};

/// The workload.
pub const WORKLOAD: Workload = Workload {
    name: "colouring-dd",
    is_default: false,
    problem: Problem::Colouring,
    summary: "data-driven: as many threads as uncoloured vertices, queues of blocks in shared memory",
    document: "[Lakshminarayana14] sections 5.2 and 5.4.3.1",
    files: &[kernel_file!("colouring/colouring_dd.ptx")],
    settings: SETTINGS,
    block: 256,
    drive,
};

fn drive(session: &mut Session<'_>) -> Result<Answer, WorkloadError> {
    let (init, colour) = (session.kernel("color_dd_init")?, session.kernel("color_dd")?);
    let Common { vertices, row, col, node_value, color } = Common::upload(session)?;
    let mut queue_in = session.filled("queue_in", vertices as usize, 0u32)?;
    let mut queue_out = session.filled("queue_out", vertices as usize, 0u32)?;
    let queue_size = session.filled("queue_size", 1, 0u32)?;
    let seed = session.whole("seed");
    let first = &arguments![node_value, color, queue_in, seed, vertices];
    session.launch(init, vertices.into(), first)?;
    let mut entries = vertices;
    let mut round = 0u32;
    while entries > 0 {
        session.iteration(Some(entries.into()), vertices.into())?;
        session.write(queue_size, &[0u32])?;
        let queues =
            &arguments![row, col, node_value, color, queue_in, queue_out, queue_size, entries, round];
        session.launch(colour, entries.into(), queues)?;
        (queue_in, queue_out) = (queue_out, queue_in);
        entries = session.read_word(queue_size)?;
        round += 1;
    }
    Ok(Answer::Colours(session.read(color)?))
}
