//! CLR of \[Lakshminarayana14\]: a thread for every vertex, a frontier of flags, and a scan that ends at the
//! first higher neighbour (sections 2.3.5 and 5.4.3.1).

use super::{Common, SETTINGS};
use crate::library::arguments::arguments;
use crate::library::{Answer, Problem, Session, Workload, WorkloadError, kernel_file};

/// The workload.
pub const WORKLOAD: Workload = Workload {
    name: "colouring-topology",
    is_default: true,
    problem: Problem::Colouring,
    summary: "topology-driven, a frontier of flags, scans end at the first higher neighbour",
    document: "[Lakshminarayana14] section 2.3.5, table 9 (CLR): after Pannotia [Che13]",
    files: &[kernel_file!("colouring/colouring_topology.ptx")],
    settings: SETTINGS,
    block: 256,
    drive,
};

fn drive(session: &mut Session<'_>) -> Result<Answer, WorkloadError> {
    let (init, mark_kernel) = (session.kernel("color_init")?, session.kernel("color_mark")?);
    let assign = session.kernel("color_assign")?;
    let common = Common::upload(session)?;
    let &Common { vertices, row, col, node_value, color } = &common;
    let active = session.filled("active", vertices as usize, 0u32)?;
    let mark = session.filled("mark", vertices as usize, 0u32)?;
    let over = session.filled("over", 1, 0u32)?;
    let (threads, seed) = (u64::from(vertices), session.whole("seed"));
    session.launch(init, threads, &arguments![node_value, color, active, mark, seed, vertices])?;
    common.rounds(session, over, |session, round| {
        let scan = &arguments![row, col, node_value, color, active, mark, vertices];
        session.launch(mark_kernel, threads, scan)?;
        session.launch(assign, threads, &arguments![color, active, mark, over, round, vertices])?;
        Ok(())
    })
}
