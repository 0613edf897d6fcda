//! `malloc(bytes)`: each allocation is a region of the image.

use super::{External, ExternalCall, Failure, FailureKind, Reply};
use heddle_image::{AllocationError, RegionKind};

/// The name of the regions.
pub(super) const HEAP: &str = "device heap";

/// Larger requests fail, as they do on a device, whose heap is smaller than its memory.
const LARGEST: u64 = 1 << 30;

/// Allocations that are kept account of, freed ones too, because a late access to them is to be caught. The account
/// of each takes a few hundred bytes of the host, whatever the program asked for.
const MOST: usize = 1 << 21;

/// The function.
pub(super) struct Malloc;

impl External for Malloc {
    fn name(&self) -> &'static str {
        "malloc"
    }

    fn call(&self, call: &mut ExternalCall<'_>) -> Result<Reply, Failure> {
        let mut reply = Reply::default();
        for lane in call.lanes() {
            let bytes = call.arguments[0][lane];
            if call.image.regions().len() >= MOST {
                let problem =
                    format!("malloc: {MOST} allocations were made, freed ones too; there can be no more");
                return Err(Failure { lane: lane as u32, problem: FailureKind::Exhausted(problem) });
            }
            let allocated =
                (1..=LARGEST).contains(&bytes).then(|| call.image.allocate(HEAP, bytes, RegionKind::Buffer));
            match allocated {
                Some(Ok(region)) => reply.results[lane] = call.image.region(region).start(),
                // That the host is short of memory says nothing about the device.
                Some(Err(error @ AllocationError::Host { .. })) => {
                    let made = call.image.regions().len();
                    let problem = format!("malloc: {error} ({made} allocations were made, freed ones too)");
                    return Err(Failure { lane: lane as u32, problem: FailureKind::Exhausted(problem) });
                }
                // What the device cannot allocate is a null pointer, which the program must look for.
                Some(Err(AllocationError::OutOfMemory { .. })) | None => {}
            }
        }
        Ok(reply)
    }
}
