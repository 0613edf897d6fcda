//! The program as machines see it: registers, variables, labels and functions are dense numbers, every
//! instruction is typed and complete.
//!
//! Nothing of an access is lost on the way: state space, ordering, scope, cache operator and hints stay in
//! the instruction, for the machines that act on them.

mod alu;
mod function;
mod instruction;
mod memory;
mod module;
mod types;

pub use alu::{AluMode, AluOperation, BooleanOperation, Comparison, FloatProperty, PermuteMode};
pub use function::{
    Function, FunctionId, Label, Linkage, Parameter, ParameterPlace, Register, RegisterId, SourceLine, Tuning,
};
pub use instruction::{
    Address, AddressBase, Barrier, BarrierKind, Call, CallTarget, Guard, Instruction, Operand, Operation,
    Reduction, ShuffleMode, Special, VoteMode,
};
pub use memory::{
    Access, Atomic, CacheOperator, Eviction, FenceKind, Ordering, PrefetchSize, Scope, StateSpace,
};
pub use module::{External, ExternalId, Initialiser, Module, Symbol, Variable, VariableId};
pub use types::{Rounding, ScalarType};
