//! Between the generic address space and the others: `cvta`, `isspacep` (PTX ISA 8.5, section 9.7.9).

use super::Pure;
use super::decoder::{Decoder, permit};
use super::lane::{Bits, LANE_BITS, lanewise};
use crate::exec::windows::{LOCAL, PARAMETERS, SHARED, Window};
use crate::exec::{Handler, LANES, Lanes, Mask, MicroOp};
use crate::ir::{AluOperation, Operand, ScalarType, StateSpace};

/// The window of a space, and none for a space whose addresses are generic ones.
fn window(space: StateSpace) -> Option<Window> {
    match space {
        StateSpace::Shared => Some(SHARED),
        StateSpace::Local => Some(LOCAL),
        StateSpace::Parameter => Some(PARAMETERS),
        StateSpace::Generic | StateSpace::Global | StateSpace::Constant => None,
    }
}

/// `cvta`. It is arithmetic: a null pointer is converted like any other.
pub(super) fn decode(d: &mut Decoder<'_>) -> Result<Pure, String> {
    d.permit(permit::NOTHING)?;
    let (space, back) = match d.operation {
        AluOperation::ToGeneric(space) => (space, false),
        AluOperation::FromGeneric(space) => (space, true),
        _ => return Err(d.no_such_type()),
    };
    if space == StateSpace::Generic {
        return Err(d.complaint("needs a state space"));
    }
    let ty = d.ty;
    let wide = match ty {
        ScalarType::U64 | ScalarType::B64 => true,
        ScalarType::U32 | ScalarType::B32 => false,
        _ => return Err(d.no_such_type()),
    };
    // Windows lie in the first 4 GiB, so that a start fits the field.
    let start = window(space).map_or(0, |window| window.start as u32);
    let handler: Handler = match (start, wide, back) {
        (0, false, _) => lanewise!(|a: u32| a),
        (0, true, _) => lanewise!(|a: u64| a),
        (_, false, false) => |lanes, op, mask| shift(lanes, op, mask, u32::wrapping_add),
        (_, false, true) => |lanes, op, mask| shift(lanes, op, mask, u32::wrapping_sub),
        (_, true, false) => |lanes, op, mask| shift(lanes, op, mask, u64::wrapping_add),
        (_, true, true) => |lanes, op, mask| shift(lanes, op, mask, u64::wrapping_sub),
    };
    d.pure(handler, ty, &[ty], start)
}

#[inline(always)]
fn shift<T: Bits>(lanes: &mut Lanes<'_>, op: &MicroOp, mask: Mask, f: impl Fn(T, T) -> T) {
    let start = T::truncate(u64::from(op.extra));
    let values = T::row(lanes, op.sources[0]).map(|address| f(address, start));
    T::store(lanes, op.destination, mask, &values);
}

/// `isspacep`. A generic address is one of global memory unless it lies in the window of shared or local
/// memory; the parameter window counts as global too. Constants lie among global memory, so that the question
/// for them has no answer here and is refused.
pub(super) fn decode_test(d: &mut Decoder<'_>, space: StateSpace) -> Result<Pure, String> {
    d.permit(permit::NOTHING)?;
    // The instruction has no type; the operand's is the address size.
    let ty = match d.sources {
        &[Operand::Register(register)] => d.operands.ty(register),
        _ => d.ty,
    };
    let wide = match ty.bytes() {
        8 => true,
        4 => false,
        _ => return Err("isspacep tests an address of 32 or 64 bits".into()),
    };
    let handler: Handler = match (space, wide) {
        (StateSpace::Shared, false) => |lanes, op, mask| test::<u32>(lanes, op, mask, |a| SHARED.contains(a)),
        (StateSpace::Shared, true) => |lanes, op, mask| test::<u64>(lanes, op, mask, |a| SHARED.contains(a)),
        (StateSpace::Local, false) => |lanes, op, mask| test::<u32>(lanes, op, mask, |a| LOCAL.contains(a)),
        (StateSpace::Local, true) => |lanes, op, mask| test::<u64>(lanes, op, mask, |a| LOCAL.contains(a)),
        (StateSpace::Parameter, false) => {
            |lanes, op, mask| test::<u32>(lanes, op, mask, |a| PARAMETERS.contains(a))
        }
        (StateSpace::Parameter, true) => {
            |lanes, op, mask| test::<u64>(lanes, op, mask, |a| PARAMETERS.contains(a))
        }
        (StateSpace::Global, false) => |lanes, op, mask| test::<u32>(lanes, op, mask, is_global),
        (StateSpace::Global, true) => |lanes, op, mask| test::<u64>(lanes, op, mask, is_global),
        (StateSpace::Constant, _) => {
            return Err("isspacep.const is not supported: constants lie among global memory".into());
        }
        (StateSpace::Generic, _) => return Err("isspacep needs a state space".into()),
    };
    d.pure(handler, ScalarType::Pred, &[ty], 0)
}

fn is_global(address: u64) -> bool {
    !SHARED.contains(address) && !LOCAL.contains(address)
}

#[inline(always)]
fn test<T: Bits>(lanes: &mut Lanes<'_>, op: &MicroOp, mask: Mask, f: impl Fn(u64) -> bool) {
    let addresses = T::row(lanes, op.sources[0]);
    let mut holds = 0;
    for lane in 0..LANES {
        holds |= if f(addresses[lane].widen()) { LANE_BITS[lane] } else { 0 };
    }
    lanes.set_predicate(op.destination.0, mask, holds);
}
