//! Typed arguments of a launch, and the parameter buffer they make.

use crate::{Buffer, DeviceError};
use heddle_ptx::ir::{Function, Parameter, ParameterPlace, ScalarType};

/// One argument of a launch.
#[derive(Clone, Debug, PartialEq)]
pub struct Argument(pub ArgumentValue);

/// What an argument can be.
#[derive(Clone, Debug, PartialEq)]
pub enum ArgumentValue {
    /// The address of a buffer, plus an offset in bytes.
    Buffer(Buffer, u64),
    /// 32 bits, unsigned.
    U32(u32),
    /// 32 bits, signed.
    S32(i32),
    /// 64 bits, unsigned.
    U64(u64),
    /// 64 bits, signed.
    S64(i64),
    /// Single precision.
    F32(f32),
    /// Double precision.
    F64(f64),
    /// 16 bits.
    U16(u16),
    /// 8 bits.
    U8(u8),
    /// The bytes of a struct that is passed by value.
    Bytes(Vec<u8>),
}

macro_rules! from {
    ($($ty:ty => $variant:ident),*) => {
        $(impl From<$ty> for Argument {
            fn from(value: $ty) -> Argument {
                Argument(ArgumentValue::$variant(value))
            }
        })*
    };
}
from!(u32 => U32, i32 => S32, u64 => U64, i64 => S64, f32 => F32, f64 => F64, u16 => U16, u8 => U8, Vec<u8> => Bytes);

impl From<Buffer> for Argument {
    fn from(buffer: Buffer) -> Argument {
        Argument(ArgumentValue::Buffer(buffer, 0))
    }
}

impl From<bool> for Argument {
    fn from(value: bool) -> Argument {
        Argument(ArgumentValue::U8(u8::from(value)))
    }
}

impl Argument {
    /// The address of a byte inside a buffer.
    pub fn inside(buffer: Buffer, offset: u64) -> Argument {
        Argument(ArgumentValue::Buffer(buffer, offset))
    }

    /// What it is, for messages.
    fn kind(&self) -> &'static str {
        match self.0 {
            ArgumentValue::Buffer(..) => "the address of a buffer",
            ArgumentValue::U32(_) => "a u32",
            ArgumentValue::S32(_) => "an s32",
            ArgumentValue::U64(_) => "a u64",
            ArgumentValue::S64(_) => "an s64",
            ArgumentValue::F32(_) => "an f32",
            ArgumentValue::F64(_) => "an f64",
            ArgumentValue::U16(_) => "a u16",
            ArgumentValue::U8(_) => "a u8",
            ArgumentValue::Bytes(_) => "a struct",
        }
    }

    /// Its bytes; `address` is the buffer's start.
    fn bytes(&self, address_bytes: u32, address: impl Fn(Buffer) -> u64) -> Vec<u8> {
        match &self.0 {
            ArgumentValue::Buffer(buffer, offset) => {
                address(*buffer).wrapping_add(*offset).to_le_bytes()[..address_bytes as usize].to_vec()
            }
            ArgumentValue::U32(value) => value.to_le_bytes().to_vec(),
            ArgumentValue::S32(value) => value.to_le_bytes().to_vec(),
            ArgumentValue::U64(value) => value.to_le_bytes().to_vec(),
            ArgumentValue::S64(value) => value.to_le_bytes().to_vec(),
            ArgumentValue::F32(value) => value.to_le_bytes().to_vec(),
            ArgumentValue::F64(value) => value.to_le_bytes().to_vec(),
            ArgumentValue::U16(value) => value.to_le_bytes().to_vec(),
            ArgumentValue::U8(value) => vec![*value],
            ArgumentValue::Bytes(bytes) => bytes.clone(),
        }
    }

    /// Whether it may be passed for a parameter of this type: sizes agree, and a float is not given where an
    /// integer is expected or the other way round. (`.b32` takes both.)
    fn fits(&self, parameter: &Parameter, bytes: usize) -> bool {
        let float = matches!(self.0, ArgumentValue::F32(_) | ArgumentValue::F64(_));
        let untyped = matches!(
            parameter.ty,
            ScalarType::B8 | ScalarType::B16 | ScalarType::B32 | ScalarType::B64 | ScalarType::B128
        ) || matches!(self.0, ArgumentValue::Bytes(_));
        bytes == parameter.bytes as usize && (untyped || float == parameter.ty.is_float())
    }
}

/// The parameter buffer of a launch of `kernel`.
pub(crate) fn parameter_buffer(
    kernel: &Function,
    address_bytes: u32,
    arguments: &[Argument],
    address: impl Fn(Buffer) -> u64 + Copy,
) -> Result<Vec<u8>, DeviceError> {
    if arguments.len() != kernel.parameters.len() {
        return Err(DeviceError::ArgumentCount {
            kernel: kernel.name.clone(),
            expected: kernel.parameters.iter().map(|parameter| parameter.name.clone()).collect(),
            given: arguments.len(),
        });
    }
    let mut buffer = Vec::new();
    for (position, (parameter, argument)) in kernel.parameters.iter().zip(arguments).enumerate() {
        let bytes = argument.bytes(address_bytes, address);
        if !argument.fits(parameter, bytes.len()) {
            return Err(DeviceError::ArgumentType {
                kernel: kernel.name.clone(),
                position,
                parameter: parameter.name.clone(),
                expected: format!("{} bytes of type .{}", parameter.bytes, parameter.ty.name()),
                given: format!("{} of {} bytes", argument.kind(), bytes.len()),
            });
        }
        if let ParameterPlace::Memory(offset) = parameter.place {
            let end = offset as usize + bytes.len();
            if buffer.len() < end {
                buffer.resize(end, 0);
            }
            buffer[offset as usize..end].copy_from_slice(&bytes);
        }
    }
    Ok(buffer)
}
