//! What external functions read through generic addresses.

use super::{ExternalCall, Failure, FailureKind};
use crate::exec::windows::{LOCAL, SHARED};
use heddle_image::{AccessError, Miss};

/// The longest string that is read.
const LONGEST: usize = 1 << 16;

impl ExternalCall<'_> {
    /// All readable bytes from a generic address on, in the memory that it means.
    pub(super) fn bytes_from(&self, lane: usize, address: u64) -> Option<&[u8]> {
        let after = |bytes: &'_ [u8], offset: u64| usize::try_from(offset).ok().filter(|&o| o < bytes.len());
        if SHARED.contains(address) {
            let start = after(self.shared, address - SHARED.start)?;
            return self.shared.get(start..);
        }
        if LOCAL.contains(address) {
            let own = self.local.slice(lane, 0, (self.local_end as usize).min(self.local.stride));
            let start = after(own, address - LOCAL.start)?;
            return own.get(start..);
        }
        let id = self.image.region_at(address).filter(|&id| !self.image.region(id).is_freed())?;
        let contents = self.image.contents(id);
        let start = after(contents, address - self.image.region(id).start())?;
        contents.get(start..)
    }

    /// A string that ends with a zero byte.
    pub(super) fn string(&self, lane: usize, address: u64) -> Result<Vec<u8>, Failure> {
        let bytes = self.bytes_from(lane, address).ok_or_else(|| no_memory(lane, address, 1))?;
        let longest = &bytes[..bytes.len().min(LONGEST)];
        let end = longest.iter().position(|&byte| byte == 0).unwrap_or(longest.len());
        Ok(longest[..end].to_vec())
    }
}

/// An address that is in no memory.
pub(super) fn no_memory(lane: usize, address: u64, bytes: u64) -> Failure {
    let error = AccessError::OutOfBounds { address, bytes, miss: Miss::Nothing };
    Failure { lane: lane as u32, problem: FailureKind::Access(error) }
}
