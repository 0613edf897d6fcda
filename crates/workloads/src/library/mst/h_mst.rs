//! H-MST: super vertices are colours, which spread along the chosen edges; cycles are found by taking away what
//! no edge points to (Harish, Vineet and Narayanan; section 2.3.4 of \[Lakshminarayana14\]).

use super::{ROUNDS_MAX, forest, repeat_while_set};
use crate::library::arguments::arguments;
use crate::library::flags::count_set;
use crate::library::{Answer, Problem, Session, Setting, Workload, WorkloadError, kernel_file};
use heddle_device::Buffer;

/// The workload.
pub const WORKLOAD: Workload = Workload {
    name: "h-mst",
    is_default: true,
    problem: Problem::Mst,
    summary: "Borůvka on colours: lightest edge by atomic minimum, colours spread, cycles pruned",
    document: "[Lakshminarayana14] section 2.3.4, tables 4 and 9 (H-MST): [Vineet09]",
    files: &[kernel_file!("mst/h_mst.ptx")],
    settings: &[Setting::whole(
        "seed",
        "seed of the order in which equally light neighbours are preferred",
        1,
        [0, u32::MAX],
    )],
    block: 256,
    drive,
};

fn drive(session: &mut Session<'_>) -> Result<Answer, WorkloadError> {
    let run = Run::new(session)?;
    let Run { vertices, .. } = run;
    let initial = &arguments![run.graph_colorindex, run.global_colors, run.active_vertices, vertices];
    session.over_vertices("Kernel_Initialize", initial)?;
    loop {
        session.iteration(Some(count_set::<u8>(session, run.active_vertices)?), ROUNDS_MAX)?;
        run.reinitialize(session)?;
        if !run.find_lightest_edges(session)? {
            return forest(session, run.graph_mst_edges);
        }
        run.choose_edges(session)?;
        run.spread_colors(session)?;
        run.add_edges(session)?;
        let follow = &arguments![run.graph_colorindex, run.global_colors, vertices];
        session.over_vertices("Kernel_Update_Colorindex", follow)?;
    }
}

/// The 22 buffers, under the names of the original.
struct Run {
    vertices: u32,
    seed: u32,
    graph_nodes: Buffer,
    graph_edges: Buffer,
    graph_weights: Buffer,
    graph_mst_edges: Buffer,
    graph_colorindex: Buffer,
    global_colors: Buffer,
    active_colors: Buffer,
    active_vertices: Buffer,
    updating_global_colors: Buffer,
    degree: Buffer,
    updating_degree: Buffer,
    prev_colors: Buffer,
    prev_colorindex: Buffer,
    cycle_edge: Buffer,
    min_edge_weight: Buffer,
    min_edge_index: Buffer,
    global_min_edge_weight: Buffer,
    global_min_edge_index: Buffer,
    global_min_c2: Buffer,
    over: Buffer,
    done: Buffer,
    removing: Buffer,
}

impl Run {
    fn new(session: &mut Session<'_>) -> Result<Run, WorkloadError> {
        let rows = session.graph().out_edges();
        let (vertices, seed) = (rows.num_vertices(), session.whole("seed"));
        let count = vertices as usize;
        let row = |vertex| [rows.arc_range(vertex).start as u32, rows.degree(vertex) as u32];
        let nodes: Vec<[u32; 2]> = rows.vertices().map(row).collect();
        Ok(Run {
            vertices,
            seed,
            graph_nodes: session.upload("graph_nodes", &nodes)?,
            graph_edges: session.upload("graph_edges", rows.targets())?,
            graph_weights: session.upload_weights("graph_weights", rows)?,
            graph_mst_edges: session.filled("graph_MST_edges", rows.targets().len(), 0u8)?,
            graph_colorindex: session.filled("graph_colorindex", count, 0u32)?,
            global_colors: session.filled("global_colors", count, 0u32)?,
            active_colors: session.filled("active_colors", count, 0u8)?,
            active_vertices: session.filled("active_vertices", count, 1u8)?,
            updating_global_colors: session.filled("updating_global_colors", count, 0u32)?,
            degree: session.filled("degree", count, 0u32)?,
            updating_degree: session.filled("updating_degree", count, 0u32)?,
            prev_colors: session.filled("prev_colors", count, 0u32)?,
            prev_colorindex: session.filled("prev_colorindex", count, 0u32)?,
            cycle_edge: session.filled("cycle_edge", count, 0u32)?,
            min_edge_weight: session.filled("min_edge_weight", count, 0u32)?,
            min_edge_index: session.filled("min_edge_index", count, 0u32)?,
            global_min_edge_weight: session.filled("global_min_edge_weight", count, 0u32)?,
            global_min_edge_index: session.filled("global_min_edge_index", count, 0u32)?,
            global_min_c2: session.filled("global_min_c2", count, 0u32)?,
            over: session.filled("over", 1, 0u8)?,
            done: session.filled("done", 1, 0u8)?,
            removing: session.filled("removing", 1, 0u8)?,
        })
    }

    fn reinitialize(&self, session: &mut Session<'_>) -> Result<(), WorkloadError> {
        let arguments = &arguments![
            self.active_colors,
            self.min_edge_weight,
            self.min_edge_index,
            self.global_min_edge_weight,
            self.global_min_edge_index,
            self.global_min_c2,
            self.degree,
            self.updating_degree,
            self.cycle_edge,
            self.vertices,
        ];
        session.over_vertices("Kernel_Reinitialize", arguments)
    }

    /// Step 1 of the kernels' file. Whether there is an edge between two colours.
    fn find_lightest_edges(&self, session: &mut Session<'_>) -> Result<bool, WorkloadError> {
        session.write(self.over, &[0u8])?;
        let arguments = &arguments![
            self.graph_nodes,
            self.graph_edges,
            self.graph_weights,
            self.graph_colorindex,
            self.global_colors,
            self.active_colors,
            self.global_min_edge_weight,
            self.min_edge_weight,
            self.min_edge_index,
            self.over,
            self.active_vertices,
            self.seed,
            self.vertices,
        ];
        session.over_vertices("Kernel_Find_Min_Edge_Weight_Per_Vertex", arguments)?;
        Ok(session.read::<u8>(self.over)? != [0])
    }

    /// Step 2: one edge for each colour, and how many point to each.
    fn choose_edges(&self, session: &mut Session<'_>) -> Result<(), WorkloadError> {
        let arguments = &arguments![
            self.graph_edges,
            self.graph_colorindex,
            self.global_colors,
            self.global_min_edge_weight,
            self.min_edge_weight,
            self.min_edge_index,
            self.global_min_c2,
            self.seed,
            self.vertices,
        ];
        session.over_vertices("Kernel_Find_Min_C2", arguments)?;
        let arguments = &arguments![
            self.graph_edges,
            self.graph_colorindex,
            self.global_colors,
            self.global_min_edge_weight,
            self.min_edge_weight,
            self.min_edge_index,
            self.global_min_c2,
            self.global_min_edge_index,
            self.seed,
            self.vertices,
        ];
        session.over_vertices("Kernel_Add_Edge_To_Global_Min", arguments)?;
        let arguments = &arguments![
            self.graph_edges,
            self.graph_colorindex,
            self.global_colors,
            self.active_colors,
            self.global_min_edge_index,
            self.degree,
            self.updating_degree,
            self.prev_colors,
            self.prev_colorindex,
            self.updating_global_colors,
            self.vertices,
        ];
        session.over_vertices("Kernel_Find_Degree", arguments)
    }

    /// Step 3.
    fn spread_colors(&self, session: &mut Session<'_>) -> Result<(), WorkloadError> {
        let (colors, active) = (self.global_colors, self.active_colors);
        let (updating, vertices) = (self.updating_global_colors, self.vertices);
        let (edges, index, chosen) = (self.graph_edges, self.graph_colorindex, self.global_min_edge_index);
        repeat_while_set(session, self.done, u64::from(vertices) + 1, |session| {
            let spread = &arguments![edges, index, colors, active, chosen, updating, vertices];
            session.over_vertices("Kernel_Prop_Colors1", spread)?;
            let take = &arguments![colors, active, updating, self.done, vertices];
            session.over_vertices("Kernel_Prop_Colors2", take)?;
            let level = &arguments![colors, active, updating, vertices];
            session.over_vertices("Kernel_Prop_Colors3", level)
        })
    }

    /// Step 4: the chosen edges without one of each cycle.
    fn add_edges(&self, session: &mut Session<'_>) -> Result<(), WorkloadError> {
        let (chosen, marks, vertices) = (self.global_min_edge_index, self.graph_mst_edges, self.vertices);
        repeat_while_set(session, self.removing, u64::from(vertices) + 1, |session| {
            let arguments = &arguments![
                self.active_colors,
                self.degree,
                chosen,
                self.graph_edges,
                self.prev_colorindex,
                self.prev_colors,
                self.updating_degree,
                marks,
                vertices,
            ];
            session.over_vertices("Kernel_Dec_Degree1", arguments)?;
            let arguments =
                &arguments![self.degree, self.active_colors, self.updating_degree, self.removing, vertices];
            session.over_vertices("Kernel_Dec_Degree2", arguments)
        })?;
        session.over_vertices("Kernel_Add_Remaining_Edges", &arguments![chosen, marks, vertices])?;
        let cycles = &arguments![chosen, self.global_colors, self.cycle_edge, vertices];
        session.over_vertices("Kernel_Edge_Per_Cycle_New_Color", cycles)?;
        let taken_back = &arguments![self.cycle_edge, marks, vertices];
        session.over_vertices("Kernel_Remove_Cycle_Edge_From_MST", taken_back)
    }
}
