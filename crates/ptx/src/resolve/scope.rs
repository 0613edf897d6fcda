//! What names mean at a place in a function.
//!
//! Module-level resolution keeps the scopes; instruction-level resolution asks them.

use crate::Place;
use crate::ir::{ExternalId, FunctionId, Label, RegisterId, ScalarType, StateSpace, VariableId};

/// What a name stands for.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Named {
    /// A register.
    Register(RegisterId),
    /// A vector register (`.reg .v2 .b32 x`): its elements, `x.x`, `x.y` …
    Vector(Vec<RegisterId>),
    /// A variable in memory.
    Variable(VariableId),
    /// A function of the module.
    Function(FunctionId),
    /// A function that the machine provides.
    External(ExternalId),
    /// A parameter of the function, in memory.
    Parameter(u32),
    /// A result of the function, in memory.
    Result(u32),
    /// A `.param` variable of the body.
    CallParameter(u32),
    /// A label.
    Label(Label),
    /// A table of labels (`.branchtargets`).
    BranchTargets(Vec<Label>),
    /// The functions that `.calltargets` lists.
    CallTargets(Vec<FunctionId>),
    /// A `.callprototype`: sizes of results and of parameters.
    Prototype(Vec<u32>, Vec<u32>),
}

/// A problem with an instruction; the caller adds file and mnemonic.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Problem {
    /// Where; the instruction's own place if absent.
    pub(crate) place: Option<Place>,
    /// What is wrong and what was expected.
    pub(crate) text: String,
    /// What would help.
    pub(crate) help: Option<String>,
}

/// The scopes around an instruction.
pub(crate) trait Scope {
    /// What a name stands for here, innermost scope first.
    fn find(&self, name: &str) -> Option<Named>;
    /// The nearest name that is known here, for messages.
    fn nearest(&self, name: &str) -> Option<String>;
    /// The type of a register.
    fn register_type(&self, register: RegisterId) -> ScalarType;
    /// A new register that no name stands for.
    fn temporary(&mut self, ty: ScalarType) -> RegisterId;
    /// 4 or 8.
    fn address_bytes(&self) -> u32;
    /// The state space of a variable, and whether it is a texture or surface reference rather than data.
    fn variable_space(&self, variable: VariableId) -> Option<(StateSpace, bool)>;
    /// The variable in global memory that cooperative kernels count their blocks in; there is one in a module
    /// that uses it.
    fn grid_workspace(&mut self) -> VariableId;
    /// The size in bytes and type of a parameter-space variable ([`Named::Parameter`], [`Named::Result`] or
    /// [`Named::CallParameter`]).
    fn parameter_type(&self, named: &Named) -> Option<(u32, ScalarType)>;
    /// Sizes of results and of parameters of a function or an external.
    fn signature(&self, named: &Named) -> Option<(Vec<u32>, Vec<u32>)>;
    /// Every function whose address is taken somewhere in the module, with its signature, in order: what an
    /// indirect call without `.calltargets` may reach.
    fn address_taken(&self) -> Vec<FunctionId>;
}
