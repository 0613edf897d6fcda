//! What the lanes of a warp do together: PTX ISA 8.5, sections 9.7.9 (`shfl`) and 9.7.13 (`vote`, `match`,
//! `redux`, `activemask`, `elect`).

use super::Resolved;
use super::context::Context;
use super::words::{Table, problem};
use crate::ir::ScalarType::{B32, B64, Pred, S32, U32, U64};
use crate::ir::{AluMode, AluOperation, Operand, Operation, Reduction, ShuffleMode, VoteMode};
use crate::resolve::scope::Problem;

const SHUFFLES: Table<ShuffleMode> = &[
    ("up", ShuffleMode::Up),
    ("down", ShuffleMode::Down),
    ("bfly", ShuffleMode::Butterfly),
    ("idx", ShuffleMode::Index),
];

/// The lanes that take part, for the forms with `.sync`.
fn members(context: &mut Context<'_>, sync: bool) -> Result<Option<Operand>, Problem> {
    if sync { context.source(B32).map(Some) } else { Ok(None) }
}

/// `shfl`, `shfl.sync`
pub(super) fn shuffle(context: &mut Context<'_>) -> Resolved {
    let sync = context.words.flag("sync");
    let mode = context.words.need("the mode", SHUFFLES)?;
    let ty = context.words.ty(&[B32])?;
    context.shape(4 + usize::from(sync))?;
    let (destination, predicate) = context.destinations_with_predicate(ty)?;
    let (source, lane, clamp) = (context.source(ty)?, context.source(B32)?, context.source(B32)?);
    let members = members(context, sync)?;
    Ok(Operation::Shuffle { mode, destination, predicate, source, lane, clamp, members })
}

const VOTES: Table<VoteMode> = &[
    ("all", VoteMode::All),
    ("any", VoteMode::Any),
    ("uni", VoteMode::Uniform),
    ("ballot", VoteMode::Ballot),
];

/// `vote`, `vote.sync`
pub(super) fn vote(context: &mut Context<'_>) -> Resolved {
    let sync = context.words.flag("sync");
    let mode = context.words.need("the question", VOTES)?;
    let ty = if mode == VoteMode::Ballot { B32 } else { Pred };
    context.words.ty(&[ty])?;
    context.shape(2 + usize::from(sync))?;
    let destination = context.destination(ty)?;
    let (source, negated) = context.predicate()?;
    let members = members(context, sync)?;
    Ok(Operation::Vote { mode, destination, source, negated, members })
}

/// `match.any.sync`, `match.all.sync`
pub(super) fn matching(context: &mut Context<'_>) -> Resolved {
    let all = context.words.need("the question", &[("any", false), ("all", true)])?;
    context.words.need_flag("sync")?;
    let ty = context.words.ty(&[B32, B64])?;
    context.shape(3)?;
    // Clang up to version 16 gives the mask of a 64-bit match a 64-bit register.
    let wide = ty == B64 && context.destinations_with_predicate_fit(B64);
    let (destination, predicate) = context.destinations_with_predicate(if wide { B64 } else { B32 })?;
    if predicate.is_some() && !all {
        return Err(problem("match.any has no predicate; match.all has one"));
    }
    let (source, members) = (context.source(ty)?, context.source(B32)?);
    let Some(whole) = destination.filter(|_| wide) else {
        return Ok(Operation::Match { all, ty, destination, predicate, source, members });
    };
    let mask = context.scope.temporary(U32);
    context.before(Operation::Match { all, ty, destination: Some(mask), predicate, source, members });
    Ok(Operation::Alu {
        operation: AluOperation::Convert(U64),
        ty: U32,
        mode: AluMode::default(),
        destination: whole,
        sources: vec![Operand::Register(mask)],
    })
}

const REDUCTIONS: Table<Reduction> = &[
    ("add", Reduction::Add),
    ("min", Reduction::Minimum),
    ("max", Reduction::Maximum),
    ("and", Reduction::And),
    ("or", Reduction::Or),
    ("xor", Reduction::Xor),
];

/// `redux.sync`
pub(super) fn reduce(context: &mut Context<'_>) -> Resolved {
    context.words.need_flag("sync")?;
    context.words.refuse(&[("f32", "reduce with shfl.sync and min.f32 or max.f32")])?;
    let operation = context.words.need("the operation", REDUCTIONS)?;
    let bitwise = matches!(operation, Reduction::And | Reduction::Or | Reduction::Xor);
    let ty = context.words.ty(if bitwise { &[B32] } else { &[U32, S32] })?;
    context.shape(3)?;
    let destination = context.destination(ty)?;
    let (source, members) = (context.source(ty)?, context.source(B32)?);
    Ok(Operation::Reduce { operation, ty, destination, source, members })
}

/// `activemask`
pub(super) fn active_mask(context: &mut Context<'_>) -> Resolved {
    context.words.ty(&[B32])?;
    context.shape(1)?;
    Ok(Operation::ActiveMask { destination: context.destination(B32)? })
}

/// `elect.sync`
pub(super) fn elect(context: &mut Context<'_>) -> Resolved {
    context.words.need_flag("sync")?;
    context.shape(2)?;
    let (destination, predicate) = context.destinations_with_predicate(B32)?;
    if predicate.is_none() {
        return Err(problem("a number and a predicate are expected, as d|p"));
    }
    let members = context.source(B32)?;
    Ok(Operation::Elect { destination, predicate, members })
}
