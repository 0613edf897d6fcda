//! How much an input may make us allocate.
//!
//! A header can promise anything and a compressed file can expand a thousandfold, so memory is granted in
//! proportion to what is really stored. Real graphs stay far below: text needs about one byte of memory
//! per byte, and the densest web graphs in WebGraph's format (about 2 bits an arc) 48 bytes per byte.
//! What is granted beyond that is for small files, whose header may name a few million vertices without
//! arcs: a line of text can promise no more than 64 MiB of them. The limit is on the arrays of arcs and
//! rows; reading and describing a graph takes at most about three times its rows.

/// Whether the host has room for an array of so many bytes, or for several arrays together. Asked before large arrays
/// are made whose size a user decides, because a failed allocation ends the program.
pub(crate) fn host_has(bytes: u64) -> bool {
    usize::try_from(bytes).is_ok_and(|bytes| Vec::<u8>::new().try_reserve_exact(bytes).is_ok())
}

/// Bounds on one input. Every reader keeps to them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes that arcs and rows may take while the graph is built.
    pub memory_bytes: u64,
    /// Bytes that a compressed file may expand to.
    pub decompressed_bytes: u64,
}

/// What an input may use beyond its share, however small it is.
const MEMORY_SPARE_BYTES: u64 = 64 << 20;
const MEMORY_PER_STORED_BYTE: u64 = 256;
/// Even the smallest input may expand to this. Compressed text is never held whole, so it costs time more
/// than memory; of a pipe, whose size nobody knows, it is the most that is held.
const EXPANDED_FLOOR_BYTES: u64 = 256 << 20;
const EXPANSION_MAX: u64 = 100;

impl Limits {
    /// The limits for an input of `stored_bytes` on disk.
    pub fn for_stored_bytes(stored_bytes: u64) -> Limits {
        Limits {
            memory_bytes: stored_bytes
                .saturating_mul(MEMORY_PER_STORED_BYTE)
                .saturating_add(MEMORY_SPARE_BYTES),
            decompressed_bytes: stored_bytes.saturating_mul(EXPANSION_MAX).max(EXPANDED_FLOOR_BYTES),
        }
    }
}
