//! What must be known of all bodies before one is resolved: functions whose address is taken, and labels.

use super::{Global, Globals};
use crate::ir::{FunctionId, Initialiser, Symbol, Variable};
use crate::resolve::body::operand_names;
use crate::syntax::{Expression, InitialValue, InstructionWords, Operand, Statement};
use std::collections::BTreeSet;

/// Fills in the labels and the functions whose address is taken by an initial value or by an instruction. A
/// local name that hides a function's counts as the function: an indirect call then has one candidate more.
pub(super) fn collect(globals: &mut Globals<'_>, variables: &[Variable]) {
    let mut taken = BTreeSet::new();
    for part in variables.iter().flat_map(|variable| &variable.initialisers) {
        if let Initialiser::Address { symbol: Symbol::Function(id), .. } = part {
            taken.insert(*id);
        }
    }
    let mut labels = BTreeSet::new();
    for function in &globals.functions {
        let body = function.declaration.body.as_deref().unwrap_or_default();
        block(globals, body, &mut taken, &mut labels);
    }
    globals.labels = labels;
    // No call reaches a kernel.
    let is_kernel =
        |id: &FunctionId| globals.functions.get(id.0 as usize).is_some_and(|f| f.declaration.is_entry);
    taken.retain(|id| !is_kernel(id));
    globals.address_taken = taken.into_iter().collect();
}

fn block<'t>(
    globals: &Globals<'t>,
    statements: &'t [Statement],
    taken: &mut BTreeSet<FunctionId>,
    labels: &mut BTreeSet<&'t str>,
) {
    let mut take = |name: &str| {
        if let Some(Global::Function(id)) = globals.names.get(name) {
            taken.insert(*id);
        }
    };
    for statement in statements {
        match statement {
            Statement::Label(_, name) => {
                labels.insert(name);
            }
            Statement::Instruction(words) => {
                let target = call_target(words).map(|(index, _)| index);
                for (_, operand) in
                    words.operands.iter().enumerate().filter(|&(index, _)| Some(index) != target)
                {
                    operand_names(operand, &mut |_, name| take(name));
                }
            }
            Statement::Declaration(declaration) => {
                let initial = declaration.names.iter().filter_map(|array| array.initial.as_ref());
                initial.for_each(|value| initial_names(value, &mut take));
            }
            _ => {}
        }
    }
    for statement in statements {
        if let Statement::Block(_, inner) = statement {
            block(globals, inner, taken, labels);
        }
    }
}

fn initial_names(value: &InitialValue, each: &mut dyn FnMut(&str)) {
    match value {
        InitialValue::Value(Expression::Symbol { name, .. }) => each(name),
        InitialValue::Value(Expression::Mask(_, symbol)) => {
            if let Expression::Symbol { name, .. } = symbol.as_ref() {
                each(name);
            }
        }
        InitialValue::Value(_) => {}
        InitialValue::List(values) => values.iter().for_each(|value| initial_names(value, each)),
        InitialValue::Field(_, value) => initial_names(value, each),
    }
}

/// The operand of a call that says who is called, with its index.
pub(crate) fn call_target(words: &InstructionWords) -> Option<(usize, &str)> {
    if words.words.first().is_none_or(|opcode| opcode != "call") {
        return None;
    }
    words.operands.iter().enumerate().take(2).find_map(|(index, operand)| match operand {
        Operand::Name(_, name) => Some((index, name.as_str())),
        _ => None,
    })
}
