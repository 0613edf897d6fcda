//! Instructions that a mechanism injects, decoded over the register files of a warp.
//!
//! Spare rows lie before those of the kernel, so that a frame that begins with the file itself sees both: a spare
//! register has the row of its number, a register of the kernel comes as many rows later as there are spare ones.

use crate::exec::access::{ELEMENTS, Elements};
use crate::exec::alu::{self, Operands};
use crate::exec::decode::micro_op;
use crate::exec::{AddressCode, Base, Data, FunctionCode, KernelCode, Kind, MicroOp, Row};
use crate::ir::{Address, AddressBase, Function, Instruction, Operation, RegisterId, ScalarType, Symbol};

/// All that a mechanism may inject in a launch.
#[derive(Clone, Debug, Default)]
pub(super) struct Injected {
    pub(super) operations: Vec<InjectedOperation>,
    pub(super) constants: Vec<u64>,
    /// Types of the spare registers, as far as they have been given out.
    pub(super) registers: Vec<ScalarType>,
    /// Spare rows of each file.
    pub(super) rows: u32,
}

/// One of them.
#[derive(Clone, Copy, Debug)]
pub(super) enum InjectedOperation {
    /// A pure operation.
    Alu(MicroOp),
    /// A load, in place of this instruction of the kernel: the number of its access, its address, its registers.
    Load { pc: u32, access: u32, address: AddressCode, destinations: Elements },
    /// Something of which only the operands matter.
    Nothing,
}

/// Where operands are.
struct Rows<'a> {
    kernel: &'a Function,
    spare: u32,
    code: &'a FunctionCode,
    registers: &'a [ScalarType],
    constants: &'a mut Vec<u64>,
}

impl Injected {
    /// Decodes instructions over the kernel's registers and spare ones, of which these types are given out in addition. A
    /// load says in place of which instruction it is made.
    pub(super) fn add(
        &mut self,
        kernel: &Function,
        code: &KernelCode,
        registers: &[ScalarType],
        instructions: &[(Instruction, u32)],
    ) -> Result<(), String> {
        let injected = self;
        injected.registers.extend_from_slice(registers);
        if injected.registers.len() > injected.rows as usize {
            return Err("there are fewer spare rows than spare registers".to_owned());
        }
        let function = code.functions.first().ok_or("there is no code")?;
        let Injected { constants, registers, rows: spare, operations } = injected;
        let mut rows = Rows { kernel, spare: *spare, code: function, registers, constants };
        for (instruction, pc) in instructions {
            let operation = match &instruction.operation {
                Operation::Load { destinations, address, .. } => {
                    rows.load(code, *pc, destinations, address)?
                }
                Operation::SetPredicate { destination: None, .. } => InjectedOperation::Nothing,
                other => {
                    let pure =
                        alu::decode(other, &mut rows)?.ok_or("only loads and arithmetic can be injected")?;
                    InjectedOperation::Alu(MicroOp {
                        destination: pure.destination,
                        sources: pure.sources,
                        extra: pure.extra,
                        ..micro_op(Kind::Alu(pure.handler))
                    })
                }
            };
            operations.push(operation);
        }
        Ok(())
    }

    /// Where a spare register is.
    pub(super) fn data(&self, register: u32) -> Data {
        Data { row: Row(register), bytes: self.registers[register as usize].bytes() as u8 }
    }
}

impl Rows<'_> {
    fn load(
        &mut self,
        code: &KernelCode,
        pc: u32,
        destinations: &[Option<RegisterId>],
        address: &Address,
    ) -> Result<InjectedOperation, String> {
        let Kind::Access(access) = code.operations[pc as usize].kind else {
            return Err("a load is injected for something that is none".to_owned());
        };
        let AddressBase::Register(base) = address.base else {
            return Err("the address of an injected load is no register".to_owned());
        };
        let row = self.row(base);
        let base = if self.ty(base).bytes() == 8 { Base::Row64(row) } else { Base::Row32(row) };
        let mut elements: Elements = [Data::default(); ELEMENTS];
        for (data, register) in elements.iter_mut().zip(destinations) {
            if let Some(register) = *register {
                *data = Data { row: self.row(register), bytes: self.ty(register).bytes() as u8 };
            }
        }
        let address = AddressCode { base, offset: address.offset as u64 };
        Ok(InjectedOperation::Load { pc, access, address, destinations: elements })
    }
}

impl Operands for Rows<'_> {
    fn row(&mut self, register: RegisterId) -> Row {
        match register.0.checked_sub(self.kernel.registers.len() as u32) {
            Some(spare) => Row(spare),
            None => {
                let row = self.code.rows[register.0 as usize].unwrap_or_default();
                Row(row.0 + self.spare)
            }
        }
    }

    fn predicate(&mut self, _: RegisterId) -> u32 {
        // What reads predicates is not injected.
        crate::exec::lanes::FALSE
    }

    fn ty(&self, register: RegisterId) -> ScalarType {
        match self.kernel.registers.get(register.0 as usize) {
            Some(own) => own.ty,
            None => self.registers[register.0 as usize - self.kernel.registers.len()],
        }
    }

    fn constant(&mut self, bits: u64, bytes: u32) -> Row {
        let row = Row::of_constant((self.constants.len() / 16) as u32);
        let narrow = bits & u64::from(u32::MAX);
        let (word, words) = if bytes > 4 { (bits, 32) } else { (narrow << 32 | narrow, 16) };
        self.constants.extend(std::iter::repeat_n(word, words));
        row
    }

    fn address(&mut self, _: Symbol, _: i64) -> u64 {
        // Addresses of variables are known to the decoder of the kernel alone; slices that have some are not injected.
        0
    }
}
