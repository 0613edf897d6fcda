//! The memory of a simulated machine.
//!
//! An [`Image`] holds *regions*: the allocations of a program, each with a name, at addresses that never
//! overlap and are never used twice. Every access is checked against the region that it falls into, so that
//! an access out of bounds names the allocation that it missed. The image belongs to the machine and knows
//! neither time nor caches; cores of any kind share it.
//!
//! Atomic read-modify-write operations are here too ([`atomic`]): whatever unit of a machine owns a word,
//! it computes the new value by this one piece of code.

pub mod atomic;
mod bytes;
mod error;
mod host;
mod image;
mod region;
mod written;

pub use error::{AccessError, AllocationError, Miss};
pub use host::{HostRoom, NoRoom};
pub use image::{FIRST_ADDRESS, Hint, Image};
pub use region::{Region, RegionId, RegionKind};
