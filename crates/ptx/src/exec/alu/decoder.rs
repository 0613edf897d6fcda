//! From an instruction to a handler with its rows: what the decoders of all families share.

use super::super::lanes::{FALSE, TRUE};
use super::super::{Handler, Row};
use super::{Operands, Pure};
use crate::ir::{AluMode, AluOperation, Operand, RegisterId, Rounding, ScalarType};

/// Stands where a predicate or a row is not written.
pub(super) const NOWHERE: Row = Row(u32::MAX);

/// One [`crate::ir::Operation::Alu`] that is being decoded.
pub(super) struct Decoder<'a> {
    pub(super) operation: AluOperation,
    pub(super) ty: ScalarType,
    pub(super) mode: AluMode,
    pub(super) destination: RegisterId,
    pub(super) sources: &'a [Operand],
    pub(super) operands: &'a mut dyn Operands,
}

/// Modifiers that an operation may have beside its rounding.
pub(super) mod permit {
    pub(in super::super) const NOTHING: u32 = 0;
    pub(in super::super) const FLUSH: u32 = 1;
    pub(in super::super) const SATURATE: u32 = 2;
    pub(in super::super) const RELU: u32 = 4;
    pub(in super::super) const APPROXIMATE: u32 = 8;
    pub(in super::super) const NAN: u32 = 16;
    pub(in super::super) const XOR_SIGN: u32 = 32;
    pub(in super::super) const CARRY: u32 = 64;
    /// Any rounding mode; without it, only the default.
    pub(in super::super) const ROUNDING: u32 = 128;
}

impl Decoder<'_> {
    /// The decoded operation, whose destination and sources have these types ([`ScalarType::Pred`] for a
    /// predicate's number).
    pub(super) fn pure(
        &mut self,
        handler: Handler,
        result: ScalarType,
        sources: &[ScalarType],
        extra: u32,
    ) -> Result<Pure, String> {
        if sources.len() != self.sources.len() {
            return Err(self.complaint(&format!(
                "takes {} sources and has {}",
                sources.len(),
                self.sources.len()
            )));
        }
        let mut rows = [Row::default(); 4];
        for ((row, &operand), &ty) in rows.iter_mut().zip(self.sources).zip(sources) {
            *row = source(self.operands, operand, ty)?;
        }
        let destination = destination(self.operands, self.destination, result)?;
        Ok(Pure { handler, destination, sources: rows, extra })
    }

    /// Refuses modifiers other than those permitted.
    pub(super) fn permit(&self, permitted: u32) -> Result<(), String> {
        let mode = self.mode;
        let present = [
            (permit::FLUSH, mode.flush, ".ftz"),
            (permit::SATURATE, mode.saturate, ".sat"),
            (permit::RELU, mode.relu, ".relu"),
            (permit::APPROXIMATE, mode.approximate, ".approx"),
            (permit::NAN, mode.propagate_nan, ".NaN"),
            (permit::XOR_SIGN, mode.xor_sign, ".xorsign.abs"),
            (permit::CARRY, mode.carry_in || mode.carry_out, "a carry"),
            (permit::ROUNDING, mode.rounding != Rounding::Nearest, "a rounding mode"),
        ];
        match present.iter().find(|(bit, present, _)| *present && permitted & bit == 0) {
            Some((_, _, name)) => Err(self.complaint(&format!("cannot have {name}"))),
            None => Ok(()),
        }
    }

    /// The operation does not exist for its type.
    pub(super) fn no_such_type(&self) -> String {
        self.complaint("does not exist")
    }

    /// A sentence about the operation.
    pub(super) fn complaint(&self, problem: &str) -> String {
        format!("{:?} of type .{} {problem}", self.operation, self.ty.name())
    }
}

/// The row of a source of this type, or the number of a predicate.
pub(super) fn source(operands: &mut dyn Operands, operand: Operand, ty: ScalarType) -> Result<Row, String> {
    if ty == ScalarType::Pred {
        return source_predicate(operands, operand).map(Row);
    }
    match operand {
        Operand::Register(register) => {
            fits(operands.ty(register), ty)?;
            Ok(operands.row(register))
        }
        _ => constant(operands, operand, ty),
    }
}

/// The row of a source that is no register.
pub(super) fn constant(operands: &mut dyn Operands, operand: Operand, ty: ScalarType) -> Result<Row, String> {
    let bits = match operand {
        Operand::Immediate(bits) => bits,
        Operand::Symbol(symbol, addend) => operands.address(symbol, addend),
        Operand::Special(crate::ir::Special::WarpSize) => 32,
        Operand::Special(special) => {
            return Err(format!("the special register {special:?} can be read by mov and cvt only"));
        }
        Operand::Register(_) => return Err("a constant is needed here".into()),
    };
    match ty.bytes() {
        16 => Err(format!("constants of type .{} are not supported", ty.name())),
        8 => Ok(operands.constant(bits, 8)),
        bytes => Ok(operands.constant(bits & ((1 << (8 * bytes)) - 1), bytes)),
    }
}

/// The number of a source predicate.
pub(super) fn source_predicate(operands: &mut dyn Operands, operand: Operand) -> Result<u32, String> {
    match operand {
        Operand::Register(register) => predicate(operands, register),
        Operand::Immediate(0) => Ok(FALSE),
        Operand::Immediate(_) => Ok(TRUE),
        Operand::Special(_) | Operand::Symbol(..) => Err("a predicate is needed here".into()),
    }
}

/// The number of a predicate register.
pub(super) fn predicate(operands: &mut dyn Operands, register: RegisterId) -> Result<u32, String> {
    fits(operands.ty(register), ScalarType::Pred)?;
    Ok(operands.predicate(register))
}

/// The row of a destination of this type, or the number of a predicate.
pub(super) fn destination(
    operands: &mut dyn Operands,
    register: RegisterId,
    ty: ScalarType,
) -> Result<Row, String> {
    fits(operands.ty(register), ty)?;
    Ok(if ty == ScalarType::Pred { Row(operands.predicate(register)) } else { operands.row(register) })
}

/// A register must be as wide as the type that an instruction uses it with (PTX ISA 8.5, section 9.4; `cvt`
/// is the exception among the pure operations and does not come here).
fn fits(declared: ScalarType, needed: ScalarType) -> Result<(), String> {
    let predicates = (declared == ScalarType::Pred, needed == ScalarType::Pred);
    let same_kind = predicates.0 == predicates.1;
    if same_kind && declared.bytes() == needed.bytes() && needed != ScalarType::B128 {
        return Ok(());
    }
    Err(format!("a register of type .{} cannot be used as .{} here", declared.name(), needed.name()))
}
