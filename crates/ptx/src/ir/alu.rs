//! Pure operations on values: opcodes, modes, comparisons.

use super::{Rounding, ScalarType, StateSpace};

/// A comparison; the unordered ones are true if an operand is NaN.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names are the field's own")]
pub enum Comparison {
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    UnorderedEqual,
    UnorderedNotEqual,
    UnorderedLess,
    UnorderedLessEqual,
    UnorderedGreater,
    UnorderedGreaterEqual,
    /// Neither is NaN.
    Numbers,
    /// At least one is NaN.
    NotNumbers,
}

/// An operation on predicates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names are the field's own")]
pub enum BooleanOperation {
    And,
    Or,
    Xor,
}

/// How a pure operation is done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AluMode {
    /// Rounding mode.
    pub rounding: Rounding,
    /// `.ftz`: subnormal inputs and results are zero, with their sign.
    pub flush: bool,
    /// `.sat`: to [0, 1] for floats, to the type's range for integers.
    pub saturate: bool,
    /// `.relu`: negative results are zero.
    pub relu: bool,
    /// `.approx` or `.full`.
    pub approximate: bool,
    /// `.NaN` of `min` and `max`: a NaN operand gives NaN.
    pub propagate_nan: bool,
    /// `.xorsign.abs` of `min` and `max`.
    pub xor_sign: bool,
    /// Writes the carry flag (`.cc`).
    pub carry_out: bool,
    /// Reads the carry flag (`addc`, `subc`, `madc`).
    pub carry_in: bool,
}

/// A pure operation. Source types are the instruction's; where the result differs, it says so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names are those of PTX, spelled out")]
pub enum AluOperation {
    /// `mov`, also of predicates, special registers and addresses.
    Move,
    Add,
    Subtract,
    /// `mul`, `mul.lo`.
    Multiply,
    MultiplyHigh,
    /// Result twice as wide.
    MultiplyWide,
    Multiply24,
    Multiply24High,
    /// `mad`, `mad.lo`, `fma`.
    MultiplyAdd,
    MultiplyAddHigh,
    /// Third source and result twice as wide.
    MultiplyAddWide,
    MultiplyAdd24,
    MultiplyAdd24High,
    SumOfDifferences,
    Divide,
    Remainder,
    Absolute,
    Negate,
    Minimum,
    Maximum,
    /// Result 32 bits.
    PopulationCount,
    /// Result 32 bits.
    LeadingZeros,
    /// Result 32 bits; `shift` gives the distance from the top (`.shiftamt`).
    FindLeading {
        shift: bool,
    },
    /// `fns.b32`: mask, base, offset.
    FindNthSet,
    ReverseBits,
    /// `bfe`: value, position, length.
    ExtractField,
    /// `bfi`: field, base, position, length.
    InsertField,
    /// `szext`; wraps rather than clamps.
    ExtendSign {
        wrap: bool,
    },
    /// `bmsk`; wraps rather than clamps.
    MakeMask {
        wrap: bool,
    },
    /// `dp4a`; signedness of the first two sources.
    DotProduct4 {
        signed: [bool; 2],
    },
    /// `dp2a`; signedness of the first two sources, high half of the second.
    DotProduct2 {
        signed: [bool; 2],
        high: bool,
    },
    And,
    Or,
    Xor,
    Not,
    /// `cnot`: 1 if zero, else 0.
    LogicalNot,
    /// `lop3` with its table.
    Lookup3(u8),
    ShiftLeft,
    ShiftRight,
    /// `shf.l`.
    FunnelLeft {
        wrap: bool,
    },
    /// `shf.r`.
    FunnelRight {
        wrap: bool,
    },
    /// `prmt`, by mode.
    Permute(PermuteMode),
    /// `selp`: a, b, predicate.
    Select,
    /// `slct`: a, b, and the third source of type S32 or F32 whose sign decides.
    SelectBySign {
        float: bool,
    },
    /// `set`: comparison to a value of the given type; a third source is a predicate to combine with.
    SetValue {
        comparison: Comparison,
        result: ScalarType,
        combine: Option<(BooleanOperation, bool)>,
    },
    /// `cvt` from the instruction's type; two sources for packed results.
    Convert(ScalarType),
    /// `cvta.SPACE`: to a generic address.
    ToGeneric(StateSpace),
    /// `cvta.to.SPACE`: from a generic address.
    FromGeneric(StateSpace),
    /// `isspacep`: a predicate.
    IsInSpace(StateSpace),
    /// `testp`: a predicate.
    TestProperty(FloatProperty),
    /// `copysign`: the sign of the first source, the magnitude of the second.
    CopySign,
    Reciprocal,
    SquareRoot,
    ReciprocalSquareRoot,
    Sine,
    Cosine,
    LogarithmBase2,
    PowerOf2,
    HyperbolicTangent,
}

/// What `testp` asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names are the field's own")]
pub enum FloatProperty {
    Finite,
    Infinite,
    Number,
    NotANumber,
    Normal,
    Subnormal,
}

/// The mode of `prmt`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names are the field's own")]
pub enum PermuteMode {
    Default,
    Forward4,
    Backward4,
    Replicate8,
    EdgeClampLeft,
    EdgeClampRight,
    Replicate16,
}
