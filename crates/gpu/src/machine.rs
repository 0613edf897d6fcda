//! The GPU as a machine of the device interface.

use crate::actions::InstructionCounters;
use crate::agent::{Agent, AgentCounters, AgentSlotCounters, agent_of, goes_on_behind};
use crate::core::{
    CachePrefetchCounters, CoreCounters, DetectionCounters, DistanceCounters, FoundBy, InjectedSlotCounters,
    InjectionCounters, Scheme, SlotCounters, declare_answered, prefetching_registers,
};
use crate::gpu_spec::GpuSpec;
use crate::launch::Launching;
use crate::record::{Record, SharedRecord};
use crate::residency::{core_limits, residency};
use crate::spec::RunSettings;
use crate::state::State;
use crate::statics::OperationKind;
use heddle_engine::{Catalogue, CounterGroup, Cycle, Statistics};
use heddle_memory::SpecError;
use heddle_memory::fabric::{ClockDomains, Fabric};
use heddle_memory::request::Path;
use heddle_ptx::analysis::{
    Cfg, Dominators, GrantedRegisters, KernelNeeds, Loops, granted_registers, head_tail_pairs, loop_loads,
    register_demands,
};
use heddle_ptx::exec::timed::Execution;
use heddle_ptx::exec::{Functional, LaunchError, LaunchReport, LaunchRequest, Machine};
use heddle_ptx::ir::{Function, Module};
use std::collections::BTreeMap;
use std::fmt;
use std::ops::ControlFlow;

/// The progress of a run.
#[derive(Clone, Copy, Debug)]
pub struct RunProgress<'a> {
    /// The launch that is simulated, by its number in the run, from 0.
    pub launch: u64,
    /// Its kernel.
    pub kernel: &'a str,
    /// The core cycle, since the machine was made.
    pub cycle: u64,
    /// Warp instructions executed in time so far.
    pub warp_instructions: u64,
}

/// Heads and tails, by instruction.
pub(crate) type LoadPairs = (Vec<usize>, Vec<usize>);

/// A hook that is told the progress of a run now and then, and may end it there.
pub type Progress = Box<dyn FnMut(&RunProgress<'_>) -> ControlFlow<()>>;

/// A GPU that executes launches in time.
pub struct Gpu {
    pub(crate) spec: GpuSpec,
    pub(crate) settings: RunSettings,
    pub(crate) clocks: ClockDomains,
    /// What launches leave for the next one.
    pub(crate) state: State,
    /// The core cycle, since the machine was made, at which the state was new: that of the last launch that started cold.
    pub(crate) renewed_at: u64,
    pub(crate) record: SharedRecord,
    /// How many of the record's DRAM transactions are final.
    pub(crate) captured: usize,
    launches: u64,
    /// The kernel of a launch that failed, and left requests and warps under way.
    failed: Option<String>,
    executed: u64,
    /// By PTX file and kernel: its registers.
    registers: BTreeMap<(String, String), u32>,
    /// Likewise: its pairs of loads.
    pairs: BTreeMap<(String, String), LoadPairs>,
    progress: Option<Progress>,
    pub(crate) agent: Option<Box<dyn Agent>>,
}

impl Gpu {
    /// A GPU after a description that has been checked.
    pub fn new(spec: GpuSpec, settings: RunSettings) -> Result<Gpu, SpecError> {
        let clocks = spec.clocks.domains(spec.memory.dram.clock);
        let clocks =
            clocks.map_err(|error| SpecError { key: "clocks".to_owned(), problem: error.to_string() })?;
        let state = State::new(&spec, &clocks, &settings)?;
        let answerers = spec.memory.answerers().into_iter().map(|(_, name)| name.to_owned());
        let record = Record {
            catalogue: catalogue_of(&spec),
            answerers: answerers.collect(),
            interval: settings.interval,
            ..Record::default()
        };
        Ok(Gpu {
            clocks,
            state,
            renewed_at: 0,
            record: SharedRecord::new(record.into()),
            captured: 0,
            launches: 0,
            failed: None,
            executed: 0,
            registers: BTreeMap::new(),
            pairs: BTreeMap::new(),
            progress: None,
            agent: None,
            spec,
            settings,
        })
    }

    /// The record that the machine writes.
    pub fn record(&self) -> SharedRecord {
        self.record.clone()
    }

    /// Attaches a unit that functions of the machine are commands to, in place of another.
    pub fn attach(&mut self, agent: Box<dyn Agent>) {
        self.agent = Some(agent);
        let mut record = self.record.borrow_mut();
        record.catalogue.declare::<AgentCounters>("agent");
        record.catalogue.declare::<AgentSlotCounters>("slots");
    }

    /// Whether any function of the machine may be a command.
    pub(crate) fn has_agents(&self) -> bool {
        self.agent.is_some() || !self.spec.memory.agents.is_empty()
    }

    /// As what a call of a function of the machine is issued, if an agent takes it.
    pub(crate) fn taken_as(&self, function: &'static str) -> Option<OperationKind> {
        match &self.agent {
            Some(agent) if agent.functions().contains(&function) => Some(OperationKind::Command),
            _ => agent_of(&self.state.fabric, function).map(|_| match goes_on_behind(function) {
                true => OperationKind::CopyAhead,
                false => OperationKind::MemoryCommand,
            }),
        }
    }

    /// The next launch is the one of this number, from 0; those before it were executed elsewhere.
    pub fn continue_at(&mut self, launch: u64) {
        self.record.borrow_mut().skipped_launches += launch.saturating_sub(self.launches);
        self.launches = launch;
    }

    /// Sets a hook that is told the progress of a run.
    pub fn on_progress(&mut self, progress: Progress) {
        self.progress = Some(progress);
    }

    /// Tells how far the run has come; an error if it is to end here.
    pub(crate) fn tell_progress(&mut self, so_far: RunProgress<'_>) -> Result<(), LaunchError> {
        let Some(progress) = &mut self.progress else { return Ok(()) };
        let warp_instructions = self.executed + so_far.warp_instructions;
        match progress(&RunProgress { warp_instructions, ..so_far }) {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(LaunchError::Interrupted {
                kernel: so_far.kernel.to_owned(),
                at: format!("core cycle {}", so_far.cycle),
            }),
        }
    }

    /// The core cycle, since the machine was made.
    fn now(&self) -> u64 {
        self.renewed_at + self.state.cycle
    }

    /// Counts of all parts since the state was new, except for what is counted by instruction.
    ///
    /// `running` is when the launch that is under way began, if one is.
    pub(crate) fn statistics(&mut self, cycle: u64, running: Option<u64>) -> Statistics {
        let mut statistics = Statistics::default();
        let start = running.unwrap_or(cycle);
        let cores = CoreCounters::sum(self.state.cores.iter().map(|core| core.counters_at(start, cycle)));
        let mut slots = SlotCounters::sum(self.state.cores.iter().map(|core| &core.stalls.counters));
        statistics.add_group("core", &cores);
        if let Some(scheme) = self.spec.core.prefetch_registers.scheme() {
            let injected =
                InjectedSlotCounters::sum(self.state.cores.iter().map(|core| &core.stalls.injected));
            slots.busy -= injected.injected;
            statistics.add_group("slots", &injected);
            let injected = InjectionCounters::sum(self.state.cores.iter().map(|core| &core.injected));
            statistics.add_group("injected", &injected);
            if scheme.is_dynamic() {
                let distances = DistanceCounters::sum(self.state.cores.iter().map(|core| &core.distances));
                statistics.add_group("injected", &distances);
            }
            if scheme.found_by == FoundBy::Hardware {
                let detected = DetectionCounters::sum(self.state.cores.iter().map(|core| &core.detected));
                statistics.add_group("injected", &detected);
            }
        }
        statistics.add_group("slots", &slots);
        for (answerer, name) in self.spec.memory.answerers() {
            let slots = self.state.cores.iter().map(|core| core.stalls.answered[answerer.index()]).sum();
            statistics.add_one(format!("slots.{name}"), slots);
        }
        if self.has_agents() {
            let agents = self.state.cores.iter().map(|core| &core.agents);
            statistics.add_group("agent", &AgentCounters::sum(agents));
            let slots = self.state.cores.iter().map(|core| &core.stalls.agents);
            statistics.add_group("slots", &AgentSlotCounters::sum(slots));
        }
        self.state.fabric.add_statistics(self.clocks.core.start_of(Cycle(cycle)), &mut statistics);
        statistics
    }

    /// Where the instructions of a kernel lie; kernels, or with `core.contiguous_code` modules, lie behind each other
    /// in the order of their first launch.
    pub(crate) fn code_base(&mut self, module: &Module, kernel: &Function, operations: usize) -> u64 {
        let key = (module.file.clone(), kernel.name.clone());
        if let Some(&base) = self.state.code_bases.get(&key) {
            return base;
        }
        let base = self.state.next_code_base;
        let line = self.spec.memory.serving(Path::Instruction).line.0.max(1);
        let each = u64::from(self.spec.core.instruction_bytes);
        if self.spec.core.contiguous_code {
            let mut next = base;
            for function in &module.functions {
                self.state.code_bases.insert((module.file.clone(), function.name.clone()), next);
                next += function.instructions.len() as u64 * each;
            }
            self.state.next_code_base = next.next_multiple_of(line);
            return self.state.code_bases.get(&key).copied().unwrap_or(base);
        }
        self.state.next_code_base += (operations as u64 * each).next_multiple_of(line);
        self.state.code_bases.insert(key, base);
        base
    }

    /// The heads and the tails of a kernel's pairs of loads from read-only arrays.
    pub(crate) fn load_pairs(&mut self, module: &Module, kernel: &Function) -> &LoadPairs {
        let key = (module.file.clone(), kernel.name.clone());
        self.pairs.entry(key).or_insert_with(|| load_pairs(kernel))
    }

    /// Registers of a thread: as the run says, or as the analysis finds and the machine and the kernel's directives
    /// allow.
    fn registers(&mut self, request: &LaunchRequest<'_>) -> GrantedRegisters {
        let module = &request.program.module;
        let Some(kernel) = module.functions.get(request.kernel.0 as usize) else {
            return GrantedRegisters::default();
        };
        let given = self.settings.registers.registers(&kernel.name);
        let demand = if given.is_some() { 0 } else { self.demand(module, kernel) };
        granted_registers(&core_limits(&self.spec, &[]), kernel, demand, given)
    }

    /// Registers that a thread would like, by our own allocation.
    fn demand(&mut self, module: &Module, kernel: &Function) -> u32 {
        let key = |name: &str| (module.file.clone(), name.to_owned());
        if let Some(&registers) = self.registers.get(&key(&kernel.name)) {
            return registers;
        }
        for (function, demand) in module.functions.iter().zip(register_demands(module)) {
            self.registers.insert(key(&function.name), demand.registers);
        }
        self.registers.get(&key(&kernel.name)).copied().unwrap_or_default()
    }
}

impl Machine for Gpu {
    fn launch(&mut self, request: LaunchRequest<'_>) -> Result<LaunchReport, LaunchError> {
        let number = self.launches;
        self.launches += 1;
        if self.settings.launches.as_ref().is_some_and(|asked| !asked.contains(number)) {
            let kernel = request.program.module.functions.get(request.kernel.0 as usize);
            let kernel = kernel.map_or("", |kernel| kernel.name.as_str());
            let cycle = self.now();
            self.tell_progress(RunProgress { launch: number, kernel, cycle, warp_instructions: 0 })?;
            self.record.borrow_mut().skipped_launches += 1;
            let interrupt = self.settings.interrupt.clone();
            return Functional { interrupt, ..Functional::default() }.launch(request);
        }
        let registers = self.registers(&request);
        let mut execution = Execution::new(request, self.spec.core.count)?;
        let kernel = execution.kernel().1.name.clone();
        if let Some(failed) = &self.failed {
            let problem = format!("the launch of {failed} failed before; a machine does not survive that");
            return Err(LaunchError::Refused { kernel, problem });
        }
        let (_, block) = execution.sizes();
        let needs = KernelNeeds {
            threads: block.count() as u32,
            registers: registers.registers,
            shared_bytes: u32::try_from(execution.shared_bytes()).unwrap_or(u32::MAX),
        };
        let mut residency = residency(&self.spec, &execution.kernel().1.name, needs).map_err(|problem| {
            LaunchError::Refused {
                kernel: kernel.clone(),
                problem: format!("{problem} (machine {})", self.spec.name),
            }
        })?;
        let spare = residency.occupancy.registers_without_loss.saturating_sub(registers.registers);
        residency.unify(&self.spec, needs, prefetching_registers(&self.spec, execution.kernel().1, spare));
        let resident = u64::from(residency.occupancy.blocks) * u64::from(self.spec.core.count);
        execution.take_stacks(resident)?;
        if self.settings.cold {
            self.renew();
        }
        let mut launching = Launching::new(self, execution, number, residency, registers)?;
        if let Err(error) = launching.run() {
            if matches!(error, LaunchError::Cycles { .. } | LaunchError::Interrupted { .. }) {
                launching.cut_off();
            }
            self.failed = Some(kernel);
            return Err(error);
        }
        let report = launching.finish();
        if let Some((futures, is_whole)) = self.state.fabric.take_recorded() {
            let foresight = &mut self.record.borrow_mut().foresight;
            foresight.launches.push(futures);
            foresight.is_cut_off |= !is_whole;
        }
        self.executed += report.warp_instructions;
        Ok(report)
    }

    fn host_copied(&mut self, addresses: std::ops::Range<u64>) {
        if self.spec.launch.copies_touch_l2 {
            self.state.fabric.touch_last_level(addresses);
        }
    }
}

impl fmt::Debug for Gpu {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Gpu")
            .field("spec", &self.spec.name)
            .field("cycle", &self.now())
            .finish_non_exhaustive()
    }
}

/// The heads and the tails of a kernel's pairs of loads from read-only arrays.
fn load_pairs(kernel: &Function) -> LoadPairs {
    let cfg = Cfg::new(kernel);
    if cfg.blocks.is_empty() {
        return LoadPairs::default();
    }
    let dominators = Dominators::new(&cfg);
    let loops = Loops::new(&cfg, &dominators);
    let mut loads = loop_loads(kernel, &cfg, &dominators, &loops);
    loads.retain(|load| load.access.non_coherent);
    let (mut heads, mut tails): LoadPairs = head_tail_pairs(&loads).into_iter().unzip();
    for list in [&mut heads, &mut tails] {
        list.sort_unstable();
        list.dedup();
    }
    (heads, tails)
}

/// What every statistic of a GPU with this memory system means, whatever its mechanisms.
pub fn catalogue(spec: &GpuSpec) -> Catalogue {
    let mut catalogue = Catalogue::default();
    declare_injected(&mut catalogue, |_| true);
    declare(spec, &mut catalogue);
    catalogue
}

/// Those of one GPU: what it has no mechanism for is not counted.
fn catalogue_of(spec: &GpuSpec) -> Catalogue {
    let mut catalogue = Catalogue::default();
    if let Some(scheme) = spec.core.prefetch_registers.scheme() {
        declare_injected(&mut catalogue, |has: fn(Scheme) -> bool| has(scheme));
    }
    declare(spec, &mut catalogue);
    catalogue
}

/// What mechanisms count that inject instructions, as far as one has it.
fn declare_injected(catalogue: &mut Catalogue, counts: impl Fn(fn(Scheme) -> bool) -> bool) {
    catalogue.declare::<InjectionCounters>("injected");
    catalogue.declare::<InjectedSlotCounters>("slots");
    if counts(Scheme::is_dynamic) {
        catalogue.declare::<DistanceCounters>("injected");
    }
    if counts(|scheme| scheme.found_by == FoundBy::Hardware) {
        catalogue.declare::<DetectionCounters>("injected");
    }
    if counts(Scheme::fills_cache) {
        catalogue.declare::<CachePrefetchCounters>("injected");
    }
}

fn declare(spec: &GpuSpec, catalogue: &mut Catalogue) {
    catalogue.declare::<CoreCounters>("core");
    catalogue.declare::<InstructionCounters>("core");
    catalogue.declare::<SlotCounters>("slots");
    declare_answered(&spec.memory, catalogue);
    Fabric::declare(&spec.memory, catalogue);
    if !spec.memory.agents.is_empty() {
        catalogue.declare::<AgentCounters>("agent");
        catalogue.declare::<AgentSlotCounters>("slots");
    }
}
