//! Functions that programs declare and the machine provides.
//!
//! Each is one file and one line of [`REGISTRY`]. A function sees the arguments of the lanes that call it and
//! the memory; what it does to the lanes is a [`Reply`], which the functional machine applies at once and a
//! machine with time when the unit behind the function answers: results go to registers, and a unit may write
//! shared memory.

mod assertfail;
mod copy_to_shared;
mod copy_wait;
mod format;
mod free;
mod malloc;
mod memory;
mod vprintf;

use super::access::{Local, Shared};
use super::engine::Printed;
use super::lanes::{LANES, Mask};
use heddle_image::{AccessError, Image};
use std::ops::Range;

/// The functions by number.
pub(crate) const REGISTRY: [&dyn External; 7] = [
    &vprintf::Vprintf,
    &assertfail::AssertFail,
    &malloc::Malloc,
    &free::Free,
    &copy_to_shared::CopyToShared(COPY_TO_SHARED),
    &copy_to_shared::CopyToShared(COPY_ASYNC),
    &copy_wait::CopyWait,
];

/// Names of the external functions that the machine provides.
pub const EXTERNALS: &[&str] =
    &["vprintf", "__assertfail", "malloc", "free", COPY_TO_SHARED, COPY_ASYNC, COPY_WAIT];

/// The function that copies from global to shared memory.
pub const COPY_TO_SHARED: &str = "__heddle_copy_to_shared";
/// The same, behind which the thread goes on.
pub const COPY_ASYNC: &str = "__heddle_copy_to_shared_async";
/// The function that waits for what was copied behind the thread.
pub const COPY_WAIT: &str = "__heddle_copy_wait";

/// Most arguments that an external function has.
pub(crate) const MAX_ARGUMENTS: usize = 8;

/// The number of the function of this name.
pub(crate) fn number(name: &str) -> Option<usize> {
    REGISTRY.iter().position(|external| external.name() == name)
}

/// A function that the machine provides.
pub(crate) trait External: Sync {
    /// Its name in programs.
    fn name(&self) -> &'static str;

    /// What it does for the lanes of a call.
    fn call(&self, call: &mut ExternalCall<'_>) -> Result<Reply, Failure>;

    /// The bytes of global memory that a call would read, for a machine on which reading takes time; fails as the call
    /// would.
    fn reads(&self, _: &mut ExternalCall<'_>) -> Result<Vec<Range<u64>>, Failure> {
        Ok(Vec::new())
    }
}

/// A call by lanes of a warp.
pub(crate) struct ExternalCall<'a> {
    /// The lanes that call.
    pub(crate) mask: Mask,
    /// Arguments by position and lane, extended by zero.
    pub(crate) arguments: [[u64; LANES]; MAX_ARGUMENTS],
    pub(crate) image: &'a mut Image,
    pub(crate) shared: &'a [u8],
    pub(crate) local: &'a Local,
    pub(crate) local_end: u64,
    pub(crate) printed: &'a mut Printed,
}

impl ExternalCall<'_> {
    /// The lanes that call, in order.
    pub(crate) fn lanes(&self) -> impl Iterator<Item = usize> + use<> {
        let mask = self.mask;
        (0..LANES).filter(move |lane| mask >> lane & 1 == 1)
    }
}

/// What a call gives back to its lanes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Reply {
    /// The result of each lane, if the function has one.
    pub(crate) results: [u64; LANES],
    /// What is written to the shared memory of the block.
    pub(crate) shared: Vec<SharedWrite>,
}

impl Reply {
    /// Writes what it has for shared memory; what lies outside is dropped.
    pub(crate) fn write(&self, memory: &mut Shared) {
        for write in &self.shared {
            let start = write.offset as usize;
            if let Some(part) = memory.bytes.get_mut(start..start.saturating_add(write.bytes.len())) {
                memory.changes += u64::from(part != &write.bytes[..]);
                part.copy_from_slice(&write.bytes);
            }
        }
    }
}

/// Bytes that a unit writes to shared memory.
#[derive(Clone, Debug)]
pub(crate) struct SharedWrite {
    pub(crate) offset: u64,
    pub(crate) bytes: Vec<u8>,
}

/// Why a call could not be done.
#[derive(Clone, Debug)]
pub(crate) struct Failure {
    /// The lane that it happened to.
    pub(crate) lane: u32,
    /// What happened.
    pub(crate) problem: FailureKind,
}

/// What happened.
#[derive(Clone, Debug)]
pub(crate) enum FailureKind {
    /// The program stops itself.
    Stopped(String),
    /// An argument points to no memory.
    Access(AccessError),
    /// Something that has no defined meaning.
    Undefined(String),
    /// There is no more of something.
    Exhausted(String),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_of_names_is_the_registry() {
        assert!(REGISTRY.iter().map(|external| external.name()).eq(EXTERNALS.iter().copied()));
    }
}
