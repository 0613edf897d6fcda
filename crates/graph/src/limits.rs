//! How much an input may make us allocate.
//!
//! A header can promise anything and a compressed file can expand a thousandfold, so memory is granted in
//! proportion to what is really stored. Real graphs stay far below: text needs about one byte of memory
//! per byte, and the densest web graphs in WebGraph's format (about 2 bits an arc) 48 bytes per byte.

/// Bounds on one input. Every reader keeps to them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes that arcs and rows may take while the graph is built.
    pub memory_bytes: u64,
    /// Bytes that a compressed file may expand to.
    pub decompressed_bytes: u64,
}

/// What even the smallest input may use.
const FLOOR_BYTES: u64 = 1 << 30;
const MEMORY_PER_STORED_BYTE: u64 = 256;
const EXPANSION_MAX: u64 = 100;

impl Limits {
    /// The limits for an input of `stored_bytes` on disk.
    pub fn for_stored_bytes(stored_bytes: u64) -> Limits {
        Limits {
            memory_bytes: stored_bytes.saturating_mul(MEMORY_PER_STORED_BYTE).max(FLOOR_BYTES),
            decompressed_bytes: stored_bytes.saturating_mul(EXPANSION_MAX).max(FLOOR_BYTES),
        }
    }
}
