//! A run with what its launches counted, by static instruction too.

use heddle_device::{Device, LaunchReport};
use heddle_graph::read::ReadOptions;
use heddle_graph::{Graph, Vertex, build, source};
use heddle_image::atomic::AtomicOperation;
use heddle_ptx::exec::{EXTERNALS, Functional, InstructionCount};
use heddle_ptx::ir::{Access, Atomic, Module, Operation, StateSpace};
use heddle_workloads::library::{self, Outcome, RunOptions, Workload, registry};

/// A run and the code that ran.
pub(crate) struct Counted {
    pub(crate) outcome: Outcome,
    modules: Vec<Module>,
}

/// A static instruction and how often it was executed in all launches of its kernel.
pub(crate) struct Executed<'a> {
    pub(crate) operation: &'a Operation,
    pub(crate) count: InstructionCount,
}

/// Runs a workload with its own block size and settings.
pub(crate) fn count(name: &str, graph: &Graph) -> Counted {
    count_with(name, graph, &RunOptions::default())
}

/// Runs a workload and counts sectors.
pub(crate) fn count_with(name: &str, graph: &Graph, options: &RunOptions) -> Counted {
    let workload = find(name);
    let mut device = Device::new(Box::new(Functional { count_sectors: true, ..Functional::default() }));
    let outcome = library::run(workload, graph.clone(), &mut device, options, &|_, _| ());
    let outcome = outcome.unwrap_or_else(|error| panic!("{name}: {error}"));
    let load = |file: &library::KernelFile| heddle_ptx::load(file.file, file.text, EXTERNALS).unwrap();
    Counted { outcome, modules: workload.files.iter().map(load).collect() }
}

pub(crate) fn find(name: &str) -> &'static Workload {
    registry::find(name).unwrap()
}

impl Counted {
    /// The reports of all launches of a kernel, in order.
    pub(crate) fn launches(&self, kernel: &str) -> Vec<&LaunchReport> {
        let reports = self.outcome.launches.iter().map(|launch| &launch.report);
        reports.filter(|report| report.kernel == kernel).collect()
    }

    /// The instructions of a kernel, in the order of its text, counted over all its launches.
    pub(crate) fn executed(&self, kernel: &str) -> Vec<Executed<'_>> {
        let (module, id) = self
            .modules
            .iter()
            .find_map(|module| Some((module, module.function(kernel)?.0 as usize)))
            .unwrap();
        let launches = self.launches(kernel);
        let sum = |index: usize| {
            let counts = launches.iter().map(|report| report.instructions[id][index]);
            counts.fold(InstructionCount::default(), |sum, count| InstructionCount {
                warps: sum.warps + count.warps,
                lanes: sum.lanes + count.lanes,
                sectors: sum.sectors + count.sectors,
                divergent: sum.divergent + count.divergent,
            })
        };
        let instructions = module.functions[id].instructions.iter().enumerate();
        instructions
            .map(|(index, instruction)| Executed { operation: &instruction.operation, count: sum(index) })
            .collect()
    }

    /// The loads of words from arrays that the kernel only reads, in the order of its text.
    pub(crate) fn read_only_words(&self, kernel: &str) -> Vec<InstructionCount> {
        let is_word = |access: &Access| access.non_coherent && access.bytes() == 4;
        let executed = self.executed(kernel).into_iter();
        executed
            .filter(|one| matches!(one.operation, Operation::Load { access, .. } if is_word(access)))
            .map(|one| one.count)
            .collect()
    }

    /// Executed atomics of a kernel: operation, space, whether the answer is dropped, lanes.
    pub(crate) fn atomics(&self, kernel: &str) -> Vec<(AtomicOperation, StateSpace, bool, u64)> {
        let one = |executed: Executed<'_>| match executed.operation {
            Operation::Atomic { atomic: Atomic { operation, space, .. }, destinations, .. } => {
                Some((*operation, *space, destinations.is_empty(), executed.count.lanes))
            }
            _ => None,
        };
        self.executed(kernel).into_iter().filter_map(one).collect()
    }

    /// Lanes of all atomics of a kernel in this space.
    pub(crate) fn atomic_lanes(&self, kernel: &str, space: StateSpace) -> u64 {
        self.atomics(kernel).iter().filter(|atomic| atomic.1 == space).map(|atomic| atomic.3).sum()
    }

    /// Bytes of shared memory that the PTX declares.
    pub(crate) fn shared_bytes(&self) -> u64 {
        let variables = self.modules.iter().flat_map(|module| &module.variables);
        variables.filter(|variable| variable.space == StateSpace::Shared).map(|variable| variable.bytes).sum()
    }

    /// Names of the buffers.
    pub(crate) fn buffers(&self) -> Vec<&str> {
        self.outcome.regions.iter().map(|region| region.name.as_str()).collect()
    }

    /// Frontier sizes.
    pub(crate) fn frontiers(&self) -> Vec<Option<u64>> {
        self.outcome.iterations.iter().map(|iteration| iteration.frontier).collect()
    }
}

/// A graph by recipe.
pub(crate) fn recipe(recipe: &str) -> Graph {
    source::load(recipe, &ReadOptions::default()).unwrap().graph
}

/// A directed graph of these arcs.
pub(crate) fn arcs(vertices: u64, arcs: impl IntoIterator<Item = (Vertex, Vertex)>) -> Graph {
    Graph::directed(build::from_arcs(&arcs.into_iter().collect(), vertices).unwrap())
}

/// Vertex 0 with arcs to all others.
pub(crate) fn star(leaves: u32) -> Graph {
    arcs(u64::from(leaves) + 1, (1..=leaves).map(|leaf| (0, leaf)))
}

/// Vertex after vertex, from 0.
pub(crate) fn path(vertices: u32) -> Graph {
    arcs(vertices.into(), (1..vertices).map(|vertex| (vertex - 1, vertex)))
}
