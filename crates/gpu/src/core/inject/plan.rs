//! What can be observed and injected in a kernel: the compiler's plan, by instructions of the decoded code.

use super::{Loops, Purpose, Target, TargetNumber};
use crate::gpu_spec::GpuSpec;
use crate::statics::Statics;
use heddle_ptx::analysis::{Before, PrefetchBudget, PrefetchLoop, PrefetchPlan, prefetch_plan};
use heddle_ptx::exec::LaunchError;
use heddle_ptx::exec::timed::Execution;
use heddle_ptx::ir::{
    Address, AddressBase, AluMode, AluOperation, Function, Instruction, Operand, Operation, RegisterId,
    ScalarType,
};

/// Why an instruction of the program is observed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// It compares the values of a loop's test; whether the induction variable is the second of them.
    Comparison(usize, bool),
    /// The loop begins behind it.
    Entry(usize),
    /// It is a load that can be prefetched.
    Target(TargetNumber),
}

/// A load that can be prefetched, and what does so.
#[derive(Clone, Debug)]
pub(super) struct PlannedTarget {
    /// The load.
    pub(super) pc: u32,
    /// The move that it becomes.
    pub(super) as_move: u32,
    /// The spare register, by number among them.
    pub(super) spare: u32,
    /// The instructions that prefetch it.
    pub(super) sequence: Vec<(u32, Purpose)>,
}

/// The plan of a kernel.
#[derive(Clone, Debug, Default)]
pub(crate) struct InjectionPlan {
    /// The first injected instruction.
    first: u32,
    operations: usize,
    /// By instruction of the program, in order.
    roles: Vec<(u32, Role)>,
    /// What the mechanism knows.
    pub(super) loops: Loops,
    pub(super) targets: Vec<PlannedTarget>,
    /// By loop: the comparison that is made where the loop is entered, if no instruction of the program makes it.
    pub(super) comparisons: Vec<Option<u32>>,
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
        spare: u32,
    ) -> Result<(), LaunchError> {
        let kernel = execution.kernel().1;
        let budget = PrefetchBudget {
            registers: spare,
            pairs: spec.core.prefetch_pairs,
            instructions: spec.core.prefetch_instructions,
        };
        let plan = prefetch_plan(kernel, budget);
        let mut builder =
            Builder { kernel, statics, spec, plan: InjectionPlan::default(), instructions: Vec::new() };
        builder.plan.first = builder.statics.operations.len() as u32;
        for planned in &plan.loops {
            builder.add_loop(planned);
        }
        let Builder { plan: mut made, instructions, .. } = builder;
        made.operations = instructions.len();
        made.roles
            .sort_by_key(|&(pc, role)| (pc, matches!(role, Role::Target(_)), matches!(role, Role::Entry(_))));
        for &(pc, role) in &made.roles {
            statics.operations[pc as usize].is_observed = true;
            statics.operations[pc as usize].is_special = true;
            statics.operations[pc as usize].is_target |= matches!(role, Role::Target(_));
        }
        statics.register_count += plan.registers.len();
        statics.injection = Some(made);
        let PrefetchPlan { registers, .. } = plan;
        execution.allow_injected(&registers, &instructions)
    }

    /// Why an instruction of the program is observed.
    pub(super) fn roles(&self, pc: u32) -> &[(u32, Role)] {
        let start = self.roles.partition_point(|&(other, _)| other < pc);
        let end = start + self.roles[start..].partition_point(|&(other, _)| other == pc);
        &self.roles[start..end]
    }

    /// The target that a load is.
    pub(super) fn target(&self, pc: u32) -> Option<TargetNumber> {
        self.roles(pc).iter().find_map(|&(_, role)| match role {
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
        let prefetches =
            |target: &&PlannedTarget| target.sequence.last().is_some_and(|last| last.0 == operation);
        self.targets.iter().find(prefetches).map(|target| target.pc)
    }
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
    fn add_loop(&mut self, planned: &PrefetchLoop) {
        self.plan.without_register.extend(planned.without_register.iter().map(|&load| load as u32));
        if planned.targets.is_empty() {
            return;
        }
        let number = self.plan.loops.tests.len();
        let test = planned.test;
        self.plan.loops.tests.push(test);
        let mut role = |pc: usize, role: Role| self.plan.roles.push((pc as u32, role));
        role(test.instruction, Role::Comparison(number, test.swapped));
        planned.entries.iter().for_each(|&pc| role(pc, Role::Entry(number)));
        if let Before::Comparison(pc, swapped) = planned.before {
            role(pc, Role::Comparison(number, swapped));
        }
        let comparison = match planned.before {
            Before::Nothing => Some(self.add_comparison(test.instruction)),
            _ => None,
        };
        self.plan.comparisons.push(comparison);
        let first = self.plan.targets.len();
        for target in &planned.targets {
            let this = TargetNumber(self.plan.targets.len() as u16);
            let head = target.head.map(|head| TargetNumber((first + head) as u16));
            self.plan.loops.targets.push(Target { in_loop: number, head });
            self.plan.roles.push((target.load as u32, Role::Target(this)));
            let mut sequence = Vec::new();
            for instruction in &target.sequence {
                let purpose = match instruction.operation {
                    Operation::Load { .. } => Purpose::Prefetch(this),
                    _ => Purpose::Address,
                };
                sequence.push((self.add(instruction.clone(), target.load as u32), purpose));
            }
            let own = self.kernel.registers.len() as u32;
            let spare = target.spare.iter().flatten().next().map_or(own, |register| register.0);
            let as_move = self.add_move(target.load, RegisterId(spare));
            let spare = spare - own;
            self.plan.targets.push(PlannedTarget { pc: target.load as u32, as_move, spare, sequence });
        }
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
