//! What can be observed and injected in a kernel, by instructions of the decoded code: the compiler's plan at the start of
//! a launch, or what hardware has found so far (`install`).

use super::{FoundBy, FoundLoop, Into, LoopFacts, Purpose, Scheme, SequenceStep, TargetFacts, TargetNumber};
use crate::gpu_spec::GpuSpec;
use crate::statics::Statics;
use heddle_ptx::analysis::{Before, PrefetchLoop, PrefetchPlan, prefetch_plan, registers_read};
use heddle_ptx::early::budget::Chosen;
use heddle_ptx::early::{EarlyLoad, PrefetchBudget};
use heddle_ptx::exec::LaunchError;
use heddle_ptx::exec::timed::Execution;
use heddle_ptx::ir::{
    Address, AddressBase, AluMode, AluOperation, Function, Instruction, Operand, Operation, RegisterId,
    ScalarType,
};

/// Loops of a kernel that cores can know, as bits of a word.
pub(super) const MOST_LOOPS: usize = 64;

/// Why an instruction of the program is observed. In the order in which it is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// It compares the values of a loop's test; whether the induction variable is the second of them.
    Comparison(usize, bool),
    /// Lanes that execute it have left the loop.
    Left(usize),
    /// Lanes end an iteration of a loop and go on with the next: those that take the branch, or those that do not.
    Step(usize, bool),
    /// The loop begins behind it.
    Entry(usize),
    /// It is a load that can be prefetched.
    Target(TargetNumber),
    /// It is a branch back to this instruction, which may close a loop.
    Backward(u32),
}

impl Role {
    fn rank(self) -> u8 {
        match self {
            Role::Comparison(..) => 0,
            Role::Left(_) => 1,
            Role::Step(..) => 2,
            Role::Entry(_) => 3,
            Role::Target(_) => 4,
            Role::Backward(_) => 5,
        }
    }
}

/// A load that can be prefetched, and what does so.
#[derive(Clone, Debug)]
pub(super) struct PlannedTarget {
    /// The load.
    pub(super) pc: u32,
    /// By spare register: the move that it becomes.
    pub(super) moves: Vec<u32>,
    /// The spare registers, by number among all of them.
    pub(super) spare: Vec<u32>,
    /// By distance and spare register ([`PlannedTarget::sequence`]): the instructions that prefetch it.
    sequences: Vec<Vec<SequenceStep>>,
    /// Where lanes wait that will have the load's address, if it is conditional.
    pub(super) window: (u32, u32),
    /// What it is counted as where it was prefetched into the caches.
    pub(super) as_cached: u32,
}

impl PlannedTarget {
    /// The instructions that prefetch it at a distance, into the spare register of this number.
    pub(super) fn sequence(&self, distance: u8, register: u8) -> &[SequenceStep] {
        let (distance, register) = (usize::from(distance), usize::from(register));
        &self.sequences[distance * (distance - 1) / 2 + register]
    }
}

/// The plan of a kernel.
#[derive(Clone, Debug)]
pub(crate) struct InjectionPlan {
    /// The first injected instruction.
    first: u32,
    operations: usize,
    /// Spare registers that were given out, and how many there are.
    registers: Vec<ScalarType>,
    reserved: usize,
    budget: PrefetchBudget,
    /// By instruction of the program, in order.
    roles: Vec<(u32, Role)>,
    pub(super) loops: Vec<LoopFacts>,
    pub(super) facts: Vec<TargetFacts>,
    pub(super) targets: Vec<PlannedTarget>,
    /// By loop: the comparison that is made where the loop is entered, if no instruction of the program makes it.
    pub(super) comparisons: Vec<Option<u32>>,
    /// Loops that hardware has found, with their numbers if there was room for them.
    pub(super) found: Vec<(Option<usize>, FoundLoop)>,
    /// Loads for which no register was left.
    without_register: Vec<u32>,
}

impl InjectionPlan {
    /// Plans for a launch whose threads have so many registers to spare; `statics` gets the instructions, `execution`
    /// gets to know them.
    pub(crate) fn prepare(
        execution: &mut Execution<'_>,
        statics: &mut Statics,
        spec: &GpuSpec,
        scheme: Scheme,
        spare: u32,
    ) -> Result<(), LaunchError> {
        let kernel = execution.kernel().1;
        let budget = budget(spec, scheme, spare);
        let plan = match scheme.found_by {
            FoundBy::Compiler => prefetch_plan(kernel, budget),
            FoundBy::Hardware => PrefetchPlan::default(),
        };
        let reserved = match scheme.found_by {
            FoundBy::Compiler => plan.registers.len(),
            FoundBy::Hardware => most_registers(&budget),
        };
        let mut made = InjectionPlan {
            first: statics.operations.len() as u32,
            operations: 0,
            registers: Vec::new(),
            reserved,
            budget,
            roles: Vec::new(),
            loops: Vec::new(),
            facts: Vec::new(),
            targets: Vec::new(),
            comparisons: Vec::new(),
            found: Vec::new(),
            without_register: Vec::new(),
        };
        if scheme.found_by == FoundBy::Hardware {
            made.roles = backward_branches(kernel);
        }
        execution.reserve_spare(reserved as u32);
        let mut builder = Builder { kernel, statics, spec, plan: made, instructions: Vec::new() };
        plan.loops.iter().for_each(|planned| builder.add_loop(planned));
        let (mut made, instructions) = builder.finish();
        made.mark(statics);
        made.registers = plan.registers;
        statics.register_count += reserved;
        let allowed = execution.allow_injected(&made.registers, &instructions);
        statics.injection = Some(made);
        allowed
    }

    /// Adds a loop that hardware has found; gives its number, if there is room for some of its loads.
    pub(super) fn add_found(
        execution: &mut Execution<'_>,
        statics: &mut Statics,
        spec: &GpuSpec,
        found: &FoundLoop,
    ) -> Result<Option<usize>, LaunchError> {
        let kernel = execution.kernel().1;
        let Some(plan) = statics.injection.take() else { return Ok(None) };
        let (number, taken) = (plan.loops.len(), plan.registers.len());
        let mut registers = plan.registers.clone();
        let chosen = plan.budget.choose(kernel, found.candidates.clone(), &mut registers);
        let fits = !chosen.loads.is_empty() && registers.len() <= plan.reserved && number < MOST_LOOPS;
        let mut builder = Builder { kernel, statics, spec, plan, instructions: Vec::new() };
        match fits {
            true => builder.add_found(found, &chosen),
            false => builder.refuse(&chosen),
        }
        let (mut plan, instructions) = builder.finish();
        plan.mark(statics);
        plan.found.push((fits.then_some(number), found.clone()));
        let mut allowed = Ok(());
        if fits {
            allowed = execution.allow_injected(&registers[taken..], &instructions);
            plan.registers = registers;
        }
        statics.injection = Some(plan);
        allowed.map(|()| fits.then_some(number))
    }

    /// Says of instructions that they are observed.
    fn mark(&mut self, statics: &mut Statics) {
        self.roles.sort_by_key(|&(pc, role)| (pc, role.rank()));
        for &(pc, role) in &self.roles {
            let Some(operation) = statics.operations.get_mut(pc as usize) else { continue };
            operation.is_observed = true;
            operation.is_special = true;
            operation.is_target |= matches!(role, Role::Target(_));
        }
    }

    /// Why an instruction of the program is observed.
    pub(super) fn roles(&self, pc: u32) -> &[(u32, Role)] {
        let start = self.roles.partition_point(|&(other, _)| other < pc);
        let end = start + self.roles[start..].partition_point(|&(other, _)| other == pc);
        &self.roles[start..end]
    }

    /// The targets that a load is; several if cores have found its loop out differently.
    pub(super) fn targets(&self, pc: u32) -> impl Iterator<Item = TargetNumber> + '_ {
        self.roles(pc).iter().filter_map(|&(_, role)| match role {
            Role::Target(target) => Some(target),
            _ => None,
        })
    }

    /// The place of an injected instruction among them.
    pub(super) fn place_of(&self, operation: u32) -> usize {
        (operation - self.first) as usize
    }

    /// How many injected instructions there are.
    pub(super) fn operations(&self) -> usize {
        self.operations
    }

    /// Loads for which no register was left.
    pub(crate) fn without_register(&self) -> &[u32] {
        &self.without_register
    }

    /// The load that a prefetch is made for.
    pub(crate) fn load_of(&self, operation: u32) -> Option<u32> {
        let is_last =
            |steps: &Vec<SequenceStep>| steps.last().is_some_and(|last| last.operation == operation);
        let prefetches = |target: &&PlannedTarget| target.sequences.iter().any(is_last);
        self.targets.iter().find(prefetches).map(|target| target.pc)
    }

    /// The load that was counted under this number because it had been prefetched into the caches.
    pub(crate) fn cached_load(&self, operation: u32) -> Option<u32> {
        self.targets.iter().find(|target| target.as_cached == operation).map(|target| target.pc)
    }

    /// The numbers under which loads are counted that had been prefetched into the caches.
    pub(crate) fn cached_loads(&self) -> impl Iterator<Item = u32> + '_ {
        let in_cache = self.facts.iter().zip(&self.targets).filter(|(facts, _)| facts.in_cache);
        in_cache.map(|(_, target)| target.as_cached)
    }
}

/// What there is for the prefetches of a loop.
fn budget(spec: &GpuSpec, scheme: Scheme, spare: u32) -> PrefetchBudget {
    PrefetchBudget {
        registers: spare,
        pairs: spec.core.prefetch_pairs,
        instructions: spec.core.prefetch_instructions,
        distance: scheme.distance.longest(),
        into_cache: scheme.into == Into::Cache,
        conditional: spec.core.prefetch_conditional,
    }
}

/// Registers of a thread that the prefetches of a kernel take out of so many to spare, in the loop that takes most. The
/// compiler tells, also where hardware will find the loads: storage is divided before the kernel runs.
pub(crate) fn prefetching_registers(spec: &GpuSpec, kernel: &Function, spare: u32) -> u32 {
    let Some(scheme) = spec.core.prefetch_registers.scheme() else { return 0 };
    let plan = prefetch_plan(kernel, budget(spec, scheme, spare));
    plan.loops.iter().map(|planned| planned.chosen.registers).max().unwrap_or(0)
}

/// Spare registers that loops can take which hardware finds: as many loops as pairs, each with all the loads that lists
/// are kept of and as many temporaries as instructions.
fn most_registers(budget: &PrefetchBudget) -> usize {
    (budget.pairs * (2 * budget.pairs * budget.distance + budget.instructions)) as usize
}

/// The branches of a kernel that may close loops.
fn backward_branches(kernel: &Function) -> Vec<(u32, Role)> {
    let backward = |(place, instruction): (usize, &Instruction)| match instruction.operation {
        Operation::Branch { target, .. } => {
            let start = kernel.labels[target.0 as usize];
            (start <= place).then_some((place as u32, Role::Backward(start as u32)))
        }
        _ => None,
    };
    kernel.instructions.iter().enumerate().filter_map(backward).collect()
}

/// A plan that is being made.
struct Builder<'a> {
    kernel: &'a Function,
    statics: &'a mut Statics,
    spec: &'a GpuSpec,
    plan: InjectionPlan,
    /// What is injected, with the instruction of the program that it stands in for.
    instructions: Vec<(Instruction, u32)>,
}

impl Builder<'_> {
    fn finish(self) -> (InjectionPlan, Vec<(Instruction, u32)>) {
        let Builder { mut plan, instructions, .. } = self;
        plan.operations += instructions.len();
        (plan, instructions)
    }

    fn role(&mut self, pc: usize, role: Role) {
        self.plan.roles.push((pc as u32, role));
    }

    /// Loads that found no register.
    fn refuse(&mut self, chosen: &Chosen) {
        let loads = chosen.without_register.iter().chain(chosen.loads.iter().map(|load| &load.load));
        self.plan.without_register.extend(loads.map(|&load| load as u32));
    }

    /// Adds a loop of the compiler's.
    fn add_loop(&mut self, planned: &PrefetchLoop) {
        let chosen = &planned.chosen;
        if chosen.loads.is_empty() {
            self.refuse(chosen);
            return;
        }
        let number = self.plan.loops.len();
        let test = planned.test;
        self.role(test.instruction, Role::Comparison(number, test.swapped));
        planned.entries.iter().for_each(|&pc| self.role(pc, Role::Entry(number)));
        planned.latches.iter().for_each(|&(pc, taken)| self.role(pc, Role::Step(number, taken)));
        if let Before::Comparison(pc, swapped) = planned.before {
            self.role(pc, Role::Comparison(number, swapped));
        }
        let comparison = match planned.before {
            Before::Nothing => Some(self.add_comparison(test.instruction)),
            _ => None,
        };
        self.add_targets(test, comparison, chosen);
    }

    /// Adds a loop of the hardware's.
    fn add_found(&mut self, found: &FoundLoop, chosen: &Chosen) {
        let number = self.plan.loops.len();
        self.role(found.test.instruction, Role::Comparison(number, found.test.swapped));
        self.role(found.range.1, Role::Step(number, true));
        found.exits.iter().for_each(|&pc| self.role(pc, Role::Left(number)));
        self.add_targets(found.test, None, chosen);
    }

    /// Adds the loads of a loop.
    fn add_targets(&mut self, test: heddle_ptx::early::LoopTest, comparison: Option<u32>, chosen: &Chosen) {
        let (in_loop, first_target) = (self.plan.loops.len(), self.plan.targets.len());
        self.plan.without_register.extend(chosen.without_register.iter().map(|&load| load as u32));
        self.plan.comparisons.push(comparison);
        for load in &chosen.loads {
            let this = TargetNumber(self.plan.targets.len() as u16);
            let head = load.head.map(|head| TargetNumber((first_target + head) as u16));
            let (conditional, in_cache) = (load.conditional.is_some(), load.spare.is_empty());
            self.plan.facts.push(TargetFacts { in_loop, head, conditional, in_cache });
            self.role(load.load, Role::Target(this));
            let head = load.head.map(|head| &chosen.loads[head]);
            let planned = self.planned(load, this, head, chosen.distance);
            self.plan.targets.push(planned);
        }
        let (distance, targets) = (chosen.distance, chosen.loads.len());
        self.plan.loops.push(LoopFacts { test, distance, first_target, targets });
    }

    fn planned(
        &mut self,
        load: &EarlyLoad,
        this: TargetNumber,
        head: Option<&EarlyLoad>,
        most: u32,
    ) -> PlannedTarget {
        let own = self.kernel.registers.len() as u32;
        let mut sequences = Vec::new();
        for distance in 1..=most {
            for register in 0..distance {
                let index =
                    head.and_then(|head| Some((head.load as u32, *head.spare.get(register as usize)?)));
                let mut needed = false;
                let mut steps = Vec::new();
                for instruction in load.sequence(distance, register) {
                    let purpose = match instruction.operation {
                        Operation::Load { .. } => Purpose::Prefetch(this, register as u8),
                        _ => Purpose::Address,
                    };
                    let reads = index.filter(|&(_, spare)| !needed && reads(instruction, spare));
                    needed |= reads.is_some();
                    let operation = self.add(instruction.clone(), load.load as u32);
                    steps.push(SequenceStep { operation, purpose, needs: reads.map(|(head, _)| head) });
                }
                sequences.push(steps);
            }
        }
        let moves = load.spare.iter().map(|&spare| self.add_move(load.load, spare)).collect();
        let as_cached = match load.spare.is_empty() {
            true => self.add(self.kernel.instructions[load.load].clone(), load.load as u32),
            false => u32::MAX,
        };
        let window = load.conditional.map_or((0, 0), |(from, to)| (from as u32, to as u32));
        let spare = load.spare.iter().map(|spare| spare.0 - own).collect();
        PlannedTarget { pc: load.load as u32, moves, spare, sequences, window, as_cached }
    }

    /// Adds an instruction; gives its number.
    fn add(&mut self, instruction: Instruction, pc: u32) -> u32 {
        let GpuSpec { core, latency, .. } = self.spec;
        let number = self.statics.add_injected(&instruction, &self.kernel.registers, core, latency);
        self.instructions.push((instruction, pc));
        number
    }

    /// The test's comparison without its predicates.
    fn add_comparison(&mut self, test: usize) -> u32 {
        let mut instruction = self.kernel.instructions[test].clone();
        if let Operation::SetPredicate { destination, complement, .. } = &mut instruction.operation {
            (*destination, *complement) = (None, None);
        }
        self.add(instruction, test as u32)
    }

    /// The move that a load becomes.
    fn add_move(&mut self, load: usize, spare: RegisterId) -> u32 {
        let mut destination = spare;
        let mut address = None;
        if let Operation::Load { destinations, address: from, .. } = &self.kernel.instructions[load].operation
        {
            destination = destinations.iter().flatten().next().copied().unwrap_or(spare);
            if let Address { base: AddressBase::Register(register), .. } = from {
                address = Some(*register);
            }
        }
        let ty = match self.kernel.registers[destination.0 as usize].ty.bytes() {
            8 => ScalarType::B64,
            2 => ScalarType::B16,
            _ => ScalarType::B32,
        };
        let (operation, mode) = (AluOperation::Move, AluMode::default());
        let sources = vec![Operand::Register(spare)];
        let operation = Operation::Alu { operation, ty, mode, destination, sources };
        let number = self.add(Instruction { guard: None, operation }, load as u32);
        address.into_iter().for_each(|register| self.statics.add_late(register));
        number
    }
}

/// Whether an instruction reads a register.
fn reads(instruction: &Instruction, register: RegisterId) -> bool {
    let mut found = false;
    registers_read(instruction, |read| found |= read == register);
    found
}
