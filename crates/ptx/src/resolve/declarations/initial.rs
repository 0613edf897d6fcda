//! Initial contents of variables.
//!
//! Braces nest as in C: an inner list fills one sub-array, values without braces follow each other, what is not
//! given is zero. An address may be given byte by byte with masks (`0xFF(a), 0xFF00(a) …`), as compilers do in
//! packed structures; all of its bytes must be there, in order.

use super::extent::{Extent, MAX_BYTES};
use crate::ir::{Initialiser, ScalarType, Symbol};
use crate::syntax::{Expression, InitialValue};

/// What a name in an initial value stands for, nothing if its address is zero, or what is wrong with it.
pub(crate) type Lookup<'a> = &'a dyn Fn(&str) -> Result<Option<Symbol>, String>;

/// The initial contents of a variable, and its size in bytes where that was left open.
pub(crate) fn initialisers(
    value: &InitialValue,
    extent: &Extent,
    lookup: Lookup<'_>,
) -> Result<(Vec<Initialiser>, u64), String> {
    if extent.is_texture {
        // How a sampler filters is of no concern to fetches by index.
        return Ok((Vec::new(), extent.bytes));
    }
    let mut filler = Filler { extent, lookup, parts: Vec::new(), masked: None, end: 0 };
    match value {
        InitialValue::List(values) => filler.list(values, 0, 0)?,
        value => filler.value(value, 0)?,
    };
    filler.no_address_is_open()?;
    let row: u64 = filler.elements_from(1) * u64::from(extent.ty.bytes());
    let bytes = match extent.dimensions.first() {
        Some(None) => filler.end.next_multiple_of(row.max(1)),
        _ => extent.bytes,
    };
    if filler.end > bytes {
        return Err(format!("more initial values than the {bytes} bytes of the variable hold"));
    }
    Ok((filler.parts, bytes))
}

/// An address of which some bytes were given.
struct Masked {
    symbol: Symbol,
    addend: i64,
    generic: bool,
    /// Offset of the first byte.
    offset: u64,
    given: u32,
}

struct Filler<'a> {
    extent: &'a Extent,
    lookup: Lookup<'a>,
    parts: Vec<Initialiser>,
    masked: Option<Masked>,
    /// Bytes from the start to the last one given.
    end: u64,
}

impl Filler<'_> {
    /// Elements of one item of the dimensions from this one on. The extent's size was checked to fit.
    fn elements_from(&self, level: usize) -> u64 {
        self.extent.dimensions.iter().skip(level).map(|size| size.unwrap_or(1)).product()
    }

    /// A list for the dimensions from `level` on, from this element on.
    fn list(&mut self, values: &[InitialValue], level: usize, first: u64) -> Result<(), String> {
        let (size, step) = (self.elements_from(level), self.elements_from(level + 1).max(1));
        let open = matches!(self.extent.dimensions.get(level), Some(None));
        let mut position = 0;
        for value in values {
            if !open && position >= size {
                return Err(format!("more than {size} initial values in a list"));
            }
            // A list of open length holds as many values as it likes, but each of them has an address.
            if first + position > MAX_BYTES {
                return Err("the initial values are larger than any memory".to_string());
            }
            match value {
                InitialValue::List(inner) => {
                    if level + 1 > self.extent.dimensions.len() {
                        return Err("braces nested deeper than the variable has dimensions".to_string());
                    }
                    position = position.next_multiple_of(step);
                    self.list(inner, level + 1, first + position)?;
                    position += step;
                }
                value => {
                    self.value(value, first + position)?;
                    position += 1;
                }
            }
        }
        Ok(())
    }

    fn value(&mut self, value: &InitialValue, element: u64) -> Result<(), String> {
        let InitialValue::Value(expression) = value else {
            return Err("expected a constant or an address as initial value".to_string());
        };
        let ty = self.extent.ty;
        let offset = element * u64::from(ty.bytes());
        self.end = self.end.max(offset + u64::from(ty.bytes()));
        if let Expression::Mask(mask, symbol) = expression {
            return self.masked(*mask, symbol, offset);
        }
        self.no_address_is_open()?;
        if let Expression::Symbol { name, addend, generic } = expression {
            let Some(symbol) = (self.lookup)(name)? else { return Ok(()) };
            if !matches!(ty.bytes(), 4 | 8) {
                return Err(format!(
                    "the address of `{name}` does not fit in an element of type .{}",
                    ty.name()
                ));
            }
            let (addend, generic, bytes) = (*addend, *generic, ty.bytes());
            self.parts.push(Initialiser::Address { offset, bytes, symbol, addend, generic });
            return Ok(());
        }
        let bits = constant_bits(expression, ty)?;
        let bytes = bits.get(..ty.bytes() as usize).unwrap_or_default();
        match self.parts.last_mut() {
            Some(Initialiser::Bytes { offset: start, bytes: run }) if *start + run.len() as u64 == offset => {
                run.extend_from_slice(bytes);
            }
            _ => self.parts.push(Initialiser::Bytes { offset, bytes: bytes.to_vec() }),
        }
        Ok(())
    }

    fn masked(&mut self, mask: u64, expression: &Expression, offset: u64) -> Result<(), String> {
        let Expression::Symbol { name, addend, generic } = expression else {
            return Err("only an address can be masked".to_string());
        };
        let Some(symbol) = (self.lookup)(name)? else { return Ok(()) };
        let start = Masked { symbol, addend: *addend, generic: *generic, offset, given: 0 };
        let mut open = self.masked.take().unwrap_or(start);
        let same = open.symbol == symbol && open.addend == *addend && open.generic == *generic;
        let next = open.offset + u64::from(open.given) == offset && self.extent.ty.bytes() == 1;
        if !same
            || !next
            || mask.checked_shr(8 * open.given) != Some(0xFF)
            || mask.trailing_zeros() < 8 * open.given
        {
            return Err(format!(
                "expected the bytes of the address of `{name}` one after the other, each of a one-byte type"
            ));
        }
        open.given += 1;
        self.masked = Some(open);
        self.close_if_complete();
        Ok(())
    }

    /// An address of eight bytes is complete; one of four is when something else follows.
    fn close_if_complete(&mut self) {
        if let Some(masked) = self.masked.take_if(|masked| masked.given == 8) {
            self.push_masked(masked);
        }
    }

    fn push_masked(&mut self, masked: Masked) {
        let Masked { symbol, addend, generic, offset, given } = masked;
        self.parts.push(Initialiser::Address { offset, bytes: given, symbol, addend, generic });
    }

    fn no_address_is_open(&mut self) -> Result<(), String> {
        match self.masked.take() {
            None => Ok(()),
            Some(masked) if masked.given == 4 => {
                self.push_masked(masked);
                Ok(())
            }
            Some(masked) => {
                Err(format!("an address of which only {} bytes are given; expected 4 or 8", masked.given))
            }
        }
    }
}

/// A constant in the bits of a type, low byte first.
fn constant_bits(expression: &Expression, ty: ScalarType) -> Result<[u8; 16], String> {
    let as_type = |value: f64| -> Option<u64> {
        Some(match ty {
            ScalarType::F64 => value.to_bits(),
            ScalarType::F32 => u64::from((value as f32).to_bits()),
            ScalarType::F16 => u64::from(half::f16::from_f64(value).to_bits()),
            ScalarType::BF16 => u64::from(half::bf16::from_f64(value).to_bits()),
            _ => return None,
        })
    };
    let bits = match expression {
        Expression::Integer(value, unsigned) if ty.is_float() => {
            as_type(if *unsigned { *value as f64 } else { *value as i64 as f64 })
        }
        Expression::Integer(value, _) => Some(*value),
        // The bits of a single in an untyped or single element stay what they are, NaN payloads included.
        Expression::Single(bits) if ty.bytes() == 4 => Some(u64::from(*bits)),
        Expression::Double(bits) if ty.bytes() == 8 => Some(*bits),
        Expression::Single(bits) => as_type(f64::from(f32::from_bits(*bits))),
        Expression::Double(bits) => as_type(f64::from_bits(*bits)),
        Expression::Symbol { .. } | Expression::Mask(..) => None,
    };
    let bits = bits.ok_or_else(|| format!("expected an initial value of type .{}", ty.name()))?;
    let extends =
        !ty.is_float() && matches!(expression, Expression::Integer(value, false) if *value as i64 <= -1);
    let high = if extends { u64::MAX } else { 0 };
    Ok((u128::from(high) << 64 | u128::from(bits)).to_le_bytes())
}
