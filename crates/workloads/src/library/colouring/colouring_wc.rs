//! CLR, warp-centric: a warp for every 32 vertices, its lanes along the row of one vertex after the other
//! (section 5.1.1 of \[Lakshminarayana14\]).

use super::{Common, SETTINGS};
use crate::library::arguments::arguments;
use crate::library::{Answer, Problem, Session, Workload, WorkloadError, kernel_file};
use heddle_device::Launch;

/// The workload.
pub const WORKLOAD: Workload = Workload {
    name: "colouring-wc",
    is_default: false,
    problem: Problem::Colouring,
    summary: "warp-centric: lanes read consecutive neighbours of one vertex and vote",
    document: "[Lakshminarayana14] sections 5.1.1 and 5.4.3.1",
    files: &[kernel_file!("colouring/colouring_wc.ptx")],
    settings: SETTINGS,
    block: 256,
    drive,
};

/// Lanes of a warp, and vertices of its chunk.
const WARP_LANES: u32 = 32;

fn drive(session: &mut Session<'_>) -> Result<Answer, WorkloadError> {
    let (init, colour) = (session.kernel("color_wc_init")?, session.kernel("color_wc")?);
    let common = Common::upload(session)?;
    let &Common { vertices, row, col, node_value, color } = &common;
    let active = session.filled("active", vertices as usize, 0u32)?;
    let over = session.filled("over", 1, 0u32)?;
    let seed = session.whole("seed");
    session.launch(init, vertices.into(), &arguments![node_value, color, active, seed, vertices])?;
    // A block whose size is no multiple of 32 ends with a short warp, which counts as a warp.
    let warps_per_block = session.block().div_ceil(WARP_LANES).max(1);
    let blocks = vertices.div_ceil(WARP_LANES).div_ceil(warps_per_block);
    let launch = Launch::new([blocks, 1, 1], [session.block(), 1, 1]);
    common.rounds(session, over, |session, round| {
        let scan = &arguments![row, col, node_value, color, active, over, round, vertices];
        session.launch_with(colour, launch, scan)?;
        Ok(())
    })
}
