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
    /// An agent, in the order of the machine file.
    pub AgentId(u8);
    /// A node of the fabric: a cache or an agent.
    pub(crate) NodeId(u16);
    /// A level of caches, in the order of the machine file.
    pub(crate) LevelId(u8);
    /// A network.
    pub NetworkId(u8);
    /// What leaves nodes by one port.
    pub(crate) OutletId(u16);
    /// A DRAM channel.
    pub(crate) ChannelId(u16);
    /// The queue of a cache above memory to the memory controllers.
    pub(crate) CacheQueueId(u16);
}
