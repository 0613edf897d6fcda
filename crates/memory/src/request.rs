//! What cores ask of the memory system, and what they are told.

/// The address of a line: a byte address whose low bits are zero.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LineAddress(pub u64);

/// Sectors of a line, one bit each; bit 0 is the first.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sectors(pub u8);

impl Sectors {
    /// No sector.
    pub const NONE: Sectors = Sectors(0);

    /// The first `count` sectors.
    pub fn first(count: u32) -> Sectors {
        Sectors(((1u32 << count) - 1) as u8)
    }

    /// How many.
    #[inline(always)]
    pub fn count(self) -> u32 {
        self.0.count_ones()
    }

    /// Whether there is none.
    #[inline(always)]
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Those that are in `self` and not in `other`.
    #[inline(always)]
    pub fn without(self, other: Sectors) -> Sectors {
        Sectors(self.0 & !other.0)
    }

    /// Those that are in either.
    #[inline(always)]
    pub fn or(self, other: Sectors) -> Sectors {
        Sectors(self.0 | other.0)
    }
}

/// What a request does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Read.
    Read,
    /// Write.
    Write,
    /// Read, modify, write, at the point of ownership: L2.
    Atomic,
    /// Read ahead of need, by a prefetcher; nobody waits for the reply.
    Prefetch,
}

/// Which of a core's caches a request goes through, and which state space it means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Path {
    /// Global memory, through the L1 data cache.
    Global,
    /// A thread's own memory, through the L1 data cache, where it may be written back.
    Local,
    /// Constants and kernel parameters.
    Constant,
    /// Textures.
    Texture,
    /// Instructions.
    Instruction,
}

/// How far an access must be visible, for machines whose consistency rules ask.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scope {
    /// The thread's own; ordinary data.
    #[default]
    None,
    /// The block, which is one core.
    Block,
    /// The device.
    Device,
    /// The whole system.
    System,
}

/// The order that an access demands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ordering {
    /// None: ordinary data, or relaxed.
    #[default]
    Relaxed,
    /// Before what follows.
    Acquire,
    /// After what came before.
    Release,
    /// Both.
    AcquireRelease,
}

/// Names a request to its owner.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Token(pub u32);

/// A request for (part of) one line.
#[derive(Clone, Copy, Debug)]
pub struct Request {
    /// The line.
    pub line: LineAddress,
    /// Bytes of the line that are touched, four at a time: bit n is word n. Sectors derive from it.
    pub words: u32,
    /// What it does.
    pub access: Access,
    /// Which cache it goes through first.
    pub path: Path,
    /// The core.
    pub core: u16,
    /// The allocation that it falls into; 0 if unknown.
    pub region: u16,
    /// The static instruction, unique in the launch's program.
    pub pc: u32,
    /// The warp on its core.
    pub warp: u16,
    /// How far it must be visible.
    pub scope: Scope,
    /// The order that it demands.
    pub ordering: Ordering,
    /// The owner's name for it.
    pub token: Token,
    /// Bits that policies pass down with the request and up with the reply.
    pub policy_bits: u16,
}

impl Request {
    /// The sectors that it touches, for sectors of this many words (a power of two).
    #[inline(always)]
    pub fn sectors(&self, words_per_sector: u32) -> Sectors {
        let mask = u32::MAX >> (32 - words_per_sector.clamp(1, 32));
        let mut sectors = 0;
        let (mut rest, mut bit) = (self.words, 1);
        while rest != 0 {
            if rest & mask != 0 {
                sectors |= bit;
            }
            rest = if words_per_sector >= 32 { 0 } else { rest >> words_per_sector };
            bit <<= 1;
        }
        Sectors(sectors)
    }
}

/// Where a request was answered from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// The core's own cache.
    #[default]
    L1,
    /// The shared cache.
    L2,
    /// DRAM.
    Dram,
}

/// What the memory system tells the owner of requests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Notice {
    /// The request is being performed now, at this level: its value is taken or given at this moment.
    Serviced(Token, Level),
    /// The reply has arrived at the core; after this the token means nothing any more. A request whose
    /// servicing was not told before (it was merged with another) is serviced by its reply.
    Replied(Token, Level),
    /// The core's cache of this path can take a request again, after one was refused.
    Ready(u16, Path),
}
