//! What can go wrong between a host program and its device.

use heddle_image::AllocationError;
use heddle_ptx::Diagnostics;
use heddle_ptx::exec::LaunchError;
use thiserror::Error;

/// Why a call of the device interface failed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum DeviceError {
    /// The PTX is wrong or not supported.
    #[error("{0}")]
    Ptx(#[from] Diagnostics),
    /// The launch failed.
    #[error("{0}")]
    Launch(#[from] LaunchError),
    /// Memory is not enough.
    #[error("{0}")]
    Allocation(#[from] AllocationError),
    /// No such kernel or variable.
    #[error("{file} has no {what} '{name}'{}", suggestion(.nearest))]
    NoSuchName {
        /// The module's file.
        file: String,
        /// `kernel` or `variable`.
        what: &'static str,
        /// The name asked for.
        name: String,
        /// The nearest one that exists.
        nearest: Option<String>,
    },
    /// A launch with too few or too many arguments.
    #[error("kernel {kernel} takes {} arguments ({}), not {given}", expected.len(), expected.join(", "))]
    ArgumentCount {
        /// The kernel.
        kernel: String,
        /// Names of its parameters.
        expected: Vec<String>,
        /// How many were given.
        given: usize,
    },
    /// A launch with an argument of the wrong type.
    #[error("argument {position} of kernel {kernel} ({parameter}) must be {expected}, not {given}")]
    ArgumentType {
        /// The kernel.
        kernel: String,
        /// Which argument, from 0.
        position: usize,
        /// The parameter's name.
        parameter: String,
        /// What it takes.
        expected: String,
        /// What was given.
        given: String,
    },
    /// A copy that does not fit its buffer.
    #[error("{given} bytes at offset {offset} do not fit into '{name}', which has {length} bytes")]
    CopySize {
        /// The buffer.
        name: String,
        /// Its length.
        length: u64,
        /// First byte of the copy.
        offset: u64,
        /// Length of the copy.
        given: u64,
    },
    /// A buffer whose length is not a whole number of elements.
    #[error("'{name}' has {length} bytes, which is not a whole number of elements of {element} bytes")]
    ElementSize {
        /// The buffer.
        name: String,
        /// Its length.
        length: u64,
        /// Size of an element.
        element: u64,
    },
    /// A buffer that was freed.
    #[error("'{name}' was freed")]
    Freed {
        /// The buffer.
        name: String,
    },
}

fn suggestion(nearest: &Option<String>) -> String {
    nearest.as_ref().map_or(String::new(), |name| format!("; did you mean '{name}'?"))
}
