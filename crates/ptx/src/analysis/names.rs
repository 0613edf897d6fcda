//! Names of atomic operations and their types, as PTX writes them.

use heddle_image::atomic::{AtomicOperation, AtomicType};

/// `add`, `min` …
pub fn atomic_operation(operation: AtomicOperation) -> &'static str {
    match operation {
        AtomicOperation::Add => "add",
        AtomicOperation::Minimum => "min",
        AtomicOperation::Maximum => "max",
        AtomicOperation::Increment => "inc",
        AtomicOperation::Decrement => "dec",
        AtomicOperation::And => "and",
        AtomicOperation::Or => "or",
        AtomicOperation::Xor => "xor",
        AtomicOperation::Exchange => "exch",
        AtomicOperation::CompareAndSwap => "cas",
    }
}

/// `u32`, `f64` …
pub fn atomic_type(ty: AtomicType) -> &'static str {
    match ty {
        AtomicType::Bits16 => "b16",
        AtomicType::Unsigned32 => "u32",
        AtomicType::Signed32 => "s32",
        AtomicType::Unsigned64 => "u64",
        AtomicType::Signed64 => "s64",
        AtomicType::Float32 => "f32",
        AtomicType::Float64 => "f64",
        AtomicType::Float16 => "f16",
        AtomicType::Float16x2 => "f16x2",
        AtomicType::Brain16 => "bf16",
        AtomicType::Brain16x2 => "bf16x2",
    }
}
