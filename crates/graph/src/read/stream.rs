//! Streams over stored bytes: counted, unpacked member by member, and limited.

use flate2::bufread::GzDecoder;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::sync::atomic::{AtomicU64, Ordering};

/// Compressed bytes that are read at once.
const BUFFER_BYTES: usize = 256 << 10;

/// The stored bytes of an input, from a position on.
pub(super) enum Stored<'a> {
    /// In memory.
    Held(&'a [u8]),
    /// In a file that had `end` bytes when it was opened. It may change meanwhile: then what comes is what is there
    /// now, and a file that has become shorter is an error.
    File { file: &'a File, at: u64, end: u64 },
}

impl Read for Stored<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Stored::Held(rest) => rest.read(buffer),
            Stored::File { file, at, end } => {
                let wanted = usize::try_from(*end - *at).unwrap_or(usize::MAX).min(buffer.len());
                let count = read_at(file, &mut buffer[..wanted], *at)?;
                if count == 0 && wanted > 0 {
                    let left = file.metadata().map_or(*at, |metadata| metadata.len()).min(*at);
                    let problem =
                        format!("the file became shorter while it was read: {left} of {end} bytes are left");
                    return Err(io::Error::new(io::ErrorKind::UnexpectedEof, problem));
                }
                *at += count as u64;
                Ok(count)
            }
        }
    }
}

/// Reads at a position, whatever was read before.
#[cfg(unix)]
fn read_at(file: &File, buffer: &mut [u8], at: u64) -> io::Result<usize> {
    std::os::unix::fs::FileExt::read_at(file, buffer, at)
}

#[cfg(not(unix))]
fn read_at(mut file: &File, buffer: &mut [u8], at: u64) -> io::Result<usize> {
    io::Seek::seek(&mut file, io::SeekFrom::Start(at))?;
    file.read(buffer)
}

/// Stored bytes that are counted as they go.
pub(super) struct Counted<'a> {
    stored: Stored<'a>,
    consumed: &'a AtomicU64,
}

impl<'a> Counted<'a> {
    pub(super) fn new(stored: Stored<'a>, consumed: &'a AtomicU64) -> Counted<'a> {
        Counted { stored, consumed }
    }

    /// The same, with a buffer, as decoders want it.
    pub(super) fn buffered(self) -> BufReader<Counted<'a>> {
        BufReader::with_capacity(BUFFER_BYTES, self)
    }
}

impl Read for Counted<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.stored.read(buffer)?;
        self.consumed.fetch_add(count as u64, Ordering::Relaxed);
        Ok(count)
    }
}

/// The members of a gzip file, one after the other. Zeros behind the last are padding, as on tapes.
pub(super) struct Members<R> {
    /// None behind the last member.
    current: Option<GzDecoder<R>>,
}

impl<R: BufRead> Members<R> {
    pub(super) fn new(source: R) -> Members<R> {
        Members { current: Some(GzDecoder::new(source)) }
    }
}

impl<R: BufRead> Read for Members<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while let Some(member) = &mut self.current {
            let count = member.read(buffer)?;
            if count > 0 || buffer.is_empty() {
                return Ok(count);
            }
            let is_last = ends(member.get_mut())?;
            self.current =
                self.current.take().filter(|_| !is_last).map(|member| GzDecoder::new(member.into_inner()));
        }
        Ok(0)
    }
}

/// Whether nothing but padding follows. What follows padding is no member.
fn ends(source: &mut impl BufRead) -> io::Result<bool> {
    let mut is_padded = false;
    loop {
        let bytes = source.fill_buf()?;
        let zeros = bytes.iter().take_while(|&&byte| byte == 0).count();
        match bytes.len() {
            0 => return Ok(true),
            length if zeros == length => source.consume(length),
            _ if is_padded || zeros > 0 => {
                return Err(io::Error::new(io::ErrorKind::InvalidData, "invalid gzip header"));
            }
            _ => return Ok(false),
        }
        is_padded = true;
    }
}

/// A stream that must end before a limit, and whose failures name the offset.
pub(super) struct Limited<R> {
    inner: R,
    what: &'static str,
    given: u64,
    limit: u64,
}

#[derive(Debug, thiserror::Error)]
#[error("expands to more than {limit} bytes, the limit on decompressed data (--decompressed-limit)")]
pub(super) struct OverLimit {
    limit: u64,
}

impl<R> Limited<R> {
    pub(super) fn new(inner: R, what: &'static str, limit: u64) -> Limited<R> {
        Limited { inner, what, given: 0, limit }
    }

    fn broken(&self, error: io::Error) -> io::Error {
        let (what, given) = (self.what, self.given);
        let state = match error.kind() {
            io::ErrorKind::UnexpectedEof => "truncated",
            _ => "corrupt",
        };
        io::Error::new(
            error.kind(),
            format!("the {what} data is {state} after {given} decompressed bytes: {error}"),
        )
    }
}

impl<R: Read> Read for Limited<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = match self.inner.read(buffer) {
            Ok(count) => count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => return Err(error),
            Err(error) => return Err(self.broken(error)),
        };
        self.given += count as u64;
        if self.given > self.limit {
            return Err(io::Error::other(OverLimit { limit: self.limit }));
        }
        Ok(count)
    }
}
