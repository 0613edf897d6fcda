//! A module: variables and functions.

use super::{Function, FunctionId, ScalarType, StateSpace};

/// The dense number of a variable: module-level ones first, those of functions after them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct VariableId(pub u32);

/// The dense number of an external function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ExternalId(pub u32);

/// One PTX module.
#[derive(Clone, Debug, PartialEq)]
pub struct Module {
    /// The file it came from, as the user named it.
    pub file: String,
    /// `.version`, major and minor.
    pub version: (u32, u32),
    /// `.target`, as written (`sm_35`).
    pub target: String,
    /// 4 or 8.
    pub address_bytes: u32,
    /// Variables in `.global`, `.const`, `.shared` and `.local`, at module level and inside functions.
    pub variables: Vec<Variable>,
    /// Kernels and device functions that have a body.
    pub functions: Vec<Function>,
    /// Functions that are declared here and defined by the machine (`vprintf`).
    pub externals: Vec<External>,
    /// The files of `.file`, by number.
    pub source_files: Vec<(u32, String)>,
}

impl Module {
    /// The function of this name.
    pub fn function(&self, name: &str) -> Option<FunctionId> {
        self.functions.iter().position(|function| function.name == name).map(|id| FunctionId(id as u32))
    }

    /// The same module with every place in the PTX file 0:0, and without the file's name: what the program
    /// is, wherever it was written.
    pub fn without_places(mut self) -> Module {
        self.file.clear();
        for function in &mut self.functions {
            function.places.fill(crate::Place::default());
        }
        self
    }
}

/// A variable with static storage, or one per thread in `.local`.
#[derive(Clone, Debug, PartialEq)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// Global, Constant, Shared or Local.
    pub space: StateSpace,
    /// Type of one element.
    pub ty: ScalarType,
    /// Size in bytes; 0 for `.extern .shared x[]`, whose size the launch gives.
    pub bytes: u64,
    /// Alignment in bytes.
    pub alignment: u32,
    /// `.extern`: without storage of its own; dynamic shared memory if it is in `.shared`.
    pub is_extern: bool,
    /// The function it is declared in; none at module level.
    pub function: Option<FunctionId>,
    /// Initial contents; absent bytes are zero.
    pub initialisers: Vec<Initialiser>,
    /// Whether this is a `.texref`, `.surfref` or `.samplerref` rather than data.
    pub is_texture: bool,
}

/// A part of a variable's initial contents.
#[derive(Clone, Debug, PartialEq)]
pub enum Initialiser {
    /// Bytes at an offset.
    Bytes {
        /// Offset in the variable.
        offset: u64,
        /// The bytes.
        bytes: Vec<u8>,
    },
    /// The address of something, at an offset.
    Address {
        /// Offset in the variable.
        offset: u64,
        /// Size of the stored address.
        bytes: u32,
        /// What it is the address of.
        symbol: Symbol,
        /// Added to the address.
        addend: i64,
        /// Whether the generic address is meant (`generic(x)`).
        generic: bool,
    },
}

/// Something that has an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Symbol {
    /// A variable.
    Variable(VariableId),
    /// A function (for indirect calls).
    Function(FunctionId),
    /// A kernel or function parameter, by position; in `.param` space.
    Parameter(u32),
    /// The result parameter of a function, by position.
    Result(u32),
    /// A `.param` variable declared in a function's body for a call that it prepares, by number.
    CallParameter(u32),
}

/// A function that is declared and not defined.
#[derive(Clone, Debug, PartialEq)]
pub struct External {
    /// Its name (`vprintf`).
    pub name: String,
    /// Sizes of its parameters in bytes.
    pub parameters: Vec<u32>,
    /// Size of its result, if it has one.
    pub result: Option<u32>,
}
