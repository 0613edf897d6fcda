//! The host's side of the LonestarGPU kernels (\[Lakshminarayana14\] tables 4 and 9): the eight arrays of that
//! suite's graph and, for the two searches, the distances and the flag, and `drelax` until nothing changes.

use super::arguments::arguments;
use super::{Session, WorkloadError};
use heddle_device::{Argument, Buffer};
use heddle_graph::Csr;

/// Threads of a block: one block fills the 48 KB of shared memory, and the document's table 4 has 1024 threads
/// resident (52 KB and 40 KB of spare registers at 13 and 10 registers a thread).
pub(super) const BLOCK: u32 = 1024;

/// The arrays of the graph that kernels read.
pub(super) struct Arrays {
    pub(super) edgessrcdst: Buffer,
    pub(super) edgessrcwt: Buffer,
    pub(super) psrc: Buffer,
    pub(super) noutgoing: Buffer,
    pub(super) srcsrc: Buffer,
}

/// Runs `drelax` to the end and gives the distances; `weighted` says whether the kernel takes weights.
pub(super) fn drive(session: &mut Session<'_>, weighted: bool) -> Result<Vec<u32>, WorkloadError> {
    let vertices = session.graph().num_vertices();
    let (initialize, relax) = (session.kernel("initialize")?, session.kernel("drelax")?);
    let arrays = upload(session)?;
    let dist = session.filled("dist", vertices as usize, crate::UNREACHED)?;
    let changed = session.upload("changed", &[0u32])?;
    session.launch(initialize, vertices.into(), &arguments![dist, vertices])?;
    session.write_element(dist, session.source() as usize, 0u32)?;

    let Arrays { edgessrcdst, edgessrcwt, psrc, noutgoing, srcsrc } = arrays;
    let mut arguments = vec![Argument::from(dist), Argument::from(edgessrcdst)];
    if weighted {
        arguments.push(Argument::from(edgessrcwt));
    }
    arguments.extend(arguments![psrc, noutgoing, srcsrc, changed, vertices]);
    loop {
        session.iteration(None, u64::from(vertices) + 1)?;
        session.write(changed, &[0u32])?;
        session.launch(relax, vertices.into(), &arguments)?;
        if session.read_word(changed)? == 0 {
            return session.read(dist);
        }
    }
}

/// Uploads all eight arrays of the graph.
pub(super) fn upload(session: &mut Session<'_>) -> Result<Arrays, WorkloadError> {
    let (outgoing, incoming) = (session.graph().out_edges(), session.graph().in_edges());
    let degrees = |rows: &Csr| rows.vertices().map(|vertex| rows.degree(vertex) as u32).collect::<Vec<_>>();
    let (out_degrees, in_degrees) = (degrees(outgoing), degrees(incoming));
    let largest = |degrees: &[u32]| [degrees.iter().max().copied().unwrap_or(0)];
    let noutgoing = session.upload("noutgoing", &out_degrees)?;
    session.upload("nincoming", &in_degrees)?;
    let srcsrc = session.upload("srcsrc", &outgoing.vertices().collect::<Vec<u32>>())?;
    let psrc = session.upload_offsets("psrc", outgoing)?;
    let edgessrcdst = session.upload("edgessrcdst", outgoing.targets())?;
    let edgessrcwt = session.upload_weights("edgessrcwt", outgoing)?;
    session.upload("maxOutDegree", &largest(&out_degrees))?;
    session.upload("maxInDegree", &largest(&in_degrees))?;
    Ok(Arrays { edgessrcdst, edgessrcwt, psrc, noutgoing, srcsrc })
}
