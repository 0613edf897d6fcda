//! The frames of a zstd file, one after the other.
//!
//! The decoder knows one frame and neither its checksum nor its promised size, so both are checked here, and frames that
//! are to be skipped are. It keeps at most a window of what it has decoded, and windows have a limit.

use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};
use std::error::Error;
use std::io::{self, BufRead, ErrorKind, Read};

/// The largest window that is kept, which is also that of the reference decoder: a few bytes can ask for terabytes.
const WINDOW_BYTES_MAX: u64 = 128 << 20;

/// What the frames of `source` hold, as one text.
pub(super) struct Frames<R> {
    source: R,
    decoder: FrameDecoder,
    /// Whether a frame has begun that has not ended.
    is_within: bool,
    /// Bytes that this frame has given.
    given: u64,
}

impl<R: BufRead> Frames<R> {
    pub(super) fn new(source: R) -> Frames<R> {
        let mut decoder = FrameDecoder::new();
        decoder.set_max_window_size(WINDOW_BYTES_MAX);
        Frames { source, decoder, is_within: false, given: 0 }
    }

    /// Reads the header of the next frame, or skips it.
    fn begin(&mut self) -> io::Result<()> {
        match self.decoder.reset(&mut self.source) {
            Ok(()) => {
                (self.is_within, self.given) = (true, 0);
                Ok(())
            }
            Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame {
                length, ..
            })) => {
                let length = u64::from(length);
                let skipped = io::copy(&mut self.source.by_ref().take(length), &mut io::sink())?;
                if skipped < length { Err(incomplete()) } else { Ok(()) }
            }
            Err(error) => Err(broken(&error)),
        }
    }

    /// Holds what the frame gave against what it said about it.
    fn end(&mut self) -> io::Result<()> {
        self.is_within = false;
        let promised = self.decoder.content_size();
        if promised > 0 && promised != self.given {
            return Err(corrupt(format!("a frame of {promised} bytes has {}", self.given)));
        }
        match self.decoder.get_checksum_from_data() {
            Some(stored) if Some(stored) != self.decoder.get_calculated_checksum() => {
                Err(corrupt("the checksum does not match"))
            }
            _ => Ok(()),
        }
    }
}

impl<R: BufRead> Read for Frames<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if buffer.is_empty() {
            return Ok(0);
        }
        loop {
            if !self.is_within {
                if self.source.fill_buf()?.is_empty() {
                    return Ok(0);
                }
                self.begin()?;
                continue;
            }
            if self.decoder.can_collect() == 0 && !self.decoder.is_finished() {
                let decoded =
                    self.decoder.decode_blocks(&mut self.source, BlockDecodingStrategy::UptoBlocks(1));
                decoded.map_err(|error| broken(&error))?;
                continue;
            }
            let count = self.decoder.read(buffer)?;
            self.given += count as u64;
            if count > 0 {
                return Ok(count);
            }
            self.end()?;
        }
    }
}

fn incomplete() -> io::Error {
    io::Error::new(ErrorKind::UnexpectedEof, "the frame is incomplete")
}

fn corrupt(problem: impl Into<String>) -> io::Error {
    io::Error::new(ErrorKind::InvalidData, problem.into())
}

/// The cause of a failure. What the source said itself is passed on as it is.
fn broken(error: &FrameDecoderError) -> io::Error {
    match error {
        FrameDecoderError::WindowSizeTooBig { requested, max } => {
            return corrupt(format!("the frame needs a window of {requested} bytes; at most {max} are kept"));
        }
        FrameDecoderError::DictNotProvided { dict_id } => {
            return corrupt(format!(
                "the frame needs the dictionary {dict_id}, and dictionaries are not read"
            ));
        }
        _ => {}
    }
    let mut cause: &(dyn Error + 'static) = error;
    while let Some(inner) = cause.source() {
        cause = inner;
    }
    match cause.downcast_ref::<io::Error>() {
        Some(end) if end.kind() == ErrorKind::UnexpectedEof && end.get_ref().is_none() => incomplete(),
        Some(failure) => io::Error::new(failure.kind(), failure.to_string()),
        None => corrupt(cause.to_string()),
    }
}

#[cfg(test)]
mod tests;
