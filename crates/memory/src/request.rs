//! What cores ask of the memory system, and what they are told.

use crate::choices::choices;
use crate::ids::{CoreId, Pc, RegionId, WarpId};

/// The address of a line: a byte address whose low bits are zero.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LineAddress(pub u64);

/// The address of a byte.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ByteAddress(pub u64);

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

    /// The sectors that some words of a line lie in, for sectors of this many words (a power of two).
    #[inline(always)]
    pub fn of_words(words: u32, words_per_sector: u32) -> Sectors {
        // The words of a sector are folded onto its lowest bit; then those bits are moved together.
        let mut bits = words;
        match words_per_sector {
            0 | 1 => {}
            2 => {
                bits = (bits | bits >> 1) & 0x5555_5555;
                bits = (bits | bits >> 1) & 0x3333_3333;
                bits = (bits | bits >> 2) & 0x0f0f_0f0f;
                bits = (bits | bits >> 4) & 0x00ff_00ff;
                bits |= bits >> 8;
            }
            4 => {
                bits |= bits >> 2;
                bits = (bits | bits >> 1) & 0x1111_1111;
                bits = (bits | bits >> 3) & 0x0303_0303;
                bits = (bits | bits >> 6) & 0x000f_000f;
                bits |= bits >> 12;
            }
            8 => {
                bits |= bits >> 4;
                bits |= bits >> 2;
                bits = (bits | bits >> 1) & 0x0101_0101;
                bits = (bits | bits >> 7) & 0x0003_0003;
                bits = (bits | bits >> 14) & 0xf;
            }
            16 => bits = u32::from(bits & 0xffff != 0) | u32::from(bits >> 16 != 0) << 1,
            _ => bits = u32::from(bits != 0),
        }
        Sectors(bits as u8)
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
    /// A prefetch: no warp waits for the reply.
    Prefetch,
}

choices! {
    /// Which of a core's caches a request goes through, and which state space it means.
    Path {
        /// Global memory, through the data cache.
        Global = "global",
        /// A thread's own memory, through the data cache, where it may be written back.
        Local = "local",
        /// Constants and kernel parameters.
        Constant = "constant",
        /// Textures.
        Texture = "texture",
        /// Instructions.
        Instruction = "instruction",
    }
}

impl Path {
    /// All of them.
    pub const ALL: [Path; 5] = [Path::Global, Path::Local, Path::Constant, Path::Texture, Path::Instruction];

    /// The name that machine files use.
    pub fn name(self) -> &'static str {
        Path::NAMES[self as usize]
    }
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
    pub core: CoreId,
    /// The allocation that it falls into; 0 if unknown.
    pub region: RegionId,
    /// The static instruction, unique in the launch's program.
    pub pc: Pc,
    /// The warp on its core.
    pub warp: WarpId,
    /// How far it must be visible.
    pub scope: Scope,
    /// The order that it demands.
    pub ordering: Ordering,
    /// The owner's name for it.
    pub token: Token,
    /// Bits that policies pass down with the request and up with the reply.
    pub policy_bits: u16,
    /// Lanes that it serves: the operations of an atomic, several of which may be on one word.
    pub lanes: u8,
    /// A read that passes the core's own cache: it is neither answered nor kept there. Below, a read that nobody above
    /// keeps: an agent's, whose line stays in an exclusive cache.
    pub passes: bool,
}

impl Request {
    /// A write of nobody's, for what memory does on its own account.
    pub fn nobodys(line: LineAddress) -> Request {
        Request {
            line,
            words: 0,
            access: Access::Write,
            path: Path::Global,
            core: CoreId(0),
            region: RegionId::UNKNOWN,
            pc: Pc::default(),
            warp: WarpId::default(),
            scope: Scope::None,
            ordering: Ordering::Relaxed,
            token: Token(0),
            policy_bits: 0,
            lanes: 1,
            passes: false,
        }
    }

    /// The sectors that it touches, for sectors of this many words (a power of two).
    #[inline(always)]
    pub fn sectors(&self, words_per_sector: u32) -> Sectors {
        Sectors::of_words(self.words, words_per_sector)
    }
}

/// Who answered a request: a cache of the core's own, a shared level, or memory. A dense number, so that counts by
/// answerer are arrays; [`FabricSpec::answerers`](crate::fabric::FabricSpec::answerers) has the names.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Answerer(u8);

impl Answerer {
    /// A cache of the core's own.
    pub const CORE: Answerer = Answerer(0);
    /// Memory.
    pub const MEMORY: Answerer = Answerer(1);
    /// Numbers that are no shared level's.
    const OTHERS: usize = 2;

    /// A shared level, in the order from the cores down.
    pub fn shared(place: usize) -> Answerer {
        Answerer((Answerer::OTHERS + place) as u8)
    }

    /// The answerer of a number that was made from one.
    #[inline(always)]
    pub fn of_number(number: u8) -> Answerer {
        Answerer(number)
    }

    /// The number, for arrays.
    #[inline(always)]
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// The one of two that is farther from the core.
    #[inline(always)]
    pub fn farther(self, other: Answerer) -> Answerer {
        match (self, other) {
            (Answerer::MEMORY, _) | (_, Answerer::MEMORY) => Answerer::MEMORY,
            _ => Answerer(self.0.max(other.0)),
        }
    }
}

/// What the memory system tells the owner of requests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Notice {
    /// The request is being performed now, by this one: its value is taken or given at this moment.
    Serviced(Token, Answerer),
    /// The reply has arrived at the core; after this the token means nothing any more. A request whose
    /// servicing was not told before (it was merged with another) is serviced by its reply.
    Replied(Token, Answerer),
    /// The command of this token is answered by its agent: values are taken at this moment.
    Answered(Token),
    /// The core's cache of this path can take a request again, after one was refused.
    Ready(CoreId, Path),
}

#[cfg(test)]
mod tests {
    use super::{Answerer, Sectors};
    use proptest::prelude::*;

    #[test]
    fn memory_is_farther_than_shared_levels_and_those_than_caches_of_the_core() {
        let order = [Answerer::CORE, Answerer::shared(0), Answerer::shared(1), Answerer::MEMORY];
        for (place, &near) in order.iter().enumerate() {
            assert_eq!(Answerer::of_number(near.index() as u8), near);
            for &far in &order[place..] {
                assert_eq!((near.farther(far), far.farther(near)), (far, far));
            }
        }
    }

    proptest! {
        #[test]
        fn a_sector_is_touched_if_one_of_its_words_is(words: u32, mask: u32, log2 in 2u32..6) {
            let (words, size) = (words & mask, 1u32 << log2);
            let whole = u32::MAX >> (32 - size);
            let touched = |n: u32| words & (whole << (n * size)) != 0;
            let expected = (0..32 / size).fold(0, |bits, n| bits | u8::from(touched(n)) << n);
            prop_assert_eq!(Sectors::of_words(words, size), Sectors(expected));
        }
    }
}
