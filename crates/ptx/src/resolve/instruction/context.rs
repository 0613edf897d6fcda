//! An instruction on its way: its words, its operands in the order of the text, and the scopes around it.
//!
//! The families of instructions ask for words and operands in the order of the ISA's syntax boxes; everything
//! that is the same for all of them (names, types, sizes, counts, constants) is checked here.

use super::immediate::immediate;
use super::special;
use super::types::{Size, agree};
use super::words::{Words, problem};
use crate::Place;
use crate::ir::{AluMode, AluOperation, Operand, Operation, RegisterId, ScalarType, Symbol};
use crate::resolve::scope::{Named, Problem, Scope};
use crate::syntax::{self, Expression, InstructionWords};

/// An instruction that is being resolved.
pub(super) struct Context<'a> {
    /// Its modifiers.
    pub(super) words: Words<'a>,
    /// What names mean.
    pub(super) scope: &'a mut dyn Scope,
    operands: &'a [syntax::Operand],
    next: usize,
    first: Vec<Operation>,
}

/// What a name in an operand stands for.
pub(super) enum Value {
    /// A register.
    Register(RegisterId),
    /// A special register of this type.
    Special(ScalarType, Operand),
    /// The high or the low half of the address of the grid's workspace.
    Workspace(bool),
    /// Anything else.
    Other(Named),
}

/// A problem at a place.
pub(super) fn at(place: Place, text: impl Into<String>) -> Problem {
    Problem { place: Some(place), text: text.into(), help: None }
}

/// Gives a problem a place if it has none.
pub(super) fn placed(place: Place) -> impl Fn(Problem) -> Problem {
    move |problem| Problem { place: Some(problem.place.unwrap_or(place)), ..problem }
}

/// Where an operand starts.
pub(super) fn place_of(operand: &syntax::Operand) -> Place {
    match operand {
        syntax::Operand::Name(place, _)
        | syntax::Operand::Not(place, _)
        | syntax::Operand::Constant(place, _)
        | syntax::Operand::Address(place, ..)
        | syntax::Operand::Vector(place, _)
        | syntax::Operand::List(place, _)
        | syntax::Operand::Bracket(place, _) => *place,
        syntax::Operand::Pair(first, _) => place_of(first),
    }
}

/// Whether an operand is `_`.
pub(super) fn is_sink(operand: &syntax::Operand) -> bool {
    matches!(operand, syntax::Operand::Name(_, name) if name == "_")
}

impl<'a> Context<'a> {
    /// Starts with an instruction as written.
    pub(super) fn new(instruction: &'a InstructionWords, scope: &'a mut dyn Scope) -> Context<'a> {
        Context {
            words: Words::new(&instruction.words),
            scope,
            operands: &instruction.operands,
            next: 0,
            first: Vec::new(),
        }
    }

    /// What must be done before the instruction itself.
    pub(super) fn into_first(self) -> Vec<Operation> {
        self.first
    }

    /// Adds something that must be done before the instruction itself.
    pub(super) fn before(&mut self, operation: Operation) {
        self.first.push(operation);
    }

    /// How many operands are left.
    pub(super) fn left(&self) -> usize {
        self.operands.len() - self.next
    }

    /// The modifiers must all be known, and this many operands left.
    pub(super) fn shape(&self, operands: usize) -> Result<(), Problem> {
        self.shape_of(&[operands])
    }

    /// The modifiers must all be known, and one of these numbers of operands left.
    pub(super) fn shape_of(&self, counts: &[usize]) -> Result<(), Problem> {
        self.words.finish()?;
        if counts.contains(&self.left()) {
            return Ok(());
        }
        let expected: Vec<String> = counts.iter().map(usize::to_string).collect();
        let plural = if counts == [1] { "" } else { "s" };
        Err(problem(format!(
            "{} operand{plural} expected, {} given",
            expected.join(" or "),
            self.operands.len()
        )))
    }

    /// The next operand, without taking it.
    pub(super) fn peek(&self) -> Option<&'a syntax::Operand> {
        self.operands.get(self.next)
    }

    /// Takes the next operand.
    pub(super) fn take(&mut self) -> Result<&'a syntax::Operand, Problem> {
        let operand = self.peek().ok_or_else(|| problem("an operand is missing"))?;
        self.next += 1;
        Ok(operand)
    }

    /// What a name stands for.
    pub(super) fn value(&self, place: Place, name: &str) -> Result<Value, Problem> {
        match self.scope.find(name) {
            Some(Named::Register(register)) => return Ok(Value::Register(register)),
            Some(other) => return Ok(Value::Other(other)),
            None => {}
        }
        if let Some(high) = special::workspace_half(name) {
            return Ok(Value::Workspace(high));
        }
        if let Some((ty, operand)) = special::scalar(name) {
            return Ok(Value::Special(ty, operand));
        }
        if let Some((vector, element)) = name.rsplit_once('.')
            && let Some(Named::Vector(registers)) = self.scope.find(vector)
            && let Some(&(_, element)) = special::ELEMENTS.iter().find(|entry| entry.0 == element)
            && let Some(&register) = registers.get(usize::from(element))
        {
            return Ok(Value::Register(register));
        }
        let help = self.scope.nearest(name).map(|known| format!("the nearest known name is `{known}`"));
        Err(Problem { place: Some(place), text: format!("`{name}` is not declared"), help })
    }

    /// A register of a type.
    pub(super) fn register(
        &self,
        operand: &syntax::Operand,
        ty: ScalarType,
        size: Size,
    ) -> Result<RegisterId, Problem> {
        let syntax::Operand::Name(place, name) = operand else {
            return Err(at(place_of(operand), format!("a register of type .{} is expected here", ty.name())));
        };
        let Value::Register(register) = self.value(*place, name)? else {
            return Err(at(
                *place,
                format!("`{name}` is not a register; one of type .{} is expected", ty.name()),
            ));
        };
        self.check(*place, name, register, ty, size)?;
        Ok(register)
    }

    fn check(
        &self,
        place: Place,
        name: &str,
        register: RegisterId,
        ty: ScalarType,
        size: Size,
    ) -> Result<(), Problem> {
        let declared = self.scope.register_type(register);
        if agree(ty, declared, size) {
            return Ok(());
        }
        let wider = if size == Size::AtLeast { " (or wider)" } else { "" };
        Err(at(
            place,
            format!(
                "register `{name}` has type .{}; an operand of type .{}{wider} is expected",
                declared.name(),
                ty.name()
            ),
        ))
    }

    /// Takes a destination.
    pub(super) fn destination(&mut self, ty: ScalarType) -> Result<RegisterId, Problem> {
        self.destination_of(ty, Size::Same)
    }

    /// Takes a destination that may be wider.
    pub(super) fn destination_of(&mut self, ty: ScalarType, size: Size) -> Result<RegisterId, Problem> {
        let operand = self.take()?;
        if is_sink(operand) {
            return Err(at(place_of(operand), "the result of this instruction cannot be dropped with `_`"));
        }
        self.register(operand, ty, size)
    }

    /// A register, or `_`.
    pub(super) fn register_or_sink(
        &self,
        operand: &syntax::Operand,
        ty: ScalarType,
        size: Size,
    ) -> Result<Option<RegisterId>, Problem> {
        if is_sink(operand) { Ok(None) } else { self.register(operand, ty, size).map(Some) }
    }

    /// Takes `d` or `d|p`, where `p` is a predicate; either may be `_`.
    pub(super) fn destinations_with_predicate(
        &mut self,
        ty: ScalarType,
    ) -> Result<(Option<RegisterId>, Option<RegisterId>), Problem> {
        match self.take()? {
            syntax::Operand::Pair(first, second) => Ok((
                self.register_or_sink(first, ty, Size::Same)?,
                self.register_or_sink(second, ScalarType::Pred, Size::Same)?,
            )),
            single => Ok((self.register_or_sink(single, ty, Size::Same)?, None)),
        }
    }

    /// Whether the next operand is a destination of this type, with or without a predicate.
    pub(super) fn destinations_with_predicate_fit(&self, ty: ScalarType) -> bool {
        let destination = match self.peek() {
            Some(syntax::Operand::Pair(first, _)) => first,
            Some(single) => single,
            None => return false,
        };
        self.register(destination, ty, Size::Same).is_ok()
    }

    /// Takes a source.
    pub(super) fn source(&mut self, ty: ScalarType) -> Result<Operand, Problem> {
        let operand = self.take()?;
        self.source_from(operand, ty, Size::Same)
    }

    /// Takes a source that may be wider.
    pub(super) fn source_of(&mut self, ty: ScalarType, size: Size) -> Result<Operand, Problem> {
        let operand = self.take()?;
        self.source_from(operand, ty, size)
    }

    /// A source: a register, a constant, or a special register by way of a temporary.
    pub(super) fn source_from(
        &mut self,
        operand: &syntax::Operand,
        ty: ScalarType,
        size: Size,
    ) -> Result<Operand, Problem> {
        match operand {
            syntax::Operand::Name(place, name) if name == "_" => Err(at(*place, "`_` cannot be a source")),
            syntax::Operand::Name(place, name) => match self.value(*place, name)? {
                Value::Register(register) => {
                    self.check(*place, name, register, ty, size)?;
                    Ok(Operand::Register(register))
                }
                Value::Special(special_ty, special) => {
                    let register = self.moved(special_ty, special);
                    self.check(*place, name, register, ty, size)?;
                    Ok(Operand::Register(register))
                }
                Value::Workspace(high) => {
                    let register = self.workspace(high);
                    self.check(*place, name, register, ty, size)?;
                    Ok(Operand::Register(register))
                }
                Value::Other(_) => {
                    let symbol = Expression::Symbol { name: name.clone(), addend: 0, generic: false };
                    immediate(&symbol, ty).map(Operand::Immediate).map_err(placed(*place))
                }
            },
            syntax::Operand::Constant(place, constant) => {
                immediate(constant, ty).map(Operand::Immediate).map_err(placed(*place))
            }
            syntax::Operand::Not(..) if ty == ScalarType::Pred => {
                let (predicate, _) = self.predicate_from(operand)?;
                let inverted = self.temporary(AluOperation::Not, ScalarType::Pred, vec![predicate]);
                Ok(Operand::Register(inverted))
            }
            other => Err(at(
                place_of(other),
                format!("a register or a constant of type .{} is expected here", ty.name()),
            )),
        }
    }

    /// Takes an integer that must be a constant.
    pub(super) fn constant(&mut self) -> Result<u64, Problem> {
        match self.take()? {
            &syntax::Operand::Constant(_, Expression::Integer(value, _)) => Ok(value),
            other => Err(at(place_of(other), "an integer constant is expected here")),
        }
    }

    /// Takes `p` or `!p`.
    pub(super) fn predicate(&mut self) -> Result<(Operand, bool), Problem> {
        let operand = self.take()?;
        self.predicate_from(operand)
    }

    fn predicate_from(&mut self, operand: &syntax::Operand) -> Result<(Operand, bool), Problem> {
        match operand {
            syntax::Operand::Not(place, name) => {
                let plain = syntax::Operand::Name(*place, name.clone());
                Ok((self.source_from(&plain, ScalarType::Pred, Size::Same)?, true))
            }
            plain => Ok((self.source_from(plain, ScalarType::Pred, Size::Same)?, false)),
        }
    }

    /// A special register, moved to a temporary.
    pub(super) fn moved(&mut self, ty: ScalarType, operand: Operand) -> RegisterId {
        self.temporary(AluOperation::Move, ty, vec![operand])
    }

    /// Half of the address of the grid's workspace, in a temporary.
    fn workspace(&mut self, high: bool) -> RegisterId {
        let symbol = Symbol::Variable(self.scope.grid_workspace());
        let (u32, u64) = (ScalarType::U32, ScalarType::U64);
        if self.scope.address_bytes() == 4 {
            let half = if high { Operand::Immediate(0) } else { Operand::Symbol(symbol, 0) };
            return self.moved(u32, half);
        }
        let mut address = self.moved(u64, Operand::Symbol(symbol, 0));
        if high {
            let sources = vec![Operand::Register(address), Operand::Immediate(32)];
            address = self.temporary(AluOperation::ShiftRight, u64, sources);
        }
        let destination = self.scope.temporary(u32);
        self.before(Operation::Alu {
            operation: AluOperation::Convert(u32),
            ty: u64,
            mode: AluMode::default(),
            destination,
            sources: vec![Operand::Register(address)],
        });
        destination
    }

    /// The result of an operation that is done before, in a new register of its type.
    pub(super) fn temporary(
        &mut self,
        operation: AluOperation,
        ty: ScalarType,
        sources: Vec<Operand>,
    ) -> RegisterId {
        let destination = self.scope.temporary(ty);
        self.before(Operation::Alu { operation, ty, mode: AluMode::default(), destination, sources });
        destination
    }

    /// The rest of an instruction that has one destination and some sources, all of given types.
    pub(super) fn alu(
        &mut self,
        operation: AluOperation,
        ty: ScalarType,
        mode: AluMode,
        result: ScalarType,
        sources: &[ScalarType],
    ) -> Result<Operation, Problem> {
        self.shape(1 + sources.len())?;
        let destination = self.destination(result)?;
        let sources = sources.iter().map(|&ty| self.source(ty)).collect::<Result<_, _>>()?;
        Ok(Operation::Alu { operation, ty, mode, destination, sources })
    }

    /// As [`Context::alu`], for operations without modes.
    pub(super) fn plain(
        &mut self,
        operation: AluOperation,
        ty: ScalarType,
        result: ScalarType,
        sources: &[ScalarType],
    ) -> Result<Operation, Problem> {
        self.alu(operation, ty, AluMode::default(), result, sources)
    }
}
