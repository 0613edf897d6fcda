//! Logic on words and predicates (PTX ISA 8.5, section 9.7.7).

use super::Pure;
use super::decoder::{Decoder, permit};
use super::lane::{lanewise, ternary};
use crate::exec::Handler;
use crate::ir::{AluOperation, ScalarType};

/// A handler of two predicates.
macro_rules! predicates {
    (|$a:ident, $b:ident| $body:expr) => {{
        let handler: Handler = |lanes, op, mask| {
            let ($a, $b) = (lanes.predicate(op.sources[0].0), lanes.predicate(op.sources[1].0));
            lanes.set_predicate(op.destination.0, mask, $body);
        };
        handler
    }};
}

pub(super) fn decode(d: &mut Decoder<'_>) -> Result<Pure, String> {
    d.permit(permit::NOTHING)?;
    let ty = d.ty;
    // Upper bits of a narrow register are zero in both sources of these three, hence in the result.
    let [predicate, narrow, wide] = match d.operation {
        AluOperation::And => {
            [predicates!(|a, b| a & b), lanewise!(|a: u32, b: u32| a & b), lanewise!(|a: u64, b: u64| a & b)]
        }
        AluOperation::Or => {
            [predicates!(|a, b| a | b), lanewise!(|a: u32, b: u32| a | b), lanewise!(|a: u64, b: u64| a | b)]
        }
        AluOperation::Xor => {
            [predicates!(|a, b| a ^ b), lanewise!(|a: u32, b: u32| a ^ b), lanewise!(|a: u64, b: u64| a ^ b)]
        }
        _ => return negation(d),
    };
    let handler = match ty {
        ScalarType::Pred => predicate,
        ScalarType::B16 | ScalarType::B32 => narrow,
        ScalarType::B64 => wide,
        _ => return Err(d.no_such_type()),
    };
    d.pure(handler, ty, &[ty; 2], 0)
}

/// `not` and `cnot`.
fn negation(d: &mut Decoder<'_>) -> Result<Pure, String> {
    let ty = d.ty;
    let handler: Handler = match (d.operation, ty) {
        (AluOperation::Not, ScalarType::Pred) => |lanes, op, mask| {
            let value = !lanes.predicate(op.sources[0].0);
            lanes.set_predicate(op.destination.0, mask, value);
        },
        (AluOperation::Not, ScalarType::B16) => lanewise!(|a: u16| !a),
        (AluOperation::Not, ScalarType::B32) => lanewise!(|a: u32| !a),
        (AluOperation::Not, ScalarType::B64) => lanewise!(|a: u64| !a),
        (AluOperation::LogicalNot, ScalarType::B16) => lanewise!(|a: u16| u16::from(a == 0)),
        (AluOperation::LogicalNot, ScalarType::B32) => lanewise!(|a: u32| u32::from(a == 0)),
        (AluOperation::LogicalNot, ScalarType::B64) => lanewise!(|a: u64| u64::from(a == 0)),
        _ => return Err(d.no_such_type()),
    };
    d.pure(handler, ty, &[ty], 0)
}

/// `lop3`: any function of three bits, by its table.
pub(super) fn decode_lookup(d: &mut Decoder<'_>, table: u8) -> Result<Pure, String> {
    d.permit(permit::NOTHING)?;
    if d.ty != ScalarType::B32 {
        return Err(d.no_such_type());
    }
    let handler: Handler = |lanes, op, mask| {
        // The table's entries as words; entry 4a + 2b + c.
        let [e0, e1, e2, e3, e4, e5, e6, e7] =
            std::array::from_fn(|entry| (op.extra >> entry & 1).wrapping_neg());
        ternary(lanes, op, mask, |a: u32, b: u32, c: u32| {
            let choose = |selector: u32, zero: u32, one: u32| zero ^ selector & (zero ^ one);
            let low = choose(b, choose(c, e0, e1), choose(c, e2, e3));
            let high = choose(b, choose(c, e4, e5), choose(c, e6, e7));
            choose(a, low, high)
        });
    };
    d.pure(handler, ScalarType::B32, &[ScalarType::B32; 3], u32::from(table))
}
