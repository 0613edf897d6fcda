//! What the decoder of a core tells of an instruction.

use heddle_ptx::analysis::registers_written;
use heddle_ptx::ir::{
    Address, AddressBase, AluOperation, Instruction, Operand, Operation, Ordering, RegisterId, StateSpace,
};

/// The opcodes that addresses are commonly computed with (\[Lakshminarayana14\] table 1), and those that carry on what
/// they read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AddressOpcode {
    /// `mov`, `cvt` among integers.
    Copy,
    /// `add`.
    Add,
    /// `sub`.
    Subtract,
    /// `mul`, `mul.wide`.
    Multiply,
    /// `shl`.
    ShiftLeft,
    /// `mad`, `mad.wide`.
    MultiplyAdd,
}

/// An integer instruction that addresses are computed with: opcode, destination, sources. Guarded ones are none.
pub(super) fn address_arithmetic(
    instruction: &Instruction,
) -> Option<(AddressOpcode, RegisterId, &[Operand])> {
    let Instruction { guard: None, operation: Operation::Alu { operation, ty, mode, destination, sources } } =
        instruction
    else {
        return None;
    };
    let opcode = match operation {
        AluOperation::Move => AddressOpcode::Copy,
        AluOperation::Convert(to) if !to.is_float() => AddressOpcode::Copy,
        AluOperation::Add => AddressOpcode::Add,
        AluOperation::Subtract => AddressOpcode::Subtract,
        AluOperation::Multiply | AluOperation::MultiplyWide => AddressOpcode::Multiply,
        AluOperation::ShiftLeft => AddressOpcode::ShiftLeft,
        AluOperation::MultiplyAdd | AluOperation::MultiplyAddWide => AddressOpcode::MultiplyAdd,
        _ => return None,
    };
    let plain = !ty.is_float() && !mode.saturate && !mode.carry_in && !mode.carry_out;
    plain.then_some((opcode, *destination, sources))
}

/// The register of the address of a load from a read-only array (`ld.global.nc`), of one element and not guarded: such
/// loads alone can be prefetched.
pub(super) fn read_only_load(instruction: &Instruction) -> Option<RegisterId> {
    let Instruction { guard: None, operation: Operation::Load { access, destinations, address } } =
        instruction
    else {
        return None;
    };
    let read_only =
        access.non_coherent && access.space == StateSpace::Global && access.ordering == Ordering::Weak;
    let &Address { base: AddressBase::Register(base), .. } = address else { return None };
    (read_only && matches!(destinations[..], [Some(_)])).then_some(base)
}

/// Calls `write` for every register that an instruction writes.
pub(super) fn written(instruction: &Instruction, write: impl FnMut(RegisterId)) {
    registers_written(instruction, write);
}
