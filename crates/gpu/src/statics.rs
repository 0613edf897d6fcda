//! What is known of every instruction of a kernel before it runs: registers, unit, timing, what it costs.

use crate::spec::{CoreSpec, LatencyTable, OperationTiming};
use crate::visibility::Visibility;
use heddle_ptx::analysis::{registers_read, registers_written};
use heddle_ptx::exec::{Action, CallCode, KernelCode, Kind};
use heddle_ptx::ir::{
    Address, AddressBase, AluOperation, Instruction, Module, Operation, Register, RegisterId, ScalarType,
};

/// The unit that executes an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unit {
    /// An arithmetic unit.
    Arithmetic,
    /// A special-function unit.
    Special,
    /// The load/store unit.
    Memory,
}

/// Units, for tables indexed by them.
pub(crate) const UNITS: usize = 3;

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
}

/// For which action an instruction is priced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PriceClass {
    Integer,
    IntegerMultiply,
    IntegerDivide,
    Float,
    FloatMultiply,
    FloatDivide,
    Special,
    Nothing,
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
    /// Registers of all functions together.
    pub(crate) register_count: usize,
}

impl Statics {
    /// Looks at all instructions of a kernel.
    pub(crate) fn new(
        code: &KernelCode,
        module: &Module,
        core: &CoreSpec,
        latency: &LatencyTable,
    ) -> Statics {
        let mut statics =
            Statics { operations: Vec::new(), registers: Vec::new(), numbers: Vec::new(), register_count: 0 };
        for function in &code.functions {
            let ir = &module.functions[function.id.0 as usize];
            for (number, instruction) in ir.instructions.iter().enumerate() {
                let kind = code.operations[function.start as usize + number].kind;
                statics.push(instruction, &kind, code, core, latency);
                statics.number_operands(instruction, &ir.registers);
            }
            // The implied return.
            statics.operations.push(StaticOperation {
                visibility: Visibility::default(),
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
        statics
    }

    /// Registers that must be ready before the instruction issues.
    #[inline(always)]
    pub(crate) fn needed(&self, pc: u32) -> &[u16] {
        let StaticOperation { first, count, late, .. } = self.operations[pc as usize];
        &self.registers[first as usize + late as usize..first as usize + count as usize]
    }

    /// Registers that must not wait for memory, and need not be ready otherwise.
    #[inline(always)]
    pub(crate) fn late(&self, pc: u32) -> &[u16] {
        let StaticOperation { first, late, .. } = self.operations[pc as usize];
        &self.registers[first as usize..first as usize + late as usize]
    }

    /// Registers that the instruction writes.
    #[inline(always)]
    pub(crate) fn written(&self, pc: u32) -> &[u16] {
        let StaticOperation { first, count, written, .. } = self.operations[pc as usize];
        &self.registers[first as usize + (count - written) as usize..first as usize + count as usize]
    }

    /// Numbers of the registers that an instruction reads, as often as it names them.
    #[inline(always)]
    pub(crate) fn sources(&self, pc: u32) -> &[u16] {
        let StaticOperation { first_number, sources, .. } = self.operations[pc as usize];
        &self.numbers[first_number as usize..first_number as usize + usize::from(sources)]
    }

    /// Numbers of the registers that it writes.
    #[inline(always)]
    pub(crate) fn results(&self, pc: u32) -> &[u16] {
        let StaticOperation { first_number, sources, results, .. } = self.operations[pc as usize];
        let first = first_number as usize + usize::from(sources);
        &self.numbers[first..first + usize::from(results)]
    }

    /// What the instruction writes, for an access that it begins.
    #[inline(always)]
    pub(crate) fn destinations(&self, pc: u32) -> Destinations {
        let StaticOperation { first, count, written, first_number, sources, results, .. } =
            self.operations[pc as usize];
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
    fn number_operands(&mut self, instruction: &Instruction, registers: &[Register]) {
        let first = self.numbers.len();
        let number = |register: RegisterId| number_of(&registers[register.0 as usize].name);
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
        kind: &Kind,
        code: &KernelCode,
        core: &CoreSpec,
        latency: &LatencyTable,
    ) {
        let base = self.register_count;
        let first = self.registers.len();
        let add = |list: &mut Vec<u16>, register: u32| {
            // Kernels with more registers than that exist only as tests of the parser; they wait together.
            let number = (base + register as usize).min(usize::from(u16::MAX)) as u16;
            if !list[first..].contains(&number) && list.len() - first < 64 {
                list.push(number);
            }
        };
        let mut list = std::mem::take(&mut self.registers);
        registers_read(instruction, |register| add(&mut list, register.0));
        let reads = (list.len() - first) as u8;
        let mut written: Vec<u16> = Vec::new();
        registers_written(instruction, |register| {
            written.push((base + register.0 as usize).min(usize::from(u16::MAX)) as u16);
        });
        written.dedup();
        // A register that is read and written is among those written.
        let reading: Vec<u16> = list[first..].iter().copied().filter(|r| !written.contains(r)).collect();
        list.truncate(first);
        let late = match late_address(instruction).filter(|_| !core.atomics_wait_for_address) {
            Some(register) => (base + register.0 as usize).min(usize::from(u16::MAX)) as u16,
            None => u16::MAX,
        };
        list.extend(reading.iter().filter(|&&register| register == late));
        let late_count = (list.len() - first) as u8;
        list.extend(reading.iter().filter(|&&register| register != late));
        list.extend_from_slice(&written);
        let count = (list.len() - first) as u8;
        self.registers = list;
        let (unit, timing, price) = timing(instruction, kind, latency);
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
            kind: operation_kind(instruction, kind, code),
            price,
            reads,
            writes: written.len() as u8,
            visibility: Visibility::of(instruction, core.atomics_pass_l1),
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

/// Cycles that a unit is busy with a warp instruction: as long as its lanes take to pass, or longer.
fn occupancy(core: &CoreSpec, unit: Unit, initiation: u32) -> u32 {
    let width = match unit {
        Unit::Arithmetic | Unit::Memory => core.simd_width,
        Unit::Special => core.special_width,
    };
    (32 / width.clamp(1, 32)).max(initiation)
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

/// The unit, the timing and the price of an instruction.
fn timing(
    instruction: &Instruction,
    kind: &Kind,
    table: &LatencyTable,
) -> (Unit, OperationTiming, PriceClass) {
    let memory = OperationTiming { latency: 1, initiation: 1 };
    match (kind, &instruction.operation) {
        (Kind::Access(_), _) => (Unit::Memory, memory, PriceClass::Nothing),
        (Kind::Collective(_), _) => (Unit::Arithmetic, table.shuffle, PriceClass::Integer),
        (Kind::Alu(_) | Kind::Timed(_), Operation::Alu { operation, ty, mode, .. }) => {
            alu_timing(*operation, *ty, mode.approximate, table)
        }
        (Kind::Alu(_) | Kind::Timed(_), _) => (Unit::Arithmetic, table.simple, PriceClass::Integer),
        (Kind::Fence | Kind::Nothing, _) => (Unit::Arithmetic, table.simple, PriceClass::Nothing),
        _ => (Unit::Arithmetic, table.branch, PriceClass::Nothing),
    }
}

fn alu_timing(
    operation: AluOperation,
    ty: ScalarType,
    approximate: bool,
    table: &LatencyTable,
) -> (Unit, OperationTiming, PriceClass) {
    use AluOperation as Alu;
    use PriceClass as Price;
    let double = ty == ScalarType::F64;
    let float = ty.is_float();
    let by_type = |single: OperationTiming, of_double: OperationTiming, integer: OperationTiming| match () {
        () if double => of_double,
        () if float => single,
        () => integer,
    };
    match operation {
        Alu::Add | Alu::Subtract | Alu::Absolute | Alu::Negate | Alu::SumOfDifferences => {
            let timing = by_type(table.float_add, table.double_add, table.integer_add);
            (Unit::Arithmetic, timing, if float { Price::Float } else { Price::Integer })
        }
        Alu::Minimum | Alu::Maximum => {
            let timing = by_type(table.float_max, table.double_add, table.integer_max);
            (Unit::Arithmetic, timing, if float { Price::Float } else { Price::Integer })
        }
        Alu::Multiply | Alu::MultiplyHigh | Alu::MultiplyWide | Alu::Multiply24 | Alu::Multiply24High => {
            let timing = by_type(table.float_multiply, table.double_multiply_add, table.integer_multiply);
            (Unit::Arithmetic, timing, if float { Price::FloatMultiply } else { Price::IntegerMultiply })
        }
        Alu::MultiplyAdd
        | Alu::MultiplyAddHigh
        | Alu::MultiplyAddWide
        | Alu::MultiplyAdd24
        | Alu::MultiplyAdd24High
        | Alu::DotProduct4 { .. }
        | Alu::DotProduct2 { .. } => {
            let timing =
                by_type(table.float_multiply_add, table.double_multiply_add, table.integer_multiply_add);
            (Unit::Arithmetic, timing, if float { Price::FloatMultiply } else { Price::IntegerMultiply })
        }
        Alu::Divide | Alu::Remainder => {
            let timing = by_type(table.float_divide, table.double_divide, table.integer_divide);
            let price = if float { Price::FloatDivide } else { Price::IntegerDivide };
            (Unit::Special, timing, price)
        }
        _ if is_special(operation) || float && approximate => (Unit::Special, table.special, Price::Special),
        _ => (Unit::Arithmetic, table.simple, Price::Integer),
    }
}

/// Operations of the special-function unit.
fn is_special(operation: AluOperation) -> bool {
    use AluOperation as Alu;
    matches!(
        operation,
        Alu::Reciprocal
            | Alu::SquareRoot
            | Alu::ReciprocalSquareRoot
            | Alu::Sine
            | Alu::Cosine
            | Alu::LogarithmBase2
            | Alu::PowerOf2
            | Alu::HyperbolicTangent
    )
}
