//! Vectors as operands: `{a, b, _, d}`, or a vector register by its name.

use super::context::{Context, Value, at, is_sink, place_of};
use super::types::Size;
use crate::ir::{Operand, RegisterId, ScalarType};
use crate::resolve::scope::{Named, Problem};
use crate::syntax;

impl Context<'_> {
    /// The registers of a vector register; none if the operand is something else.
    pub(super) fn vector_register(
        &self,
        operand: &syntax::Operand,
    ) -> Result<Option<Vec<RegisterId>>, Problem> {
        let syntax::Operand::Name(place, name) = operand else { return Ok(None) };
        if name == "_" {
            return Ok(None);
        }
        match self.value(*place, name)? {
            Value::Other(Named::Vector(registers)) => Ok(Some(registers)),
            _ => Ok(None),
        }
    }

    /// Takes as many destinations as a vector has elements; `_` drops one.
    pub(super) fn vector_destinations(
        &mut self,
        elements: usize,
        ty: ScalarType,
        size: Size,
    ) -> Result<Vec<Option<RegisterId>>, Problem> {
        let operand = self.take()?;
        if let Some(registers) = self.vector_register(operand)? {
            self.check_elements(operand, registers.len(), elements)?;
            for &register in &registers {
                self.check_element(operand, register, ty, size)?;
            }
            return Ok(registers.into_iter().map(Some).collect());
        }
        match operand {
            syntax::Operand::Vector(_, parts) => {
                self.check_elements(operand, parts.len(), elements)?;
                parts.iter().map(|part| self.register_or_sink(part, ty, size)).collect()
            }
            sink if elements == 1 && is_sink(sink) => {
                Err(at(place_of(sink), "the result of this instruction cannot be dropped with `_`"))
            }
            single if elements == 1 => Ok(vec![Some(self.register(single, ty, size)?)]),
            other => Err(at(
                place_of(other),
                format!("a vector of {elements} registers in braces is expected here"),
            )),
        }
    }

    /// Takes as many sources as a vector has elements.
    pub(super) fn vector_sources(
        &mut self,
        elements: usize,
        ty: ScalarType,
        size: Size,
    ) -> Result<Vec<Operand>, Problem> {
        let operand = self.take()?;
        if let Some(registers) = self.vector_register(operand)? {
            self.check_elements(operand, registers.len(), elements)?;
            for &register in &registers {
                self.check_element(operand, register, ty, size)?;
            }
            return Ok(registers.into_iter().map(Operand::Register).collect());
        }
        match operand {
            syntax::Operand::Vector(_, parts) => {
                self.check_elements(operand, parts.len(), elements)?;
                parts.iter().map(|part| self.source_from(part, ty, size)).collect()
            }
            single if elements == 1 => Ok(vec![self.source_from(single, ty, size)?]),
            other => Err(at(
                place_of(other),
                format!("a vector of {elements} operands in braces is expected here"),
            )),
        }
    }

    fn check_elements(
        &self,
        operand: &syntax::Operand,
        given: usize,
        expected: usize,
    ) -> Result<(), Problem> {
        if given == expected {
            return Ok(());
        }
        Err(at(place_of(operand), format!("a vector of {expected} elements is expected, {given} given")))
    }

    fn check_element(
        &self,
        operand: &syntax::Operand,
        register: RegisterId,
        ty: ScalarType,
        size: Size,
    ) -> Result<(), Problem> {
        let declared = self.scope.register_type(register);
        if super::types::agree(ty, declared, size) {
            return Ok(());
        }
        let text = format!(
            "the vector's elements have type .{}; elements of type .{} are expected",
            declared.name(),
            ty.name()
        );
        Err(at(place_of(operand), text))
    }
}
