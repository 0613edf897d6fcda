//! The host's side of bit-vector scheduling (\[Park15\] sections 2 and 5): active vertices are
//! bits; a scheduling kernel turns them into a list of vertices before each step.

use super::arguments::arguments;
use super::{Session, WorkloadError};
use heddle_device::{Buffer, FunctionHandle};
use heddle_graph::Vertex;

/// The bit vector and the list made of it.
pub(super) struct Schedule {
    pub(super) active_vertex_list: Buffer,
    pub(super) scheduled: Buffer,
    pub(super) scheduled_size: Buffer,
    kernel: FunctionHandle,
    words: u32,
}

impl Schedule {
    /// Buffers in which these vertices alone are active.
    pub(super) fn new(session: &mut Session<'_>, active: &[Vertex]) -> Result<Schedule, WorkloadError> {
        let vertices = session.graph().num_vertices();
        let words = vertices.div_ceil(u32::BITS);
        let mut bits = vec![0u32; words as usize];
        for &vertex in active {
            bits[(vertex / u32::BITS) as usize] |= 1 << (vertex % u32::BITS);
        }
        Ok(Schedule {
            active_vertex_list: session.upload("active_vertex_list", &bits)?,
            scheduled: session.filled("scheduled", vertices as usize, 0u32)?,
            scheduled_size: session.upload("scheduled_size", &[0u32])?,
            kernel: session.kernel("schedule")?,
            words,
        })
    }

    /// Lists the active vertices and clears their bits; how many there are.
    pub(super) fn take(&self, session: &mut Session<'_>) -> Result<u32, WorkloadError> {
        session.write(self.scheduled_size, &[0u32])?;
        let Schedule { active_vertex_list, scheduled, scheduled_size, kernel, words } = *self;
        let arguments = arguments![active_vertex_list, scheduled, scheduled_size, words];
        session.launch(kernel, words.into(), &arguments)?;
        session.read_word(scheduled_size)
    }
}
