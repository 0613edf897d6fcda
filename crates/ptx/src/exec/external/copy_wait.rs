//! `__heddle_copy_wait()`: what was copied asynchronously is there. Copies are performed before it, or, on a machine on
//! which they take time, the warp waits for them as it does before any function of the machine.

use super::{COPY_WAIT, External, ExternalCall, Failure, Reply};

/// The function.
pub(super) struct CopyWait;

impl External for CopyWait {
    fn name(&self) -> &'static str {
        COPY_WAIT
    }

    fn call(&self, _: &mut ExternalCall<'_>) -> Result<Reply, Failure> {
        Ok(Reply::default())
    }
}
