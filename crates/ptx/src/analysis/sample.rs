//! Functions for tests, written as a list of what matters to control flow.

use crate::ir::{
    AluMode, AluOperation, Call, CallTarget, ExternalId, Function, Guard, Instruction, Label, Operand,
    Operation, Register, RegisterId, ScalarType,
};

/// One line of a sample.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Code {
    /// A label of this number.
    Label(u32),
    /// Something without influence on the flow.
    Plain,
    /// `bra`.
    Branch(u32),
    /// `@p bra`.
    BranchIf(u32),
    /// `brx.idx`.
    BranchTable(Vec<u32>),
    /// `ret`.
    Return,
    /// `@p ret`.
    ReturnIf,
    /// `exit`.
    Exit,
    /// `@p exit`.
    ExitIf,
    /// `trap`.
    Trap,
    /// `call`.
    Call,
}

/// The predicate of every guard.
const PREDICATE: RegisterId = RegisterId(0);
const INTEGER: RegisterId = RegisterId(1);

/// A kernel with this code.
pub(crate) fn at(code: &[Code]) -> Function {
    let register = |name: &str, ty| Register { name: name.to_string(), ty };
    let mut function = Function {
        name: "sample".to_string(),
        is_kernel: true,
        registers: vec![register("%p1", ScalarType::Pred), register("%r1", ScalarType::B32)],
        ..Function::default()
    };
    for line in code {
        if let Code::Label(number) = line {
            let number = *number as usize;
            if function.labels.len() <= number {
                function.labels.resize(number + 1, usize::MAX);
                function.label_names.resize(number + 1, format!("L{number}"));
            }
            function.labels[number] = function.instructions.len();
        } else {
            function.instructions.push(instruction(line));
        }
    }
    let length = function.instructions.len();
    function.places = vec![crate::Place::default(); length];
    function.source_lines = vec![None; length];
    function
}

/// A device function with this code.
pub(crate) fn device(code: &[Code]) -> Function {
    Function { is_kernel: false, ..at(code) }
}

fn instruction(line: &Code) -> Instruction {
    let operation = match line {
        Code::Branch(label) | Code::BranchIf(label) => {
            Operation::Branch { target: Label(*label), uniform: false }
        }
        Code::BranchTable(labels) => Operation::BranchIndexed {
            index: Operand::Register(INTEGER),
            targets: labels.iter().map(|&label| Label(label)).collect(),
            uniform: false,
        },
        Code::Return | Code::ReturnIf => Operation::Return,
        Code::Exit | Code::ExitIf => Operation::Exit,
        Code::Trap => Operation::Trap,
        Code::Call => Operation::Call(Call {
            target: CallTarget::External(ExternalId(0)),
            results: Vec::new(),
            arguments: Vec::new(),
            uniform: false,
        }),
        Code::Plain | Code::Label(_) => Operation::Alu {
            operation: AluOperation::Add,
            ty: ScalarType::S32,
            mode: AluMode::default(),
            destination: INTEGER,
            sources: vec![Operand::Register(INTEGER), Operand::Immediate(1)],
        },
    };
    let guarded = matches!(line, Code::BranchIf(_) | Code::ReturnIf | Code::ExitIf);
    Instruction { guard: guarded.then_some(Guard { register: PREDICATE, negated: false }), operation }
}
