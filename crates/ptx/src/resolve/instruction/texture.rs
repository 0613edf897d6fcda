//! Textures: PTX ISA 8.5, section 9.7.10. A linear one-dimensional texture is an array with a reading head
//! start; that form (`tex.1d.v4`) is what graph programs have, and all others are refused by name.

use super::Resolved;
use super::context::{Context, Value, at, place_of};
use super::types::Size;
use super::words::{Table, problem_with};
use crate::ir::ScalarType::{B64, F32, S32, U32};
use crate::ir::{Operand, Operation, Symbol};
use crate::resolve::scope::{Named, Problem};
use crate::syntax;

const INSTEAD: &str = "read the data with ld.global.nc, or as a linear 1-D texture";

const OTHER_FORMS: Table<&str> = &[
    ("2d", INSTEAD),
    ("3d", INSTEAD),
    ("a1d", INSTEAD),
    ("a2d", INSTEAD),
    ("cube", INSTEAD),
    ("acube", INSTEAD),
    ("2dms", INSTEAD),
    ("a2dms", INSTEAD),
    ("level", "a linear texture has one level"),
    ("grad", "a linear texture has one level"),
    ("base", "a linear texture has one level"),
    ("f16", INSTEAD),
    ("f16x2", INSTEAD),
];

/// `tex`
pub(super) fn texture(context: &mut Context<'_>) -> Resolved {
    context.words.refuse(OTHER_FORMS)?;
    context.words.need_flag("1d")?;
    context.words.need_flag("v4")?;
    let ty = context.words.ty(&[U32, S32, F32])?;
    let coordinate_ty = context.words.ty(&[S32, F32])?;
    context.shape(2)?;
    let destinations = context.vector_destinations(4, ty, Size::Same)?;
    let (texture, coordinate) = match context.take()? {
        syntax::Operand::Bracket(place, parts) => match parts.as_slice() {
            [texture, coordinate] => (texture, coordinate),
            [_, _, _] => {
                return Err(Problem {
                    place: Some(*place),
                    ..problem_with(
                        "a sampler of its own is not supported",
                        "bind the texture in unified mode: [texture, {x}]",
                    )
                });
            }
            _ => return Err(at(*place, "a texture and a coordinate are expected: [texture, {x}]")),
        },
        other => {
            return Err(at(place_of(other), "a texture and a coordinate are expected: [texture, {x}]"));
        }
    };
    let texture = which(context, texture)?;
    let coordinate = match coordinate {
        // Older compilers fill the vector up; the first element counts.
        syntax::Operand::Vector(place, parts) => {
            parts.first().ok_or_else(|| at(*place, "a coordinate is expected"))?
        }
        single => single,
    };
    let coordinate = context.source_from(coordinate, coordinate_ty, Size::Same)?;
    Ok(Operation::Texture { destinations, ty, texture, coordinate, coordinate_ty })
}

/// A `.texref` variable, or an object in a register or a parameter.
fn which(context: &mut Context<'_>, operand: &syntax::Operand) -> Result<Operand, Problem> {
    let syntax::Operand::Name(place, name) = operand else {
        return Err(at(place_of(operand), "a texture is expected here"));
    };
    match context.value(*place, name)? {
        Value::Register(_) => Ok(Operand::Register(context.register(operand, B64, Size::Same)?)),
        Value::Other(Named::Variable(id)) => match context.scope.variable_space(id) {
            Some((_, false)) => Err(at(*place, format!("`{name}` is not a texture"))),
            _ => Ok(Operand::Symbol(Symbol::Variable(id), 0)),
        },
        Value::Other(Named::Parameter(number)) => Ok(Operand::Symbol(Symbol::Parameter(number), 0)),
        _ => Err(at(*place, format!("`{name}` is not a texture"))),
    }
}
