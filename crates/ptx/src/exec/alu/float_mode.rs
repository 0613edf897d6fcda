//! Rounding mode and modifiers of floating-point operations, as a field of a micro-operation.

use crate::ir::{AluMode, Rounding};

/// How a floating-point operation is done, for handlers that decide it when they run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FloatMode {
    pub(super) rounding: Rounding,
    pub(super) flush: bool,
    pub(super) saturate: bool,
    pub(super) relu: bool,
    pub(super) propagate_nan: bool,
    pub(super) xor_sign: bool,
}

const ROUNDINGS: [Rounding; 9] = [
    Rounding::Nearest,
    Rounding::Zero,
    Rounding::Down,
    Rounding::Up,
    Rounding::NearestAway,
    Rounding::IntegerNearest,
    Rounding::IntegerZero,
    Rounding::IntegerDown,
    Rounding::IntegerUp,
];

impl FloatMode {
    /// Bits that the field takes.
    pub(super) const BITS: u32 = 9;

    pub(super) fn encode(mode: AluMode) -> u32 {
        let rounding = ROUNDINGS.iter().position(|&known| known == mode.rounding).unwrap_or(0) as u32;
        let flags = [mode.flush, mode.saturate, mode.relu, mode.propagate_nan, mode.xor_sign];
        flags.iter().enumerate().fold(rounding, |bits, (place, &flag)| bits | u32::from(flag) << (4 + place))
    }

    pub(super) fn decode(bits: u32) -> FloatMode {
        let flag = |place: u32| bits >> place & 1 != 0;
        FloatMode {
            rounding: ROUNDINGS.get((bits & 15) as usize).copied().unwrap_or_default(),
            flush: flag(4),
            saturate: flag(5),
            relu: flag(6),
            propagate_nan: flag(7),
            xor_sign: flag(8),
        }
    }
}
