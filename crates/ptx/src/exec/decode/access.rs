//! Loads, stores, atomic operations, texture fetches and copies.

use super::function::Decoder;
use super::mnemonic;
use crate::exec::access::ELEMENTS;
use crate::exec::{AccessCode, Action, AddressCode, Base, Data, Kind, Space};
use crate::ir::{
    Access, Address, AddressBase, Atomic, Operand, Operation, RegisterId, ScalarType, StateSpace, Symbol,
};
use heddle_image::atomic::{AtomicOperation, AtomicType};

impl Decoder<'_, '_> {
    /// Decodes an operation that touches memory.
    pub(super) fn access(&mut self, operation: &Operation) -> Result<Kind, String> {
        let code = match operation {
            Operation::Load { access, destinations, address } => self.load(access, destinations, address),
            Operation::Store { access, address, sources } => self.store(access, sources, address),
            Operation::Atomic { atomic, destinations, address, operands, swap } => {
                self.atomic(atomic, destinations, address, operands, swap.as_ref())
            }
            Operation::CopyAsync { to, from, bytes, source_bytes, .. } => {
                self.copy(to, from, *bytes, source_bytes.as_ref())
            }
            Operation::Texture { destinations, ty, texture, coordinate, coordinate_ty } => {
                self.texture(destinations, *ty, texture, coordinate, *coordinate_ty)
            }
            _ => Err("not an access to memory".to_owned()),
        };
        let code = code.map_err(|problem| format!("{}: {problem}", mnemonic(operation)))?;
        self.kernel.code.accesses.push(code);
        Ok(Kind::Access(self.kernel.code.accesses.len() as u32 - 1))
    }

    fn load(
        &mut self,
        access: &Access,
        destinations: &[Option<RegisterId>],
        address: &Address,
    ) -> Result<AccessCode, String> {
        let (element, elements) = shape(access.ty, destinations.len())?;
        let (space, address) = self.address(access.space, address)?;
        let mut data = [Data::default(); ELEMENTS];
        for (data, destination) in data.iter_mut().zip(destinations) {
            *data = narrow(self.destination(*destination)?)?;
        }
        let action = Action::Load { signed: access.ty.is_signed() };
        Ok(AccessCode::new(action, space, address, (element, elements), data))
    }

    fn store(
        &mut self,
        access: &Access,
        sources: &[Operand],
        address: &Address,
    ) -> Result<AccessCode, String> {
        let (element, elements) = shape(access.ty, sources.len())?;
        let (space, address) = self.address(access.space, address)?;
        if matches!(space, Space::Constant | Space::Parameter) {
            return Err("this memory cannot be written".to_owned());
        }
        let mut data = [Data::default(); ELEMENTS];
        for (data, source) in data.iter_mut().zip(sources) {
            *data = narrow(self.data(source, u32::from(element))?)?;
        }
        Ok(AccessCode::new(Action::Store, space, address, (element, elements), data))
    }

    fn atomic(
        &mut self,
        atomic: &Atomic,
        destinations: &[Option<RegisterId>],
        address: &Address,
        operands: &[Operand],
        swap: Option<&Operand>,
    ) -> Result<AccessCode, String> {
        use AtomicOperation as Op;
        let float = !matches!(
            atomic.ty,
            AtomicType::Bits16
                | AtomicType::Unsigned32
                | AtomicType::Signed32
                | AtomicType::Unsigned64
                | AtomicType::Signed64
        );
        if float && !matches!(atomic.operation, Op::Add | Op::Exchange | Op::CompareAndSwap) {
            return Err("this atomic operation on floating-point values is not supported".to_owned());
        }
        let element = atomic.ty.bytes() as u8;
        let elements = count(operands.len())?;
        let (space, address) = self.address(atomic.space, address)?;
        if matches!(space, Space::Constant | Space::Parameter) {
            return Err("this memory cannot be written".to_owned());
        }
        let (mut data, mut old) = ([Data::default(); ELEMENTS], [Data::default(); ELEMENTS]);
        for (data, operand) in data.iter_mut().zip(operands) {
            *data = narrow(self.data(operand, u32::from(element))?)?;
        }
        for (old, destination) in old.iter_mut().zip(destinations) {
            *old = narrow(self.destination(*destination)?)?;
        }
        let swap = match swap {
            Some(swap) => narrow(self.data(swap, u32::from(element))?)?,
            None if atomic.operation == Op::CompareAndSwap => {
                return Err("compare-and-swap takes two operands".to_owned());
            }
            None => Data::default(),
        };
        let action = Action::Atomic { operation: atomic.operation, ty: atomic.ty, old, swap };
        Ok(AccessCode::new(action, space, address, (element, elements), data))
    }

    fn copy(
        &mut self,
        to: &Address,
        from: &Address,
        bytes: u32,
        source_bytes: Option<&Operand>,
    ) -> Result<AccessCode, String> {
        if !matches!(bytes, 4 | 8 | 16) {
            return Err(format!("copies have 4, 8 or 16 bytes, not {bytes}"));
        }
        let (_, to) = self.address(StateSpace::Shared, to)?;
        let (_, address) = self.address(StateSpace::Global, from)?;
        let read = source_bytes.map_or(Ok(Data::default()), |operand| self.data(operand, 4))?;
        let action = Action::Copy { to, read };
        let (element, elements, data) = (4, (bytes / 4) as u8, [Data::default(); ELEMENTS]);
        Ok(AccessCode::new(action, Space::Global, address, (element, elements), data))
    }

    fn texture(
        &mut self,
        destinations: &[Option<RegisterId>],
        ty: ScalarType,
        texture: &Operand,
        coordinate: &Operand,
        coordinate_ty: ScalarType,
    ) -> Result<AccessCode, String> {
        if ty.bytes() != 4 || coordinate_ty.bytes() != 4 {
            return Err("only 32-bit texels and coordinates are supported".to_owned());
        }
        if matches!(texture, Operand::Symbol(Symbol::Parameter(_), _)) {
            return Err("a texture that is a kernel parameter must be loaded first".to_owned());
        }
        let texture = self.data(texture, 8)?;
        let address = AddressCode { base: Base::Row32(self.operand(coordinate, 4)?), offset: 0 };
        let mut data = [Data::default(); ELEMENTS];
        for (data, destination) in data.iter_mut().zip(destinations) {
            *data = narrow(self.destination(*destination)?)?;
        }
        let action = Action::Texture { texture, ty, float_coordinate: coordinate_ty.is_float() };
        Ok(AccessCode::new(action, Space::Global, address, (4, 1), data))
    }

    /// Where an address is, and in which memory.
    fn address(&mut self, space: StateSpace, address: &Address) -> Result<(Space, AddressCode), String> {
        let offset = address.offset as u64;
        match address.base {
            AddressBase::Absolute => Ok((self.space_of(space), AddressCode { base: Base::Absolute, offset })),
            AddressBase::Register(register) => {
                let row = self.row_of(register)?;
                let wide = self.register_type(register)?.bytes() == 8;
                let base = if wide { Base::Row64(row) } else { Base::Row32(row) };
                Ok((self.space_of(space), AddressCode { base, offset }))
            }
            AddressBase::Symbol(symbol) => {
                if let Some(place) = self.frame_offset(symbol) {
                    let offset = u64::from(place).wrapping_add(offset);
                    return Ok((Space::Local, AddressCode { base: Base::Frame, offset }));
                }
                let offset = self.symbol_address(symbol).wrapping_add(offset);
                let space = self.symbol_space(space, symbol);
                Ok((self.space_of(space), AddressCode { base: Base::Absolute, offset }))
            }
        }
    }

    /// The state space of an access that names a variable: the variable's own if none is named.
    fn symbol_space(&self, space: StateSpace, symbol: Symbol) -> StateSpace {
        match symbol {
            Symbol::Variable(id) if space == StateSpace::Generic => {
                self.kernel.module.variables.get(id.0 as usize).map_or(space, |variable| variable.space)
            }
            _ => space,
        }
    }

    fn space_of(&self, space: StateSpace) -> Space {
        match space {
            StateSpace::Generic => Space::Generic,
            StateSpace::Global => Space::Global,
            StateSpace::Constant => Space::Constant,
            StateSpace::Shared => Space::Shared,
            StateSpace::Local => Space::Local,
            // The parameters of a function that is called are in its frame.
            StateSpace::Parameter if self.function.is_kernel => Space::Parameter,
            StateSpace::Parameter => Space::Local,
        }
    }
}

fn shape(ty: ScalarType, elements: usize) -> Result<(u8, u8), String> {
    if ty == ScalarType::Pred || ty.bytes() > 8 {
        return Err(format!(".{} cannot be loaded or stored", ty.name()));
    }
    Ok((ty.bytes() as u8, count(elements)?))
}

fn count(elements: usize) -> Result<u8, String> {
    match elements {
        1 | 2 | 4 | 8 => Ok(elements as u8),
        _ => Err(format!("a vector has 1, 2, 4 or 8 elements, not {elements}")),
    }
}

fn narrow(data: Data) -> Result<Data, String> {
    if data.bytes > 8 { Err("registers of 128 bits are not supported here".to_owned()) } else { Ok(data) }
}
