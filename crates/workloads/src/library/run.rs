//! Runs a workload on a device and judges its answer.

use super::answer::Question;
use super::prepare::{Prepared, prepare};
use super::{Answer, Done, Outcome, Problem, Session, Settings, Unfinished, Workload, WorkloadError};
use crate::reference;
use heddle_device::Device;
use heddle_graph::{Graph, Vertex};

/// What the user chose for a run.
#[derive(Clone, Debug, Default)]
pub struct RunOptions {
    /// The start vertex; the first of largest degree if absent.
    pub source: Option<Vertex>,
    /// The vertex to be reached; the last one that is not the source if absent.
    pub target: Option<Vertex>,
    /// Threads of a block; the workload's own choice if absent.
    pub block: Option<u32>,
    /// Settings, each `NAME=VALUE`.
    pub settings: Vec<String>,
}

/// Runs a workload. `progress` is told the number of each iteration as it begins, and its frontier.
pub fn run(
    workload: &Workload,
    graph: Graph,
    device: &mut Device,
    options: &RunOptions,
    progress: &dyn Fn(usize, u64),
) -> Result<Outcome, WorkloadError> {
    attempt(workload, graph, device, options, progress).map_err(|unfinished| unfinished.error)
}

/// The same; a run that fails leaves what it had done by then.
pub fn attempt(
    workload: &Workload,
    graph: Graph,
    device: &mut Device,
    options: &RunOptions,
    progress: &dyn Fn(usize, u64),
) -> Result<Outcome, Box<Unfinished>> {
    let settings = Settings::new(workload.settings, &options.settings).map_err(WorkloadError::Setting)?;
    let Prepared { question: asked, both_ways, notes } = prepare(graph, workload.problem);
    let problem = workload.problem;
    refuse_ends(problem, options)?;
    let (source, target) = ends(&asked, options)?;
    let question = Question { problem, graph: &asked, source, target };
    question.refuse_if_too_far(workload.name)?;
    let mut session = Session {
        workload,
        graph: both_ways.as_ref().unwrap_or(&asked),
        device,
        modules: Vec::new(),
        source,
        target,
        settings,
        block: options.block.unwrap_or(workload.block),
        iterations: Vec::new(),
        launches: Vec::new(),
        regions: Vec::new(),
        notes,
        progress,
    };
    let exists = asked.num_vertices() > 0;
    let answer = answer(&mut session, exists).and_then(|answer| {
        question.judge(&answer)?;
        Ok(answer)
    });
    let Session { settings, iterations, launches, regions, notes, .. } = session;
    let source = (exists && problem.has_source()).then_some(source);
    let target = (exists && problem == Problem::Stcon).then_some(target);
    match answer {
        Ok(answer) => Ok(Outcome { source, target, settings, iterations, launches, regions, answer, notes }),
        Err(error) => {
            let done = Done { source, target, settings, iterations, launches, regions, notes };
            Err(Box::new(Unfinished { error, done: Some(done) }))
        }
    }
}

/// Loads the kernels and drives them to an answer.
fn answer(session: &mut Session<'_>, exists: bool) -> Result<Answer, WorkloadError> {
    for file in session.workload.files {
        let module = session.device.load_module(file.file, file.text)?;
        session.modules.push(module);
    }
    if exists { (session.workload.drive)(session) } else { Ok(empty(session.workload.problem)) }
}

/// An end of a path that the problem knows nothing of is a misunderstanding.
fn refuse_ends(problem: Problem, options: &RunOptions) -> Result<(), WorkloadError> {
    if options.source.is_some() && !problem.has_source() {
        return Err(WorkloadError::Setting(format!(
            "{} starts at no single vertex: leave --source out",
            problem.name()
        )));
    }
    if options.target.is_some() && problem != Problem::Stcon {
        return Err(WorkloadError::Setting(format!("{} has no target: leave --target out", problem.name())));
    }
    Ok(())
}

/// Source and target of a run; both 0 in the empty graph, which has neither.
fn ends(graph: &Graph, options: &RunOptions) -> Result<(Vertex, Vertex), WorkloadError> {
    let vertices = graph.num_vertices();
    let known = |name: &str, vertex: Option<Vertex>| match vertex {
        Some(vertex) if vertex >= vertices => Err(WorkloadError::Setting(format!(
            "there is no vertex {vertex} for the {name}: the graph has {vertices}, numbered from 0"
        ))),
        vertex => Ok(vertex),
    };
    let largest = || graph.out_edges().first_of_largest_degree().unwrap_or(0);
    let source = known("source", options.source)?.unwrap_or_else(largest);
    let last = vertices.saturating_sub(1);
    let other = if last == source { last.saturating_sub(1) } else { last };
    Ok((source, known("target", options.target)?.unwrap_or(other)))
}

/// The answer on the graph without vertices, on which nothing is launched.
fn empty(problem: Problem) -> Answer {
    match problem {
        Problem::Bfs => Answer::Depths(Vec::new()),
        Problem::Sssp => Answer::Distances(Vec::new()),
        Problem::Colouring => Answer::Colours(Vec::new()),
        Problem::Mis => Answer::Set(Vec::new()),
        Problem::Mst => Answer::Forest(Vec::new()),
        Problem::Stcon => Answer::Path(None),
        Problem::PageRank => Answer::Ranks { ranks: Vec::new(), damping: 0.85, tolerance: 0.0 },
        Problem::Wcc | Problem::Components => Answer::Labels(Vec::new()),
        Problem::Betweenness => {
            Answer::Centrality { values: Vec::new(), sources: Vec::new(), tolerance: 0.0 }
        }
    }
}

impl Question<'_> {
    /// Kernels hold distances in 32 bits; a graph that needs more is refused before anything runs.
    fn refuse_if_too_far(&self, workload: &'static str) -> Result<(), WorkloadError> {
        if self.problem != Problem::Sssp || self.graph.num_vertices() == 0 {
            return Ok(());
        }
        let distances = reference::dijkstra::distances(self.graph, self.source);
        let distances = distances.map_err(|error| WorkloadError::Setting(error.to_string()))?;
        let finite = distances.iter().filter(|&&distance| distance != reference::dijkstra::FAR);
        let largest = finite.max().copied().unwrap_or(0);
        // Sums that do not fit stay at infinite in the kernels, so that only the distances themselves must fit.
        if largest >= u64::from(crate::UNREACHED) {
            let problem = format!("its kernels hold distances in 32 bits, and one is {largest}");
            return Err(WorkloadError::Graph { workload, problem });
        }
        Ok(())
    }
}
