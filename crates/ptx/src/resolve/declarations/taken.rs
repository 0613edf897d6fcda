//! What must be known of all bodies before one is resolved: functions whose address is taken, and labels.

use super::{Global, Globals};
use crate::ir::{FunctionId, Initialiser, Symbol, Variable};
use crate::resolve::body::operand_names;
use crate::syntax::{InstructionWords, Operand, Statement};
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
    globals.address_taken = taken.into_iter().collect();
}

fn block<'t>(
    globals: &Globals<'t>,
    statements: &'t [Statement],
    taken: &mut BTreeSet<FunctionId>,
    labels: &mut BTreeSet<&'t str>,
) {
    for statement in statements {
        match statement {
            Statement::Label(_, name) => {
                labels.insert(name);
            }
            Statement::Block(_, inner) => block(globals, inner, taken, labels),
            Statement::Instruction(words) => {
                let target = call_target(words).map(|(index, _)| index);
                for (_, operand) in
                    words.operands.iter().enumerate().filter(|&(index, _)| Some(index) != target)
                {
                    operand_names(operand, &mut |_, name| {
                        if let Some(Global::Function(id)) = globals.names.get(name) {
                            taken.insert(*id);
                        }
                    });
                }
            }
            _ => {}
        }
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
