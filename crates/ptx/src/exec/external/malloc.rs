//! `malloc(bytes)`: each allocation is a region of the image.

use super::{External, ExternalCall, Failure, Reply};
use heddle_image::RegionKind;

/// The name of the regions.
pub(super) const HEAP: &str = "device heap";

/// Larger requests fail, as they do on a device, whose heap is smaller than its memory.
const LARGEST: u64 = 1 << 30;

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
            let allocated =
                (1..=LARGEST).contains(&bytes).then(|| call.image.allocate(HEAP, bytes, RegionKind::Buffer));
            // What cannot be allocated is a null pointer, which the program must look for.
            if let Some(Ok(region)) = allocated {
                reply.results[lane] = call.image.region(region).start();
            }
        }
        Ok(reply)
    }
}
