//! Instructions.
//!
//! A pure operation on values is an [`Operation::Alu`]: one destination, up to four sources, everything else
//! in [`AluMode`]. What touches memory, other lanes or the flow of control has a variant of its own.

use super::{
    Access, AluMode, AluOperation, Atomic, BooleanOperation, CacheOperator, Comparison, ExternalId,
    FenceKind, FunctionId, Label, RegisterId, ScalarType, Scope, StateSpace, Symbol,
};

/// One instruction.
#[derive(Clone, Debug, PartialEq)]
pub struct Instruction {
    /// `@p` or `@!p`.
    pub guard: Option<Guard>,
    /// What it does.
    pub operation: Operation,
}

/// A guard predicate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Guard {
    /// The predicate register.
    pub register: RegisterId,
    /// `@!p`.
    pub negated: bool,
}

/// A source of an operation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Operand {
    /// A register.
    Register(RegisterId),
    /// A constant, as the bits of the operation's type (integers sign-extended to 64 bits; an `f32` constant
    /// has its 32 bits, whether it was written `0f…` or `0d…`).
    Immediate(u64),
    /// A special register.
    Special(Special),
    /// An address: of a variable in its own state space, of a function, of a parameter.
    Symbol(Symbol, i64),
}

/// A special register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names are the field's own; the number is the axis")]
pub enum Special {
    ThreadIndex(u8),
    BlockSize(u8),
    BlockIndex(u8),
    GridSize(u8),
    Lane,
    WarpIndex,
    WarpCount,
    CoreIndex,
    CoreCount,
    GridId,
    LaneMaskEqual,
    LaneMaskLess,
    LaneMaskLessEqual,
    LaneMaskGreater,
    LaneMaskGreaterEqual,
    Clock,
    ClockHigh,
    Clock64,
    GlobalTimer,
    GlobalTimerLow,
    GlobalTimerHigh,
    DynamicSharedBytes,
    TotalSharedBytes,
    /// `WARP_SZ`.
    WarpSize,
}

/// An address of an access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Address {
    /// What it starts from.
    pub base: AddressBase,
    /// Added to it.
    pub offset: i64,
}

/// What an address starts from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AddressBase {
    /// A register.
    Register(RegisterId),
    /// A variable or a parameter.
    Symbol(Symbol),
    /// Nothing: the offset is the address.
    Absolute,
}

/// What an instruction does.
#[derive(Clone, Debug, PartialEq)]
pub enum Operation {
    /// A pure operation on values: `d = operation(sources)`. `d` may be absent (`_`).
    Alu {
        /// Which.
        operation: AluOperation,
        /// The type that it is named with; of the *source* for conversions and comparisons.
        ty: ScalarType,
        /// Rounding, flushing and the like.
        mode: AluMode,
        /// Destination.
        destination: RegisterId,
        /// Sources, in the order of the text.
        sources: Vec<Operand>,
    },
    /// `setp`: one or two predicates from a comparison, combined with a third.
    SetPredicate {
        /// The comparison.
        comparison: Comparison,
        /// Type of the operands.
        ty: ScalarType,
        /// `.ftz`.
        flush: bool,
        /// `p`: the comparison, combined.
        destination: Option<RegisterId>,
        /// `q`: its complement, combined.
        complement: Option<RegisterId>,
        /// Left and right side.
        sources: [Operand; 2],
        /// `.and`, `.or`, `.xor` with a predicate, perhaps negated.
        combine: Option<(BooleanOperation, Operand, bool)>,
    },
    /// `mov.b64 d, {a, b}`: parts into one register, the first at the low end.
    Pack {
        /// Type of the whole.
        ty: ScalarType,
        /// Destination.
        destination: RegisterId,
        /// The parts.
        parts: Vec<Operand>,
    },
    /// `mov.b64 {a, b}, s`: one value into parts, the first from the low end; `_` drops a part.
    Unpack {
        /// Type of the whole.
        ty: ScalarType,
        /// Destinations.
        parts: Vec<Option<RegisterId>>,
        /// The value.
        source: Operand,
    },
    /// `ld`, `ldu`.
    Load {
        /// Everything about the access.
        access: Access,
        /// One destination per element; `_` drops one.
        destinations: Vec<Option<RegisterId>>,
        /// Where.
        address: Address,
    },
    /// `st`.
    Store {
        /// Everything about the access.
        access: Access,
        /// Where.
        address: Address,
        /// One source per element.
        sources: Vec<Operand>,
    },
    /// `atom` (with destinations) and `red` (without).
    Atomic {
        /// Everything about the operation.
        atomic: Atomic,
        /// The old values, one per element; empty for `red`, `_` where it is dropped.
        destinations: Vec<Option<RegisterId>>,
        /// Where.
        address: Address,
        /// `b`, one per element.
        operands: Vec<Operand>,
        /// `c`, of compare-and-swap.
        swap: Option<Operand>,
    },
    /// `prefetch`, `prefetchu`, `applypriority`, `discard`: no effect on values.
    Prefetch {
        /// State space.
        space: StateSpace,
        /// 1 or 2.
        level: u8,
        /// Where.
        address: Address,
    },
    /// `cp.async`: shared memory from global memory.
    CopyAsync {
        /// Where the source may be kept: `.ca` or `.cg`.
        cache: CacheOperator,
        /// Destination in shared memory.
        to: Address,
        /// Source in global memory.
        from: Address,
        /// Bytes written: 4, 8 or 16.
        bytes: u32,
        /// Bytes read, the rest are zero; all of them if absent.
        source_bytes: Option<Operand>,
    },
    /// `cp.async.commit_group`.
    CopyCommit,
    /// `cp.async.wait_group` and `wait_all`: all copies of the thread are complete.
    CopyWait,
    /// `tex.1d`: elements of a linear texture.
    Texture {
        /// Four destinations; `_` drops one.
        destinations: Vec<Option<RegisterId>>,
        /// Type of a destination.
        ty: ScalarType,
        /// The texture: a `.texref` variable, or a texture object in a register or parameter.
        texture: Operand,
        /// The coordinate, `.s32` or `.f32`.
        coordinate: Operand,
        /// Type of the coordinate.
        coordinate_ty: ScalarType,
    },
    /// `membar`, `fence`.
    Fence {
        /// What it orders.
        kind: FenceKind,
        /// For whom.
        scope: Scope,
    },
    /// `bar`, `barrier`.
    Barrier(Barrier),
    /// `bar.warp.sync`.
    WarpBarrier {
        /// The lanes that take part.
        members: Operand,
    },
    /// `shfl`, `shfl.sync`.
    Shuffle {
        /// Which lane is read.
        mode: ShuffleMode,
        /// Destination.
        destination: Option<RegisterId>,
        /// Whether the lane read was in range.
        predicate: Option<RegisterId>,
        /// The value given.
        source: Operand,
        /// Lane, offset or mask.
        lane: Operand,
        /// Clamp and segment mask.
        clamp: Operand,
        /// The lanes that take part; none for the form without `.sync`.
        members: Option<Operand>,
    },
    /// `vote`, `vote.sync`.
    Vote {
        /// Which.
        mode: VoteMode,
        /// A predicate, or 32 bits for a ballot.
        destination: RegisterId,
        /// The predicate asked.
        source: Operand,
        /// `!p`.
        negated: bool,
        /// The lanes that take part; none for the form without `.sync`.
        members: Option<Operand>,
    },
    /// `match.sync`.
    Match {
        /// `.all` rather than `.any`.
        all: bool,
        /// B32 or B64.
        ty: ScalarType,
        /// The mask of equal lanes.
        destination: Option<RegisterId>,
        /// Whether all are equal.
        predicate: Option<RegisterId>,
        /// The value compared.
        source: Operand,
        /// The lanes that take part.
        members: Operand,
    },
    /// `redux.sync`.
    Reduce {
        /// Which.
        operation: Reduction,
        /// Type.
        ty: ScalarType,
        /// Destination.
        destination: RegisterId,
        /// The value.
        source: Operand,
        /// The lanes that take part.
        members: Operand,
    },
    /// `elect.sync`: one lane of the members, the lowest.
    Elect {
        /// The leader's number.
        destination: Option<RegisterId>,
        /// Whether this is the leader.
        predicate: Option<RegisterId>,
        /// The lanes that take part.
        members: Operand,
    },
    /// `activemask`.
    ActiveMask {
        /// Destination.
        destination: RegisterId,
    },
    /// `bra`.
    Branch {
        /// Where to.
        target: Label,
        /// `.uni`.
        uniform: bool,
    },
    /// `brx.idx`: a jump through a table (`.branchtargets`).
    BranchIndexed {
        /// Which target.
        index: Operand,
        /// The table.
        targets: Vec<Label>,
        /// `.uni`.
        uniform: bool,
    },
    /// `call`.
    Call(Call),
    /// `ret`.
    Return,
    /// `exit`.
    Exit,
    /// `trap`.
    Trap,
    /// `brkpt`, `pmevent`, `nanosleep`, `griddepcontrol`, `setmaxnreg`: nothing that values depend on.
    Nothing,
}

/// A barrier among the threads of a block.
#[derive(Clone, Debug, PartialEq)]
pub struct Barrier {
    /// Which kind.
    pub kind: BarrierKind,
    /// The barrier's number, 0 to 15.
    pub number: Operand,
    /// How many threads take part; all of the block if absent.
    pub threads: Option<Operand>,
}

/// What a barrier does beside waiting.
#[derive(Clone, Debug, PartialEq)]
pub enum BarrierKind {
    /// `.sync`: arrive and wait.
    Synchronise,
    /// `.arrive`: arrive only.
    Arrive,
    /// `.red`: wait, and combine a predicate over all threads.
    Reduce {
        /// `.and`, `.or`; `None` counts (`.popc`).
        operation: Option<BooleanOperation>,
        /// A predicate, or 32 bits for a count.
        destination: RegisterId,
        /// The predicate given.
        source: Operand,
        /// `!p`.
        negated: bool,
    },
}

/// A call.
#[derive(Clone, Debug, PartialEq)]
pub struct Call {
    /// Who is called.
    pub target: CallTarget,
    /// The results: a register or a call parameter (by [`Symbol::CallParameter`]) each.
    pub results: Vec<Operand>,
    /// The arguments: registers, constants, or call parameters.
    pub arguments: Vec<Operand>,
    /// `.uni`.
    pub uniform: bool,
}

/// Who is called.
#[derive(Clone, Debug, PartialEq)]
pub enum CallTarget {
    /// A function of the module.
    Function(FunctionId),
    /// A function that the machine provides.
    External(ExternalId),
    /// A function by its address; those that it may be, in order (every one of the module whose address is
    /// taken and whose signature fits, or those of `.calltargets`).
    Indirect(RegisterId, Vec<FunctionId>),
}

/// Which lane a shuffle reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names are the field's own")]
pub enum ShuffleMode {
    Up,
    Down,
    Butterfly,
    Index,
}

/// What a vote asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names are the field's own")]
pub enum VoteMode {
    All,
    Any,
    Uniform,
    Ballot,
}

/// What `redux` computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names are the field's own")]
pub enum Reduction {
    Add,
    Minimum,
    Maximum,
    And,
    Or,
    Xor,
}
