//! Bit fields, bytes and dot products of bytes: `bfe`, `bfi`, `prmt`, `dp4a`, `dp2a` (PTX ISA 8.5, sections
//! 9.7.1 and 9.7.9).

use super::Pure;
use super::decoder::{Decoder, permit};
use super::lane::{lanewise, sparse};
use crate::exec::{Handler, LANES, Lanes, Mask, MicroOp};
use crate::ir::{AluOperation, PermuteMode, ScalarType};

pub(super) fn decode(d: &mut Decoder<'_>) -> Result<Pure, String> {
    d.permit(permit::NOTHING)?;
    let (ty, u32_) = (d.ty, ScalarType::U32);
    match d.operation {
        AluOperation::ExtractField => {
            let handler = match ty {
                ScalarType::U32 => {
                    lanewise!(|a: u32, b: u32, c: u32| extract(u64::from(a), b, c, 32, false) as u32)
                }
                ScalarType::S32 => {
                    lanewise!(|a: u32, b: u32, c: u32| extract(u64::from(a), b, c, 32, true) as u32)
                }
                ScalarType::U64 => lanewise!(|a: u64, b: u32, c: u32| extract(a, b, c, 64, false)),
                ScalarType::S64 => lanewise!(|a: u64, b: u32, c: u32| extract(a, b, c, 64, true)),
                _ => return Err(d.no_such_type()),
            };
            d.pure(handler, ty, &[ty, u32_, u32_], 0)
        }
        AluOperation::InsertField => {
            let handler: Handler = match ty {
                ScalarType::B32 => |lanes, op, mask| {
                    sparse(lanes, op, mask, |[a, b, c, d]: [u32; 4]| {
                        insert(u64::from(a), u64::from(b), c, d, 32) as u32
                    })
                },
                ScalarType::B64 => insert64,
                _ => return Err(d.no_such_type()),
            };
            d.pure(handler, ty, &[ty, ty, u32_, u32_], 0)
        }
        AluOperation::Permute(mode) => {
            if ty != ScalarType::B32 {
                return Err(d.no_such_type());
            }
            d.pure(permutation(mode), ty, &[ty; 3], 0)
        }
        AluOperation::DotProduct4 { .. } | AluOperation::DotProduct2 { .. } => dot_product(d),
        _ => Err(d.no_such_type()),
    }
}

/// `len` bits of a value from bit `pos`; what is beyond its top is the sign of the field, or zero.
#[inline(always)]
fn extract(value: u64, position: u32, length: u32, bits: u32, signed: bool) -> u64 {
    let (position, length) = (position & 0xff, length & 0xff);
    if length == 0 {
        return 0;
    }
    let top = (position + length - 1).min(bits - 1);
    let sign = signed && value >> top & 1 != 0;
    let fill = if sign { u64::MAX } else { 0 };
    // The field with the fill above it, in a word that has room for every position and length.
    let field = if position >= bits { fill } else { value >> position | fill << (bits - 1 - position) << 1 };
    if length >= 64 { field } else { field & ((1 << length) - 1) | fill << length }
}

/// `base` with `len` bits of `field` from bit `pos` upwards.
#[inline(always)]
fn insert(field: u64, base: u64, position: u32, length: u32, bits: u32) -> u64 {
    let (position, length) = (position & 0xff, length & 0xff);
    if position >= bits || length == 0 {
        return base;
    }
    let ones = if length >= 64 { u64::MAX } else { (1 << length) - 1 };
    let place = ones << position;
    base & !place | field << position & place
}

fn insert64(lanes: &mut Lanes<'_>, op: &MicroOp, mask: Mask) {
    let [a, b, c, d] = op.sources;
    let (a, b, c, d) = (lanes.u64(a), lanes.u64(b), lanes.u32(c), lanes.u32(d));
    let mut values = [0; LANES];
    for lane in 0..LANES {
        values[lane] = insert(a[lane], b[lane], c[lane], d[lane], 64);
    }
    lanes.set_u64(op.destination, mask, &values);
}

/// Selectors of `prmt`'s special modes, by the low two bits of the third source; a nibble for each byte.
const FORWARD4: [u32; 4] = [0x3210, 0x4321, 0x5432, 0x6543];
const BACKWARD4: [u32; 4] = [0x5670, 0x6701, 0x7012, 0x0123];
const REPLICATE8: [u32; 4] = [0x0000, 0x1111, 0x2222, 0x3333];
const EDGE_CLAMP_LEFT: [u32; 4] = [0x3210, 0x3211, 0x3222, 0x3333];
const EDGE_CLAMP_RIGHT: [u32; 4] = [0x0000, 0x1110, 0x2210, 0x3210];
const REPLICATE16: [u32; 4] = [0x1010, 0x3232, 0x1010, 0x3232];

fn permutation(mode: PermuteMode) -> Handler {
    macro_rules! by_table {
        ($table:ident) => {
            lanewise!(|a: u32, b: u32, c: u32| permute(a, b, $table[(c & 3) as usize]))
        };
    }
    match mode {
        PermuteMode::Default => lanewise!(|a: u32, b: u32, c: u32| permute(a, b, c)),
        PermuteMode::Forward4 => by_table!(FORWARD4),
        PermuteMode::Backward4 => by_table!(BACKWARD4),
        PermuteMode::Replicate8 => by_table!(REPLICATE8),
        PermuteMode::EdgeClampLeft => by_table!(EDGE_CLAMP_LEFT),
        PermuteMode::EdgeClampRight => by_table!(EDGE_CLAMP_RIGHT),
        PermuteMode::Replicate16 => by_table!(REPLICATE16),
    }
}

/// Each nibble of the selector picks a byte of the pair; its top bit spreads the byte's sign instead.
#[inline(always)]
fn permute(low: u32, high: u32, selector: u32) -> u32 {
    let pair = u64::from(high) << 32 | u64::from(low);
    let byte = |place: u32| {
        let nibble = selector >> (4 * place);
        let byte = (pair >> (8 * (nibble & 7))) as u8;
        let byte = if nibble & 8 != 0 { (byte as i8 >> 7) as u8 } else { byte };
        u32::from(byte) << (8 * place)
    };
    byte(0) | byte(1) | byte(2) | byte(3)
}

/// `dp4a` and `dp2a`: the types of the two factors are in the operation.
fn dot_product(d: &mut Decoder<'_>) -> Result<Pure, String> {
    if d.ty.bytes() != 4 || d.ty.is_float() {
        return Err(d.no_such_type());
    }
    let (signed, half) = match d.operation {
        AluOperation::DotProduct4 { signed } => (signed, None),
        AluOperation::DotProduct2 { signed, high } => (signed, Some(high)),
        _ => return Err(d.no_such_type()),
    };
    let handler: Handler = match half {
        None => dot4,
        Some(_) => dot2,
    };
    let extra = u32::from(signed[0]) | u32::from(signed[1]) << 1 | u32::from(half == Some(true)) << 2;
    d.pure(handler, ScalarType::B32, &[ScalarType::B32; 3], extra)
}

fn dot4(lanes: &mut Lanes<'_>, op: &MicroOp, mask: Mask) {
    let signed = [op.extra & 1 != 0, op.extra & 2 != 0];
    sparse(lanes, op, mask, |[a, b, c]: [u32; 3]| {
        let part = |word: u32, place: u32, signed: bool| part(word >> (8 * place), 8, signed);
        (0..4).fold(c, |sum, place| {
            sum.wrapping_add(part(a, place, signed[0]).wrapping_mul(part(b, place, signed[1])))
        })
    });
}

fn dot2(lanes: &mut Lanes<'_>, op: &MicroOp, mask: Mask) {
    let signed = [op.extra & 1 != 0, op.extra & 2 != 0];
    let first_byte = if op.extra & 4 != 0 { 2 } else { 0 };
    sparse(lanes, op, mask, |[a, b, c]: [u32; 3]| {
        (0..2).fold(c, |sum, place| {
            let left = part(a >> (16 * place), 16, signed[0]);
            let right = part(b >> (8 * (first_byte + place)), 8, signed[1]);
            sum.wrapping_add(left.wrapping_mul(right))
        })
    });
}

/// The low bits of a word as a number, with or without a sign.
#[inline(always)]
fn part(word: u32, bits: u32, signed: bool) -> u32 {
    super::convert::extend(u64::from(word), bits, signed) as u32
}
