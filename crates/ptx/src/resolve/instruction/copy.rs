//! Asynchronous copies to shared memory: PTX ISA 8.5, section 9.7.9, `cp.async` without bulk forms.

use super::Resolved;
use super::access::policy;
use super::context::{Context, at, place_of};
use super::words::{Table, problem};
use crate::ir::ScalarType::{Pred, U32};
use crate::ir::{AluMode, AluOperation, CacheOperator, Operand, Operation, StateSpace};
use crate::resolve::scope::Problem;
use crate::syntax::{self, Expression};

const BARRIERS: Table<&str> = &[
    ("bulk", "copy with cp.async or with loads and stores"),
    ("mbarrier", "wait with cp.async.wait_all or cp.async.wait_group"),
    ("reduce", "use atom or red"),
];

/// `cp.async`, `cp.async.commit_group`, `cp.async.wait_group`, `cp.async.wait_all`
pub(super) fn copy(context: &mut Context<'_>) -> Resolved {
    context.words.refuse(BARRIERS)?;
    context.words.need_flag("async")?;
    if context.words.flag("commit_group") {
        context.shape(0)?;
        return Ok(Operation::CopyCommit);
    }
    if context.words.flag("wait_all") {
        context.shape(0)?;
        return Ok(Operation::CopyWait);
    }
    if context.words.flag("wait_group") {
        context.shape(1)?;
        context.constant()?;
        return Ok(Operation::CopyWait);
    }
    let second_level = context.words.need("the cache operator", &[("ca", false), ("cg", true)])?;
    context.words.need("the destination's space", &[("shared", ()), ("shared::cta", ())])?;
    context.words.need_flag("global")?;
    let hint = context.words.flag("L2::cache_hint");
    context.words.choice(&[("L2::64B", ()), ("L2::128B", ()), ("L2::256B", ())]);
    context.shape_of(if hint { &[4, 5] } else { &[3, 4] })?;
    let to = context.address(StateSpace::Shared)?;
    let from = context.address(StateSpace::Global)?;
    let bytes = size(context, second_level)?;
    let source_bytes = match context.left() - usize::from(hint) {
        0 => None,
        _ => Some(source_size(context, bytes)?),
    };
    policy(context, hint)?;
    let cache = if second_level { CacheOperator::Global } else { CacheOperator::All };
    Ok(Operation::CopyAsync { cache, to, from, bytes, source_bytes })
}

fn size(context: &mut Context<'_>, second_level: bool) -> Result<u32, Problem> {
    let operand = context.take()?;
    let allowed: &[u64] = if second_level { &[16] } else { &[4, 8, 16] };
    match operand {
        syntax::Operand::Constant(_, Expression::Integer(bytes, _)) if allowed.contains(bytes) => {
            Ok(*bytes as u32)
        }
        other => {
            let expected = if second_level { "16 with .cg" } else { "4, 8 or 16" };
            Err(at(place_of(other), format!("the size is a constant: {expected}")))
        }
    }
}

/// How many bytes are read: a number, or none if a predicate says so.
fn source_size(context: &mut Context<'_>, bytes: u32) -> Result<Operand, Problem> {
    let operand = context.peek().ok_or_else(|| problem("the source size is missing"))?;
    let is_predicate = matches!(operand, syntax::Operand::Not(..))
        || context.register(operand, Pred, super::types::Size::Same).is_ok();
    if !is_predicate {
        return context.source(U32);
    }
    let (ignore, negated) = context.predicate()?;
    let (none, all) = (Operand::Immediate(0), Operand::Immediate(u64::from(bytes)));
    let sources = if negated { vec![all, none, ignore] } else { vec![none, all, ignore] };
    let destination = context.scope.temporary(U32);
    let (operation, mode) = (AluOperation::Select, AluMode::default());
    context.before(Operation::Alu { operation, ty: U32, mode, destination, sources });
    Ok(Operand::Register(destination))
}
