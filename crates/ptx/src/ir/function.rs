//! A kernel or a device function.

use super::{Instruction, ScalarType};
use crate::Place;

/// The dense number of a function in its module.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct FunctionId(pub u32);

/// The dense number of a register in its function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct RegisterId(pub u32);

/// The dense number of a label in its function; [`Function::labels`] has its instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Label(pub u32);

/// Who sees a function.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names are the field's own")]
pub enum Linkage {
    #[default]
    Internal,
    Visible,
    Weak,
}

/// A kernel (`.entry`) or a device function (`.func`) with its body.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Function {
    /// Its name.
    pub name: String,
    /// Whether it can be launched.
    pub is_kernel: bool,
    /// Who sees it.
    pub linkage: Linkage,
    /// Parameters, in order.
    pub parameters: Vec<Parameter>,
    /// Results (`.func (.param .b32 r)`), at most one in practice.
    pub results: Vec<Parameter>,
    /// `.param` variables declared in the body, for calls that it prepares.
    pub call_parameters: Vec<Parameter>,
    /// Registers, by number.
    pub registers: Vec<Register>,
    /// The instructions, in the order of the text.
    pub instructions: Vec<Instruction>,
    /// For each label, the index of the instruction that it stands before (the length for one at the end).
    pub labels: Vec<usize>,
    /// The names of the labels, by number.
    pub label_names: Vec<String>,
    /// Performance directives.
    pub tuning: Tuning,
    /// Where each instruction stands in the PTX file.
    pub places: Vec<Place>,
    /// Where each instruction comes from, by `.loc`.
    pub source_lines: Vec<Option<SourceLine>>,
}

/// One declared register.
#[derive(Clone, Debug, PartialEq)]
pub struct Register {
    /// Its name, with the percent sign if it has one.
    pub name: String,
    /// Its declared type.
    pub ty: ScalarType,
}

/// One parameter or result.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    /// Its name.
    pub name: String,
    /// Type of one element (`.b8` for a struct).
    pub ty: ScalarType,
    /// Size in bytes.
    pub bytes: u32,
    /// Alignment in bytes.
    pub alignment: u32,
    /// Where it is.
    pub place: ParameterPlace,
}

/// Where a parameter is passed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParameterPlace {
    /// In `.param` space, at this offset of the kernel's parameter buffer or of the function's frame.
    Memory(u32),
    /// In this register (`.func f(.reg .b32 x)`).
    Register(RegisterId),
}

/// A line of the original program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SourceLine {
    /// The number of the file (`.file`).
    pub file: u32,
    /// The line.
    pub line: u32,
}

/// Performance-tuning directives.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tuning {
    /// `.maxntid`: largest block.
    pub max_threads: Option<[u32; 3]>,
    /// `.reqntid`: the only block size.
    pub required_threads: Option<[u32; 3]>,
    /// `.minnctapersm`: blocks per core that are asked for.
    pub min_blocks_per_core: Option<u32>,
    /// `.maxnreg`: registers per thread.
    pub max_registers: Option<u32>,
}
