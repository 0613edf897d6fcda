//! What the names of a plan stand for while it runs.

use super::error::Problem;
use super::expression::{Values, evaluate};
use super::steps::ITERATION;
use heddle_device::{Argument, Buffer};
use heddle_graph::Graph;
use heddle_graph::error::nearest;
use std::collections::BTreeMap;
use toml::Value;

/// Types that elements and scalars can have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Type {
    U8,
    S8,
    U16,
    S16,
    U32,
    S32,
    U64,
    S64,
    F32,
    F64,
}

const TYPES: &[(&str, Type)] = &[
    ("u8", Type::U8),
    ("s8", Type::S8),
    ("u16", Type::U16),
    ("s16", Type::S16),
    ("u32", Type::U32),
    ("s32", Type::S32),
    ("u64", Type::U64),
    ("s64", Type::S64),
    ("f32", Type::F32),
    ("f64", Type::F64),
];

impl Type {
    /// The type of this name.
    pub(super) fn named(name: &str) -> Result<Type, Problem> {
        TYPES.iter().find(|(known, _)| *known == name).map(|&(_, ty)| ty).ok_or_else(|| {
            let names: Vec<_> = TYPES.iter().map(|(name, _)| *name).collect();
            Problem::Words(format!("there is no type '{name}'; expected one of {}", names.join(", ")))
        })
    }

    /// Size of an element.
    pub(super) fn bytes(self) -> usize {
        match self {
            Type::U8 | Type::S8 => 1,
            Type::U16 | Type::S16 => 2,
            Type::U32 | Type::S32 | Type::F32 => 4,
            Type::U64 | Type::S64 | Type::F64 => 8,
        }
    }

    /// Whether it is a floating-point type.
    pub(super) fn is_float(self) -> bool {
        matches!(self, Type::F32 | Type::F64)
    }

    /// The little-endian bytes of a whole number, which must fit. (`-1` means all ones in unsigned types.)
    pub(super) fn encode_whole(self, value: i64) -> Result<Vec<u8>, Problem> {
        match self {
            Type::F32 => return Ok((value as f32).to_le_bytes().to_vec()),
            Type::F64 => return Ok((value as f64).to_le_bytes().to_vec()),
            _ => {}
        }
        let bits = self.bytes() * 8;
        let fits = bits == 64 || (-(1i64 << (bits - 1))..1i64 << bits).contains(&value);
        match fits {
            true => Ok(value.to_le_bytes()[..self.bytes()].to_vec()),
            false => Err(Problem::Words(format!("{value} does not fit {bits} bits"))),
        }
    }

    /// The little-endian bytes of a real number.
    pub(super) fn encode_real(self, value: f64) -> Result<Vec<u8>, Problem> {
        match self {
            Type::F32 => Ok((value as f32).to_le_bytes().to_vec()),
            Type::F64 => Ok(value.to_le_bytes().to_vec()),
            _ => Err(Problem::Words(format!("{value} is not a whole number"))),
        }
    }

    /// An element as a whole number, if it is one.
    pub(super) fn decode_whole(self, bytes: &[u8]) -> Option<i64> {
        let mut wide = [0; 8];
        wide.get_mut(..self.bytes())?.copy_from_slice(bytes.get(..self.bytes())?);
        let value = u64::from_le_bytes(wide);
        match self {
            Type::U8 | Type::U16 | Type::U32 | Type::U64 => i64::try_from(value).ok(),
            Type::S8 => Some(i64::from(value as i8)),
            Type::S16 => Some(i64::from(value as i16)),
            Type::S32 => Some(i64::from(value as i32)),
            Type::S64 => Some(value as i64),
            Type::F32 | Type::F64 => None,
        }
    }

    /// An element as a real number.
    pub(super) fn decode_real(self, bytes: &[u8]) -> Option<f64> {
        match self {
            Type::F32 => Some(f64::from(f32::from_le_bytes(*bytes.first_chunk()?))),
            Type::F64 => Some(f64::from_le_bytes(*bytes.first_chunk()?)),
            Type::U64 => Some(u64::from_le_bytes(*bytes.first_chunk()?) as f64),
            _ => self.decode_whole(bytes).map(|value| value as f64),
        }
    }
}

/// A scalar: its type and the bytes of its value.
#[derive(Clone, Debug)]
pub(super) struct Scalar {
    pub(super) ty: Type,
    pub(super) bytes: Vec<u8>,
}

/// A buffer with the type of its elements.
#[derive(Clone, Copy, Debug)]
pub(super) struct TypedBuffer {
    pub(super) buffer: Buffer,
    pub(super) ty: Type,
}

/// Everything that has a name.
#[derive(Debug, Default)]
pub(super) struct Names {
    /// Figures of the graph and of the loop: `vertices`, `arcs`, `source`, `iteration`.
    pub(super) figures: BTreeMap<String, i64>,
    pub(super) scalars: BTreeMap<String, Scalar>,
    pub(super) buffers: BTreeMap<String, TypedBuffer>,
}

impl Values for Names {
    fn value(&self, name: &str) -> Option<i64> {
        let scalar = self.scalars.get(name).and_then(|scalar| scalar.ty.decode_whole(&scalar.bytes));
        scalar.or_else(|| self.figures.get(name).copied())
    }

    fn known(&self) -> Vec<String> {
        let whole = self.scalars.iter().filter(|(_, scalar)| !scalar.ty.is_float()).map(|(name, _)| name);
        whole.chain(self.figures.keys()).cloned().collect()
    }
}

impl Names {
    /// The names that a graph brings.
    pub(super) fn of_graph(graph: Option<&Graph>, source: i64) -> Names {
        let mut names = Names::default();
        if let Some(graph) = graph {
            let figures = [
                ("vertices", i64::from(graph.num_vertices())),
                ("arcs", graph.num_arcs() as i64),
                ("source", source),
            ];
            names.figures = figures.map(|(name, value)| (name.to_owned(), value)).into();
        }
        names
    }

    /// An error if a name means something already.
    pub(super) fn is_free(&self, name: &str) -> Result<(), Problem> {
        let taken = match name {
            "vertices" | "arcs" | "source" | ITERATION => "a figure of the graph or of a loop",
            _ if self.scalars.contains_key(name) => "a scalar",
            _ if self.buffers.contains_key(name) => "a buffer",
            _ => return Ok(()),
        };
        Err(Problem::Words(format!("'{name}' is {taken} already; take another name")))
    }

    /// A buffer by name.
    pub(super) fn buffer(&self, name: &str) -> Result<TypedBuffer, Problem> {
        self.buffers.get(name).copied().ok_or_else(|| {
            let near = nearest(name, self.buffers.keys().map(String::as_str));
            let help = near.map_or(String::new(), |near| format!("; did you mean '{near}'?"));
            Problem::Words(format!("there is no buffer '{name}'{help}"))
        })
    }

    /// A whole number: written as one, or as an expression.
    pub(super) fn whole(&self, value: &Value) -> Result<i64, Problem> {
        match value {
            Value::Integer(value) => Ok(*value),
            Value::String(text) => evaluate(text, self),
            other => Err(Problem::Words(format!("expected a whole number or an expression, not {other}"))),
        }
    }

    /// A whole number that is not negative and at most `limit`.
    pub(super) fn size(&self, value: &Value, limit: u64) -> Result<u64, Problem> {
        let size = self.whole(value)?;
        u64::try_from(size)
            .ok()
            .filter(|&size| size <= limit)
            .ok_or_else(|| Problem::Words(format!("{size}: expected a number from 0 to {limit}")))
    }

    /// The bytes of an element of type `ty`.
    pub(super) fn element(&self, ty: Type, value: &Value) -> Result<Vec<u8>, Problem> {
        match value {
            Value::Float(value) => ty.encode_real(*value),
            // A real scalar keeps its value; whatever else is text is an expression.
            Value::String(name) if ty.is_float() && self.scalars.contains_key(name) => {
                let scalar = &self.scalars[name];
                ty.encode_real(scalar.ty.decode_real(&scalar.bytes).unwrap_or_default())
            }
            other => ty.encode_whole(self.whole(other)?),
        }
    }

    /// A scalar from its declaration: a number, or `{ TYPE = VALUE }`.
    pub(super) fn scalar(&self, value: &Value) -> Result<Scalar, Problem> {
        let (ty, value) = match value {
            Value::Table(table) if table.len() == 1 => {
                let (name, value) = table.iter().next().unwrap_or_else(|| unreachable!("it has one entry"));
                (Type::named(name)?, value)
            }
            Value::Float(_) => (Type::F32, value),
            Value::Integer(_) | Value::String(_) => (Type::U32, value),
            other => {
                let problem = format!("expected a number, an expression or {{ TYPE = VALUE }}, not {other}");
                return Err(Problem::Words(problem));
            }
        };
        Ok(Scalar { ty, bytes: self.element(ty, value)? })
    }

    /// An argument of a launch.
    pub(super) fn argument(&self, value: &Value) -> Result<Argument, Problem> {
        match value {
            Value::String(name) if self.buffers.contains_key(name) => {
                Ok(Argument::from(self.buffers[name].buffer))
            }
            Value::String(name) if self.scalars.contains_key(name) => {
                Ok(scalar_argument(&self.scalars[name]))
            }
            Value::String(name) if is_name(name) => self.figure_argument(name),
            Value::Table(table) if table.contains_key("buffer") => self.buffer_argument(table),
            Value::Table(table) if table.contains_key("bytes") => hex(table),
            other => Ok(scalar_argument(&self.scalar(other)?)),
        }
    }

    /// A figure of the graph, as the `u32` that kernels take; an unknown name lists buffers too.
    fn figure_argument(&self, name: &str) -> Result<Argument, Problem> {
        if self.figures.contains_key(name) {
            return Ok(scalar_argument(&self.scalar(&Value::String(name.to_owned()))?));
        }
        let known = self.known();
        let all = self.buffers.keys().chain(&known).map(String::as_str);
        let help = nearest(name, all).map_or(String::new(), |near| format!("; did you mean '{near}'?"));
        Err(Problem::Words(format!("there is no buffer or scalar '{name}'{help}")))
    }

    /// `{ buffer = "x", offset = 16 }`
    fn buffer_argument(&self, table: &toml::Table) -> Result<Argument, Problem> {
        if let Some(key) = table.keys().find(|key| *key != "buffer" && *key != "offset") {
            return Err(Problem::Words(format!("unknown key '{key}'; expected buffer and offset")));
        }
        let Some(Value::String(name)) = table.get("buffer") else {
            return Err(Problem::Words("buffer must be a name".to_owned()));
        };
        let offset = table.get("offset").map_or(Ok(0), |offset| self.size(offset, 1 << 48))?;
        Ok(Argument::inside(self.buffer(name)?.buffer, offset))
    }
}

/// Whether text is a name rather than an expression.
fn is_name(text: &str) -> bool {
    !text.starts_with(|c: char| c.is_ascii_digit()) && text.chars().all(|c| c.is_alphanumeric() || c == '_')
}

/// The argument that a scalar is.
fn scalar_argument(scalar: &Scalar) -> Argument {
    let Scalar { ty, bytes } = scalar;
    let mut wide = [0; 8];
    wide[..bytes.len()].copy_from_slice(bytes);
    let bits = u64::from_le_bytes(wide);
    match ty {
        Type::U8 | Type::S8 => Argument::from(bits as u8),
        Type::U16 | Type::S16 => Argument::from(bits as u16),
        Type::U32 => Argument::from(bits as u32),
        Type::S32 => Argument::from(bits as i32),
        Type::U64 => Argument::from(bits),
        Type::S64 => Argument::from(bits as i64),
        Type::F32 => Argument::from(f32::from_bits(bits as u32)),
        Type::F64 => Argument::from(f64::from_bits(bits)),
    }
}

/// `{ bytes = "00ff10" }`: a struct by value.
fn hex(table: &toml::Table) -> Result<Argument, Problem> {
    let bad = || Problem::Words("bytes must be text of an even number of hexadecimal digits".to_owned());
    let Some(Value::String(text)) = table.get("bytes").filter(|_| table.len() == 1) else {
        return Err(bad());
    };
    let digits: Vec<u8> = text
        .chars()
        .filter(|c| !c.is_whitespace())
        .map(|c| c.to_digit(16).map(|digit| digit as u8))
        .collect::<Option<_>>()
        .ok_or_else(bad)?;
    if !digits.len().is_multiple_of(2) {
        return Err(bad());
    }
    Ok(Argument::from(digits.chunks_exact(2).map(|pair| pair[0] << 4 | pair[1]).collect::<Vec<u8>>()))
}
