//! One function's instructions.

use super::Problems;
use super::frame::RowCounts;
use super::kernel::Kernel;
use crate::analysis::{Cfg, Liveness, reconvergence};
use crate::exec::lanes::{FIXED_PREDICATES, TRUE};
use crate::exec::{FunctionCode, Kind, MicroOp, NOWHERE, Row, alu};
use crate::ir::{Function, FunctionId, Instruction, Operand, Operation, RegisterId, Special};

/// A function that is being decoded.
pub(super) struct Decoder<'k, 'm> {
    pub(super) kernel: &'k mut Kernel<'m>,
    pub(super) function: &'m Function,
    pub(super) id: FunctionId,
    /// Its number in the code.
    pub(super) number: u32,
    /// Its first micro-operation.
    pub(super) start: u32,
    pub(super) rows: Vec<Option<Row>>,
    pub(super) predicates: Vec<Option<u32>>,
    pub(super) row_counts: RowCounts,
    pub(super) next_predicate: u32,
    /// Registers that hold addresses in the frame: offset, bytes, row. They are numbered after the others.
    pub(super) hidden: Vec<(u32, u32, Row)>,
}

/// Decodes a function into the code of its kernel.
pub(super) fn decode_function(kernel: &mut Kernel<'_>, id: FunctionId, start: u32, problems: &mut Problems) {
    let module = kernel.module;
    let function = &module.functions[id.0 as usize];
    let number = kernel.numbers[id.0 as usize].unwrap_or_default();
    let frame = &kernel.frames[number as usize];
    let mut rows = vec![None; function.registers.len()];
    for &(register, row) in &frame.rows {
        rows[register.0 as usize] = Some(row);
    }
    let (row_counts, frame_bytes) = (frame.row_counts, frame.bytes);
    let predicates = vec![None; function.registers.len()];
    let mut decoder = Decoder {
        kernel,
        function,
        id,
        number,
        start,
        rows,
        predicates,
        row_counts,
        next_predicate: FIXED_PREDICATES,
        hidden: Vec::new(),
    };
    let meets = reconvergence(function);
    for (index, instruction) in function.instructions.iter().enumerate() {
        let operation = decoder.instruction(instruction, meets[index]);
        let operation = operation.unwrap_or_else(|problem| {
            problems.entry((id.0, index)).or_insert(problem);
            micro_op(Kind::Nothing)
        });
        decoder.kernel.code.operations.push(operation);
    }
    let end = decoder.leave();
    decoder.kernel.code.operations.push(end);
    let RowCounts { narrow: narrow_rows, wide: wide_rows } = decoder.row_counts;
    let predicates = decoder.next_predicate;
    let frame_addresses = decoder.hidden.iter().map(|&(offset, bytes, row)| (row, bytes, offset)).collect();
    let cleared_rows = decoder.cleared_rows();
    let rows = std::mem::take(&mut decoder.rows);
    let code = FunctionCode {
        id,
        start,
        narrow_rows,
        wide_rows,
        rows,
        predicates,
        frame_bytes,
        cleared_rows,
        frame_addresses,
    };
    decoder.kernel.code.functions.push(code);
}

/// A micro-operation without operands.
pub(crate) fn micro_op(kind: Kind) -> MicroOp {
    MicroOp { kind, guard: TRUE, guard_negated: false, destination: Row(0), sources: [Row(0); 4], extra: 0 }
}

impl Decoder<'_, '_> {
    fn instruction(&mut self, instruction: &Instruction, meets: Option<usize>) -> Result<MicroOp, String> {
        let mut operation = match self.pure(&instruction.operation)? {
            Some(operation) => operation,
            None => self.effect(&instruction.operation, meets)?,
        };
        if let Some(guard) = instruction.guard {
            operation.guard = self.predicate_of(guard.register)?;
            operation.guard_negated = guard.negated;
        }
        Ok(operation)
    }

    /// Registers that some path reads before it writes them: they start as zero.
    fn cleared_rows(&self) -> Vec<(Row, u32)> {
        let cfg = Cfg::new(self.function);
        if cfg.blocks.is_empty() {
            return Vec::new();
        }
        let liveness = Liveness::new(self.function, &cfg);
        let rows = |register: RegisterId| {
            let row = self.rows.get(register.0 as usize).copied().flatten();
            let bytes = self.register_type(register).map_or(0, |ty| ty.bytes());
            row.map(|row| (row, bytes))
        };
        liveness.live_in(0).filter_map(rows).collect()
    }

    /// Operations on values alone.
    fn pure(&mut self, operation: &Operation) -> Result<Option<MicroOp>, String> {
        let rewritten = self.with_frame_addresses(operation)?;
        let operation = rewritten.as_ref().unwrap_or(operation);
        let Some(pure) = alu::decode(operation, self)? else { return Ok(None) };
        let timed = matches!(operation, Operation::Alu { sources, .. } if sources.iter().any(reads_clock));
        let kind = if timed { Kind::Timed(pure.handler) } else { Kind::Alu(pure.handler) };
        Ok(Some(MicroOp {
            destination: pure.destination,
            sources: pure.sources,
            extra: pure.extra,
            ..micro_op(kind)
        }))
    }

    fn effect(&mut self, operation: &Operation, meets: Option<usize>) -> Result<MicroOp, String> {
        let meets = meets.map_or(NOWHERE, |index| self.start + index as u32);
        let kind = match operation {
            Operation::Load { .. }
            | Operation::Store { .. }
            | Operation::Atomic { .. }
            | Operation::CopyAsync { .. }
            | Operation::Texture { .. } => self.access(operation)?,
            Operation::Barrier(barrier) => self.barrier(barrier)?,
            Operation::WarpBarrier { .. }
            | Operation::Shuffle { .. }
            | Operation::Vote { .. }
            | Operation::Match { .. }
            | Operation::Reduce { .. }
            | Operation::Elect { .. }
            | Operation::ActiveMask { .. } => self.collective(operation)?,
            Operation::Branch { target, .. } => {
                return Ok(MicroOp { extra: meets, ..micro_op(Kind::Branch(self.target(*target)?)) });
            }
            Operation::BranchIndexed { index, targets, .. } => {
                let targets = targets.iter().map(|target| self.target(*target));
                let targets = targets.collect::<Result<_, _>>()?;
                self.kernel.code.tables.push(targets);
                let kind = Kind::BranchIndexed(self.kernel.code.tables.len() as u32 - 1);
                let sources = [self.operand(index, 4)?, Row(0), Row(0), Row(0)];
                return Ok(MicroOp { extra: meets, sources, ..micro_op(kind) });
            }
            Operation::Call(call) => self.call(call)?,
            Operation::Return => return Ok(self.leave()),
            Operation::Exit => Kind::Exit,
            Operation::Trap => Kind::Trap,
            Operation::Fence { .. } => Kind::Fence,
            Operation::CopyCommit | Operation::CopyWait | Operation::Prefetch { .. } | Operation::Nothing => {
                Kind::Nothing
            }
            Operation::Alu { .. }
            | Operation::SetPredicate { .. }
            | Operation::Pack { .. }
            | Operation::Unpack { .. } => {
                return Err(format!("{} is not supported", super::mnemonic(operation)));
            }
        };
        Ok(micro_op(kind))
    }

    /// A return; of a kernel it is the end of the thread.
    fn leave(&self) -> MicroOp {
        let kind = if self.function.is_kernel { Kind::Exit } else { Kind::Return };
        MicroOp { extra: self.number, ..micro_op(kind) }
    }

    fn target(&self, label: crate::ir::Label) -> Result<u32, String> {
        let index = self.function.labels.get(label.0 as usize);
        index.map(|index| self.start + *index as u32).ok_or_else(|| "the label is not defined".to_owned())
    }
}

fn reads_clock(operand: &Operand) -> bool {
    use Special as S;
    let Operand::Special(special) = operand else { return false };
    matches!(
        special,
        S::Clock | S::ClockHigh | S::Clock64 | S::GlobalTimer | S::GlobalTimerLow | S::GlobalTimerHigh
    )
}
