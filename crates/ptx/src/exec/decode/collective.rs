//! Barriers, and operations among the lanes of a warp.

use super::function::Decoder;
use crate::exec::{BarrierAction, BarrierCode, Collective, CollectiveAction, Kind, Row};
use crate::ir::{Barrier, BarrierKind, Operand, Operation, RegisterId, ScalarType, VoteMode};

impl Decoder<'_, '_> {
    /// Decodes a barrier of a block.
    pub(super) fn barrier(&mut self, barrier: &Barrier) -> Result<Kind, String> {
        let action = match &barrier.kind {
            BarrierKind::Synchronise => BarrierAction::Synchronise,
            BarrierKind::Arrive => BarrierAction::Arrive,
            BarrierKind::Reduce { operation, destination, source, negated } => BarrierAction::Reduce {
                operation: *operation,
                destination: match operation {
                    Some(_) => self.predicate_of(*destination)?,
                    None => self.row_as(*destination, 4)?.0,
                },
                source: self.predicate_operand(source)?,
                negated: *negated,
            },
        };
        let number = self.operand(&barrier.number, 4)?;
        let threads = barrier.threads.as_ref().map(|threads| self.operand(threads, 4)).transpose()?;
        self.kernel.code.barriers.push(BarrierCode { number, threads, action });
        Ok(Kind::Barrier(self.kernel.code.barriers.len() as u32 - 1))
    }

    /// Decodes an operation among the lanes of a warp.
    pub(super) fn collective(&mut self, operation: &Operation) -> Result<Kind, String> {
        let code = self.collective_code(operation)?;
        self.kernel.code.collectives.push(code);
        Ok(Kind::Collective(self.kernel.code.collectives.len() as u32 - 1))
    }

    fn collective_code(&mut self, operation: &Operation) -> Result<Collective, String> {
        Ok(match operation {
            Operation::WarpBarrier { members } => self.plain(CollectiveAction::Barrier, Some(members))?,
            Operation::Shuffle { mode, destination, predicate, source, lane, clamp, members } => Collective {
                source: self.operand(source, 4)?,
                lane: self.operand(lane, 4)?,
                clamp: self.operand(clamp, 4)?,
                destination: self.optional_row(*destination)?,
                predicate: self.optional_predicate(*predicate)?,
                ..self.plain(CollectiveAction::Shuffle(*mode), members.as_ref())?
            },
            Operation::Vote { mode, destination, source, negated, members } => {
                let ballot = *mode == VoteMode::Ballot;
                let code = self.plain(CollectiveAction::Vote(*mode), members.as_ref())?;
                let source = Row(self.predicate_operand(source)?);
                let destination = Some(*destination);
                Collective {
                    source,
                    negated: *negated,
                    destination: self.optional_row(destination.filter(|_| ballot))?,
                    predicate: self.optional_predicate(destination.filter(|_| !ballot))?,
                    ..code
                }
            }
            Operation::Match { all, ty, destination, predicate, source, members } => Collective {
                source: self.operand(source, ty.bytes())?,
                bytes: ty.bytes(),
                destination: self.optional_row(*destination)?,
                predicate: self.optional_predicate(*predicate)?,
                ..self.plain(CollectiveAction::Match { all: *all }, Some(members))?
            },
            Operation::Reduce { operation: reduction, ty, destination, source, members } => {
                if ty.bytes() != 4 || ty.is_float() {
                    return Err(format!(
                        "{}: only 32-bit integers are supported",
                        super::mnemonic(operation)
                    ));
                }
                Collective {
                    source: self.operand(source, 4)?,
                    destination: self.optional_row(Some(*destination))?,
                    ..self.plain(CollectiveAction::Reduce(*reduction, *ty), Some(members))?
                }
            }
            Operation::Elect { destination, predicate, members } => Collective {
                destination: self.optional_row(*destination)?,
                predicate: self.optional_predicate(*predicate)?,
                ..self.plain(CollectiveAction::Elect, Some(members))?
            },
            Operation::ActiveMask { destination } => Collective {
                destination: self.optional_row(Some(*destination))?,
                ..self.plain(CollectiveAction::ActiveMask, None)?
            },
            _ => return Err("not an operation among lanes".to_owned()),
        })
    }

    /// An operation without values.
    fn plain(&mut self, action: CollectiveAction, members: Option<&Operand>) -> Result<Collective, String> {
        Ok(Collective {
            action,
            members: members.map(|members| self.operand(members, 4)).transpose()?,
            source: self.kernel.constant(0, 4),
            bytes: ScalarType::B32.bytes(),
            negated: false,
            lane: self.kernel.constant(0, 4),
            clamp: self.kernel.constant(0, 4),
            destination: None,
            predicate: None,
        })
    }

    fn optional_row(&mut self, register: Option<RegisterId>) -> Result<Option<Row>, String> {
        register.map(|register| self.row_as(register, 4)).transpose()
    }

    fn optional_predicate(&mut self, register: Option<RegisterId>) -> Result<Option<u32>, String> {
        register.map(|register| self.predicate_of(register)).transpose()
    }
}
