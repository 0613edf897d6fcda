//! LS-MST: components have a boss, and join others by compare-and-swap (LonestarGPU; section 2.3.4 of
//! \[Lakshminarayana14\]).

use super::{ROUNDS_MAX, forest, repeat_while_set};
use crate::library::arguments::arguments;
use crate::library::{Answer, Problem, Session, Workload, WorkloadError, kernel_file, lonestar};
use heddle_device::Buffer;

/// The workload.
pub const WORKLOAD: Workload = Workload {
    name: "ls-mst",
    is_default: false,
    problem: Problem::Mst,
    summary: "Borůvka on components with a boss, united by compare-and-swap; no cycle is ever made",
    document: "[Lakshminarayana14] section 2.3.4, tables 4 and 9 (LS-MST): LonestarGPU [Burtscher12]",
    files: &[kernel_file!("mst/ls_mst.ptx")],
    settings: &[],
    block: 256,
    drive,
};

fn drive(session: &mut Session<'_>) -> Result<Answer, WorkloadError> {
    let run = Run::new(session)?;
    session.over_vertices("dcomponents", &arguments![run.ele2comp, run.nnodes])?;
    let mut components = run.nnodes;
    loop {
        session.iteration(Some(components.into()), ROUNDS_MAX)?;
        run.choose_edges(session)?;
        run.unite(session)?;
        let before = std::mem::replace(&mut components, session.read_word(run.ncomponents)?);
        if components == before {
            return forest(session, run.mstedges);
        }
    }
}

/// The buffers, under the names of the original.
struct Run {
    nnodes: u32,
    graph: lonestar::Arrays,
    ele2comp: Buffer,
    ncomponents: Buffer,
    eleminwts: Buffer,
    eleminedge: Buffer,
    minwtcomponent: Buffer,
    partners: Buffer,
    phores: Buffer,
    goaheadnodeofcomponent: Buffer,
    processinnextiteration: Buffer,
    srcboss: Buffer,
    dstboss: Buffer,
    mstedges: Buffer,
    mstwt: Buffer,
    edgecount: Buffer,
    repeat: Buffer,
}

impl Run {
    fn new(session: &mut Session<'_>) -> Result<Run, WorkloadError> {
        let rows = session.graph().out_edges();
        let nnodes = rows.num_vertices();
        let count = nnodes as usize;
        Ok(Run {
            nnodes,
            graph: lonestar::upload(session)?,
            ele2comp: session.filled("ele2comp", count, 0u32)?,
            ncomponents: session.upload("ncomponents", &[nnodes])?,
            eleminwts: session.filled("eleminwts", count, 0u32)?,
            eleminedge: session.filled("eleminedge", count, 0u32)?,
            minwtcomponent: session.filled("minwtcomponent", count, 0u32)?,
            partners: session.filled("partners", count, 0u32)?,
            phores: session.filled("phores", count, 0u32)?,
            goaheadnodeofcomponent: session.filled("goaheadnodeofcomponent", count, 0u32)?,
            processinnextiteration: session.filled("processinnextiteration", count, 0u8)?,
            srcboss: session.filled("srcboss", count, 0u32)?,
            dstboss: session.filled("dstboss", count, 0u32)?,
            mstedges: session.filled("mstedges", rows.targets().len(), 0u8)?,
            mstwt: session.filled("mstwt", 1, 0u64)?,
            edgecount: session.filled("edgecount", 1, 0u32)?,
            repeat: session.filled("repeat", 1, 0u8)?,
        })
    }

    /// The lightest edge of every node out of its component, and of these one for each component.
    fn choose_edges(&self, session: &mut Session<'_>) -> Result<(), WorkloadError> {
        let arguments = &arguments![
            self.eleminwts,
            self.eleminedge,
            self.minwtcomponent,
            self.partners,
            self.phores,
            self.processinnextiteration,
            self.goaheadnodeofcomponent,
            self.nnodes,
        ];
        session.over_vertices("dinit", arguments)?;
        let arguments = &arguments![
            self.graph.srcsrc,
            self.graph.psrc,
            self.graph.noutgoing,
            self.graph.edgessrcdst,
            self.graph.edgessrcwt,
            self.ele2comp,
            self.eleminwts,
            self.eleminedge,
            self.partners,
            self.minwtcomponent,
            self.nnodes,
        ];
        session.over_vertices("boruvkaone", arguments)?;
        let arguments = &arguments![
            self.ele2comp,
            self.eleminwts,
            self.eleminedge,
            self.minwtcomponent,
            self.phores,
            self.goaheadnodeofcomponent,
            self.nnodes,
        ];
        session.over_vertices("dfindelemin2", arguments)?;
        let arguments =
            &arguments![self.ele2comp, self.goaheadnodeofcomponent, self.processinnextiteration, self.nnodes];
        session.over_vertices("dfindcompmin", arguments)
    }

    /// Unites components along the chosen edges until none waits. Every pass unites or drops at least one.
    fn unite(&self, session: &mut Session<'_>) -> Result<(), WorkloadError> {
        repeat_while_set(session, self.repeat, u64::from(self.nnodes) + 1, |session| {
            let arguments = &arguments![
                self.ele2comp,
                self.partners,
                self.processinnextiteration,
                self.srcboss,
                self.dstboss,
                self.nnodes,
            ];
            session.over_vertices("dfindboss", arguments)?;
            let arguments = &arguments![
                self.srcboss,
                self.dstboss,
                self.eleminwts,
                self.eleminedge,
                self.processinnextiteration,
                self.ele2comp,
                self.ncomponents,
                self.mstedges,
                self.mstwt,
                self.edgecount,
                self.repeat,
                self.nnodes,
            ];
            session.over_vertices("dunify", arguments)?;
            session.over_vertices("dcompress", &arguments![self.ele2comp, self.nnodes])
        })
    }
}
