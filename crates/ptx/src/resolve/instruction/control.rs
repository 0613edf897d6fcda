//! Flow of control except calls: PTX ISA 8.5, section 9.7.12, and `trap`, `brkpt`, `nanosleep`, `pmevent` of
//! section 9.7.19.

use super::Resolved;
use super::context::{Context, Value, at, place_of};
use super::words::problem;
use crate::Place;
use crate::ir::ScalarType::U32;
use crate::ir::{Label, Operation};
use crate::resolve::scope::{Named, Problem};
use crate::syntax::{self, Expression};

/// The name that an operand is.
pub(super) fn name<'o>(operand: &'o syntax::Operand, expected: &str) -> Result<(Place, &'o str), Problem> {
    match operand {
        syntax::Operand::Name(place, name) => Ok((*place, name)),
        syntax::Operand::Constant(place, Expression::Symbol { name, addend: 0, generic: false }) => {
            Ok((*place, name))
        }
        other => Err(at(place_of(other), format!("{expected} is expected here"))),
    }
}

/// What a label or a table is called must be in scope as such.
fn find(context: &mut Context<'_>, expected: &str) -> Result<(Place, String, Named), Problem> {
    let (place, name) = name(context.take()?, expected)?;
    match context.value(place, name)? {
        Value::Other(named) => Ok((place, name.to_owned(), named)),
        _ => Err(at(place, format!("`{name}` is a register; {expected} is expected here"))),
    }
}

/// `bra`
pub(super) fn branch(context: &mut Context<'_>) -> Resolved {
    let uniform = context.words.flag("uni");
    context.shape(1)?;
    match find(context, "a label")? {
        (_, _, Named::Label(target)) => Ok(Operation::Branch { target, uniform }),
        (place, name, _) => Err(at(place, format!("`{name}` is not a label of this function"))),
    }
}

/// `brx.idx`
pub(super) fn branch_indexed(context: &mut Context<'_>) -> Resolved {
    context.words.need_flag("idx")?;
    let uniform = context.words.flag("uni");
    context.shape(2)?;
    let index = context.source(U32)?;
    let targets: Vec<Label> = match find(context, "the name of a .branchtargets list")? {
        (_, _, Named::BranchTargets(targets)) => targets,
        (place, name, _) => return Err(at(place, format!("`{name}` is not a .branchtargets list"))),
    };
    if targets.is_empty() {
        return Err(problem("the .branchtargets list is empty"));
    }
    Ok(Operation::BranchIndexed { index, targets, uniform })
}

/// `ret`
pub(super) fn ret(context: &mut Context<'_>) -> Resolved {
    context.words.flag("uni");
    context.shape(0)?;
    Ok(Operation::Return)
}

/// `exit`
pub(super) fn exit(context: &mut Context<'_>) -> Resolved {
    context.shape(0)?;
    Ok(Operation::Exit)
}

/// `trap`
pub(super) fn trap(context: &mut Context<'_>) -> Resolved {
    context.shape(0)?;
    Ok(Operation::Trap)
}

/// `brkpt`: there is no debugger.
pub(super) fn breakpoint(context: &mut Context<'_>) -> Resolved {
    context.shape(0)?;
    Ok(Operation::Nothing)
}

/// `nanosleep`: a suggestion.
pub(super) fn sleep(context: &mut Context<'_>) -> Resolved {
    context.words.ty(&[U32])?;
    context.shape(1)?;
    context.source(U32)?;
    Ok(Operation::Nothing)
}

/// `pmevent`: triggers performance counters that there are not.
pub(super) fn performance_event(context: &mut Context<'_>) -> Resolved {
    context.words.flag("mask");
    context.shape(1)?;
    context.constant()?;
    Ok(Operation::Nothing)
}
