//! Special registers by name.
//!
//! PTX ISA 8.5, section 10. Blocks are never launched in clusters here, so that each is a cluster of one: the
//! registers of clusters are constants, or those of the grid.

use crate::ir::{Operand, ScalarType, Special};

/// Name, element by axis, and the fourth element.
type Vector = (&'static str, fn(u8) -> Special, u64);

const VECTORS: &[Vector] = &[
    ("%tid", Special::ThreadIndex, 0),
    ("%ntid", Special::BlockSize, 1),
    ("%ctaid", Special::BlockIndex, 0),
    ("%nctaid", Special::GridSize, 1),
    ("%clusterid", Special::BlockIndex, 0),
    ("%nclusterid", Special::GridSize, 1),
];

const CONSTANT_VECTORS: &[(&str, u64)] = &[("%cluster_ctaid", 0), ("%cluster_nctaid", 1)];

const CONSTANTS: &[(&str, ScalarType, u64)] = &[
    ("%cluster_ctarank", ScalarType::U32, 0),
    ("%cluster_nctarank", ScalarType::U32, 1),
    ("%is_explicit_cluster", ScalarType::Pred, 0),
    ("%current_graph_exec", ScalarType::U64, 0),
    ("%reserved_shared_offset_begin", ScalarType::U32, 0),
    ("%reserved_shared_offset_end", ScalarType::U32, 0),
];

const SCALARS: &[(&str, ScalarType, Special)] = &[
    ("%laneid", ScalarType::U32, Special::Lane),
    ("%warpid", ScalarType::U32, Special::WarpIndex),
    ("%nwarpid", ScalarType::U32, Special::WarpCount),
    ("%smid", ScalarType::U32, Special::CoreIndex),
    ("%nsmid", ScalarType::U32, Special::CoreCount),
    ("%gridid", ScalarType::U64, Special::GridId),
    ("%lanemask_eq", ScalarType::U32, Special::LaneMaskEqual),
    ("%lanemask_lt", ScalarType::U32, Special::LaneMaskLess),
    ("%lanemask_le", ScalarType::U32, Special::LaneMaskLessEqual),
    ("%lanemask_gt", ScalarType::U32, Special::LaneMaskGreater),
    ("%lanemask_ge", ScalarType::U32, Special::LaneMaskGreaterEqual),
    ("%clock", ScalarType::U32, Special::Clock),
    ("%clock_hi", ScalarType::U32, Special::ClockHigh),
    ("%clock64", ScalarType::U64, Special::Clock64),
    ("%globaltimer", ScalarType::U64, Special::GlobalTimer),
    ("%globaltimer_lo", ScalarType::U32, Special::GlobalTimerLow),
    ("%globaltimer_hi", ScalarType::U32, Special::GlobalTimerHigh),
    ("%dynamic_smem_size", ScalarType::U32, Special::DynamicSharedBytes),
    ("%total_smem_size", ScalarType::U32, Special::TotalSharedBytes),
    ("%aggr_smem_size", ScalarType::U32, Special::TotalSharedBytes),
    ("WARP_SZ", ScalarType::U32, Special::WarpSize),
];

/// The names of an element of a vector.
pub(super) const ELEMENTS: &[(&str, u8)] =
    &[("x", 0), ("y", 1), ("z", 2), ("w", 3), ("r", 0), ("g", 1), ("b", 2), ("a", 3)];

/// The value of a special register with its type; none if it is not one. `%tid` alone is not a value.
pub(super) fn scalar(name: &str) -> Option<(ScalarType, Operand)> {
    if let Some(&(_, ty, special)) = SCALARS.iter().find(|entry| entry.0 == name) {
        return Some((ty, Operand::Special(special)));
    }
    if let Some(&(_, ty, value)) = CONSTANTS.iter().find(|entry| entry.0 == name) {
        return Some((ty, Operand::Immediate(value)));
    }
    if let Some((vector, element)) = name.rsplit_once('.')
        && let Some(&(_, element)) = ELEMENTS.iter().find(|entry| entry.0 == element)
    {
        return self::element(vector, element).map(|operand| (ScalarType::U32, operand));
    }
    unset(name).map(|ty| (ty, Operand::Immediate(0)))
}

/// Performance counters, which nothing counts, and environment registers, which no driver sets: all are zero.
fn unset(name: &str) -> Option<ScalarType> {
    let number = |digits: &str, count: u32| digits.parse().is_ok_and(|number: u32| number < count);
    if let Some(digits) = name.strip_prefix("%envreg") {
        return number(digits, 32).then_some(ScalarType::U32);
    }
    let digits = name.strip_prefix("%pm")?;
    match digits.strip_suffix("_64") {
        Some(digits) => number(digits, 8).then_some(ScalarType::U64),
        None => number(digits, 8).then_some(ScalarType::U32),
    }
}

/// Whether a name is that of the high (or else of the low) half of the address of the grid's workspace.
/// Cooperative kernels, as cooperative groups compiles them, find it there and count arriving blocks in it.
pub(super) fn workspace_half(name: &str) -> Option<bool> {
    match name {
        "%envreg1" => Some(true),
        "%envreg2" => Some(false),
        _ => None,
    }
}

/// An element of a vector special register; none if the name is not that of one.
pub(super) fn element(vector: &str, element: u8) -> Option<Operand> {
    if let Some(&(_, special, fourth)) = VECTORS.iter().find(|entry| entry.0 == vector) {
        let operand =
            if element < 3 { Operand::Special(special(element)) } else { Operand::Immediate(fourth) };
        return Some(operand);
    }
    let constant = CONSTANT_VECTORS.iter().find(|entry| entry.0 == vector)?;
    Some(Operand::Immediate(if element < 3 { constant.1 } else { 0 }))
}
