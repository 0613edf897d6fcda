//! Which parameter or variable an address comes from.

use crate::analysis::operands::registers_written;
use crate::ir::{AddressBase, AluOperation, Function, Instruction, Operand, Operation, StateSpace, Symbol};

/// What an address is relative to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Region {
    /// A pointer in a parameter of the kernel or function, at this offset of it.
    Parameter {
        /// The parameter, by position.
        index: u32,
        /// Where in it, for structs.
        offset: i64,
    },
    /// A variable.
    Variable(crate::ir::VariableId),
}

/// What is known of the origin of a register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Origin {
    /// Nothing flows into it that could be an address.
    None,
    /// This; surely a pointer if it was converted as one.
    One(Region, bool),
    /// More than one.
    Several,
}

/// The region of each register's value, where one alone comes into question.
pub(in crate::analysis) fn regions(function: &Function) -> Vec<Option<Region>> {
    let mut origins = vec![Origin::None; function.registers.len()];
    // Each register changes at most three times, so that this ends.
    loop {
        let mut changed = false;
        for instruction in &function.instructions {
            let found = origin(instruction, &origins);
            registers_written(instruction, |register| {
                let known = &mut origins[register.0 as usize];
                let joined = join(*known, found);
                changed |= joined != *known;
                *known = joined;
            });
        }
        if !changed {
            break;
        }
    }
    let region = |origin| match origin {
        Origin::One(region, _) => Some(region),
        Origin::None | Origin::Several => None,
    };
    origins.into_iter().map(region).collect()
}

/// The region of an address whose base is a symbol.
pub(super) fn of_symbol(symbol: Symbol) -> Option<Region> {
    match symbol {
        Symbol::Variable(variable) => Some(Region::Variable(variable)),
        _ => None,
    }
}

/// Origins that meet in one register.
fn join(one: Origin, other: Origin) -> Origin {
    match (one, other) {
        (Origin::None, known) | (known, Origin::None) => known,
        (Origin::One(a, sure), Origin::One(b, certain)) if a == b => Origin::One(a, sure || certain),
        _ => Origin::Several,
    }
}

/// The origin of a sum: of the operand that is a pointer.
fn added(one: Origin, other: Origin) -> Origin {
    match (one, other) {
        (Origin::None, known) | (known, Origin::None) => known,
        (sure @ Origin::One(_, true), Origin::One(_, false)) => sure,
        (Origin::One(_, false), sure @ Origin::One(_, true)) => sure,
        (one, other) => join(one, other),
    }
}

fn origin(instruction: &Instruction, origins: &[Origin]) -> Origin {
    let of = |operand: &Operand| match operand {
        Operand::Register(register) => origins[register.0 as usize],
        Operand::Symbol(symbol, _) => of_symbol(*symbol).map_or(Origin::None, |r| Origin::One(r, true)),
        _ => Origin::None,
    };
    match &instruction.operation {
        Operation::Load { access, address, .. } => match address.base {
            AddressBase::Symbol(Symbol::Parameter(index))
                if access.space == StateSpace::Parameter && access.ty.bytes() == 8 =>
            {
                Origin::One(Region::Parameter { index, offset: address.offset }, false)
            }
            _ => Origin::None,
        },
        Operation::Alu { operation, ty, sources, .. } => {
            // A 32-bit address is one of shared or local memory, whose variables are known by symbol.
            match (operation, sources.as_slice()) {
                (AluOperation::Move, [source]) => of(source),
                (AluOperation::FromGeneric(_) | AluOperation::ToGeneric(_), [source]) => match of(source) {
                    Origin::One(region, _) => Origin::One(region, true),
                    other => other,
                },
                (AluOperation::Convert(to), [source]) if to.bytes() == ty.bytes() => of(source),
                (AluOperation::Add, [one, other]) => added(of(one), of(other)),
                (AluOperation::Subtract, [one, _]) => of(one),
                (AluOperation::MultiplyAdd | AluOperation::MultiplyAddWide, [_, _, third]) => of(third),
                (AluOperation::Select, [one, other, _]) => join(of(one), of(other)),
                _ => Origin::None,
            }
        }
        _ => Origin::None,
    }
}
