//! What an instruction says about its access to memory, beside the address.

use super::ScalarType;
use heddle_image::atomic::{AtomicOperation, AtomicType};

/// A state space.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[allow(missing_docs, reason = "the names are the field's own")]
pub enum StateSpace {
    Generic,
    Global,
    Shared,
    Local,
    Constant,
    /// Parameters: of the kernel, of the function, or of a call that is being prepared.
    Parameter,
}

/// The memory-ordering semantics of an access.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names are the field's own")]
pub enum Ordering {
    /// `.weak`, or nothing.
    #[default]
    Weak,
    Volatile,
    Relaxed,
    Acquire,
    Release,
    AcquireRelease,
    SequentiallyConsistent,
    MemoryMapped,
}

/// The set of threads that an ordered access or a fence speaks to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names are the field's own")]
pub enum Scope {
    Block,
    Cluster,
    Gpu,
    System,
}

/// A cache operator.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CacheOperator {
    /// None named: `.ca` for loads, `.wb` for stores.
    #[default]
    Default,
    /// `.ca`: cache at all levels.
    All,
    /// `.cg`: cache in L2 and below.
    Global,
    /// `.cs`: streaming, likely used once.
    Streaming,
    /// `.lu`: last use.
    LastUse,
    /// `.cv`: do not cache, fetch again.
    Volatile,
    /// `.wb`: write back.
    WriteBack,
    /// `.wt`: write through.
    WriteThrough,
}

/// An eviction priority hint (`L1::…`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names are the field's own")]
pub enum Eviction {
    #[default]
    Normal,
    First,
    Last,
    Unchanged,
    NoAllocate,
}

/// A prefetch-size hint (`.L2::64B` …), in bytes; 0 when there is none.
pub type PrefetchSize = u16;

/// Everything about a load or a store except the address and the data.
#[derive(Clone, Debug, PartialEq)]
pub struct Access {
    /// State space as written; generic addresses are resolved per lane.
    pub space: StateSpace,
    /// Type of one element.
    pub ty: ScalarType,
    /// Elements: 1, 2, 4 or 8.
    pub vector: u8,
    /// Memory ordering.
    pub ordering: Ordering,
    /// Scope, for ordered accesses.
    pub scope: Option<Scope>,
    /// Cache operator.
    pub cache: CacheOperator,
    /// `.nc`: read-only for the kernel, may go through another cache. (`ldu` is not this.)
    pub non_coherent: bool,
    /// L1 eviction priority.
    pub eviction: Eviction,
    /// L2 prefetch size.
    pub prefetch: PrefetchSize,
}

impl Access {
    /// Bytes that one lane touches.
    pub fn bytes(&self) -> u32 {
        self.ty.bytes() * u32::from(self.vector)
    }
}

/// Everything about an atomic operation except the address and the data.
#[derive(Clone, Debug, PartialEq)]
pub struct Atomic {
    /// What it does.
    pub operation: AtomicOperation,
    /// How it understands the bits.
    pub ty: AtomicType,
    /// Generic, global or shared.
    pub space: StateSpace,
    /// Relaxed where nothing is written.
    pub ordering: Ordering,
    /// The GPU where nothing is written.
    pub scope: Scope,
    /// Elements, for `.v2` and wider.
    pub vector: u8,
}

/// What a fence orders.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FenceKind {
    /// `membar`, or `fence` with the ordering it names.
    Ordered(Ordering),
    /// `fence.proxy.*`: between ways of access that are the same here.
    Proxy,
}
