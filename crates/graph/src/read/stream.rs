//! Streams over stored bytes: counted, unpacked member by member, and limited.

use flate2::bufread::GzDecoder;
use std::io::{self, BufRead, Read};
use std::sync::atomic::{AtomicU64, Ordering};

/// Stored bytes that are counted as they go.
#[derive(Clone, Copy)]
pub(super) struct Counted<'a> {
    rest: &'a [u8],
    consumed: &'a AtomicU64,
}

impl<'a> Counted<'a> {
    pub(super) fn new(rest: &'a [u8], consumed: &'a AtomicU64) -> Counted<'a> {
        Counted { rest, consumed }
    }
}

impl Read for Counted<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.rest.read(buffer)?;
        self.consumed.fetch_add(count as u64, Ordering::Relaxed);
        Ok(count)
    }
}

impl BufRead for Counted<'_> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        Ok(self.rest)
    }

    fn consume(&mut self, amount: usize) {
        self.rest.consume(amount);
        self.consumed.fetch_add(amount as u64, Ordering::Relaxed);
    }
}

/// The members of a gzip file, one after the other. Zeros behind the last are padding, as on tapes.
pub(super) struct Members<'a> {
    current: GzDecoder<Counted<'a>>,
}

impl<'a> Members<'a> {
    pub(super) fn new(source: Counted<'a>) -> Members<'a> {
        Members { current: GzDecoder::new(source) }
    }
}

impl Read for Members<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let count = self.current.read(buffer)?;
            let Counted { rest, consumed } = *self.current.get_ref();
            if count > 0 || buffer.is_empty() || rest.iter().all(|&byte| byte == 0) {
                return Ok(count);
            }
            self.current = GzDecoder::new(Counted { rest, consumed });
        }
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
