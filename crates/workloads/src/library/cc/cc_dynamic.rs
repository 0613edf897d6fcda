//! CC with dynamic traversal: pointer jumping with compare-and-swap, after ECL-CC (section V-B of
//! \[Salvador20\]).

use crate::library::arguments::arguments;
use crate::library::{Answer, Problem, Session, Workload, WorkloadError, kernel_file};

/// The workload.
pub const WORKLOAD: Workload = Workload {
    name: "cc-dynamic",
    is_default: true,
    problem: Problem::Components,
    summary: "dynamic traversal: representatives hooked by compare-and-swap, pointer jumping, one pass",
    document: "[Salvador20] sections III-B and V-B (CC): after ECL-CC [Jaiganesh18]",
    files: &[kernel_file!("cc/cc_dynamic.ptx")],
    settings: &[],
    block: 256,
    drive,
};

fn drive(session: &mut Session<'_>) -> Result<Answer, WorkloadError> {
    let (init, compute) = (session.kernel("cc_init")?, session.kernel("cc_compute")?);
    let flatten = session.kernel("cc_flatten")?;
    let rows = session.graph().out_edges();
    let vertices = rows.num_vertices();
    let nidx = session.upload_offsets("nidx", rows)?;
    let nlist = session.upload("nlist", rows.targets())?;
    let nstat = session.filled("nstat", vertices as usize, 0u32)?;
    session.iteration(Some(vertices.into()), 1)?;
    session.launch(init, vertices.into(), &arguments![nidx, nlist, nstat, vertices])?;
    session.launch(compute, vertices.into(), &arguments![nidx, nlist, nstat, vertices])?;
    session.launch(flatten, vertices.into(), &arguments![nstat, vertices])?;
    Ok(Answer::Labels(session.read(nstat)?))
}
