//! What can be wrong with an access or an allocation.

use thiserror::Error;

/// An access that no region allows.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum AccessError {
    /// The bytes are not all inside one live region.
    #[error("address {address:#x} ({bytes} bytes) is in no allocation: {miss}")]
    OutOfBounds {
        /// First byte of the access.
        address: u64,
        /// Length of the access.
        bytes: u64,
        /// The allocation that was missed.
        miss: Miss,
    },
    /// The address is not a multiple of the access's size.
    #[error("address {address:#x} is not aligned to {bytes} bytes")]
    Misaligned {
        /// First byte of the access.
        address: u64,
        /// Required alignment.
        bytes: u64,
    },
    /// A program wrote to constant memory.
    #[error("address {address:#x} is in {name}, which is constant and cannot be written")]
    ReadOnly {
        /// First byte of the access.
        address: u64,
        /// The region.
        name: String,
    },
}

/// How an access missed the allocations around it.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Miss {
    /// Below every allocation: most likely a null pointer with an offset.
    #[error("it lies below every allocation (a null pointer?)")]
    Null,
    /// After the end of the nearest allocation below.
    #[error("it ends {past} bytes past the end of '{name}' ({length} bytes)")]
    Past {
        /// The allocation.
        name: String,
        /// Its length.
        length: u64,
        /// Bytes between its end and the end of the access.
        past: u64,
    },
    /// Before the start of the nearest allocation above.
    #[error("it starts {before} bytes before '{name}' ({length} bytes)")]
    Before {
        /// The allocation.
        name: String,
        /// Its length.
        length: u64,
        /// Bytes between the start of the access and the allocation.
        before: u64,
    },
    /// In an allocation that was freed.
    #[error("it is in '{name}', which was freed")]
    Freed {
        /// The allocation.
        name: String,
    },
    /// There is no allocation at all.
    #[error("nothing is allocated")]
    Nothing,
}

/// An allocation that cannot be made.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum AllocationError {
    /// More than the image's limit.
    #[error("'{name}' needs {bytes} bytes, but of the {limit} bytes of device memory only {free} are free")]
    OutOfMemory {
        /// Its name.
        name: String,
        /// Bytes asked for.
        bytes: u64,
        /// The image's limit.
        limit: u64,
        /// Bytes free.
        free: u64,
    },
    /// More than the host can give.
    #[error("'{name}' needs {bytes} bytes, and the host that simulates the device has no room for them")]
    Host {
        /// Its name.
        name: String,
        /// Bytes asked for.
        bytes: u64,
    },
}
