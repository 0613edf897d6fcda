//! The host's side of searches that keep their frontier as an array of flags: `expand`, then `build_frontier`.

use crate::library::arguments::arguments;
use crate::library::flags::count_set;
use crate::library::{Answer, Session, WorkloadError};

/// Runs the search; `threads` is how many threads `expand` needs.
pub(super) fn drive(session: &mut Session<'_>, threads: u64) -> Result<Answer, WorkloadError> {
    let rows = session.graph().out_edges();
    let (vertices, source) = (rows.num_vertices(), session.source() as usize);
    let count = vertices as usize;
    let (expand, build_frontier) = (session.kernel("expand")?, session.kernel("build_frontier")?);
    let offsets = session.upload_offsets("row_offsets", rows)?;
    let edges = session.upload("edges", rows.targets())?;
    let frontier = session.filled("frontier", count, 0u8)?;
    let next_frontier = session.filled("next_frontier", count, 0u8)?;
    let visited = session.filled("visited", count, 0u8)?;
    let cost = session.filled("cost", count, crate::UNREACHED)?;
    let over = session.upload("over", &[0u32])?;
    session.write_element(frontier, source, 1u8)?;
    session.write_element(visited, source, 1u8)?;
    session.write_element(cost, source, 0u32)?;

    let mut active = 1;
    for next_cost in 1u32.. {
        session.iteration(Some(active), u64::from(vertices) + 1)?;
        session.write(over, &[0u32])?;
        let arguments =
            arguments![offsets, edges, frontier, next_frontier, visited, cost, next_cost, vertices];
        session.launch(expand, threads, &arguments)?;
        let arguments = arguments![frontier, next_frontier, visited, over, vertices];
        session.launch(build_frontier, vertices.into(), &arguments)?;
        if session.read_word(over)? == 0 {
            break;
        }
        active = count_set::<u8>(session, frontier)?;
    }
    Ok(Answer::Depths(session.read(cost)?))
}
