//! Frontiers that are arrays of flags, seen from the host.

use super::{Session, WorkloadError};
use bytemuck::Pod;
use heddle_device::Buffer;

/// How many flags of a buffer are set (are not zero).
pub(super) fn count_set<T: Pod + PartialEq>(
    session: &Session<'_>,
    flags: Buffer,
) -> Result<u64, WorkloadError> {
    Ok(session.read::<T>(flags)?.iter().filter(|&&flag| flag != T::zeroed()).count() as u64)
}

/// How many words of a buffer have this value.
pub(super) fn count_equal(session: &Session<'_>, buffer: Buffer, value: u32) -> Result<u64, WorkloadError> {
    Ok(session.read::<u32>(buffer)?.iter().filter(|&&word| word == value).count() as u64)
}
