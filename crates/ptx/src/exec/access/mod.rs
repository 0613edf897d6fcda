//! Accesses to memory: what a static one is, the addresses of a warp that executes one, and how it is serviced.
//!
//! [`form`] turns the registers of a warp into a [`WarpAccess`]; [`Memory::service`] performs it, reading the
//! values to store from the registers and writing the values loaded to them. The functional machine does one
//! right after the other; a machine with time keeps the access while its memory system works on it.
//!
//! Lanes are serviced in order of their numbers, which is what makes atomics of one instruction deterministic.

mod atomic;
mod bytes;
mod copy;
mod fault;
mod flat;
mod form;
mod global;
mod local;
mod quick;
mod resolve;
mod sectors;
mod service;
mod shared;
mod texture;
mod value;

pub(crate) use copy::Targets;
pub(crate) use fault::{Fault, Problem};
pub use form::{WarpAccess, form};
pub(crate) use local::Local;
use quick::Quick;
pub(crate) use resolve::resolve;
pub(crate) use sectors::sectors;
pub(crate) use service::{Memory, SHARED_NAME, UninitialisedRead, past};
pub(crate) use shared::Shared;
pub(crate) use value::{read_value, write_value};

use super::Row;
use crate::ir::ScalarType;
use heddle_image::atomic::{AtomicOperation, AtomicType};

/// Most elements that one access has.
pub(crate) const ELEMENTS: usize = 8;

/// Registers of an access, by element.
pub(crate) type Elements = [Data; ELEMENTS];

/// Where an access goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Space {
    /// Resolved per lane, by window.
    Generic,
    /// Global and constant memory: the image.
    Global,
    /// Constant memory, which is in the image too.
    Constant,
    /// The block's shared memory.
    Shared,
    /// The thread's local memory.
    Local,
    /// The kernel's parameters.
    Parameter,
}

/// What an address starts from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Base {
    /// Nothing: the offset is the address, the same in all lanes.
    Absolute,
    /// A row of 32-bit addresses.
    Row32(Row),
    /// Two rows of 64-bit addresses.
    Row64(Row),
    /// The frame of the function, in local memory.
    Frame,
}

/// An address of a static access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AddressCode {
    /// What it starts from.
    pub base: Base,
    /// Added to it, wrapping around.
    pub offset: u64,
}

/// One static access.
#[derive(Clone, Copy, Debug)]
pub struct AccessCode {
    /// What it does.
    pub action: Action,
    /// Where it goes.
    pub space: Space,
    /// The address, or the coordinate of a texture fetch.
    pub address: AddressCode,
    /// Bytes of one element: 1, 2, 4 or 8.
    pub element: u8,
    /// Elements: 1, 2, 4 or 8.
    pub elements: u8,
    /// Destinations of a load, sources of a store, operands of an atomic operation, by element.
    pub data: Elements,
    /// What is tried first when the access is performed at once.
    pub(crate) quick: Quick,
}

impl AccessCode {
    /// A static access of one element or more.
    pub(crate) fn new(
        action: Action,
        space: Space,
        address: AddressCode,
        (element, elements): (u8, u8),
        data: [Data; ELEMENTS],
    ) -> AccessCode {
        let quick = quick::nothing;
        let code = AccessCode { action, space, address, element, elements, data, quick };
        AccessCode { quick: quick::choose(&code), ..code }
    }

    /// Bytes that one lane touches.
    pub fn bytes(&self) -> u64 {
        u64::from(self.element) * u64::from(self.elements)
    }
}

/// A register (or constant) of an access.
#[derive(Clone, Copy, Debug, Default)]
pub struct Data {
    /// Its row.
    pub row: Row,
    /// Its size in bytes, 0 if the element is dropped.
    pub bytes: u8,
}

/// What an access does.
#[derive(Clone, Copy, Debug)]
pub enum Action {
    /// Load; narrow elements are extended by sign or by zero.
    Load {
        /// By sign.
        signed: bool,
    },
    /// Store.
    Store,
    /// Read, modify, write.
    Atomic {
        /// What is computed.
        operation: AtomicOperation,
        /// How the bits are understood.
        ty: AtomicType,
        /// Where the old values go, by element.
        old: [Data; ELEMENTS],
        /// The second operand, of compare-and-swap.
        swap: Data,
    },
    /// Fetch of an element of a linear texture; `data` are four destinations.
    Texture {
        /// The texture's handle: a row of 4 or 8 bytes.
        texture: Data,
        /// Type of the destinations.
        ty: ScalarType,
        /// Whether the coordinate is a float.
        float_coordinate: bool,
    },
    /// Copy from global memory (`address`) to shared memory.
    Copy {
        /// Where to.
        to: AddressCode,
        /// Bytes read, the rest is zero: a row of 4 bytes; all if dropped.
        read: Data,
    },
}
