//! Atomic read-modify-write operations, on values as bits.
//!
//! One place computes them, whichever unit of a machine owns the word. Semantics: PTX ISA, section "Parallel
//! Synchronization and Communication Instructions: atom".

use half::{bf16, f16};

/// What an atomic operation does with the old value `a` and its operands `b` (and `c`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AtomicOperation {
    /// `a + b`
    Add,
    /// The smaller one.
    Minimum,
    /// The larger one.
    Maximum,
    /// `a >= b ? 0 : a + 1`
    Increment,
    /// `a == 0 || a > b ? b : a - 1`
    Decrement,
    /// `a & b`
    And,
    /// `a | b`
    Or,
    /// `a ^ b`
    Xor,
    /// `b`
    Exchange,
    /// `a == b ? c : a`
    CompareAndSwap,
}

/// How the bits of an atomic operation are understood.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AtomicType {
    /// 16 bits without meaning (exchange, compare and swap).
    Bits16,
    /// 32 bits unsigned, or without meaning.
    Unsigned32,
    /// 32 bits signed.
    Signed32,
    /// 64 bits unsigned, or without meaning.
    Unsigned64,
    /// 64 bits signed.
    Signed64,
    /// IEEE single.
    Float32,
    /// IEEE double.
    Float64,
    /// IEEE half.
    Float16,
    /// Two IEEE halves, each on its own.
    Float16x2,
    /// bfloat16.
    Brain16,
    /// Two bfloat16, each on its own.
    Brain16x2,
}

impl AtomicType {
    /// The size of the word.
    pub fn bytes(self) -> u64 {
        match self {
            AtomicType::Bits16 | AtomicType::Float16 | AtomicType::Brain16 => 2,
            AtomicType::Unsigned64 | AtomicType::Signed64 | AtomicType::Float64 => 8,
            _ => 4,
        }
    }
}

/// The new value of a word that held `a`. Floating-point sums round to nearest even and keep subnormals.
pub fn apply(operation: AtomicOperation, ty: AtomicType, a: u64, b: u64, c: u64) -> u64 {
    use AtomicOperation as Op;
    match operation {
        Op::And => a & b,
        Op::Or => a | b,
        Op::Xor => a ^ b,
        Op::Exchange => b,
        Op::CompareAndSwap => {
            if a == b {
                c
            } else {
                a
            }
        }
        Op::Increment => {
            if a >= b {
                0
            } else {
                a + 1
            }
        }
        Op::Decrement => {
            if a == 0 || a > b {
                b
            } else {
                a - 1
            }
        }
        Op::Add => add(ty, a, b),
        Op::Minimum => {
            if less(ty, b, a) {
                b
            } else {
                a
            }
        }
        Op::Maximum => {
            if less(ty, a, b) {
                b
            } else {
                a
            }
        }
    }
}

fn add(ty: AtomicType, a: u64, b: u64) -> u64 {
    let halves = |add: fn(u16, u16) -> u16| {
        let low = add(a as u16, b as u16);
        let high = add((a >> 16) as u16, (b >> 16) as u16);
        u64::from(high) << 16 | u64::from(low)
    };
    let add_f16 = |a: u16, b: u16| (f16::from_bits(a) + f16::from_bits(b)).to_bits();
    let add_bf16 = |a: u16, b: u16| (bf16::from_bits(a) + bf16::from_bits(b)).to_bits();
    match ty {
        AtomicType::Bits16 => u64::from((a as u16).wrapping_add(b as u16)),
        AtomicType::Unsigned32 | AtomicType::Signed32 => u64::from((a as u32).wrapping_add(b as u32)),
        AtomicType::Unsigned64 | AtomicType::Signed64 => a.wrapping_add(b),
        AtomicType::Float32 => {
            let sum = f32::from_bits(a as u32) + f32::from_bits(b as u32);
            u64::from(if sum.is_nan() { CANONICAL_NAN_32 } else { sum.to_bits() })
        }
        AtomicType::Float64 => {
            let sum = f64::from_bits(a) + f64::from_bits(b);
            if sum.is_nan() { CANONICAL_NAN_64 } else { sum.to_bits() }
        }
        AtomicType::Float16 => u64::from(add_f16(a as u16, b as u16)),
        AtomicType::Brain16 => u64::from(add_bf16(a as u16, b as u16)),
        AtomicType::Float16x2 => halves(add_f16),
        AtomicType::Brain16x2 => halves(add_bf16),
    }
}

/// What a NaN result looks like on an NVIDIA GPU, for single precision.
const CANONICAL_NAN_32: u32 = 0x7fff_ffff;
/// The same for double precision.
const CANONICAL_NAN_64: u64 = 0xfff8_0000_0000_0000;

fn less(ty: AtomicType, a: u64, b: u64) -> bool {
    match ty {
        AtomicType::Signed32 => (a as i32) < b as i32,
        AtomicType::Signed64 => (a as i64) < b as i64,
        _ => a < b,
    }
}
