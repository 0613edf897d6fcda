//! Calls: direct ones, of the module's functions or of those that the machine provides, and indirect ones.
//! PTX ISA 8.5, section 9.7.12, `call`.

use super::Resolved;
use super::context::{Context, Value, at, is_sink, place_of};
use super::control::name;
use super::types::{Size, bits_of};
use super::words::{problem, problem_with};
use crate::Place;
use crate::ir::{Call, CallTarget, FunctionId, Operand, Operation, RegisterId, ScalarType, Symbol};
use crate::resolve::scope::{Named, Problem};
use crate::syntax;

/// Sizes of results and of parameters.
type Signature = (Vec<u32>, Vec<u32>);

/// `call`
pub(super) fn call(context: &mut Context<'_>) -> Resolved {
    let uniform = context.words.flag("uni");
    context.shape_of(&[1, 2, 3, 4])?;
    let results = list(context)?;
    let (place, target) = name(context.take()?, "the function")?;
    let arguments = list(context)?;
    let (target, signature) = match context.value(place, target)? {
        Value::Register(register) => indirect(context, place, register)?,
        Value::Other(named @ (Named::Function(_) | Named::External(_))) => {
            (direct(&named)?, context.scope.signature(&named))
        }
        _ => return Err(at(place, format!("`{target}` is not a function"))),
    };
    if let Some(extra) = context.peek() {
        return Err(at(place_of(extra), "a call has results, a function, arguments, and nothing after them"));
    }
    let (result_sizes, argument_sizes) = match &signature {
        Some((results, parameters)) => (Some(results.as_slice()), Some(parameters.as_slice())),
        None => (None, None),
    };
    let results = passed(context, place, "result", results, result_sizes)?;
    if let Some(place) = results.iter().position(|result| matches!(result, Operand::Immediate(_))) {
        return Err(problem(format!("result {} is a constant; a register is expected", place + 1)));
    }
    let arguments = passed(context, place, "argument", arguments, argument_sizes)?;
    Ok(Operation::Call(Call { target, results, arguments, uniform }))
}

fn direct(named: &Named) -> Result<CallTarget, Problem> {
    match named {
        Named::Function(id) => Ok(CallTarget::Function(*id)),
        Named::External(id) => Ok(CallTarget::External(*id)),
        _ => Err(problem("a function is expected")),
    }
}

/// A list in parentheses, if the next operand is one.
fn list<'a>(context: &mut Context<'a>) -> Result<&'a [syntax::Operand], Problem> {
    match context.peek() {
        Some(syntax::Operand::List(_, operands)) => {
            context.take()?;
            Ok(operands)
        }
        _ => Ok(&[]),
    }
}

/// A call by address: the functions that it may reach are those of `.calltargets`, or those of the module
/// that fit `.callprototype` and whose address is taken.
fn indirect(
    context: &mut Context<'_>,
    place: Place,
    register: RegisterId,
) -> Result<(CallTarget, Option<Signature>), Problem> {
    let ty = context.scope.register_type(register);
    if ty.is_float() || ty == ScalarType::Pred || ty.bytes() != context.scope.address_bytes() {
        return Err(at(place, format!("a register of type .{} cannot hold a function's address", ty.name())));
    }
    if context.left() == 0 {
        return Err(Problem {
            place: Some(place),
            ..problem_with(
                "an indirect call names its targets after the arguments",
                "add the name of a .callprototype or .calltargets",
            )
        });
    }
    let (list_place, list) = name(context.take()?, "the name of a .callprototype or .calltargets")?;
    match context.value(list_place, list)? {
        Value::Other(Named::CallTargets(targets)) => {
            let signature =
                targets.first().and_then(|&first| context.scope.signature(&Named::Function(first)));
            Ok((CallTarget::Indirect(register, targets), signature))
        }
        Value::Other(Named::Prototype(results, parameters)) => {
            let signature = (results, parameters);
            let fits =
                |id: &FunctionId| context.scope.signature(&Named::Function(*id)).as_ref() == Some(&signature);
            let targets = context.scope.address_taken().into_iter().filter(fits).collect();
            Ok((CallTarget::Indirect(register, targets), Some(signature)))
        }
        _ => Err(at(list_place, format!("`{list}` is neither a .callprototype nor a .calltargets list"))),
    }
}

/// Arguments or results, checked against their sizes if those are known.
fn passed(
    context: &mut Context<'_>,
    place: Place,
    what: &str,
    operands: &[syntax::Operand],
    sizes: Option<&[u32]>,
) -> Result<Vec<Operand>, Problem> {
    if let Some(sizes) = sizes
        && sizes.len() != operands.len()
    {
        let plural = if sizes.len() == 1 { "" } else { "s" };
        let text =
            format!("the function has {} {what}{plural}, the call has {}", sizes.len(), operands.len());
        return Err(at(place, text));
    }
    let mut all = Vec::with_capacity(operands.len());
    for (number, operand) in operands.iter().enumerate() {
        all.push(pass(context, operand, sizes.and_then(|sizes| sizes.get(number)).copied(), what)?);
    }
    Ok(all)
}

fn pass(
    context: &mut Context<'_>,
    operand: &syntax::Operand,
    size: Option<u32>,
    what: &str,
) -> Result<Operand, Problem> {
    let place = place_of(operand);
    // An array without a length (`.param .b8 x[]`) takes any size.
    let size = size.filter(|&size| size > 0);
    let mismatch = |given: u32, size: u32| {
        at(place, format!("this {what} has {given} bytes, the function expects {size}"))
    };
    let untyped = size.and_then(bits_of);
    if is_sink(operand) {
        let ty = untyped.ok_or_else(|| at(place, format!("a {what} of this size cannot be dropped")))?;
        return Ok(Operand::Register(context.scope.temporary(ty)));
    }
    if let syntax::Operand::Name(place, name) = operand {
        match context.value(*place, name)? {
            Value::Register(register) => {
                let given = context.scope.register_type(register).bytes();
                return match size {
                    Some(size) if size != given => Err(mismatch(given, size)),
                    _ => Ok(Operand::Register(register)),
                };
            }
            Value::Other(named @ Named::CallParameter(number)) => {
                let given = context.scope.parameter_type(&named).map(|(bytes, _)| bytes);
                return match (given, size) {
                    (Some(given), Some(size)) if given != size => Err(mismatch(given, size)),
                    _ => Ok(Operand::Symbol(Symbol::CallParameter(number), 0)),
                };
            }
            Value::Special(..) | Value::Workspace(_) => {}
            Value::Other(_) => {
                let text = format!(
                    "`{name}` cannot be passed; expected a register or a .param variable of this body"
                );
                return Err(at(*place, text));
            }
        }
    }
    context.source_from(operand, untyped.unwrap_or(ScalarType::B64), Size::Same)
}
