//! Cycles in which a core does nothing but make the next request of an access.
//!
//! An access whose lanes are on many lines takes as many cycles of the load/store unit, and warps that want the unit meanwhile
//! wait behind its full queue. In most of these cycles no warp is due, none can issue and none may fetch, and the request is
//! not the access's last, so that no warp hears of it: all other stages would find nothing to do.

use super::{Around, Cause, Core};
use crate::operation_timing::Unit;
use crate::wakes::ASLEEP;
use heddle_ptx::exec::LaunchError;

impl Core {
    /// Whether this is such a cycle.
    #[inline(always)]
    pub(super) fn only_requests(&self, now: u64, queue: u32) -> bool {
        // Nothing has happened to a ready warp since the load/store unit was found to hold all of them up.
        let held = self.ready == self.held
            && self.ready & !self.wants[Unit::Memory as usize] == 0
            && (self.ready == 0 || self.load_store.is_full(queue));
        held && self.load_store.goes_on(now, self.caches.most_requests())
            && !self.front_end.wants_turn()
            && !self.wake.is_due(now)
    }

    /// One such cycle. Slots of schedulers with warps that are held up belong to the load/store unit, as they do when
    /// the core is looked at as a whole.
    #[inline(never)]
    pub(super) fn request_cycle(&mut self, around: &mut Around<'_, '_>) -> Result<(), LaunchError> {
        let now = around.now;
        self.wake.catch_up(now + 1);
        if self.held != 0 {
            for scheduler in 0..self.schedulers.len() {
                let own = self.held & self.dealt[scheduler];
                if own != 0 {
                    self.stalls.close(scheduler, now + 1, Cause::LoadStoreBusy);
                    self.warps[own.trailing_zeros() as usize].cause = Cause::LoadStoreBusy;
                }
            }
        }
        self.make_requests(around)?;
        let next = match self.load_store.is_refused() {
            true => self.wake.next_due().unwrap_or(ASLEEP),
            false => now + 1,
        };
        around.wakes.set(self.number, next);
        Ok(())
    }
}
