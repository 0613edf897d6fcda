//! How large a declared thing is, and how it is aligned.

use crate::ir::ScalarType;
use crate::resolve::report::nearest;
use crate::syntax::{Array, Declaration};

/// The largest alignment that is taken; hardware has none beyond its pages.
const MAX_ALIGNMENT: u64 = 1 << 20;

/// The largest variable that is taken; more than any address space has.
pub(super) const MAX_BYTES: u64 = 1 << 60;

/// Type, shape and alignment of a declared thing.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Extent {
    /// Type of one element.
    pub(crate) ty: ScalarType,
    /// Sizes of the dimensions, outermost first, a vector being the innermost; no more than the first is
    /// absent.
    pub(crate) dimensions: Vec<Option<u64>>,
    /// Size in bytes; 0 if a dimension is absent.
    pub(crate) bytes: u64,
    /// Alignment in bytes, a power of two.
    pub(crate) alignment: u32,
    /// A texture, sampler or surface reference.
    pub(crate) is_texture: bool,
}

/// The scalar type of this name, or what is wrong with it.
pub(crate) fn scalar_type(name: &str) -> Result<ScalarType, String> {
    ScalarType::named(name).ok_or_else(|| {
        let near = nearest(name, ScalarType::NAMES.iter().map(|&(known, _)| known));
        let meant = near.map(|near| format!("; the nearest known type is .{near}")).unwrap_or_default();
        format!("unknown or unsupported type .{name}{meant}")
    })
}

/// How many elements a vector of this declaration has; 1 for a scalar.
pub(crate) fn vector_length(declaration: &Declaration) -> u64 {
    let length = |word: &String| match word.as_str() {
        "v2" => Some(2),
        "v4" => Some(4),
        "v8" => Some(8),
        _ => None,
    };
    declaration.words.iter().find_map(length).unwrap_or(1)
}

/// The extent of one declared name.
pub(crate) fn extent(declaration: &Declaration, array: &Array) -> Result<Extent, String> {
    let old =
        ["tex", "surf", "sampler"].iter().any(|space| declaration.words.iter().any(|word| word == space));
    if old || matches!(declaration.ty.as_str(), "texref" | "surfref" | "samplerref") {
        // A reference is as large as the handle that stands for it.
        return Ok(Extent {
            ty: ScalarType::B64,
            dimensions: Vec::new(),
            bytes: 8,
            alignment: 8,
            is_texture: true,
        });
    }
    let ty = scalar_type(&declaration.ty)?;
    let vector = vector_length(declaration);
    let mut dimensions = array.dimensions.clone();
    if dimensions.iter().skip(1).any(Option::is_none) {
        return Err(format!("only the first size of `{}` may be left out", array.name));
    }
    if vector > 1 {
        dimensions.push(Some(vector));
    }
    // Empty dimensions count as one, so that no product of some of the dimensions is larger than this one.
    let bytes = dimensions.iter().try_fold(u64::from(ty.bytes()), |bytes, size| {
        bytes.checked_mul(size.unwrap_or(1).max(1)).filter(|&bytes| bytes <= MAX_BYTES)
    });
    let bytes = bytes.ok_or_else(|| format!("`{}` is larger than any memory", array.name))?;
    let bytes = if dimensions.iter().any(|size| size.unwrap_or(0) == 0) { 0 } else { bytes };
    let natural = u64::from(ty.bytes()) * vector;
    let alignment = declaration.alignment.unwrap_or(natural);
    if !alignment.is_power_of_two() || alignment > MAX_ALIGNMENT {
        return Err(format!(
            "expected an alignment that is a power of two up to {MAX_ALIGNMENT}, found {alignment}"
        ));
    }
    Ok(Extent { ty, dimensions, bytes, alignment: alignment as u32, is_texture: false })
}
