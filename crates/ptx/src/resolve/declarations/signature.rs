//! Parameters and results of functions, and where they are.
//!
//! Parameters follow each other as the members of a C struct do: each at the next multiple of its alignment.

use super::extent::{extent, vector_length};
use crate::ir::{Parameter, ParameterPlace, RegisterId};
use crate::resolve::report::Reports;
use crate::syntax::{Array, Declaration, FunctionDeclaration};

/// The largest parameter buffer; current hardware takes 32,764 bytes for a kernel, frames of functions may be
/// larger.
const MAX_BYTES: u64 = 1 << 20;

/// The results and parameters of a function. Those in registers have the number 0 until its body gives them
/// one.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Signature {
    pub(crate) results: Vec<Parameter>,
    pub(crate) parameters: Vec<Parameter>,
    /// Bytes of the frame that both take.
    pub(crate) bytes: u32,
}

impl Signature {
    /// Sizes of results and of parameters.
    pub(crate) fn sizes(&self) -> (Vec<u32>, Vec<u32>) {
        let sizes = |list: &[Parameter]| list.iter().map(|parameter| parameter.bytes).collect();
        (sizes(&self.results), sizes(&self.parameters))
    }
}

/// Reads the signature of a kernel, function or prototype.
pub(crate) fn signature(function: &FunctionDeclaration, reports: &mut Reports<'_>) -> Signature {
    let mut bytes = 0;
    // The parameters come first, so that a kernel's are at the offsets that its caller writes them to.
    let parameters = list(&function.parameters, &mut bytes, function.is_entry, reports);
    let results = list(&function.results, &mut bytes, false, reports);
    Signature { results, parameters, bytes }
}

fn list(
    declarations: &[Declaration],
    bytes: &mut u32,
    is_entry: bool,
    reports: &mut Reports<'_>,
) -> Vec<Parameter> {
    let mut parameters = Vec::with_capacity(declarations.len());
    for declaration in declarations {
        for array in &declaration.names {
            match parameter(declaration, array, bytes, is_entry) {
                Ok(parameter) => parameters.push(parameter),
                Err(problem) => reports.error(declaration.place, problem, None),
            }
        }
    }
    parameters
}

/// One parameter, put behind the `bytes` that others take.
pub(crate) fn parameter(
    declaration: &Declaration,
    array: &Array,
    bytes: &mut u32,
    is_entry: bool,
) -> Result<Parameter, String> {
    let in_register = match declaration.words.first().map(String::as_str) {
        Some("param") => false,
        Some("reg") if is_entry => {
            return Err(format!("a kernel's parameters are in .param space; `{}` is a register", array.name));
        }
        Some("reg") if vector_length(declaration) > 1 || !array.dimensions.is_empty() => {
            return Err(format!("`{}` is no scalar; a parameter in a register is one", array.name));
        }
        Some("reg") => true,
        _ => return Err(format!("expected `.param` or `.reg` in front of the parameter `{}`", array.name)),
    };
    if array.count.is_some() {
        return Err(format!("`{}<…>` declares several registers; expected one parameter", array.name));
    }
    let extent = extent(declaration, array)?;
    let place = match in_register {
        true => ParameterPlace::Register(RegisterId(0)),
        false => {
            let offset = u64::from(*bytes).next_multiple_of(u64::from(extent.alignment));
            let end = offset.checked_add(extent.bytes).filter(|&end| end <= MAX_BYTES);
            let Some(end) = end else {
                return Err(format!(
                    "the parameters up to `{}` have more than {MAX_BYTES} bytes",
                    array.name
                ));
            };
            *bytes = end as u32;
            ParameterPlace::Memory(offset as u32)
        }
    };
    Ok(Parameter {
        name: array.name.clone(),
        ty: extent.ty,
        bytes: extent.bytes as u32,
        alignment: extent.alignment,
        place,
    })
}
