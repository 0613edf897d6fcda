//! What the host can still give.
//!
//! An allocation that fails ends the process: nothing in Rust can catch it where it happens. So whatever grows with a
//! program under simulation asks here first, and is refused while there is still room for the error to be told.

use memmap2::MmapMut;

/// Left free for everything that does not ask: strings of messages, queues, the allocator's own.
const HEADROOM: u64 = 4 << 20;

/// Bytes that are granted without a look at the host. Together with what does not ask they must fit the headroom.
const UNSEEN: u64 = 1 << 20;

/// Keeps account of what was granted since the host was last asked.
#[derive(Clone, Debug, Default)]
pub struct HostRoom {
    unseen: u64,
}

/// The host has no room.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoRoom;

impl HostRoom {
    /// Whether the host can give so many bytes, with some left over. They are allocated by whoever asks, and at once:
    /// what the host grants is not kept for them.
    pub fn ask(&mut self, bytes: u64) -> Result<(), NoRoom> {
        self.unseen = self.unseen.saturating_add(bytes);
        if self.unseen <= UNSEEN {
            return Ok(());
        }
        let wanted = bytes.checked_add(HEADROOM).and_then(|bytes| usize::try_from(bytes).ok());
        // Pages that are mapped and never touched cost the host nothing, but count against every limit that it sets.
        wanted.and_then(|bytes| MmapMut::map_anon(bytes).ok()).ok_or(NoRoom)?;
        self.unseen = 0;
        Ok(())
    }

    /// The same for a vector that is to have `length` items: it grows to twice that at most.
    pub fn ask_to_grow<T>(&mut self, capacity: usize, length: usize) -> Result<(), NoRoom> {
        match length > capacity {
            true => self.ask((length as u64).saturating_mul(2 * size_of::<T>() as u64)),
            false => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_no_host_has_is_refused_and_the_rest_is_granted() {
        let mut room = HostRoom::default();
        for bytes in [0, 1, UNSEEN, 3 << 20] {
            assert_eq!(room.ask(bytes), Ok(()), "{bytes}");
        }
        for bytes in [1 << 62, u64::MAX] {
            assert_eq!(room.ask(bytes), Err(NoRoom), "{bytes}");
            // Nothing small passes unseen after a refusal.
            assert_eq!((room.ask(0), room.ask(1 << 62)), (Ok(()), Err(NoRoom)));
            room = HostRoom::default();
        }
    }

    #[test]
    fn a_vector_asks_only_when_it_must_grow() {
        let mut room = HostRoom::default();
        assert_eq!(room.ask_to_grow::<u64>(usize::MAX / 4, 1 << 60), Ok(()));
        assert_eq!(room.ask_to_grow::<u64>(0, 1 << 60), Err(NoRoom));
    }
}
