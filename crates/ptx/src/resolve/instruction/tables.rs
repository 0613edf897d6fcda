//! Words that several families share.

use super::words::Table;
use crate::ir::{BooleanOperation, Comparison, Rounding, ScalarType, Scope, StateSpace};

/// Rounding of a floating-point result.
pub(super) const ROUNDING: Table<Rounding> =
    &[("rn", Rounding::Nearest), ("rz", Rounding::Zero), ("rm", Rounding::Down), ("rp", Rounding::Up)];

/// Rounding to an integral value.
pub(super) const INTEGER_ROUNDING: Table<Rounding> = &[
    ("rni", Rounding::IntegerNearest),
    ("rzi", Rounding::IntegerZero),
    ("rmi", Rounding::IntegerDown),
    ("rpi", Rounding::IntegerUp),
];

/// The half of a product.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Half {
    Low,
    High,
    Wide,
}

/// `.lo`, `.hi`.
pub(super) const HALF: Table<Half> = &[("lo", Half::Low), ("hi", Half::High)];

/// `.lo`, `.hi`, `.wide`.
pub(super) const HALF_OR_WIDE: Table<Half> = &[("lo", Half::Low), ("hi", Half::High), ("wide", Half::Wide)];

/// Combination with a predicate.
pub(super) const BOOLEAN: Table<BooleanOperation> =
    &[("and", BooleanOperation::And), ("or", BooleanOperation::Or), ("xor", BooleanOperation::Xor)];

/// Threads that an ordered access speaks to.
pub(super) const SCOPES: Table<Scope> =
    &[("cta", Scope::Block), ("cluster", Scope::Cluster), ("gpu", Scope::Gpu), ("sys", Scope::System)];

/// State spaces of a load.
pub(super) const SPACES: Table<StateSpace> = &[
    ("global", StateSpace::Global),
    ("shared", StateSpace::Shared),
    ("shared::cta", StateSpace::Shared),
    ("shared::cluster", StateSpace::Shared),
    ("local", StateSpace::Local),
    ("const", StateSpace::Constant),
    ("param", StateSpace::Parameter),
    ("param::entry", StateSpace::Parameter),
    ("param::func", StateSpace::Parameter),
];

/// State spaces of an atomic operation.
pub(super) const ATOMIC_SPACES: Table<StateSpace> = &[
    ("global", StateSpace::Global),
    ("shared", StateSpace::Shared),
    ("shared::cta", StateSpace::Shared),
    ("shared::cluster", StateSpace::Shared),
];

/// Comparisons of integers.
pub(super) const INTEGER_COMPARISONS: Table<Comparison> = &[
    ("eq", Comparison::Equal),
    ("ne", Comparison::NotEqual),
    ("lt", Comparison::Less),
    ("le", Comparison::LessEqual),
    ("gt", Comparison::Greater),
    ("ge", Comparison::GreaterEqual),
];

/// Comparisons of unsigned integers under their own names.
pub(super) const UNSIGNED_COMPARISONS: Table<Comparison> = &[
    ("lo", Comparison::Less),
    ("ls", Comparison::LessEqual),
    ("hi", Comparison::Greater),
    ("hs", Comparison::GreaterEqual),
];

/// Comparisons of untyped bits.
pub(super) const BIT_COMPARISONS: Table<Comparison> =
    &[("eq", Comparison::Equal), ("ne", Comparison::NotEqual)];

/// Comparisons of floating-point numbers.
pub(super) const FLOAT_COMPARISONS: Table<Comparison> = &[
    ("eq", Comparison::Equal),
    ("ne", Comparison::NotEqual),
    ("lt", Comparison::Less),
    ("le", Comparison::LessEqual),
    ("gt", Comparison::Greater),
    ("ge", Comparison::GreaterEqual),
    ("equ", Comparison::UnorderedEqual),
    ("neu", Comparison::UnorderedNotEqual),
    ("ltu", Comparison::UnorderedLess),
    ("leu", Comparison::UnorderedLessEqual),
    ("gtu", Comparison::UnorderedGreater),
    ("geu", Comparison::UnorderedGreaterEqual),
    ("num", Comparison::Numbers),
    ("nan", Comparison::NotNumbers),
];

/// Elements of a vector access.
pub(super) const VECTORS: Table<u8> = &[("v2", 2), ("v4", 4), ("v8", 8)];

/// Whether a type is one of half precision.
pub(super) fn is_half(ty: ScalarType) -> bool {
    matches!(ty, ScalarType::F16 | ScalarType::F16x2 | ScalarType::BF16 | ScalarType::BF16x2)
}

/// Whether a type is a bfloat16.
pub(super) fn is_brain(ty: ScalarType) -> bool {
    matches!(ty, ScalarType::BF16 | ScalarType::BF16x2)
}
