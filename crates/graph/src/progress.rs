//! Progress of long work, told to whoever listens.

/// Something that shows how far long work is. Called from one thread at a time per step.
pub trait Progress: Sync {
    /// A step of `total` units begins ("reading", bytes; "building", arcs …).
    fn begin(&self, step: &str, total: u64);
    /// That many more units are done.
    fn advance(&self, units: u64);
}

/// Nobody listens.
pub struct Silent;

impl Progress for Silent {
    fn begin(&self, _: &str, _: u64) {}
    fn advance(&self, _: u64) {}
}
