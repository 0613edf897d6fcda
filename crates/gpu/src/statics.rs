//! What is known of every instruction of a kernel before it runs: registers, unit, timing, what it costs.

use crate::core::{InjectionPlan, OrderingRule, Waits};
use crate::operation_timing::{MEMORY, Needs, PriceClass, Unit, alu_timing, occupancy, timing};
use crate::spec::{CoreSpec, LatencyTable};
use crate::visibility::Visibility;
use heddle_ptx::analysis::{registers_read, registers_written};
use heddle_ptx::exec::{Action, CallCode, KernelCode, Kind};
use heddle_ptx::ir::{Address, AddressBase, Instruction, Module, Operation, Register, RegisterId};

/// What kind of waiting an instruction may bring.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OperationKind {
    /// Its result is there after its latency.
    Compute,
    /// It loads: its registers wait for memory.
    Load,
    /// It stores.
    Store,
    /// It reads, modifies and writes.
    Atomic,
    /// It may change the control flow of the warp.
    Control,
    /// It waits for other warps.
    Barrier,
    /// It waits until the warp's accesses are performed.
    Fence,
    /// It calls a function that the machine provides, which sees memory at once: it waits before it begins until the
    /// warp's accesses are performed.
    External,
    /// It calls a function that an agent of the memory system performs: a command goes out. It waits before it begins
    /// like any function that sees memory.
    MemoryCommand,
    /// It calls a function that an agent performs: a command goes out.
    Command,
}

impl OperationKind {
    /// Whether it asks memory for something.
    #[inline(always)]
    pub(crate) fn is_access(self) -> bool {
        matches!(self, OperationKind::Load | OperationKind::Store | OperationKind::Atomic)
    }
}

/// One instruction.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StaticOperation {
    /// Where its registers begin in [`Statics::registers`].
    first: u32,
    /// Registers that must be ready: those it reads, then those it writes.
    count: u8,
    /// How many of the first of them need not be ready unless they wait for memory.
    late: u8,
    /// How many of them it writes; they are the last.
    written: u8,
    /// Where the numbers of its operands begin in [`Statics::numbers`], how many it reads, and how many it writes.
    first_number: u32,
    sources: u8,
    results: u8,
    pub(crate) unit: Unit,
    /// Cycles of execution.
    pub(crate) latency: u32,
    /// Cycles that it occupies its unit.
    pub(crate) occupancy: u32,
    pub(crate) kind: OperationKind,
    pub(crate) price: PriceClass,
    /// Registers read and written, for energy.
    pub(crate) reads: u8,
    pub(crate) writes: u8,
    /// What the memory system is told of its order and scope.
    pub(crate) visibility: Visibility,
    /// What its warp waits for around it.
    pub(crate) waits: Waits,
    /// Whether it asks for more than its unit and its registers: it is observed, or calls a function of the machine.
    pub(crate) is_special: bool,
    /// Whether a mechanism observes it.
    pub(crate) is_observed: bool,
    /// Whether a mechanism may execute it as a move from spare registers.
    pub(crate) is_target: bool,
    /// Whether its value is there before its requests are answered.
    pub(crate) is_foreseen: bool,
}

/// Registers that an instruction writes: where the list stands that the scoreboard knows them by, and the one of
/// the numbers in their names.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Destinations {
    first: u32,
    first_number: u32,
    written: u8,
    results: u8,
}

/// All instructions of a kernel with the functions that it calls.
#[derive(Debug)]
pub(crate) struct Statics {
    pub(crate) operations: Vec<StaticOperation>,
    registers: Vec<u16>,
    /// Numbers in the names of registers, which decide about their banks: an instruction's sources, as often as it
    /// names them and without its guard, then its results.
    numbers: Vec<u16>,
    /// Registers of all functions together, and spare ones.
    pub(crate) register_count: usize,
    /// Those of them before the spare ones.
    own_registers: usize,
    /// Instructions of the program; those that a mechanism may inject come behind them.
    pub(crate) program_length: usize,
    /// The rule that says what its warps wait for.
    ordering: OrderingRule,
    /// What a mechanism may inject.
    pub(crate) injection: Option<InjectionPlan>,
}

impl Statics {
    /// Looks at all instructions of a kernel.
    pub(crate) fn new(
        code: &KernelCode,
        module: &Module,
        core: &CoreSpec,
        latency: &LatencyTable,
    ) -> Statics {
        let mut statics = Statics {
            operations: Vec::new(),
            registers: Vec::new(),
            numbers: Vec::new(),
            register_count: 0,
            own_registers: 0,
            program_length: 0,
            ordering: core.ordering_rule(),
            injection: None,
        };
        for function in &code.functions {
            let ir = &module.functions[function.id.0 as usize];
            for (number, instruction) in ir.instructions.iter().enumerate() {
                let kind = code.operations[function.start as usize + number].kind;
                let base = statics.register_count;
                let needs = timing(instruction, &kind, latency);
                let kind = operation_kind(instruction, &kind, code);
                statics.push(instruction, kind, needs, core, |register| base + register.0 as usize);
                statics.number_operands(instruction, |id| number_of(&ir.registers[id.0 as usize].name));
            }
            // The implied return.
            statics.operations.push(StaticOperation {
                visibility: Visibility::default(),
                waits: Waits::NOTHING,
                is_special: false,
                is_observed: false,
                is_target: false,
                is_foreseen: false,
                first: 0,
                count: 0,
                late: 0,
                written: 0,
                first_number: 0,
                sources: 0,
                results: 0,
                unit: Unit::Arithmetic,
                latency: latency.branch.latency,
                occupancy: occupancy(core, Unit::Arithmetic, latency.branch.initiation),
                kind: OperationKind::Control,
                price: PriceClass::Nothing,
                reads: 0,
                writes: 0,
            });
            statics.register_count += ir.registers.len();
        }
        statics.program_length = statics.operations.len();
        statics.own_registers = statics.register_count;
        statics
    }

    /// Makes commands of the calls of functions of the machine that agents take.
    pub(crate) fn take_commands(&mut self, taken_as: impl Fn(u32) -> Option<OperationKind>) {
        for (pc, operation) in self.operations.iter_mut().enumerate() {
            if operation.kind == OperationKind::External
                && let Some(kind) = taken_as(pc as u32)
            {
                operation.kind = kind;
                operation.waits = self.ordering.waits(kind, operation.visibility);
            }
        }
    }

    /// Adds an instruction that a mechanism may inject into a kernel with so many registers of its own; gives its
    /// number.
    pub(crate) fn add_injected(
        &mut self,
        instruction: &Instruction,
        kernel: &[Register],
        core: &CoreSpec,
        latency: &LatencyTable,
    ) -> u32 {
        let (kind, needs) = match &instruction.operation {
            Operation::Load { .. } => (OperationKind::Load, MEMORY),
            Operation::Alu { operation, ty, mode, .. } => {
                (OperationKind::Compute, alu_timing(*operation, *ty, mode.approximate, latency))
            }
            _ => (OperationKind::Compute, (Unit::Arithmetic, latency.simple, PriceClass::Integer)),
        };
        // Spare registers are numbered behind all others.
        let (own, all) = (kernel.len(), self.own_registers);
        let place = |register: RegisterId| match (register.0 as usize).checked_sub(own) {
            Some(spare) => all + spare,
            None => register.0 as usize,
        };
        self.push(instruction, kind, needs, core, place);
        self.number_operands(instruction, |register| match kernel.get(register.0 as usize) {
            Some(named) => number_of(&named.name),
            None => register.0 as u16,
        });
        self.operations.len() as u32 - 1
    }

    /// Holds the instruction that was added last back as long as a register waits for memory, and no longer: a load
    /// that has become a move does not use its address.
    pub(crate) fn add_late(&mut self, register: RegisterId) {
        let Some(operation) = self.operations.last_mut() else { return };
        self.registers.insert(operation.first as usize, register.0.min(u32::from(u16::MAX)) as u16);
        operation.late += 1;
        operation.count += 1;
    }

    /// Registers that must be ready before the instruction issues.
    #[inline(always)]
    pub(crate) fn needed(&self, operation: &StaticOperation) -> &[u16] {
        let &StaticOperation { first, count, late, .. } = operation;
        &self.registers[first as usize + late as usize..first as usize + count as usize]
    }

    /// Registers that must not wait for memory, and need not be ready otherwise.
    #[inline(always)]
    pub(crate) fn late(&self, operation: &StaticOperation) -> &[u16] {
        let &StaticOperation { first, late, .. } = operation;
        &self.registers[first as usize..first as usize + late as usize]
    }

    /// Registers that the instruction writes.
    #[inline(always)]
    pub(crate) fn written(&self, operation: &StaticOperation) -> &[u16] {
        let &StaticOperation { first, count, written, .. } = operation;
        &self.registers[first as usize + (count - written) as usize..first as usize + count as usize]
    }

    /// Numbers of the registers that an instruction reads, as often as it names them.
    #[inline(always)]
    pub(crate) fn sources(&self, operation: &StaticOperation) -> &[u16] {
        let &StaticOperation { first_number, sources, .. } = operation;
        &self.numbers[first_number as usize..first_number as usize + usize::from(sources)]
    }

    /// Numbers of the registers that it writes.
    #[inline(always)]
    pub(crate) fn results(&self, operation: &StaticOperation) -> &[u16] {
        let &StaticOperation { first_number, sources, results, .. } = operation;
        let first = first_number as usize + usize::from(sources);
        &self.numbers[first..first + usize::from(results)]
    }

    /// What the instruction writes, for an access that it begins.
    #[inline(always)]
    pub(crate) fn destinations(&self, operation: &StaticOperation) -> Destinations {
        let &StaticOperation { first, count, written, first_number, sources, results, .. } = operation;
        Destinations {
            first: first + u32::from(count - written),
            first_number: first_number + u32::from(sources),
            written,
            results,
        }
    }

    /// Registers that are written there.
    #[inline(always)]
    pub(crate) fn written_by(&self, to: Destinations) -> &[u16] {
        &self.registers[to.first as usize..to.first as usize + usize::from(to.written)]
    }

    /// Numbers in their names.
    #[inline(always)]
    pub(crate) fn results_of(&self, to: Destinations) -> &[u16] {
        &self.numbers[to.first_number as usize..to.first_number as usize + usize::from(to.results)]
    }

    /// Adds the numbers of the operands of the instruction that was pushed last.
    fn number_operands(&mut self, instruction: &Instruction, number: impl Fn(RegisterId) -> u16) {
        let first = self.numbers.len();
        // The guard comes first, and is no operand.
        let mut skip = usize::from(instruction.guard.is_some());
        registers_read(instruction, |register| match skip {
            0 => self.numbers.push(number(register)),
            _ => skip -= 1,
        });
        let sources = self.numbers.len() - first;
        registers_written(instruction, |register| self.numbers.push(number(register)));
        let results = self.numbers.len() - first - sources;
        if let Some(operation) = self.operations.last_mut() {
            operation.first_number = first as u32;
            (operation.sources, operation.results) = (sources as u8, results as u8);
        }
    }

    fn push(
        &mut self,
        instruction: &Instruction,
        kind: OperationKind,
        (unit, timing, price): Needs,
        core: &CoreSpec,
        place: impl Fn(RegisterId) -> usize,
    ) {
        let first = self.registers.len();
        // Kernels with more registers than that exist only as tests of the parser; they wait together.
        let place = |register: RegisterId| place(register).min(usize::from(u16::MAX)) as u16;
        let add = |list: &mut Vec<u16>, register: RegisterId| {
            let number = place(register);
            if !list[first..].contains(&number) && list.len() - first < 64 {
                list.push(number);
            }
        };
        let mut list = std::mem::take(&mut self.registers);
        registers_read(instruction, |register| add(&mut list, register));
        let reads = (list.len() - first) as u8;
        let mut written: Vec<u16> = Vec::new();
        registers_written(instruction, |register| written.push(place(register)));
        written.dedup();
        // A register that is read and written is among those written.
        let reading: Vec<u16> = list[first..].iter().copied().filter(|r| !written.contains(r)).collect();
        list.truncate(first);
        let late = match late_address(instruction).filter(|_| !core.atomics_wait_for_address) {
            Some(register) => place(register),
            None => u16::MAX,
        };
        list.extend(reading.iter().filter(|&&register| register == late));
        let late_count = (list.len() - first) as u8;
        list.extend(reading.iter().filter(|&&register| register != late));
        list.extend_from_slice(&written);
        let count = (list.len() - first) as u8;
        self.registers = list;
        let visibility = Visibility::of(instruction, core.atomics_pass_l1);
        self.operations.push(StaticOperation {
            first: first as u32,
            count,
            late: late_count,
            written: written.len() as u8,
            first_number: 0,
            sources: 0,
            results: 0,
            unit,
            latency: timing.latency,
            occupancy: occupancy(core, unit, timing.initiation),
            kind,
            price,
            reads,
            writes: written.len() as u8,
            visibility,
            waits: self.ordering.waits(kind, visibility),
            is_special: kind == OperationKind::External,
            is_observed: false,
            is_target: false,
            is_foreseen: false,
        });
    }
}

/// The register of an atomic's address, unless it is an operand as well.
fn late_address(instruction: &Instruction) -> Option<RegisterId> {
    let Operation::Atomic { address: Address { base: AddressBase::Register(register), .. }, .. } =
        &instruction.operation
    else {
        return None;
    };
    let mut named = 0;
    registers_read(instruction, |read| named += u32::from(read == *register));
    (named == 1).then_some(*register)
}

/// The number in a register's name.
fn number_of(name: &str) -> u16 {
    let digits = name.trim_start_matches(|letter: char| !letter.is_ascii_digit());
    let digits = digits.split(|letter: char| !letter.is_ascii_digit()).next().unwrap_or_default();
    (digits.parse::<u64>().unwrap_or_default() % (1 << 16)) as u16
}

fn operation_kind(instruction: &Instruction, kind: &Kind, code: &KernelCode) -> OperationKind {
    match kind {
        Kind::Access(number) => match code.accesses[*number as usize].action {
            Action::Store => OperationKind::Store,
            Action::Atomic { .. } => OperationKind::Atomic,
            _ => OperationKind::Load,
        },
        Kind::Barrier(_) => OperationKind::Barrier,
        Kind::Fence => OperationKind::Fence,
        Kind::Alu(_) | Kind::Timed(_) | Kind::Collective(_) => OperationKind::Compute,
        Kind::Nothing if matches!(instruction.operation, Operation::CopyWait) => OperationKind::Fence,
        Kind::Nothing => OperationKind::Compute,
        Kind::Call(number) if matches!(code.calls[*number as usize], CallCode::External { .. }) => {
            OperationKind::External
        }
        _ => OperationKind::Control,
    }
}
