//! WCC by bit-vector scheduling: a vertex program that gathers labels and schedules its neighbours
//! (001_5c3b768a7015d194.txt, sections 5 and 6).

use crate::library::arguments::arguments;
use crate::library::{Answer, Problem, Session, Workload, WorkloadError, kernel_file};

/// The workload.
pub const WORKLOAD: Workload = Workload {
    name: "wcc-bitvector",
    is_default: true,
    problem: Problem::Wcc,
    summary: "vertex program scheduled by a bit vector: gather the smallest label, scatter activations",
    document: "001_5c3b768a7015d194.txt, sections 5 and 6",
    files: &[kernel_file!("wcc/wcc_bitvector.ptx")],
    settings: &[],
    block: 256,
    drive,
};

fn drive(session: &mut Session<'_>) -> Result<Answer, WorkloadError> {
    let (schedule, visit) = (session.kernel("schedule")?, session.kernel("visit")?);
    let rows = session.graph().out_edges();
    let vertices = rows.num_vertices();
    let row = session.upload_offsets("R", rows)?;
    let col = session.upload("C", rows.targets())?;
    let labels = session.upload("V", &rows.vertices().collect::<Vec<_>>())?;
    let bits = all_set(vertices);
    let words = bits.len() as u32;
    let active = session.upload("active_vertex_list", &bits)?;
    let scheduled = session.filled("scheduled", vertices as usize, 0u32)?;
    let scheduled_size = session.filled("scheduled_size", 1, 0u32)?;
    // A label crosses an edge per step at the least, and the last step changes nothing.
    let steps_max = u64::from(vertices) + 1;
    loop {
        session.write(scheduled_size, &[0u32])?;
        session.iteration(None, steps_max)?;
        session.launch(schedule, words.into(), arguments![active, scheduled, scheduled_size, words])?;
        let size = session.read_word(scheduled_size)?;
        session.set_frontier(size.into());
        if size == 0 {
            return Ok(Answer::Labels(session.read(labels)?));
        }
        let step = arguments![row, col, labels, active, scheduled, scheduled_size];
        session.launch(visit, size.into(), step)?;
    }
}

/// A bit vector with one bit for each vertex, all set.
pub(in crate::library) fn all_set(vertices: u32) -> Vec<u32> {
    let word = |first: u32| u32::MAX >> (32 - (vertices - first).min(32));
    (0..vertices).step_by(32).map(word).collect()
}

#[cfg(test)]
mod tests {
    use super::all_set;

    #[test]
    fn there_is_a_bit_for_each_vertex_and_none_beyond() {
        for vertices in [1, 2, 31, 32, 33, 64, 100] {
            let bits = all_set(vertices);
            assert_eq!(bits.iter().map(|word| word.count_ones()).sum::<u32>(), vertices);
            assert_eq!(bits.len(), vertices.div_ceil(32) as usize);
            assert_eq!(bits[bits.len() - 1].trailing_ones(), (vertices - 1) % 32 + 1);
        }
        assert_eq!(all_set(0), []);
    }
}
