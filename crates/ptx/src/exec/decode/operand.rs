//! Where the operands of instructions are: rows, predicates, constants, addresses.

use super::function::Decoder;
use crate::exec::{Data, Passed, Row, alu, function_address};
use crate::ir::{
    AluOperation, Operand, Operation, ParameterPlace, RegisterId, ScalarType, StateSpace, Symbol,
};

impl Decoder<'_, '_> {
    /// The operation with addresses in the frame, which only a call of the function determines, replaced by
    /// registers that hold them; none if there are no such addresses.
    pub(super) fn with_frame_addresses(
        &mut self,
        operation: &Operation,
    ) -> Result<Option<Operation>, String> {
        if self.function.is_kernel {
            return Ok(None);
        }
        let Operation::Alu { operation, ty, mode, destination, sources } = operation else { return Ok(None) };
        let mut sources = sources.clone();
        let mut changed = false;
        for source in &mut sources {
            if let Operand::Symbol(symbol, addend) = *source
                && let Some(offset) = self.frame_offset(symbol)
            {
                let offset = offset.wrapping_add_signed(addend as i32);
                *source = Operand::Register(self.hidden_register(offset, ty.bytes()));
                changed = true;
            }
        }
        // Parameters of a function are in its frame, and the frame is in local memory.
        let local = match operation {
            AluOperation::ToGeneric(StateSpace::Parameter) => AluOperation::ToGeneric(StateSpace::Local),
            AluOperation::FromGeneric(StateSpace::Parameter) => AluOperation::FromGeneric(StateSpace::Local),
            other => *other,
        };
        changed |= local != *operation;
        let (ty, mode, destination) = (*ty, *mode, *destination);
        Ok(changed.then_some(Operation::Alu { operation: local, ty, mode, destination, sources }))
    }

    fn hidden_register(&mut self, offset: u32, bytes: u32) -> RegisterId {
        let known = self.hidden.iter().position(|&(o, b, _)| (o, b) == (offset, bytes));
        let index = known.unwrap_or_else(|| {
            let row = self.row_counts.take(bytes);
            self.hidden.push((offset, bytes, row));
            self.hidden.len() - 1
        });
        RegisterId((self.function.registers.len() + index) as u32)
    }

    /// The offset in this function's own frame of something that is there.
    pub(super) fn frame_offset(&self, symbol: Symbol) -> Option<u32> {
        let frame = &self.kernel.frames[self.number as usize];
        let passed = |passed: &[Passed], position: u32| match passed.get(position as usize) {
            Some(Passed::Frame(offset)) => Some(*offset),
            _ => None,
        };
        match symbol {
            Symbol::Variable(id) => {
                let own = self.kernel.module.variables.get(id.0 as usize)?.function == Some(self.id);
                frame.variable(id).filter(|_| own)
            }
            Symbol::Parameter(position) => passed(&frame.parameters, position),
            Symbol::Result(position) => passed(&frame.results, position),
            Symbol::CallParameter(number) => frame.call_parameters.get(number as usize).copied(),
            Symbol::Function(_) => None,
        }
    }

    /// The address of a symbol in its own state space.
    pub(super) fn symbol_address(&self, symbol: Symbol) -> u64 {
        match symbol {
            Symbol::Function(id) => function_address(id),
            Symbol::Parameter(position) if self.function.is_kernel => {
                match self.function.parameters.get(position as usize).map(|parameter| parameter.place) {
                    Some(ParameterPlace::Memory(offset)) => u64::from(offset),
                    _ => 0,
                }
            }
            Symbol::Variable(id) => {
                let (index, module) = (id.0 as usize, self.kernel.module);
                match module.variables.get(index) {
                    // The handle of a texture is its number.
                    Some(variable) if variable.is_texture => u64::from(id.0),
                    Some(variable) if variable.space == StateSpace::Shared => self.kernel.shared[index],
                    Some(variable) if variable.space == StateSpace::Local => {
                        u64::from(self.kernel.frames[0].variable(id).unwrap_or_default())
                    }
                    _ => self.kernel.addresses.get(index).copied().unwrap_or_default(),
                }
            }
            other => u64::from(self.frame_offset(other).unwrap_or_default()),
        }
    }

    /// The row of an operand of an operation that is not pure, as `bytes` bytes.
    pub(super) fn operand(&mut self, operand: &Operand, bytes: u32) -> Result<Row, String> {
        if let Operand::Register(register) = *operand {
            return self.row_as(register, bytes);
        }
        Ok(self.data(operand, bytes)?.row)
    }

    /// The row of a register that is used as one of `bytes` bytes: it must be in the file of that width.
    pub(super) fn row_as(&mut self, register: RegisterId, bytes: u32) -> Result<Row, String> {
        let size = self.register_type(register)?.bytes();
        if (size > 4) == (bytes > 4) {
            return self.row_of(register);
        }
        let name = self.function.registers.get(register.0 as usize).map_or("", |register| &register.name);
        Err(format!("{name} has {} bits, but {} were expected", 8 * size, 8 * bytes))
    }

    /// An operand with the size of its register.
    pub(super) fn data(&mut self, operand: &Operand, bytes: u32) -> Result<Data, String> {
        match *operand {
            Operand::Register(register) => {
                let size = self.register_type(register)?.bytes();
                Ok(Data { row: self.row_of(register)?, bytes: size as u8 })
            }
            Operand::Immediate(bits) => {
                let cut = if bytes >= 8 { bits } else { bits & ((1 << (8 * bytes)) - 1) };
                Ok(Data { row: self.kernel.constant(cut, bytes), bytes: if bytes > 4 { 8 } else { 4 } })
            }
            Operand::Symbol(symbol, addend) => {
                if !self.function.is_kernel
                    && let Some(offset) = self.frame_offset(symbol)
                {
                    let hidden = self.hidden_register(offset.wrapping_add_signed(addend as i32), bytes);
                    return self.data(&Operand::Register(hidden), bytes);
                }
                let address = self.symbol_address(symbol).wrapping_add_signed(addend);
                Ok(Data { row: self.kernel.constant(address, bytes), bytes: if bytes > 4 { 8 } else { 4 } })
            }
            Operand::Special(_) => Err("a special register can only be read by mov and cvt".to_owned()),
        }
    }

    /// A destination register that may be absent.
    pub(super) fn destination(&mut self, register: Option<RegisterId>) -> Result<Data, String> {
        register.map_or(Ok(Data::default()), |register| self.data(&Operand::Register(register), 4))
    }

    /// The number of a predicate operand: a register, or a constant that is true or false.
    pub(super) fn predicate_operand(&mut self, operand: &Operand) -> Result<u32, String> {
        match *operand {
            Operand::Register(register) => self.predicate_of(register),
            Operand::Immediate(bits) => Ok(u32::from(bits != 0)),
            _ => Err("a predicate was expected".to_owned()),
        }
    }

    pub(super) fn register_type(&self, register: RegisterId) -> Result<ScalarType, String> {
        let index = register.0 as usize;
        match self.function.registers.get(index) {
            Some(register) => Ok(register.ty),
            None => match self.hidden.get(index.wrapping_sub(self.function.registers.len())) {
                Some((_, 8, _)) => Ok(ScalarType::B64),
                Some(_) => Ok(ScalarType::B32),
                None => Err("the register is not declared".to_owned()),
            },
        }
    }

    pub(super) fn row_of(&mut self, register: RegisterId) -> Result<Row, String> {
        let ty = self.register_type(register)?;
        let index = register.0 as usize;
        if ty == ScalarType::Pred {
            let name = self.function.registers.get(index).map_or("", |register| &register.name);
            return Err(format!("{name} is a predicate, but a value was expected"));
        }
        if index >= self.function.registers.len() {
            return Ok(self.hidden[index - self.function.registers.len()].2);
        }
        if let Some(row) = self.rows[index] {
            return Ok(row);
        }
        let row = self.row_counts.take(ty.bytes());
        self.rows[index] = Some(row);
        Ok(row)
    }

    pub(super) fn predicate_of(&mut self, register: RegisterId) -> Result<u32, String> {
        if self.register_type(register)? != ScalarType::Pred {
            let name = &self.function.registers[register.0 as usize].name;
            return Err(format!("{name} is not a predicate"));
        }
        let index = register.0 as usize;
        let next = &mut self.next_predicate;
        Ok(*self.predicates[index].get_or_insert_with(|| {
            *next += 1;
            *next - 1
        }))
    }
}

/// What the handlers of pure operations ask for. Registers were checked by the resolver; one that is used
/// where it cannot be gets a row nevertheless.
impl alu::Operands for Decoder<'_, '_> {
    fn row(&mut self, register: RegisterId) -> Row {
        self.row_of(register).unwrap_or_default()
    }

    fn predicate(&mut self, register: RegisterId) -> u32 {
        self.predicate_of(register).unwrap_or_default()
    }

    fn ty(&self, register: RegisterId) -> ScalarType {
        self.register_type(register).unwrap_or(ScalarType::B32)
    }

    fn constant(&mut self, bits: u64, bytes: u32) -> Row {
        self.kernel.constant(bits, bytes)
    }

    fn address(&mut self, symbol: Symbol, addend: i64) -> u64 {
        self.symbol_address(symbol).wrapping_add_signed(addend)
    }
}
