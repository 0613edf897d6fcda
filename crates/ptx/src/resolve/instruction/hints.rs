//! Instructions without an effect on values: prefetches, cache policies, launch and register control. PTX ISA
//! 8.5, sections 9.7.9, 9.7.13 and 9.7.19.

use super::Resolved;
use super::context::Context;
use super::tables::ATOMIC_SPACES;
use super::words::{Table, problem};
use crate::ir::ScalarType::{B64, F32, U32};
use crate::ir::{AluMode, AluOperation, Operand, Operation, StateSpace};

/// `prefetch`
pub(super) fn prefetch(context: &mut Context<'_>) -> Resolved {
    const LEVELS: Table<u8> = &[("L1", 1), ("L2", 2), ("L2::evict_last", 2), ("L2::evict_normal", 2)];
    context.words.refuse(&[("tensormap", "tensor maps are not modelled")])?;
    let space = context.words.choice(&[("global", StateSpace::Global), ("local", StateSpace::Local)]);
    let level = context.words.need("the level", LEVELS)?;
    finish(context, space.unwrap_or(StateSpace::Generic), level, false)
}

/// `prefetchu`
pub(super) fn prefetch_uniform(context: &mut Context<'_>) -> Resolved {
    context.words.need_flag("L1")?;
    finish(context, StateSpace::Generic, 1, false)
}

/// `applypriority`
pub(super) fn apply_priority(context: &mut Context<'_>) -> Resolved {
    let space = context.words.choice(&[("global", StateSpace::Global)]);
    context.words.need_flag("L2::evict_normal")?;
    finish(context, space.unwrap_or(StateSpace::Generic), 2, true)
}

/// `discard`: what was there is undefined afterwards, so that it may as well stay.
pub(super) fn discard(context: &mut Context<'_>) -> Resolved {
    let space = context.words.choice(&[("global", StateSpace::Global)]);
    context.words.need_flag("L2")?;
    finish(context, space.unwrap_or(StateSpace::Generic), 2, true)
}

fn finish(context: &mut Context<'_>, space: StateSpace, level: u8, sized: bool) -> Resolved {
    context.shape(1 + usize::from(sized))?;
    let address = context.address(space)?;
    if sized && context.source(U32)? != Operand::Immediate(128) {
        return Err(problem("the size is the constant 128"));
    }
    Ok(Operation::Prefetch { space, level, address })
}

const PRIORITIES: Table<()> =
    &[("L2::evict_last", ()), ("L2::evict_normal", ()), ("L2::evict_first", ()), ("L2::evict_unchanged", ())];

/// `createpolicy`: its result is opaque, and zero here.
pub(super) fn create_policy(context: &mut Context<'_>) -> Resolved {
    let form = context.words.need("the form", &[("fractional", 0), ("range", 1), ("cvt", 2)])?;
    context.words.choice(ATOMIC_SPACES);
    context.words.choice(PRIORITIES);
    context.words.choice(PRIORITIES);
    context.words.flag("L2");
    context.words.ty(&[B64])?;
    context.shape_of(match form {
        0 => &[1, 2],
        1 => &[4],
        _ => &[2],
    })?;
    let destination = context.destination(B64)?;
    match form {
        0 if context.left() > 0 => drop(context.source(F32)?),
        0 => {}
        1 => {
            context.address(StateSpace::Generic)?;
            context.source(U32)?;
            context.source(U32)?;
        }
        _ => drop(context.source(B64)?),
    }
    let sources = vec![Operand::Immediate(0)];
    let (operation, mode) = (AluOperation::Move, AluMode::default());
    Ok(Operation::Alu { operation, ty: B64, mode, destination, sources })
}

/// `griddepcontrol`: a launch here never overlaps another.
pub(super) fn grid_dependency(context: &mut Context<'_>) -> Resolved {
    context.words.need("the action", &[("launch_dependents", ()), ("wait", ())])?;
    context.shape(0)?;
    Ok(Operation::Nothing)
}

/// `setmaxnreg`
pub(super) fn set_registers(context: &mut Context<'_>) -> Resolved {
    context.words.need("the action", &[("inc", ()), ("dec", ())])?;
    context.words.need_flag("sync")?;
    context.words.need_flag("aligned")?;
    context.words.ty(&[U32])?;
    context.shape(1)?;
    context.constant()?;
    Ok(Operation::Nothing)
}
