//! BFS by push: sources outside, atomics on their targets (\[Salvador20\] figure 1).

use crate::library::arguments::arguments;
use crate::library::flags::count_equal;
use crate::library::{Answer, Problem, Session, Workload, WorkloadError, kernel_file};

/// The workload.
pub const WORKLOAD: Workload = Workload {
    name: "bfs-push",
    is_default: false,
    problem: Problem::Bfs,
    summary: "push: sources outside, atomics on unreached targets, four edges in each iteration",
    document: "[Salvador20] figure 1 and section V-B",
    files: &[kernel_file!("bfs/bfs_push.ptx")],
    settings: &[],
    block: 256,
    drive,
};

fn drive(session: &mut Session<'_>) -> Result<Answer, WorkloadError> {
    let rows = session.graph().out_edges();
    let (vertices, source) = (rows.num_vertices(), session.source() as usize);
    let (push, commit) = (session.kernel("push")?, session.kernel("commit")?);
    let offsets = session.upload_offsets("row_offsets", rows)?;
    let edges = session.upload("edges", rows.targets())?;
    let level = session.filled("level", vertices as usize, crate::UNREACHED)?;
    let next_level = session.filled("next_level", vertices as usize, crate::UNREACHED)?;
    let changed = session.upload("changed", &[0u32])?;
    session.write_element(level, source, 0u32)?;
    session.write_element(next_level, source, 0u32)?;

    for depth in 0u32.. {
        let active = count_equal(session, level, depth)?;
        session.iteration(Some(active), u64::from(vertices) + 1)?;
        session.write(changed, &[0u32])?;
        let arguments = arguments![offsets, edges, level, next_level, depth, vertices];
        session.launch(push, vertices.into(), &arguments)?;
        session.launch(commit, vertices.into(), &arguments![level, next_level, changed, vertices])?;
        if session.read_word(changed)? == 0 {
            break;
        }
    }
    Ok(Answer::Depths(session.read(level)?))
}
