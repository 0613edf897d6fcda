//! The parts of the memory system wired together, in time.

/// One DRAM transaction of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Captured {
    /// Byte address.
    pub address: u64,
    /// Whether it writes.
    pub write: bool,
    /// DRAM clock at which it came to its channel.
    pub cycle: u64,
    /// DRAM clocks until it was done.
    pub latency: u64,
}
