//! A checksum inside of a file, of the whole file.
//!
//! Parquet checks nothing, and its readers take a damaged footer at its word. So the footer's metadata ends in a SHA-256
//! of all bytes of the file with zeros in its own place; only a file that fits it is read.

use crate::hash::{hexadecimal, sha256};
use sha2::{Digest, Sha256};
use std::io::{self, Write};

/// The metadata key.
pub(super) const KEY: &str = "heddle.sha256";

/// What stands in its place while the hash is made.
pub(super) const BLANK: &str = "0000000000000000000000000000000000000000000000000000000000000000";

/// Bytes at the end of a file of which some are the place of the hash.
const TAIL: usize = 1 << 16;

/// Hashes what is written to a file, and knows its end.
pub(super) struct Sealing<W> {
    inner: W,
    hash: Sha256,
    written: u64,
    /// The last bytes, at least [`TAIL`] of them where there are as many.
    tail: Vec<u8>,
}

impl<W: Write> Sealing<W> {
    pub(super) fn new(inner: W) -> Sealing<W> {
        Sealing { inner, hash: Sha256::new(), written: 0, tail: Vec::new() }
    }

    /// Ends the file: the hash, and where in it it belongs.
    pub(super) fn finish(mut self) -> io::Result<Option<(u64, String)>> {
        self.inner.flush()?;
        let hash = hexadecimal(self.hash.finalize().as_slice());
        let before = self.written - self.tail.len() as u64;
        Ok(place(&self.tail).map(|at| (before + at as u64, hash)))
    }
}

impl<W: Write> Write for Sealing<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.inner.write(bytes)?;
        let bytes = &bytes[..written];
        self.hash.update(bytes);
        self.written += written as u64;
        self.tail.extend_from_slice(&bytes[bytes.len().saturating_sub(TAIL)..]);
        if self.tail.len() > 4 * TAIL {
            self.tail.drain(..self.tail.len() - TAIL);
        }
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

/// Whether a file is as it was sealed; nothing where it has no seal.
pub(super) fn is_whole(mut bytes: Vec<u8>) -> Option<bool> {
    let at = place(&bytes)?;
    let said = bytes[at..at + BLANK.len()].to_vec();
    bytes[at..at + BLANK.len()].copy_from_slice(BLANK.as_bytes());
    Some(sha256(&bytes).as_bytes() == said)
}

/// Where the hash stands: behind the last key, and the header of a string of its length in Thrift's compact form.
fn place(bytes: &[u8]) -> Option<usize> {
    let pattern = [KEY.as_bytes(), &[0x18, BLANK.len() as u8]].concat();
    let at = bytes.windows(pattern.len()).rposition(|window| window == pattern)? + pattern.len();
    (at + BLANK.len() <= bytes.len()).then_some(at)
}
