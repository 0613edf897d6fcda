//! Which registers an instruction reads and writes.

use crate::ir::{
    Address, AddressBase, Barrier, BarrierKind, Call, CallTarget, Instruction, Operand, Operation, RegisterId,
};

/// Calls `read` for every register that an instruction reads, its guard first; some more than once.
pub fn registers_read(instruction: &Instruction, mut read: impl FnMut(RegisterId)) {
    if let Some(guard) = instruction.guard {
        read(guard.register);
    }
    for_each_source(&instruction.operation, |source| match source {
        Source::Value(Operand::Register(register)) => read(*register),
        Source::Value(_) => {}
        Source::Address(Address { base: AddressBase::Register(register), .. }) => read(*register),
        Source::Address(_) => {}
    });
    if let Operation::Call(Call { target: CallTarget::Indirect(register, _), .. }) = &instruction.operation {
        read(*register);
    }
}

/// Calls `write` for every register that an instruction writes.
pub fn registers_written(instruction: &Instruction, mut write: impl FnMut(RegisterId)) {
    match &instruction.operation {
        Operation::Alu { destination, .. }
        | Operation::Pack { destination, .. }
        | Operation::Vote { destination, .. }
        | Operation::Reduce { destination, .. }
        | Operation::ActiveMask { destination }
        | Operation::Barrier(Barrier { kind: BarrierKind::Reduce { destination, .. }, .. }) => {
            write(*destination);
        }
        Operation::SetPredicate { destination, complement: other, .. }
        | Operation::Shuffle { destination, predicate: other, .. }
        | Operation::Match { destination, predicate: other, .. }
        | Operation::Elect { destination, predicate: other, .. } => {
            destination.iter().chain(other).for_each(|register| write(*register));
        }
        Operation::Unpack { parts: destinations, .. }
        | Operation::Load { destinations, .. }
        | Operation::Atomic { destinations, .. }
        | Operation::Texture { destinations, .. } => {
            destinations.iter().flatten().for_each(|register| write(*register));
        }
        Operation::Call(call) => {
            for result in &call.results {
                if let Operand::Register(register) = result {
                    write(*register);
                }
            }
        }
        _ => {}
    }
}

/// Something that an operation takes.
pub(crate) enum Source<'a> {
    /// A value.
    Value(&'a Operand),
    /// An address.
    Address(&'a Address),
}

/// Calls `take` for everything that an operation takes, in the order of the text; the address of an indirect
/// call's function is no operand and left out.
pub(crate) fn for_each_source<'a>(operation: &'a Operation, mut take: impl FnMut(Source<'a>)) {
    use Source::{Address, Value};
    match operation {
        Operation::Alu { sources, .. } | Operation::Pack { parts: sources, .. } => {
            sources.iter().for_each(|source| take(Value(source)));
        }
        Operation::SetPredicate { sources, combine, .. } => {
            sources.iter().for_each(|source| take(Value(source)));
            if let Some((_, other, _)) = combine {
                take(Value(other));
            }
        }
        Operation::Unpack { source, .. } => take(Value(source)),
        Operation::Load { address, .. } | Operation::Prefetch { address, .. } => take(Address(address)),
        Operation::Store { address, sources, .. } => {
            take(Address(address));
            sources.iter().for_each(|source| take(Value(source)));
        }
        Operation::Atomic { address, operands, swap, .. } => {
            take(Address(address));
            operands.iter().chain(swap).for_each(|source| take(Value(source)));
        }
        Operation::CopyAsync { to, from, source_bytes, .. } => {
            take(Address(to));
            take(Address(from));
            source_bytes.iter().for_each(|source| take(Value(source)));
        }
        Operation::Texture { texture, coordinate, .. } => {
            take(Value(texture));
            take(Value(coordinate));
        }
        Operation::Call(call) => call.arguments.iter().for_each(|source| take(Value(source))),
        Operation::BranchIndexed { index, .. } => take(Value(index)),
        other => for_each_collective_source(other, |source| take(Value(source))),
    }
}

/// The sources of what concerns other threads.
fn for_each_collective_source<'a>(operation: &'a Operation, mut take: impl FnMut(&'a Operand)) {
    match operation {
        Operation::Barrier(Barrier { kind, number, threads }) => {
            take(number);
            threads.iter().for_each(&mut take);
            if let BarrierKind::Reduce { source, .. } = kind {
                take(source);
            }
        }
        Operation::WarpBarrier { members } | Operation::Elect { members, .. } => take(members),
        Operation::Shuffle { source, lane, clamp, members, .. } => {
            [source, lane, clamp].into_iter().chain(members).for_each(take);
        }
        Operation::Vote { source, members, .. } => [source].into_iter().chain(members).for_each(take),
        Operation::Match { source, members, .. } | Operation::Reduce { source, members, .. } => {
            take(source);
            take(members);
        }
        _ => {}
    }
}
