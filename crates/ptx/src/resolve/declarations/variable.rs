//! One variable, at module level or in a function.

use super::extent::extent;
use super::initial::{Lookup, initialisers};
use crate::ir::{FunctionId, StateSpace, Variable};
use crate::syntax::{Array, Declaration};

/// The state space of a declaration in memory.
pub(crate) fn space(declaration: &Declaration) -> Option<StateSpace> {
    declaration.words.iter().find_map(|word| match word.as_str() {
        "global" | "tex" | "surf" | "sampler" => Some(StateSpace::Global),
        "const" => Some(StateSpace::Constant),
        "shared" | "shared::cta" => Some(StateSpace::Shared),
        "local" => Some(StateSpace::Local),
        _ => None,
    })
}

/// A variable without its initial contents.
pub(crate) fn variable(
    declaration: &Declaration,
    array: &Array,
    function: Option<FunctionId>,
) -> Result<Variable, String> {
    let name = &array.name;
    let Some(space) = space(declaration) else {
        return Err(format!(
            "expected `.global`, `.const`, `.shared` or `.local` in the declaration of the variable `{name}`"
        ));
    };
    if array.count.is_some() {
        return Err(format!("only registers are declared in numbers, as `{name}<…>`; expected `{name}[…]`"));
    }
    let is_extern = declaration.words.iter().any(|word| word == "extern");
    let extent = extent(declaration, array)?;
    if extent.ty == crate::ir::ScalarType::Pred {
        return Err(format!("`{name}` is a predicate, which has no place in memory"));
    }
    let open = array.dimensions.first() == Some(&None);
    if open && array.initial.is_none() && !(is_extern && space == StateSpace::Shared) {
        return Err(format!("the size of `{name}` is missing; only an .extern .shared array may have none"));
    }
    if array.initial.is_some() && !matches!(space, StateSpace::Global | StateSpace::Constant) {
        return Err(format!("`{name}` has an initial value; only .global and .const variables may have one"));
    }
    Ok(Variable {
        name: name.clone(),
        space,
        ty: extent.ty,
        bytes: extent.bytes,
        alignment: extent.alignment,
        is_extern,
        function,
        initialisers: Vec::new(),
        is_texture: extent.is_texture,
    })
}

/// Gives a variable its initial contents, and its size if that was left open.
pub(crate) fn initialise(
    variable: &mut Variable,
    declaration: &Declaration,
    array: &Array,
    lookup: Lookup<'_>,
) -> Result<(), String> {
    if let Some(initial) = &array.initial {
        (variable.initialisers, variable.bytes) =
            initialisers(initial, &extent(declaration, array)?, lookup)?;
    }
    Ok(())
}
