//! Fences and barriers: PTX ISA 8.5, section 9.7.13, `membar`, `fence`, `bar`, `barrier`.

use super::Resolved;
use super::context::{Context, at, place_of};
use super::tables::SCOPES;
use super::words::{Table, problem_with};
use crate::ir::ScalarType::{B32, Pred, U32};
use crate::ir::{Barrier, BarrierKind, BooleanOperation, FenceKind, Operand, Operation, Ordering, Scope};
use crate::resolve::scope::Problem;

const LEVELS: Table<Scope> = &[("cta", Scope::Block), ("gl", Scope::Gpu), ("sys", Scope::System)];

const PROXIES: Table<()> = &[("alias", ()), ("async", ()), ("tensormap::generic", ())];

const PROXY_SPACES: Table<()> =
    &[("global", ()), ("shared::cta", ()), ("shared::cluster", ()), ("shared", ())];

const ORDERINGS: Table<Ordering> = &[
    ("sc", Ordering::SequentiallyConsistent),
    ("acq_rel", Ordering::AcquireRelease),
    ("acquire", Ordering::Acquire),
    ("release", Ordering::Release),
];

const RESTRICTIONS: Table<()> =
    &[("sync_restrict::shared::cluster", ()), ("sync_restrict::shared::cta", ()), ("mbarrier_init", ())];

/// `membar`, which is `fence.sc` under an older name.
pub(super) fn memory_barrier(context: &mut Context<'_>) -> Resolved {
    if context.words.flag("proxy") {
        return proxy(context);
    }
    let scope = context.words.need("the level", LEVELS)?;
    context.shape(0)?;
    Ok(Operation::Fence { kind: FenceKind::Ordered(Ordering::SequentiallyConsistent), scope })
}

/// `fence`
pub(super) fn fence(context: &mut Context<'_>) -> Resolved {
    if context.words.flag("proxy") {
        return proxy(context);
    }
    context.words.choice(RESTRICTIONS);
    let ordering = context.words.choice(ORDERINGS).unwrap_or(Ordering::AcquireRelease);
    let scope = context.words.need("the scope", SCOPES)?;
    context.shape(0)?;
    Ok(Operation::Fence { kind: FenceKind::Ordered(ordering), scope })
}

/// `fence.proxy`: between ways of access that are the same here.
fn proxy(context: &mut Context<'_>) -> Resolved {
    context.words.need("the proxy", PROXIES)?;
    context.words.choice(PROXY_SPACES);
    context.words.choice(ORDERINGS);
    context.words.choice(RESTRICTIONS);
    let scope = context.words.choice(SCOPES).unwrap_or(Scope::System);
    context.shape_of(&[0, 2])?;
    if context.left() == 2 {
        context.address(crate::ir::StateSpace::Generic)?;
        context.source(U32)?;
    }
    Ok(Operation::Fence { kind: FenceKind::Proxy, scope })
}

#[derive(Clone, Copy)]
enum Action {
    Synchronise,
    Arrive,
    Reduce,
}

const ACTIONS: Table<Action> =
    &[("sync", Action::Synchronise), ("arrive", Action::Arrive), ("red", Action::Reduce)];

const CLUSTER: Table<&str> =
    &[("cluster", "blocks are not launched in clusters; synchronise the block with barrier.cta.sync")];

/// `bar`, `barrier`, `barrier.cta`, and `bar.warp.sync`
pub(super) fn barrier(context: &mut Context<'_>) -> Resolved {
    context.words.refuse(CLUSTER)?;
    if context.words.opcode() == "bar" && context.words.flag("warp") {
        context.words.need_flag("sync")?;
        context.shape(1)?;
        return Ok(Operation::WarpBarrier { members: context.source(B32)? });
    }
    context.words.flag("cta");
    let action = context.words.need("what the barrier does", ACTIONS)?;
    context.words.flag("aligned");
    match action {
        Action::Synchronise => {
            context.shape_of(&[1, 2])?;
            let number = number(context)?;
            let threads = if context.left() > 0 { Some(threads(context)?) } else { None };
            Ok(Operation::Barrier(Barrier { kind: BarrierKind::Synchronise, number, threads }))
        }
        Action::Arrive => {
            context.shape(2)?;
            let (number, threads) = (number(context)?, Some(threads(context)?));
            Ok(Operation::Barrier(Barrier { kind: BarrierKind::Arrive, number, threads }))
        }
        Action::Reduce => reduce(context),
    }
}

fn reduce(context: &mut Context<'_>) -> Resolved {
    const REDUCTIONS: Table<Option<BooleanOperation>> =
        &[("popc", None), ("and", Some(BooleanOperation::And)), ("or", Some(BooleanOperation::Or))];
    let operation = context.words.need("the reduction", REDUCTIONS)?;
    let result = if operation.is_some() { Pred } else { U32 };
    context.words.ty(&[result])?;
    context.shape_of(&[3, 4])?;
    let destination = context.destination(result)?;
    let number = number(context)?;
    let threads = if context.left() == 2 { Some(threads(context)?) } else { None };
    let (source, negated) = context.predicate()?;
    let kind = BarrierKind::Reduce { operation, destination, source, negated };
    Ok(Operation::Barrier(Barrier { kind, number, threads }))
}

/// The barrier's number, 0 to 15.
fn number(context: &mut Context<'_>) -> Result<Operand, Problem> {
    let place = context.peek().map(place_of).unwrap_or_default();
    match context.source(U32)? {
        Operand::Immediate(number) if number > 15 => Err(Problem {
            place: Some(place),
            ..problem_with(
                format!("there is no barrier {}", number.cast_signed()),
                "a block has barriers 0 to 15",
            )
        }),
        operand => Ok(operand),
    }
}

/// How many threads take part: whole warps.
fn threads(context: &mut Context<'_>) -> Result<Operand, Problem> {
    let place = context.peek().map(place_of).unwrap_or_default();
    match context.source(U32)? {
        Operand::Immediate(threads) if threads == 0 || !threads.is_multiple_of(32) => {
            Err(at(place, format!("{threads} threads are not a number of whole warps of 32")))
        }
        operand => Ok(operand),
    }
}
