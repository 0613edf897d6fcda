//! Little-endian numbers from a stream whose length is not known in advance.
//!
//! The stream may be a file, a pipe or a decompressor. Arrays are read a block at a time and grow with what
//! has really arrived, so a header that promises more than the file holds costs nothing but an error.

use super::context::Context;
use crate::error::GraphError;
use std::io::{ErrorKind, Read};

/// Bytes read at once; a multiple of every number's size.
const BLOCK_BYTES: usize = 1 << 20;

/// A stream of little-endian numbers that knows where it is.
pub(super) struct LittleEndian<'a> {
    source: &'a mut dyn Read,
    context: &'a Context<'a>,
    offset: u64,
    block: Vec<u8>,
}

impl<'a> LittleEndian<'a> {
    pub(super) fn new(source: &'a mut dyn Read, context: &'a Context<'a>) -> LittleEndian<'a> {
        LittleEndian { source, context, offset: 0, block: Vec::new() }
    }

    /// Bytes read so far.
    pub(super) fn offset(&self) -> u64 {
        self.offset
    }

    pub(super) fn context(&self) -> &'a Context<'a> {
        self.context
    }

    /// An error about the bytes at `offset`.
    pub(super) fn error_at(&self, offset: u64, problem: impl Into<String>) -> GraphError {
        self.context.error(problem).at_offset(offset)
    }

    /// One byte, which is `what`.
    pub(super) fn byte(&mut self, what: &str) -> Result<u8, GraphError> {
        let [byte] = self.bytes(what)?;
        Ok(byte)
    }

    /// One unsigned 64-bit number, which is `what`.
    pub(super) fn number(&mut self, what: &str) -> Result<u64, GraphError> {
        self.bytes(what).map(u64::from_le_bytes)
    }

    fn bytes<const N: usize>(&mut self, what: &str) -> Result<[u8; N], GraphError> {
        let mut bytes = [0; N];
        let mut filled = 0;
        self.exactly(N as u64, what, |block| {
            for (place, &byte) in bytes[filled..].iter_mut().zip(block) {
                *place = byte;
                filled += 1;
            }
            Ok(())
        })?;
        Ok(bytes)
    }

    /// Appends `count` 64-bit numbers to `numbers`.
    pub(super) fn numbers_u64(
        &mut self,
        count: u64,
        what: &str,
        numbers: &mut Vec<u64>,
    ) -> Result<(), GraphError> {
        self.exactly(count.saturating_mul(8), what, |block| {
            let (words, _) = block.as_chunks::<8>();
            make_room(numbers, words.len(), count);
            numbers.extend(words.iter().map(|&word| u64::from_le_bytes(word)));
            Ok(())
        })
    }

    /// `count` 32-bit numbers.
    pub(super) fn numbers_u32(&mut self, count: u64, what: &str) -> Result<Vec<u32>, GraphError> {
        let mut numbers = Vec::new();
        self.numbers_u32_up_to(count, what, &mut numbers)?;
        match count.saturating_sub(numbers.len() as u64) {
            0 => Ok(numbers),
            missing => Err(self.truncated(what, missing.saturating_mul(4))),
        }
    }

    /// Appends as many 32-bit numbers as there are to `numbers`, at most `count`. A number of which only a
    /// part is there is an error.
    pub(super) fn numbers_u32_up_to(
        &mut self,
        count: u64,
        what: &str,
        numbers: &mut Vec<u32>,
    ) -> Result<(), GraphError> {
        let total = count.saturating_add(numbers.len() as u64);
        let bytes = self.up_to(count.saturating_mul(4), |block| {
            let (words, _) = block.as_chunks::<4>();
            make_room(numbers, words.len(), total);
            numbers.extend(words.iter().map(|&word| u32::from_le_bytes(word)));
            Ok(())
        })?;
        if bytes.is_multiple_of(4) { Ok(()) } else { Err(self.truncated(what, 4 - bytes % 4)) }
    }

    /// Passes exactly `bytes` bytes in blocks; all but the last are a multiple of 8 bytes long.
    pub(super) fn exactly(
        &mut self,
        bytes: u64,
        what: &str,
        visit: impl FnMut(&[u8]) -> Result<(), GraphError>,
    ) -> Result<(), GraphError> {
        let read = self.up_to(bytes, visit)?;
        if read < bytes { Err(self.truncated(what, bytes - read)) } else { Ok(()) }
    }

    /// Passes at most `bytes` bytes in blocks, fewer only if the stream ends; returns how many.
    pub(super) fn up_to(
        &mut self,
        bytes: u64,
        mut visit: impl FnMut(&[u8]) -> Result<(), GraphError>,
    ) -> Result<u64, GraphError> {
        let mut read = 0;
        while read < bytes {
            let wanted = (bytes - read).min(BLOCK_BYTES as u64) as usize;
            if self.block.len() < wanted {
                self.block.resize(wanted, 0);
            }
            let filled = self.fill(wanted)?;
            visit(&self.block[..filled])?;
            self.context.progress.advance(filled as u64);
            read += filled as u64;
            if filled < wanted {
                break;
            }
        }
        Ok(read)
    }

    /// Fills the first `wanted` bytes of the block unless the stream ends before; returns how many.
    fn fill(&mut self, wanted: usize) -> Result<usize, GraphError> {
        let mut filled = 0;
        while filled < wanted {
            match self.source.read(&mut self.block[filled..wanted]) {
                Ok(0) => break,
                Ok(count) => {
                    filled += count;
                    self.offset += count as u64;
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(self.error_at(self.offset, format!("cannot be read: {error}"))),
            }
        }
        Ok(filled)
    }

    /// The stream must end here.
    pub(super) fn finish(&mut self) -> Result<(), GraphError> {
        let end = self.offset;
        match self.up_to(1, |_| Ok(()))? {
            0 => Ok(()),
            _ => Err(self.error_at(end, "the graph ends here, but more bytes follow")),
        }
    }

    /// The error of a stream that ends too early.
    pub(super) fn truncated(&self, what: &str, missing: u64) -> GraphError {
        self.error_at(self.offset, format!("the file ends within {what}; {missing} more bytes were promised"))
            .with_help("the file is truncated or its header is damaged: fetch or convert it again")
    }
}

/// Makes room for `more` numbers by doubling, but never beyond the `total` that will come.
pub(super) fn make_room<T>(numbers: &mut Vec<T>, more: usize, total: u64) {
    if numbers.capacity() - numbers.len() < more {
        let left = usize::try_from(total).unwrap_or(usize::MAX).saturating_sub(numbers.len());
        numbers.reserve_exact(more.max(numbers.len()).min(left).max(more));
    }
}
