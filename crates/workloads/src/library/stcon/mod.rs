//! S–T connectivity: two simultaneous searches that meet (\[Lakshminarayana14\] section 2.3.3).

use super::arguments::arguments;
use super::flags::count_set;
use super::{Answer, Problem, Session, Workload, WorkloadError, kernel_file};
use heddle_graph::Vertex;

/// Bits of the frontier and of what was reached: the search from the source and the one from the target.
const FROM_SOURCE: u8 = 1;
const FROM_TARGET: u8 = 2;

/// The workload. With 512 threads a block, its 23 registers give the 1024 resident threads of table 4.
pub const WORKLOAD: Workload = Workload {
    name: "stcon",
    is_default: true,
    problem: Problem::Stcon,
    summary: "two searches at once, along the arcs from the source and against them from the target",
    document: "[Lakshminarayana14] section 2.3.3, table 4",
    files: &[kernel_file!("stcon/stcon.ptx")],
    settings: &[],
    block: 512,
    drive,
};

fn drive(session: &mut Session<'_>) -> Result<Answer, WorkloadError> {
    let (outgoing, incoming) = (session.graph().out_edges(), session.graph().in_edges());
    let (vertices, source, target) = (outgoing.num_vertices(), session.source(), session.target());
    let (expand, build_frontier) = (session.kernel("expand")?, session.kernel("build_frontier")?);
    let mut start = vec![0u8; vertices as usize];
    start[source as usize] |= FROM_SOURCE;
    start[target as usize] |= FROM_TARGET;
    let out_offsets = session.upload_offsets("out_offsets", outgoing)?;
    let out_edges = session.upload("out_edges", outgoing.targets())?;
    let in_offsets = session.upload_offsets("in_offsets", incoming)?;
    let in_edges = session.upload("in_edges", incoming.targets())?;
    let frontier = session.upload("frontier", &start)?;
    let reached = session.upload("reached", &start)?;
    let from_source = session.filled("parent_from_s", vertices as usize, crate::NO_PARENT)?;
    let from_target = session.filled("parent_from_t", vertices as usize, crate::NO_PARENT)?;
    // A vertex reaches itself without any search.
    let met = if source == target { source } else { crate::NO_PARENT };
    let meeting = session.upload("meeting", &[met])?;
    let over = session.upload("over", &[1u32])?;
    session.write_element(from_source, source as usize, source)?;
    session.write_element(from_target, target as usize, target)?;

    while session.read_word(meeting)? == crate::NO_PARENT && session.read_word(over)? != 0 {
        let active = count_set::<u8>(session, frontier)?;
        session.iteration(Some(active), u64::from(vertices) + 1)?;
        session.write(over, &[0u32])?;
        let rows = arguments![out_offsets, out_edges, in_offsets, in_edges];
        let state = arguments![frontier, reached, from_source, from_target];
        let arguments = [&rows[..], &state, &arguments![vertices]].concat();
        session.launch(expand, vertices.into(), &arguments)?;
        let arguments = arguments![frontier, reached, from_source, from_target, meeting, over, vertices];
        session.launch(build_frontier, vertices.into(), &arguments)?;
    }
    let meeting = session.read_word(meeting)?;
    if meeting == crate::NO_PARENT {
        return Ok(Answer::Path(None));
    }
    let mut path = way_back(&session.read(from_source)?, meeting);
    path.reverse();
    path.extend(&way_back(&session.read(from_target)?, meeting)[1..]);
    Ok(Answer::Path(Some(path)))
}

/// The vertices from `vertex` back to the start of a search, both included. A wrong array of parents gives a
/// wrong path, which the judge finds, but not an endless one.
fn way_back(parents: &[Vertex], mut vertex: Vertex) -> Vec<Vertex> {
    let mut way = vec![vertex];
    while way.len() <= parents.len() {
        match parents.get(vertex as usize) {
            Some(&parent) if parent != vertex => vertex = parent,
            _ => break,
        }
        way.push(vertex);
    }
    way
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_way_back_ends_at_the_start_and_wrong_parents_end_it_too() {
        assert_eq!(way_back(&[0, 0, 1], 2), [2, 1, 0]);
        assert_eq!(way_back(&[0], 0), [0]);
        assert_eq!(way_back(&[1, 0], 0).len(), 3);
        assert_eq!(way_back(&[9], 0), [0, 9]);
    }
}
