//! The shared memory of a block.

/// Shared memory, and how often a write changed something in it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Shared {
    pub(crate) bytes: Vec<u8>,
    pub(crate) changes: u64,
}

impl Shared {
    /// For a new block: all zero, so that results do not depend on which block ran here before.
    pub(crate) fn reset(&mut self, bytes: usize) {
        self.bytes.clear();
        self.bytes.resize(bytes, 0);
    }
}
