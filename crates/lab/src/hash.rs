//! Identities by content: SHA-256 in hexadecimal, as `sha256sum` writes it.

use heddle_graph::Graph;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::fmt;

/// What a point is, by content: of program, graph, resolved machine and settings, and the machine's behaviour version.
///
/// Two points with one key are one simulation, in whatever experiment they stand.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Key(String);

/// Hexadecimal digits of a key: 128 bits, which never meet by chance.
const KEY_DIGITS: usize = 32;

impl Key {
    /// The key of a description.
    pub fn of(description: &str) -> Key {
        let mut digits = sha256(description.as_bytes());
        digits.truncate(KEY_DIGITS);
        Key(digits)
    }

    /// A key as a file name has it.
    pub fn parse(text: &str) -> Option<Key> {
        let is_digit = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
        (text.len() == KEY_DIGITS && text.bytes().all(is_digit)).then(|| Key(text.to_owned()))
    }

    /// Its digits.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The SHA-256 of bytes, in hexadecimal.
pub fn sha256(bytes: &[u8]) -> String {
    hexadecimal(Sha256::digest(bytes).as_slice())
}

/// Bytes in hexadecimal.
pub fn hexadecimal(bytes: &[u8]) -> String {
    let digit = |half: u8| char::from_digit(u32::from(half), 16).unwrap_or_default();
    bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 0xf)]).collect()
}

/// The SHA-256 of a graph as it is run, after its transforms: whether it is directed, offsets, targets, weights.
pub fn sha256_of_graph(graph: &Graph) -> String {
    let mut hash = Sha256::new();
    hash.update([u8::from(graph.is_directed()), u8::from(graph.is_weighted())]);
    let arcs = graph.out_edges();
    hash.update(u64::from(arcs.num_vertices()).to_le_bytes());
    words(&mut hash, arcs.offsets(), |offset| offset.to_le_bytes());
    words(&mut hash, arcs.targets(), |target| target.to_le_bytes());
    words(&mut hash, arcs.weights().unwrap_or_default(), |weight| weight.to_le_bytes());
    hexadecimal(hash.finalize().as_slice())
}

/// Hashes numbers as little-endian bytes, many at a time.
fn words<T: Copy, const N: usize>(hash: &mut Sha256, values: &[T], bytes: impl Fn(T) -> [u8; N]) {
    let mut buffer = Vec::new();
    for chunk in values.chunks(4096) {
        buffer.clear();
        chunk.iter().for_each(|&value| buffer.extend(bytes(value)));
        hash.update(&buffer);
    }
}
