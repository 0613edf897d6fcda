//! A zstd frame of what is written.
//!
//! The encoder pulls its input and has no way to report that its output failed. So it works on a thread of its own,
//! on blocks that come through a channel, and a failure is kept aside until the frame has ended.

use ruzstd::encoding::{CompressionLevel, FrameCompressor};
use std::io::{self, ErrorKind, Read, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

/// What the encoder compresses at once.
const BLOCK_BYTES: usize = 128 << 10;

/// Blocks that may wait for the encoder.
const BLOCKS_WAITING_MAX: usize = 8;

/// Writes what `fill` writes to `sink`, as one frame with a checksum.
pub(super) fn write_frame<T, E: From<io::Error>>(
    sink: impl Write + Send,
    fill: impl FnOnce(&mut Blocks) -> Result<T, E>,
) -> Result<T, E> {
    let (sender, receiver) = sync_channel(BLOCKS_WAITING_MAX);
    let has_failed = AtomicBool::new(false);
    thread::scope(|scope| {
        let encoder = thread::Builder::new().spawn_scoped(scope, || encode(receiver, sink, &has_failed))?;
        let mut blocks = Blocks { sender, block: Vec::with_capacity(BLOCK_BYTES) };
        let filled = fill(&mut blocks);
        let filled = filled.and_then(|filled| blocks.flush().map(|()| filled).map_err(E::from));
        // The encoder ends the frame when no more blocks can come.
        drop(blocks);
        match encoder.join() {
            // A failure of the output comes first: it is why nothing more could be written.
            Ok(encoded) => encoded.map_err(E::from).and(filled),
            Err(panic) => std::panic::resume_unwind(panic),
        }
    })
}

fn encode(receiver: Receiver<Vec<u8>>, sink: impl Write, has_failed: &AtomicBool) -> io::Result<()> {
    let mut output = Output { sink, failure: None, has_failed };
    let mut encoder = FrameCompressor::new(CompressionLevel::Fastest);
    encoder.set_source(Input { receiver, block: Vec::new(), taken: 0, has_failed });
    encoder.set_drain(&mut output);
    encoder.compress();
    drop(encoder);
    match output.failure {
        Some(failure) => Err(failure),
        None => output.sink.flush(),
    }
}

/// Cuts what is written into blocks.
pub(super) struct Blocks {
    sender: SyncSender<Vec<u8>>,
    block: Vec<u8>,
}

impl Write for Blocks {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let count = bytes.len().min(BLOCK_BYTES - self.block.len());
        self.block.extend_from_slice(&bytes[..count]);
        if self.block.len() == BLOCK_BYTES {
            self.flush()?;
        }
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        let block = std::mem::replace(&mut self.block, Vec::with_capacity(BLOCK_BYTES));
        self.sender.send(block).map_err(|_| io::Error::from(ErrorKind::BrokenPipe))
    }
}

/// The blocks as the encoder reads them: it ends with the last one, or when the output has failed.
struct Input<'a> {
    receiver: Receiver<Vec<u8>>,
    block: Vec<u8>,
    taken: usize,
    has_failed: &'a AtomicBool,
}

impl Read for Input<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.taken == self.block.len() {
            match self.receiver.recv() {
                Ok(block) if !self.has_failed.load(Ordering::Relaxed) => {
                    (self.block, self.taken) = (block, 0)
                }
                _ => return Ok(0),
            }
        }
        let count = (&self.block[self.taken..]).read(buffer)?;
        self.taken += count;
        Ok(count)
    }
}

/// Takes everything; after a failure, to no effect.
struct Output<'a, W> {
    sink: W,
    failure: Option<io::Error>,
    has_failed: &'a AtomicBool,
}

impl<W: Write> Write for Output<'_, W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.failure.is_none() {
            self.failure = self.sink.write_all(bytes).err();
            self.has_failed.store(self.failure.is_some(), Ordering::Relaxed);
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ruzstd::decoding::StreamingDecoder;

    fn frame(bytes: &[u8]) -> Vec<u8> {
        let mut sink = Vec::new();
        write_frame::<_, io::Error>(&mut sink, |blocks| blocks.write_all(bytes)).unwrap();
        sink
    }

    #[test]
    fn a_frame_of_any_length_expands_to_what_was_written() {
        for length in [0, 1, BLOCK_BYTES - 1, BLOCK_BYTES, BLOCK_BYTES + 1, 5 * BLOCK_BYTES] {
            let bytes: Vec<u8> = (0..length as u64).map(|at| (at * at % 251) as u8).collect();
            let packed = frame(&bytes);
            let mut expanded = Vec::new();
            let mut decoder = StreamingDecoder::new(&packed[..]).unwrap();
            decoder.read_to_end(&mut expanded).unwrap();
            assert_eq!(expanded, bytes);
            assert_eq!(decoder.decoder.get_checksum_from_data(), decoder.decoder.get_calculated_checksum());
            assert!(decoder.decoder.get_checksum_from_data().is_some());
        }
    }

    /// A disk that is full after so many bytes.
    struct Full(usize);

    impl Write for Full {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            match self.0.min(bytes.len()) {
                0 => Err(ErrorKind::StorageFull.into()),
                count => {
                    self.0 -= count;
                    Ok(count)
                }
            }
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_full_disk_ends_the_writing_with_its_own_error() {
        let mut written = 0;
        let error = write_frame(Full(100), |blocks| {
            loop {
                written += blocks.write(&[7; 1000])?;
            }
            #[expect(unreachable_code, reason = "the closure needs a type")]
            Ok::<(), io::Error>(())
        });
        assert_eq!(error.unwrap_err().kind(), ErrorKind::StorageFull);
        assert!(written < 100 * BLOCK_BYTES, "{written}");
    }

    #[test]
    fn what_fails_to_fill_the_frame_is_the_error() {
        let error = write_frame::<(), _>(io::sink(), |_| Err(io::Error::other("no graph"))).unwrap_err();
        assert_eq!(error.to_string(), "no graph");
    }
}
