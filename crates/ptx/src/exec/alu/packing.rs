//! `mov` of several registers into one and back (PTX ISA 8.5, section 9.7.9.3).

use super::decoder::{NOWHERE, destination, source};
use super::lane::Bits;
use super::{Operands, Pure};
use crate::exec::{Handler, LANES, Lanes, Mask, MicroOp, Row};
use crate::ir::{Operand, RegisterId, ScalarType};

/// The type of one of `parts` parts of a whole.
fn part_type(ty: ScalarType, parts: usize) -> Result<ScalarType, String> {
    let bytes = ty.bytes() as usize;
    let whole_is_register = matches!(bytes, 2 | 4 | 8) && ty != ScalarType::Pred;
    match (whole_is_register, bytes.checked_div(parts), parts) {
        (true, Some(4), 2) => Ok(ScalarType::B32),
        (true, Some(2), 2 | 4) => Ok(ScalarType::B16),
        (true, Some(1), 2 | 4) => Ok(ScalarType::B8),
        _ => Err(format!("a value of type .{} cannot consist of {parts} parts", ty.name())),
    }
}

/// Parts into one register, the first at the low end.
pub(super) fn decode_pack(
    ty: ScalarType,
    register: RegisterId,
    parts: &[Operand],
    operands: &mut dyn Operands,
) -> Result<Pure, String> {
    let part = part_type(ty, parts.len())?;
    let mut sources = [Row::default(); 4];
    for (row, &operand) in sources.iter_mut().zip(parts) {
        *row = source(operands, operand, part)?;
    }
    let handler: Handler = match (ty.bytes(), parts.len()) {
        (8, 2) => pack::<u64, 2>,
        (8, _) => pack::<u64, 4>,
        (_, 2) => pack::<u32, 2>,
        (_, _) => pack::<u32, 4>,
    };
    let destination = destination(operands, register, ty)?;
    Ok(Pure { handler, destination, sources, extra: part.bytes() * 8 })
}

fn pack<D: Bits, const PARTS: usize>(lanes: &mut Lanes<'_>, op: &MicroOp, mask: Mask) {
    let parts: [&[u32; LANES]; PARTS] = std::array::from_fn(|part| lanes.u32(op.sources[part]));
    let mut values = [D::default(); LANES];
    for lane in 0..LANES {
        let mut whole = 0;
        for (place, part) in parts.iter().enumerate() {
            whole |= u64::from(part[lane]) << (place as u32 * op.extra);
        }
        values[lane] = D::truncate(whole);
    }
    D::store(lanes, op.destination, mask, &values);
}

/// One value into parts, the first from the low end. The destinations after the first stand where other
/// operations have their second to fourth source.
pub(super) fn decode_unpack(
    ty: ScalarType,
    parts: &[Option<RegisterId>],
    value: Operand,
    operands: &mut dyn Operands,
) -> Result<Pure, String> {
    let part = part_type(ty, parts.len())?;
    let mut rows = [NOWHERE; 4];
    for (row, register) in rows.iter_mut().zip(parts) {
        if let &Some(register) = register {
            *row = destination(operands, register, part)?;
        }
    }
    let [first, second, third, fourth] = rows;
    let sources = [source(operands, value, ty)?, second, third, fourth];
    let handler: Handler = if ty.bytes() == 8 { unpack::<u64> } else { unpack::<u32> };
    Ok(Pure { handler, destination: first, sources, extra: part.bytes() * 8 })
}

fn unpack<S: Bits>(lanes: &mut Lanes<'_>, op: &MicroOp, mask: Mask) {
    // A copy, because a part may be the whole's own register in a later row.
    let whole = *S::row(lanes, op.sources[0]);
    let part_mask = ((1u64 << op.extra) - 1) as u32;
    let [_, second, third, fourth] = op.sources;
    for (place, row) in [op.destination, second, third, fourth].into_iter().enumerate() {
        if row != NOWHERE {
            let values = whole.map(|whole| (whole.widen() >> (place as u32 * op.extra)) as u32 & part_mask);
            lanes.set_u32(row, mask, &values);
        }
    }
}
