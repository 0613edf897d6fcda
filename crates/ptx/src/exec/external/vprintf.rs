//! `vprintf(format, arguments)`: the device side of `printf`.
//!
//! The arguments lie one after the other in memory, each aligned to its size, as C passes variable arguments:
//! integers 4 bytes, or 8 with `l` and the like; floating point 8; pointers 8.

use super::format::{Arguments, format};
use super::memory::no_memory;
use super::{External, ExternalCall, Failure, Reply};

/// The function.
pub(super) struct Vprintf;

impl External for Vprintf {
    fn name(&self) -> &'static str {
        "vprintf"
    }

    fn call(&self, call: &mut ExternalCall<'_>) -> Result<Reply, Failure> {
        let mut reply = Reply::default();
        for lane in call.lanes() {
            let text = call.string(lane, call.arguments[0][lane])?;
            let mut arguments = Buffer { call, lane, next: call.arguments[1][lane] };
            let (output, count) = format(&text, &mut arguments)?;
            reply.results[lane] = u64::from(count as u32);
            call.printed.push(&String::from_utf8_lossy(&output));
        }
        Ok(reply)
    }
}

/// The arguments of one lane, in memory.
struct Buffer<'a, 'c> {
    call: &'a ExternalCall<'c>,
    lane: usize,
    next: u64,
}

impl Arguments for Buffer<'_, '_> {
    fn next(&mut self, bytes: u64) -> Result<u64, Failure> {
        let address = self.next.checked_next_multiple_of(bytes).unwrap_or_default();
        let missing = || no_memory(self.lane, address, bytes);
        let part = self.call.bytes_from(self.lane, address).and_then(|part| part.get(..bytes as usize));
        let part = part.ok_or_else(missing)?;
        let mut word = [0; 8];
        word[..part.len()].copy_from_slice(part);
        self.next = address.wrapping_add(bytes);
        Ok(u64::from_le_bytes(word))
    }

    fn string(&self, address: u64) -> Result<Vec<u8>, Failure> {
        if address == 0 { Ok(b"(null)".to_vec()) } else { self.call.string(self.lane, address) }
    }
}
