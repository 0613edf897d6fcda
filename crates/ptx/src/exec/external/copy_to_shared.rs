//! `__heddle_copy_to_shared(shared address, global address, bytes)`: copies from global memory to the shared memory of
//! the block. `__heddle_copy_to_shared_async` means the same, and that nothing needs the copy before
//! `__heddle_copy_wait` has been called.

use super::{External, ExternalCall, Failure, FailureKind, Reply, SharedWrite};
use crate::exec::access::{SHARED_NAME, past};
use heddle_image::{AccessError, Hint};
use std::ops::Range;

/// Most bytes of one thread's copy: a line.
const MOST: u64 = 128;
/// Addresses and lengths are multiples of this.
const WORD: u64 = 4;

/// The function, by its name.
pub(super) struct CopyToShared(pub(super) &'static str);

/// What one lane copies.
struct Part {
    to: u64,
    from: u64,
    bytes: u64,
}

/// What a lane copies, if it may; both sides are checked like any access.
fn part(name: &str, call: &ExternalCall<'_>, lane: usize) -> Result<Part, Failure> {
    let [to, from, bytes] = [0, 1, 2].map(|position: usize| call.arguments[position][lane]);
    let failure = |problem: FailureKind| Failure { lane: lane as u32, problem };
    if bytes > MOST || !bytes.is_multiple_of(WORD) {
        let problem = format!("{name} of {bytes} bytes; expected a multiple of {WORD}, at most {MOST}");
        return Err(failure(FailureKind::Undefined(problem)));
    }
    if bytes > 0 {
        let checked = check_sides(call, to, from, bytes);
        checked.map_err(|error| failure(FailureKind::Access(error)))?;
    }
    Ok(Part { to, from, bytes })
}

fn check_sides(call: &ExternalCall<'_>, to: u64, from: u64, bytes: u64) -> Result<(), AccessError> {
    if let Some(&address) = [to, from].iter().find(|address| !address.is_multiple_of(WORD)) {
        return Err(AccessError::Misaligned { address, bytes: WORD });
    }
    let length = call.shared.len() as u64;
    if to >= length || bytes > length - to {
        return Err(past(to, bytes, SHARED_NAME, length));
    }
    call.image.check(from, bytes)
}

impl External for CopyToShared {
    fn name(&self) -> &'static str {
        self.0
    }

    fn call(&self, call: &mut ExternalCall<'_>) -> Result<Reply, Failure> {
        let mut reply = Reply::default();
        let mut hint = Hint::default();
        for lane in call.lanes() {
            let Part { to, from, bytes } = part(self.0, call, lane)?;
            let mut copied = Vec::with_capacity(bytes as usize);
            for word in (from..from + bytes).step_by(WORD as usize) {
                let read = call.image.read(word, WORD, &mut hint);
                let read =
                    read.map_err(|error| Failure { lane: lane as u32, problem: FailureKind::Access(error) })?;
                copied.extend_from_slice(read);
            }
            reply.shared.push(SharedWrite { offset: to, bytes: copied });
        }
        Ok(reply)
    }

    fn reads(&self, call: &mut ExternalCall<'_>) -> Result<Vec<Range<u64>>, Failure> {
        call.lanes()
            .map(|lane| part(self.0, call, lane).map(|part| part.from..part.from + part.bytes))
            .collect()
    }
}
