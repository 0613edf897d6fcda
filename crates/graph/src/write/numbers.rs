//! Little-endian numbers, written in blocks.

use std::io::{self, Write};

const BLOCK_BYTES: usize = 1 << 18;

/// Writes every number of `numbers` as its bytes.
pub(super) fn write_numbers<const N: usize>(
    sink: &mut dyn Write,
    numbers: impl IntoIterator<Item = [u8; N]>,
) -> io::Result<()> {
    let mut block = Vec::with_capacity(BLOCK_BYTES + N);
    for bytes in numbers {
        block.extend_from_slice(&bytes);
        if block.len() >= BLOCK_BYTES {
            sink.write_all(&block)?;
            block.clear();
        }
    }
    sink.write_all(&block)
}

/// Writes 64-bit numbers.
pub(super) fn write_u64s(sink: &mut dyn Write, numbers: impl IntoIterator<Item = u64>) -> io::Result<()> {
    write_numbers(sink, numbers.into_iter().map(u64::to_le_bytes))
}

/// Writes 32-bit numbers.
pub(super) fn write_u32s(sink: &mut dyn Write, numbers: impl IntoIterator<Item = u32>) -> io::Result<()> {
    write_numbers(sink, numbers.into_iter().map(u32::to_le_bytes))
}
