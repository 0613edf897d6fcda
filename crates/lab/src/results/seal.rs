//! A checksum inside of a file, of the whole file.
//!
//! Parquet checks nothing, and its readers take a damaged footer at its word. So the footer's metadata ends in a SHA-256
//! of all bytes of the file with zeros in its own place; only a file that fits it is read.

use crate::hash::sha256;

/// The metadata key.
pub(super) const KEY: &str = "heddle.sha256";

/// What stands in its place while the hash is made.
pub(super) const BLANK: &str = "0000000000000000000000000000000000000000000000000000000000000000";

/// Puts the hash of a file in its place.
pub(super) fn seal(mut bytes: Vec<u8>) -> Option<Vec<u8>> {
    let at = place(&bytes)?;
    let hash = sha256(&bytes);
    bytes[at..at + BLANK.len()].copy_from_slice(hash.as_bytes());
    Some(bytes)
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
