//! The unit that executes an instruction, how long it takes, and for which action it is priced.

use crate::spec::{CoreSpec, LatencyTable, OperationTiming};
use heddle_ptx::exec::Kind;
use heddle_ptx::ir::{AluOperation, Instruction, Operation, ScalarType};

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

/// What an instruction occupies: its unit, for how long, and its price.
pub(crate) type Needs = (Unit, OperationTiming, PriceClass);

/// Cycles that a unit is busy with a warp instruction: as long as its lanes take to pass, or longer.
pub(crate) fn occupancy(core: &CoreSpec, unit: Unit, initiation: u32) -> u32 {
    let width = match unit {
        Unit::Arithmetic | Unit::Memory => core.simd_width,
        Unit::Special => core.special_width,
    };
    (32 / width.clamp(1, 32)).max(initiation)
}

/// Of every access: the memory system has its own times and prices.
pub(crate) const MEMORY: Needs =
    (Unit::Memory, OperationTiming { latency: 1, initiation: 1 }, PriceClass::Nothing);

/// The unit, the timing and the price of an instruction.
pub(crate) fn timing(instruction: &Instruction, kind: &Kind, table: &LatencyTable) -> Needs {
    match (kind, &instruction.operation) {
        (Kind::Access(_), _) => MEMORY,
        (Kind::Collective(_), _) => (Unit::Arithmetic, table.shuffle, PriceClass::Integer),
        (Kind::Alu(_) | Kind::Timed(_), Operation::Alu { operation, ty, mode, .. }) => {
            alu_timing(*operation, *ty, mode.approximate, table)
        }
        (Kind::Alu(_) | Kind::Timed(_), _) => (Unit::Arithmetic, table.simple, PriceClass::Integer),
        (Kind::Fence | Kind::Nothing, _) => (Unit::Arithmetic, table.simple, PriceClass::Nothing),
        _ => (Unit::Arithmetic, table.branch, PriceClass::Nothing),
    }
}

pub(crate) fn alu_timing(
    operation: AluOperation,
    ty: ScalarType,
    approximate: bool,
    table: &LatencyTable,
) -> Needs {
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
