//! `free(pointer)`: later accesses through the pointer are caught, while those before it that have not been performed
//! yet still find the memory.

use super::malloc::HEAP;
use super::{External, ExternalCall, Failure, FailureKind, Reply};

/// The function.
pub(super) struct Free;

impl External for Free {
    fn name(&self) -> &'static str {
        "free"
    }

    fn call(&self, call: &mut ExternalCall<'_>) -> Result<Reply, Failure> {
        for lane in call.lanes() {
            let address = call.arguments[0][lane];
            if address == 0 {
                continue;
            }
            let found = call.image.region_at(address).filter(|&id| {
                let region = call.image.region(id);
                region.start() == address && region.name() == HEAP && !region.is_freed()
            });
            match found {
                Some(region) => call.image.retire(region),
                None => {
                    let problem =
                        format!("free of {address:#x}, which malloc did not give or which is free already");
                    return Err(Failure { lane: lane as u32, problem: FailureKind::Undefined(problem) });
                }
            }
        }
        Ok(Reply::default())
    }
}
