//! The answers that the resolution of an instruction gets about names.

use super::Body;
use super::declare::new_registers;
use super::scopes::{Kind, Local};
use crate::ir::{FunctionId, RegisterId, ScalarType, StateSpace, Variable, VariableId};
use crate::resolve::declarations::Global;
use crate::resolve::report::nearest;
use crate::resolve::scope::{Named, Scope};

/// No name of a program: those have no spaces.
const GRID_WORKSPACE: &str = "grid workspace";

impl Scope for Body<'_, '_, '_> {
    fn find(&self, name: &str) -> Option<Named> {
        match self.scopes.get(name) {
            Some(Local::Register(kind, numbers)) if kind.elements > 1 => Some(Named::Vector(numbers.clone())),
            Some(Local::Register(_, numbers)) => numbers.first().copied().map(Named::Register),
            Some(Local::Named(named)) => Some(named.clone()),
            Some(Local::Refused) => None,
            None => match self.globals.names.get(name)? {
                Global::Variable(id) => Some(Named::Variable(*id)),
                Global::Function(id) => Some(Named::Function(*id)),
                Global::External(id) => Some(Named::External(*id)),
                Global::Missing(..) => None,
            },
        }
    }

    fn nearest(&self, name: &str) -> Option<String> {
        let last = self.scopes.last_of_family(name);
        last.or_else(|| {
            let known = self.scopes.names().chain(self.globals.names.keys().copied());
            nearest(name, known).map(str::to_string)
        })
    }

    fn register_type(&self, register: RegisterId) -> ScalarType {
        self.function.registers.get(register.0 as usize).map_or(ScalarType::B32, |register| register.ty)
    }

    fn temporary(&mut self, ty: ScalarType) -> RegisterId {
        let name = format!("%temporary{}", self.function.registers.len());
        let numbers = new_registers(&mut self.function.registers, &name, Kind { ty, elements: 1 });
        numbers.first().copied().unwrap_or(RegisterId(0))
    }

    fn address_bytes(&self) -> u32 {
        self.globals.address_bytes
    }

    fn variable_space(&self, variable: VariableId) -> Option<(StateSpace, bool)> {
        self.output.variables.get(variable.0 as usize).map(|variable| (variable.space, variable.is_texture))
    }

    fn grid_workspace(&mut self) -> VariableId {
        let variables = &mut *self.output.variables;
        if let Some(known) = variables.iter().position(|variable| variable.name == GRID_WORKSPACE) {
            return VariableId(known as u32);
        }
        variables.push(Variable {
            name: GRID_WORKSPACE.to_string(),
            space: StateSpace::Global,
            ty: ScalarType::U32,
            bytes: 16,
            alignment: 16,
            is_extern: false,
            function: None,
            initialisers: Vec::new(),
            is_texture: false,
        });
        VariableId(variables.len() as u32 - 1)
    }

    fn parameter_type(&self, named: &Named) -> Option<(u32, ScalarType)> {
        let (list, number) = match named {
            Named::Parameter(number) => (&self.function.parameters, number),
            Named::Result(number) => (&self.function.results, number),
            Named::CallParameter(number) => (&self.function.call_parameters, number),
            _ => return None,
        };
        list.get(*number as usize).map(|parameter| (parameter.bytes, parameter.ty))
    }

    fn signature(&self, named: &Named) -> Option<(Vec<u32>, Vec<u32>)> {
        match named {
            Named::Function(id) => {
                self.globals.functions.get(id.0 as usize).map(|function| function.signature.sizes())
            }
            Named::External(id) => {
                let external = self.globals.externals.get(id.0 as usize)?;
                Some((external.result.into_iter().collect(), external.parameters.clone()))
            }
            _ => None,
        }
    }

    fn address_taken(&self) -> Vec<FunctionId> {
        self.globals.address_taken.clone()
    }
}
