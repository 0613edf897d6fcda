//! Scalar types and rounding modes.

/// A fundamental type of PTX.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[allow(missing_docs, reason = "the names are the field's own")]
pub enum ScalarType {
    Pred,
    B8,
    B16,
    B32,
    B64,
    B128,
    U8,
    U16,
    U32,
    U64,
    S8,
    S16,
    S32,
    S64,
    F16,
    F16x2,
    BF16,
    BF16x2,
    F32,
    F64,
}

impl ScalarType {
    /// Every type with its name in PTX, without the dot.
    pub const NAMES: &'static [(&'static str, ScalarType)] = &[
        ("pred", ScalarType::Pred),
        ("b8", ScalarType::B8),
        ("b16", ScalarType::B16),
        ("b32", ScalarType::B32),
        ("b64", ScalarType::B64),
        ("b128", ScalarType::B128),
        ("u8", ScalarType::U8),
        ("u16", ScalarType::U16),
        ("u32", ScalarType::U32),
        ("u64", ScalarType::U64),
        ("s8", ScalarType::S8),
        ("s16", ScalarType::S16),
        ("s32", ScalarType::S32),
        ("s64", ScalarType::S64),
        ("f16", ScalarType::F16),
        ("f16x2", ScalarType::F16x2),
        ("bf16", ScalarType::BF16),
        ("bf16x2", ScalarType::BF16x2),
        ("f32", ScalarType::F32),
        ("f64", ScalarType::F64),
    ];

    /// The type of this name.
    pub fn named(name: &str) -> Option<ScalarType> {
        Self::NAMES.iter().find(|(known, _)| *known == name).map(|&(_, ty)| ty)
    }

    /// Its name in PTX, without the dot.
    pub fn name(self) -> &'static str {
        Self::NAMES.iter().find(|&&(_, ty)| ty == self).map_or("?", |&(name, _)| name)
    }

    /// Size in memory; a predicate has none and counts as 1 byte.
    pub fn bytes(self) -> u32 {
        match self {
            ScalarType::Pred | ScalarType::B8 | ScalarType::U8 | ScalarType::S8 => 1,
            ScalarType::B16 | ScalarType::U16 | ScalarType::S16 | ScalarType::F16 | ScalarType::BF16 => 2,
            ScalarType::B64 | ScalarType::U64 | ScalarType::S64 | ScalarType::F64 => 8,
            ScalarType::B128 => 16,
            _ => 4,
        }
    }

    /// Whether it is a signed integer.
    pub fn is_signed(self) -> bool {
        matches!(self, ScalarType::S8 | ScalarType::S16 | ScalarType::S32 | ScalarType::S64)
    }

    /// Whether it is a floating-point type, packed ones too.
    pub fn is_float(self) -> bool {
        matches!(
            self,
            ScalarType::F16
                | ScalarType::F16x2
                | ScalarType::BF16
                | ScalarType::BF16x2
                | ScalarType::F32
                | ScalarType::F64
        )
    }
}

/// How a result is rounded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Rounding {
    /// `.rn`: to nearest, ties to even; what PTX does where nothing is named.
    #[default]
    Nearest,
    /// `.rz`: towards zero.
    Zero,
    /// `.rm`: towards minus infinity.
    Down,
    /// `.rp`: towards plus infinity.
    Up,
    /// `.rna`: to nearest, ties away from zero.
    NearestAway,
    /// `.rni`, to an integral value: nearest, ties to even.
    IntegerNearest,
    /// `.rzi`, to an integral value: towards zero.
    IntegerZero,
    /// `.rmi`, to an integral value: towards minus infinity.
    IntegerDown,
    /// `.rpi`, to an integral value: towards plus infinity.
    IntegerUp,
}
