//! `setp` and `set` (PTX ISA 8.5, sections 9.7.5 and 9.7.6).
//!
//! The usual `setp`, one predicate from a comparison alone, has a handler for each comparison and type. All
//! other forms describe the comparison by a table of four bits, one for each relation that two values can
//! have: less, equal, greater, unordered.

use super::decoder::{NOWHERE, predicate, source, source_predicate};
use super::lane::relation;
use super::relation::{Comparable, Description, EQUAL, GREATER, LESS, Packed, UNORDERED};
use super::{Operands, Pure};
use crate::exec::{Handler, Lanes, Mask, MicroOp, Row};
use crate::ir::{BooleanOperation, Comparison, Operand, RegisterId, ScalarType};

/// The relations for which a comparison holds.
fn table(comparison: Comparison) -> u32 {
    match comparison {
        Comparison::Equal => EQUAL,
        Comparison::NotEqual => LESS | GREATER,
        Comparison::Less => LESS,
        Comparison::LessEqual => LESS | EQUAL,
        Comparison::Greater => GREATER,
        Comparison::GreaterEqual => GREATER | EQUAL,
        Comparison::UnorderedEqual => EQUAL | UNORDERED,
        Comparison::UnorderedNotEqual => LESS | GREATER | UNORDERED,
        Comparison::UnorderedLess => LESS | UNORDERED,
        Comparison::UnorderedLessEqual => LESS | EQUAL | UNORDERED,
        Comparison::UnorderedGreater => GREATER | UNORDERED,
        Comparison::UnorderedGreaterEqual => GREATER | EQUAL | UNORDERED,
        Comparison::Numbers => LESS | EQUAL | GREATER,
        Comparison::NotNumbers => UNORDERED,
    }
}

/// Refuses comparisons that a type does not have.
pub(super) fn check(comparison: Comparison, ty: ScalarType, flush: bool) -> Result<u32, String> {
    let equality = matches!(comparison, Comparison::Equal | Comparison::NotEqual);
    let table = table(comparison);
    let unordered = table & UNORDERED != 0 || comparison == Comparison::Numbers;
    let exists = match ty {
        ScalarType::B16 | ScalarType::B32 | ScalarType::B64 => equality,
        ScalarType::U16 | ScalarType::U32 | ScalarType::U64 => !unordered,
        ScalarType::S16 | ScalarType::S32 | ScalarType::S64 => !unordered,
        _ => ty.is_float(),
    };
    let flushable = matches!(ty, ScalarType::F32 | ScalarType::F16 | ScalarType::F16x2);
    if !exists {
        return Err(format!("there is no comparison {comparison:?} of type .{}", ty.name()));
    }
    if flush && !flushable {
        return Err(format!("a comparison of type .{} cannot have .ftz", ty.name()));
    }
    Ok(table)
}

/// What a `setp` consists of.
pub(super) struct SetPredicate {
    pub(super) comparison: Comparison,
    pub(super) ty: ScalarType,
    pub(super) flush: bool,
    pub(super) destination: Option<RegisterId>,
    pub(super) complement: Option<RegisterId>,
    pub(super) sources: [Operand; 2],
    pub(super) combine: Option<(BooleanOperation, Operand, bool)>,
}

pub(super) fn decode(set: &SetPredicate, operands: &mut dyn Operands) -> Result<Pure, String> {
    let table = check(set.comparison, set.ty, set.flush)?;
    let mut sources = [Row::default(), Row::default(), NOWHERE, NOWHERE];
    for (row, operand) in sources.iter_mut().zip(set.sources) {
        *row = source(operands, operand, set.ty)?;
    }
    let mut destination = NOWHERE;
    if let Some(register) = set.destination {
        destination = Row(predicate(operands, register)?);
    }
    if let Some(register) = set.complement {
        sources[3] = Row(predicate(operands, register)?);
    }
    if let Some((_, operand, _)) = set.combine {
        sources[2] = Row(source_predicate(operands, operand)?);
    }
    let combine = set.combine.map(|(operation, _, negated)| (operation, negated));
    let extra = Description { table, flush: set.flush, combine }.encode();
    let plain = set.destination.is_some() && set.complement.is_none() && set.combine.is_none();
    let handler = if plain && !set.flush { simple(set.comparison, set.ty) } else { None };
    let handler = handler.or_else(|| general(set.ty)).ok_or("there is no such comparison")?;
    Ok(Pure { handler, destination, sources, extra })
}

/// A handler that writes a relation of two values.
macro_rules! holds {
    (|$a:ident: $T:ty, $b:ident| $body:expr) => {{
        let handler: Handler = |lanes, op, mask| {
            let value = relation(lanes, op, mask, |$a: $T, $b: $T| $body);
            lanes.set_predicate(op.destination.0, mask, value);
        };
        Some(handler)
    }};
}

macro_rules! ordered {
    ($comparison:expr, $T:ty) => {
        match $comparison {
            Comparison::Equal => holds!(|a: $T, b| a == b),
            Comparison::NotEqual => holds!(|a: $T, b| a != b),
            Comparison::Less => holds!(|a: $T, b| a < b),
            Comparison::LessEqual => holds!(|a: $T, b| a <= b),
            Comparison::Greater => holds!(|a: $T, b| a > b),
            Comparison::GreaterEqual => holds!(|a: $T, b| a >= b),
            _ => None,
        }
    };
}

macro_rules! floating {
    ($comparison:expr, $T:ty) => {
        match $comparison {
            Comparison::NotEqual => holds!(|a: $T, b| (a < b) | (a > b)),
            Comparison::UnorderedEqual => holds!(|a: $T, b| !((a < b) | (a > b))),
            Comparison::UnorderedNotEqual => holds!(|a: $T, b| a != b),
            Comparison::UnorderedLess => holds!(|a: $T, b| !(a >= b)),
            Comparison::UnorderedLessEqual => holds!(|a: $T, b| !(a > b)),
            Comparison::UnorderedGreater => holds!(|a: $T, b| !(a <= b)),
            Comparison::UnorderedGreaterEqual => holds!(|a: $T, b| !(a < b)),
            Comparison::Numbers => holds!(|a: $T, b| !(a.is_nan() || b.is_nan())),
            Comparison::NotNumbers => holds!(|a: $T, b| a.is_nan() || b.is_nan()),
            ordered => ordered!(ordered, $T),
        }
    };
}

#[allow(
    clippy::neg_cmp_op_on_partial_ord,
    reason = "the unordered comparisons hold for NaN, as negations do"
)]
fn simple(comparison: Comparison, ty: ScalarType) -> Option<Handler> {
    match ty {
        ScalarType::U16 | ScalarType::U32 | ScalarType::B16 | ScalarType::B32 => ordered!(comparison, u32),
        ScalarType::S16 => ordered!(comparison, i16),
        ScalarType::S32 => ordered!(comparison, i32),
        ScalarType::U64 | ScalarType::B64 => ordered!(comparison, u64),
        ScalarType::S64 => ordered!(comparison, i64),
        ScalarType::F32 => floating!(comparison, f32),
        ScalarType::F64 => floating!(comparison, f64),
        _ => None,
    }
}

/// A `setp` in full: two predicates, each combined with a third. Of packed types, the first is about the low
/// halves and the second about the high ones; of others, the second is the comparison's complement.
fn general(ty: ScalarType) -> Option<Handler> {
    Some(match ty {
        ScalarType::U16 | ScalarType::U32 | ScalarType::B16 | ScalarType::B32 => both::<u32>,
        ScalarType::S16 => both::<i16>,
        ScalarType::S32 => both::<i32>,
        ScalarType::U64 | ScalarType::B64 => both::<u64>,
        ScalarType::S64 => both::<i64>,
        ScalarType::F32 => both::<f32>,
        ScalarType::F64 => both::<f64>,
        ScalarType::F16 => both::<half::f16>,
        ScalarType::BF16 => both::<half::bf16>,
        ScalarType::F16x2 => both::<Packed<half::f16>>,
        ScalarType::BF16x2 => both::<Packed<half::bf16>>,
        _ => return None,
    })
}

fn both<T: Comparable>(lanes: &mut Lanes<'_>, op: &MicroOp, mask: Mask) {
    let description = Description::decode(op.extra);
    let (first, second) = match T::compare(lanes, op, description) {
        (low, Some(high)) => (low, high),
        (holds, None) => (holds, !holds),
    };
    let [_, _, other, complement] = op.sources;
    let other = if other == NOWHERE { 0 } else { lanes.predicate(other.0) };
    for (row, value) in [(op.destination, first), (complement, second)] {
        if row != NOWHERE {
            lanes.set_predicate(row.0, mask, description.combined(value, other));
        }
    }
}
