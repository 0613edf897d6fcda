//! Addresses as operands: `[register+4]`, `[variable+4]`, `[16]`.

use super::context::{Context, Value, at, place_of};
use crate::Place;
use crate::ir::{Address, AddressBase, AluOperation, Operand, ScalarType, StateSpace, Symbol};
use crate::resolve::scope::{Named, Problem};
use crate::syntax::{self, Expression};

/// A state space as PTX writes it.
pub(super) fn space_name(space: StateSpace) -> &'static str {
    match space {
        StateSpace::Generic => "generic",
        StateSpace::Global => ".global",
        StateSpace::Shared => ".shared",
        StateSpace::Local => ".local",
        StateSpace::Constant => ".const",
        StateSpace::Parameter => ".param",
    }
}

impl Context<'_> {
    /// Takes an address in a state space. A variable in a generic access is converted to its generic address.
    pub(super) fn address(&mut self, space: StateSpace) -> Result<Address, Problem> {
        let operand = self.take()?;
        let syntax::Operand::Address(place, base, offset) = operand else {
            return Err(at(place_of(operand), "an address in brackets is expected here"));
        };
        self.address_from(*place, base, *offset, space)
    }

    /// The address that a base and an offset make.
    pub(super) fn address_from(
        &mut self,
        place: Place,
        base: &syntax::Operand,
        offset: i64,
        space: StateSpace,
    ) -> Result<Address, Problem> {
        match base {
            syntax::Operand::Constant(_, Expression::Integer(value, _)) => {
                let offset = value.cast_signed().wrapping_add(offset);
                Ok(Address { base: AddressBase::Absolute, offset })
            }
            syntax::Operand::Constant(name_place, Expression::Symbol { name, addend, generic: false }) => {
                self.named_address(*name_place, name, addend.wrapping_add(offset), space)
            }
            syntax::Operand::Name(name_place, name) => self.named_address(*name_place, name, offset, space),
            _ => {
                Err(at(place, "an address is a register, a variable or a number, with or without an offset"))
            }
        }
    }

    fn named_address(
        &mut self,
        place: Place,
        name: &str,
        offset: i64,
        space: StateSpace,
    ) -> Result<Address, Problem> {
        if let Value::Register(register) = self.value(place, name)? {
            let ty = self.scope.register_type(register);
            if ty.is_float() || ty == ScalarType::Pred || ty.bytes() < 4 {
                let text = format!(
                    "register `{name}` of type .{} cannot hold an address; expected .b32, .u32, .s32, .b64, .u64 or .s64",
                    ty.name()
                );
                return Err(at(place, text));
            }
            return Ok(Address { base: AddressBase::Register(register), offset });
        }
        let (symbol, own) = self.symbol(place, name)?;
        if own == Some(space) || own.is_none() {
            return Ok(Address { base: AddressBase::Symbol(symbol), offset });
        }
        match own {
            Some(own) if space == StateSpace::Generic && own != StateSpace::Parameter => {
                let ty = self.address_type();
                let operands = vec![Operand::Symbol(symbol, offset)];
                let register = self.temporary(AluOperation::ToGeneric(own), ty, operands);
                Ok(Address { base: AddressBase::Register(register), offset: 0 })
            }
            own => Err(at(
                place,
                format!(
                    "`{name}` is in {} space, the access is to {} space",
                    own.map_or("another", space_name),
                    space_name(space)
                ),
            )),
        }
    }

    /// U32 or U64, as addresses are.
    pub(super) fn address_type(&self) -> ScalarType {
        if self.scope.address_bytes() == 4 { ScalarType::U32 } else { ScalarType::U64 }
    }

    /// Something that has an address, and its state space; a function has none.
    pub(super) fn symbol(&self, place: Place, name: &str) -> Result<(Symbol, Option<StateSpace>), Problem> {
        let Value::Other(named) = self.value(place, name)? else {
            return Err(at(place, format!("`{name}` has no address")));
        };
        match named {
            Named::Variable(id) => {
                Ok((Symbol::Variable(id), self.scope.variable_space(id).map(|(space, _)| space)))
            }
            Named::Parameter(number) => Ok((Symbol::Parameter(number), Some(StateSpace::Parameter))),
            Named::Result(number) => Ok((Symbol::Result(number), Some(StateSpace::Parameter))),
            Named::CallParameter(number) => Ok((Symbol::CallParameter(number), Some(StateSpace::Parameter))),
            _ => Err(at(place, format!("`{name}` is not a variable in memory"))),
        }
    }
}
