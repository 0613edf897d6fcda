//! A scope with a few names of every kind.

use crate::ir::ScalarType::{
    self, B8, B16, B32, B64, F16, F16x2, F32, F64, Pred, S8, S16, S32, S64, U8, U16, U32, U64,
};
use crate::ir::{ExternalId, FunctionId, Label, RegisterId, StateSpace, VariableId};
use crate::resolve::scope::{Named, Scope};

/// Register names by type; the digit after the prefix counts from 0.
const REGISTERS: &[(&str, u32, ScalarType)] = &[
    ("p", 3, Pred),
    ("b", 2, B8),
    ("ub", 1, U8),
    ("sb", 1, S8),
    ("h", 4, B16),
    ("uh", 2, U16),
    ("sh", 2, S16),
    ("fh", 3, F16),
    ("fx", 3, F16x2),
    ("r", 5, B32),
    ("u", 4, U32),
    ("s", 4, S32),
    ("f", 4, F32),
    ("d", 4, B64),
    ("ud", 3, U64),
    ("sd", 3, S64),
    ("fd", 4, F64),
    ("v2r", 2, B32),
    ("v4f", 4, F32),
    ("v4u", 4, U32),
];

const VARIABLES: &[(&str, StateSpace, bool)] = &[
    ("gv", StateSpace::Global, false),
    ("sv", StateSpace::Shared, false),
    ("cv", StateSpace::Constant, false),
    ("lv", StateSpace::Local, false),
    ("gw", StateSpace::Global, false),
    ("tr", StateSpace::Global, true),
];

pub(super) struct TestScope {
    registers: Vec<(String, ScalarType)>,
}

impl TestScope {
    pub(super) fn new() -> TestScope {
        let mut registers = Vec::new();
        for &(prefix, count, ty) in REGISTERS {
            registers.extend((0..count).map(|number| (format!("{prefix}{number}"), ty)));
        }
        TestScope { registers }
    }

    /// The number of a register.
    pub(super) fn register(&self, name: &str) -> RegisterId {
        let position = self.registers.iter().position(|(known, _)| known == name);
        RegisterId(position.unwrap_or_else(|| panic!("no register {name}")) as u32)
    }
}

impl Scope for TestScope {
    fn find(&self, name: &str) -> Option<Named> {
        let vector = |prefix: &str, elements: u32| {
            Some(Named::Vector((0..elements).map(|at| self.register(&format!("{prefix}{at}"))).collect()))
        };
        match name {
            "v2r" => return vector("v2r", 2),
            "v4f" => return vector("v4f", 4),
            "v4u" => return vector("v4u", 4),
            "kp" => return Some(Named::Parameter(0)),
            "ks" => return Some(Named::Parameter(1)),
            "res" => return Some(Named::Result(0)),
            "cp4" => return Some(Named::CallParameter(0)),
            "cp8" => return Some(Named::CallParameter(1)),
            "vprintf" => return Some(Named::External(ExternalId(0))),
            "k" => return Some(Named::Function(FunctionId(0))),
            "fpar" => return Some(Named::Function(FunctionId(1))),
            "freg" => return Some(Named::Function(FunctionId(2))),
            "fnone" => return Some(Named::Function(FunctionId(3))),
            "LEND" => return Some(Named::Label(Label(7))),
            "table" => return Some(Named::BranchTargets(vec![Label(1), Label(7)])),
            "targets" => return Some(Named::CallTargets(vec![FunctionId(1), FunctionId(2)])),
            "prototype" => return Some(Named::Prototype(vec![4], vec![4])),
            _ => {}
        }
        if let Some(at) = VARIABLES.iter().position(|entry| entry.0 == name) {
            return Some(Named::Variable(VariableId(at as u32)));
        }
        let at = self.registers.iter().position(|(known, _)| known == name)?;
        Some(Named::Register(RegisterId(at as u32)))
    }

    fn nearest(&self, _name: &str) -> Option<String> {
        Some("r0".to_owned())
    }

    fn register_type(&self, register: RegisterId) -> ScalarType {
        self.registers[register.0 as usize].1
    }

    fn temporary(&mut self, ty: ScalarType) -> RegisterId {
        self.registers.push((format!("temporary {}", self.registers.len()), ty));
        RegisterId(self.registers.len() as u32 - 1)
    }

    fn address_bytes(&self) -> u32 {
        8
    }

    fn variable_space(&self, variable: VariableId) -> Option<(StateSpace, bool)> {
        VARIABLES.get(variable.0 as usize).map(|entry| (entry.1, entry.2))
    }

    fn grid_workspace(&mut self) -> VariableId {
        VariableId(99)
    }

    fn parameter_type(&self, named: &Named) -> Option<(u32, ScalarType)> {
        match named {
            Named::Parameter(0) | Named::CallParameter(1) => Some((8, B64)),
            Named::Parameter(_) => Some((16, B8)),
            _ => Some((4, B32)),
        }
    }

    fn signature(&self, named: &Named) -> Option<(Vec<u32>, Vec<u32>)> {
        match named {
            Named::External(_) => Some((vec![4], vec![8, 8])),
            Named::Function(FunctionId(1 | 2)) => Some((vec![4], vec![4])),
            Named::Function(FunctionId(3)) => Some((Vec::new(), Vec::new())),
            _ => None,
        }
    }

    fn address_taken(&self) -> Vec<FunctionId> {
        vec![FunctionId(1), FunctionId(3)]
    }
}
