//! Names of things by number; one cannot be passed for another.

macro_rules! identities {
    ($($(#[$meta:meta])* $visibility:vis $name:ident($number:ty);)*) => {$(
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
        $visibility struct $name($visibility $number);

        impl $name {
            /// The number, for arrays.
            #[inline(always)]
            $visibility fn index(self) -> usize {
                self.0 as usize
            }
        }
    )*};
}

identities! {
    /// A core.
    pub CoreId(u16);
    /// A warp, by its place on its core.
    pub WarpId(u16);
    /// A static instruction, unique in the launch's program.
    pub Pc(u32);
    /// An allocation; 0 stands for none that is known.
    pub RegionId(u16);
    /// A launch, in the order in which they begin.
    pub LaunchId(u32);
    /// An agent, in the order of the machine file.
    pub AgentId(u8);
    /// A node of the fabric: a cache or an agent.
    pub(crate) NodeId(u16);
    /// A level of caches (`fabric/numbering.rs`).
    pub(crate) LevelId(u8);
    /// A network.
    pub NetworkId(u8);
    /// A slice of a cache, by its number in its instance.
    pub SliceId(u16);
    /// Where something is attached to a network.
    pub EndpointId(u16);
    /// One of a node's links to those above it.
    pub(crate) LinkId(u8);
    /// What leaves nodes by one port.
    pub(crate) OutletId(u16);
    /// The queue of one node at an outlet.
    pub(crate) LaneId(u8);
    /// A DRAM channel.
    pub(crate) ChannelId(u16);
    /// A bank of a DRAM channel, numbered group by group.
    pub BankId(u32);
    /// The queue of a cache above memory to the memory controllers.
    pub(crate) CacheQueueId(u16);
}

impl RegionId {
    /// None that is known.
    pub const UNKNOWN: RegionId = RegionId(0);
}

impl LaunchId {
    /// The one that begins after it.
    pub fn next(self) -> LaunchId {
        LaunchId(self.0.wrapping_add(1))
    }
}

impl BankId {
    /// Its bit, where banks are bits of a word.
    #[inline(always)]
    pub(crate) fn bit(self) -> u64 {
        1 << self.0
    }

    /// The first of some that are bits of a word.
    #[inline(always)]
    pub(crate) fn first_of(banks: u64) -> BankId {
        BankId(banks.trailing_zeros())
    }
}

impl EndpointId {
    /// That of a node which is not on a network: nothing may be sent to it there.
    pub(crate) const NOWHERE: EndpointId = EndpointId(u16::MAX);
}

impl OutletId {
    /// The outlet of a node's replies by one of its links above, if this is that of the first.
    #[inline(always)]
    pub(crate) fn of_link(self, link: LinkId) -> OutletId {
        OutletId(self.0 + link.index() as u16)
    }
}

impl NodeId {
    /// A node so many behind this one, the first of consecutive ones.
    #[inline(always)]
    pub(crate) fn plus(self, nodes: usize) -> NodeId {
        NodeId(self.0 + nodes as u16)
    }

    /// A slice of the instance whose first slice this is.
    #[inline(always)]
    pub(crate) fn slice(self, slice: SliceId) -> NodeId {
        NodeId(self.0 + slice.0)
    }

    /// Which slice of an instance it is, whose first slice is another.
    #[inline(always)]
    pub(crate) fn slice_of(self, first: NodeId) -> SliceId {
        SliceId(self.0 - first.0)
    }
}
