//! The program as machines see it: registers, variables, labels and functions are dense numbers, every
//! instruction is typed and complete.
//!
//! Nothing of an access is lost on the way: state space, ordering, scope, cache operator and hints stay in
//! the instruction, for the machines that act on them.

mod function;
mod instruction;
mod memory;
mod module;
mod types;

pub use function::{
    Function, FunctionId, Label, Linkage, Parameter, ParameterPlace, Register, RegisterId, SourceLine, Tuning,
};
pub use instruction::{
    Address, AddressBase, AluMode, AluOperation, Barrier, BarrierKind, BooleanOperation, Call, CallTarget,
    Comparison, FloatProperty, Guard, Instruction, Operand, Operation, PermuteMode, Reduction, ShuffleMode,
    Special, VoteMode,
};
pub use memory::{
    Access, Atomic, CacheOperator, Eviction, FenceKind, Ordering, PrefetchSize, Scope, StateSpace,
};
pub use module::{External, ExternalId, Initialiser, Module, Symbol, Variable, VariableId};
pub use types::{Rounding, ScalarType};
