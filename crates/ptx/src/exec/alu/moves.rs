//! `mov`: of registers, constants, addresses, predicates and special registers.

use super::super::lanes::{LANES, Lanes, Mask, ThreadContext};
use super::super::{Handler, MicroOp};
use super::Pure;
use super::decoder::{Decoder, destination, permit};
use super::lane::{Bits, lanewise};
use crate::ir::{Operand, ScalarType, Special};

pub(super) fn decode(d: &mut Decoder<'_>) -> Result<Pure, String> {
    d.permit(permit::NOTHING)?;
    if let &[Operand::Special(special)] = d.sources {
        let result = d.ty;
        if result == ScalarType::Pred || result.bytes() > 8 {
            return Err(d.no_such_type());
        }
        return decode_special(d, special, result.bytes() * 8, false, result);
    }
    let ty = d.ty;
    let handler: Handler = match ty {
        ScalarType::Pred => |lanes, op, mask| {
            let value = lanes.predicate(op.sources[0].0);
            lanes.set_predicate(op.destination.0, mask, value);
        },
        _ if ty.bytes() <= 4 => lanewise!(|a: u32| a),
        _ if ty.bytes() == 8 => lanewise!(|a: u64| a),
        _ => return Err(d.no_such_type()),
    };
    d.pure(handler, ty, &[ty], 0)
}

/// A special register of which `bits` are read, extended by sign or not, into a destination of type `result`.
pub(super) fn decode_special(
    d: &mut Decoder<'_>,
    special: Special,
    bits: u32,
    signed: bool,
    result: ScalarType,
) -> Result<Pure, String> {
    let destination = destination(d.operands, d.destination, result)?;
    let handler: Handler = if result.bytes() == 8 { read::<u64> } else { read::<u32> };
    let place = SPECIALS.iter().position(|&known| known == special);
    let place = place.ok_or_else(|| format!("there is no special register {special:?}"))?;
    let extra = place as u32 | bits << 8 | (result.bytes() * 8) << 16 | u32::from(signed) << 24;
    Ok(Pure { handler, destination, sources: Default::default(), extra })
}

fn read<D: Bits>(lanes: &mut Lanes<'_>, op: &MicroOp, mask: Mask) {
    let special = SPECIALS.get((op.extra & 0xff) as usize).copied().unwrap_or(Special::WarpSize);
    let (bits, result_bits, signed) = (op.extra >> 8 & 0xff, op.extra >> 16 & 0xff, op.extra >> 24 != 0);
    let cut = |value| {
        let value = super::convert::extend(value, bits, signed);
        D::truncate(super::convert::extend(value, result_bits, false))
    };
    let context = lanes.context;
    match (uniform(context, special), special) {
        (Some(value), _) => D::store(lanes, op.destination, mask, &[cut(value); LANES]),
        // What nearly every kernel starts with; a block has too few threads for the sign to matter.
        (None, Special::ThreadIndex(axis)) if bits == 32 => {
            let values = context.thread_index[axis as usize % 3].map(|index| D::truncate(u64::from(index)));
            D::store(lanes, op.destination, mask, &values);
        }
        (None, _) => {
            let values = by_lane(context, special).map(cut);
            D::store(lanes, op.destination, mask, &values);
        }
    }
}

/// The special registers, by the number that a micro-operation has for them.
const SPECIALS: [Special; 32] = [
    Special::ThreadIndex(0),
    Special::ThreadIndex(1),
    Special::ThreadIndex(2),
    Special::BlockSize(0),
    Special::BlockSize(1),
    Special::BlockSize(2),
    Special::BlockIndex(0),
    Special::BlockIndex(1),
    Special::BlockIndex(2),
    Special::GridSize(0),
    Special::GridSize(1),
    Special::GridSize(2),
    Special::Lane,
    Special::WarpIndex,
    Special::WarpCount,
    Special::CoreIndex,
    Special::CoreCount,
    Special::GridId,
    Special::LaneMaskEqual,
    Special::LaneMaskLess,
    Special::LaneMaskLessEqual,
    Special::LaneMaskGreater,
    Special::LaneMaskGreaterEqual,
    Special::Clock,
    Special::ClockHigh,
    Special::Clock64,
    Special::GlobalTimer,
    Special::GlobalTimerLow,
    Special::GlobalTimerHigh,
    Special::DynamicSharedBytes,
    Special::TotalSharedBytes,
    Special::WarpSize,
];

/// The value of a special register that is the same in every lane (PTX ISA 8.5, section 10). `%globaltimer` is
/// the clock: a run without time has no other, and it must grow.
fn uniform(context: &ThreadContext, special: Special) -> Option<u64> {
    Some(match special {
        Special::ThreadIndex(_)
        | Special::Lane
        | Special::LaneMaskEqual
        | Special::LaneMaskLess
        | Special::LaneMaskLessEqual
        | Special::LaneMaskGreater
        | Special::LaneMaskGreaterEqual => return None,
        Special::BlockSize(axis) => u64::from(context.block_size[axis as usize % 3]),
        Special::BlockIndex(axis) => u64::from(context.block_index[axis as usize % 3]),
        Special::GridSize(axis) => u64::from(context.grid_size[axis as usize % 3]),
        Special::WarpIndex => u64::from(context.warp_index),
        Special::WarpCount => u64::from(context.warp_count),
        Special::CoreIndex => u64::from(context.core_index),
        Special::CoreCount => u64::from(context.core_count),
        Special::GridId => context.grid_id,
        Special::Clock => context.clock & 0xffff_ffff,
        Special::ClockHigh => context.clock >> 32,
        Special::Clock64 => context.clock,
        Special::GlobalTimerLow => context.timer & 0xffff_ffff,
        Special::GlobalTimerHigh => context.timer >> 32,
        Special::GlobalTimer => context.timer,
        Special::DynamicSharedBytes => u64::from(context.shared_bytes[0]),
        Special::TotalSharedBytes => u64::from(context.shared_bytes[1]),
        Special::WarpSize => LANES as u64,
    })
}

/// The value of a special register that differs from lane to lane.
fn by_lane(context: &ThreadContext, special: Special) -> [u64; LANES] {
    std::array::from_fn(|lane| match special {
        Special::ThreadIndex(axis) => u64::from(context.thread_index[axis as usize % 3][lane]),
        Special::LaneMaskEqual => 1 << lane,
        Special::LaneMaskLess => (1 << lane) - 1,
        Special::LaneMaskLessEqual => (2 << lane) - 1,
        Special::LaneMaskGreater => 0xffff_ffff & !((2 << lane) - 1),
        Special::LaneMaskGreaterEqual => 0xffff_ffff & !((1 << lane) - 1),
        _ => lane as u64,
    })
}
