//! One allocation: its name, place and contents.

use crate::bytes::Bytes;
use crate::written::Written;

/// The dense number of a region, in the order of allocation and of address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct RegionId(pub u32);

impl RegionId {
    /// The region's place in arrays by region.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// What a region was allocated for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RegionKind {
    /// A buffer of the host program (`cudaMalloc`).
    Buffer,
    /// A `.global` variable of a module.
    Global,
    /// A `.const` variable of a module: programs cannot write to it.
    Constant,
}

/// One allocation.
#[derive(Clone, Debug)]
pub struct Region {
    pub(crate) name: String,
    pub(crate) kind: RegionKind,
    pub(crate) start: u64,
    pub(crate) bytes: Bytes,
    pub(crate) length: u64,
    pub(crate) freed: bool,
    /// Which bytes have been written; absent once all of them have.
    pub(crate) written: Option<Written>,
}

impl Region {
    /// The name given at allocation.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What it was allocated for.
    pub fn kind(&self) -> RegionKind {
        self.kind
    }

    /// Its first address.
    pub fn start(&self) -> u64 {
        self.start
    }

    /// Its length in bytes (also after it was freed).
    pub fn length(&self) -> u64 {
        self.length
    }

    /// Whether it has been freed.
    pub fn is_freed(&self) -> bool {
        self.freed
    }
}
