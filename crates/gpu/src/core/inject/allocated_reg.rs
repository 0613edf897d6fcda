//! `AllocatedReg` lists: which spare register holds what a load will bring in an iteration to come (\[Lakshminarayana14\]
//! figure 9). A warp has one for each load.
//!
//! ```text
//! head:  [ r0 | r1 | r2 ]     write     the next prefetch goes there
//!          ^    ^             read-mov  the next mov reads there
//!                             read-tail the next prefetch of a tail finds its index there
//! tail:  the same without read-tail
//! ```
//!
//! A list is circular, over as many entries as the distance has iterations: the entry that an iteration's `mov` has read
//! is the one that its prefetch writes, for the iteration that is a distance away.
//!
//! An entry has a bit for each lane, which the document does not mention. Lanes leave loops with prefetches made, come
//! back, and leave loads out of iterations; a bit says that the lane's value is there, and pointers move when an iteration
//! ends rather than when they are used, so that an entry belongs to one iteration whatever lanes do in it. With a
//! distance beyond one, lanes must end iterations together: those that lag behind or hurry ahead of the others lose
//! their bits.

use super::distance::LONGEST;
use heddle_ptx::exec::Mask;

/// A list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct AllocatedReg {
    /// By entry: the lanes whose value is in its register.
    lanes: [Mask; LONGEST as usize],
    /// The lanes whose entry at `write` was written in this iteration.
    ahead: Mask,
    write: u8,
    read_mov: u8,
    read_tail: u8,
}

impl AllocatedReg {
    /// The register that a `mov` of this iteration reads for some lanes, if all of them have their values there.
    pub(super) fn for_mov(&self, lanes: Mask) -> Option<u8> {
        (lanes & !self.due() == 0).then_some(self.read_mov)
    }

    /// The lanes whose value of this iteration is there.
    fn due(&self) -> Mask {
        // Where the entry is written anew, it belongs to a later iteration.
        self.lanes[usize::from(self.read_mov)] & !self.ahead
    }

    /// The load was issued for some lanes, as itself or as a `mov`.
    pub(super) fn consumed(&mut self, lanes: Mask) {
        self.lanes[usize::from(self.read_mov)] &= !lanes | self.ahead;
    }

    /// The register that a prefetch of this iteration writes, and the lanes for which it has been made.
    pub(super) fn for_prefetch(&self) -> (u8, Mask) {
        (self.write, self.ahead)
    }

    /// A prefetch was made for some lanes.
    pub(super) fn written(&mut self, lanes: Mask) {
        self.lanes[usize::from(self.write)] |= lanes;
        self.ahead |= lanes;
    }

    /// The lanes for which a tail's prefetch of this iteration finds its index.
    pub(super) fn for_tail(&self) -> Mask {
        self.lanes[usize::from(self.read_tail)] & self.ahead
    }

    /// Lanes end an iteration and begin the next, with this distance.
    pub(super) fn stepped(&mut self, going_on: Mask, distance: u8) {
        let entry = usize::from(self.write);
        if distance == 1 {
            // There is one entry: each lane steps for itself.
            self.lanes[entry] = self.lanes[entry] & !going_on | self.lanes[entry] & self.ahead & going_on;
            self.ahead &= !going_on;
            return;
        }
        self.lanes[entry] &= self.ahead;
        self.lanes.iter_mut().for_each(|lanes| *lanes &= going_on);
        self.ahead = 0;
        for pointer in [&mut self.write, &mut self.read_mov, &mut self.read_tail] {
            *pointer = (*pointer + 1) % distance;
        }
    }

    /// Lanes are not in the loop, or not any more: what was prefetched for them is of no use.
    pub(super) fn drop(&mut self, lanes: Mask) {
        self.lanes.iter_mut().for_each(|entry| *entry &= !lanes);
        self.ahead &= !lanes;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Figure 9 with a distance of two: prefetches fill the list, then every mov reads what was written two iterations
    /// before.
    #[test]
    fn a_mov_reads_what_was_prefetched_a_distance_before() {
        let mut list = AllocatedReg::default();
        let mut registers = Vec::new();
        for iteration in 0..6 {
            assert_eq!(list.for_mov(0xff).is_some(), iteration >= 2, "iteration {iteration}");
            let (register, made) = list.for_prefetch();
            assert_eq!(made, 0);
            registers.push(register);
            list.consumed(0xff);
            list.written(0xff);
            assert_eq!(list.for_tail(), 0xff);
            assert!(list.for_mov(1).is_none(), "what is for later is not for now");
            list.stepped(0xff, 2);
            assert_eq!(list.for_tail(), 0, "a tail waits for its head");
        }
        assert_eq!(registers, [0, 1, 0, 1, 0, 1]);
    }

    #[test]
    fn three_entries_serve_the_longest_distance() {
        let mut list = AllocatedReg::default();
        for iteration in 0..9 {
            assert_eq!(list.for_mov(1), (iteration >= 3).then_some(iteration % 3));
            list.consumed(1);
            list.written(1);
            list.stepped(1, 3);
        }
    }

    #[test]
    fn an_iteration_without_the_load_uses_its_entry_up() {
        let mut list = AllocatedReg::default();
        list.written(0b11);
        list.stepped(0b11, 1);
        assert_eq!(list.for_mov(0b11), Some(0));
        list.stepped(0b11, 1);
        assert_eq!(list.for_mov(0b01), None);
        let mut list = AllocatedReg::default();
        list.written(0b11);
        list.stepped(0b11, 3);
        list.stepped(0b11, 3);
        list.stepped(0b11, 3);
        assert_eq!(list.for_mov(0b11), Some(0));
        list.stepped(0b11, 3);
        list.stepped(0b11, 3);
        list.stepped(0b11, 3);
        assert_eq!(list.for_mov(0b11), None);
    }

    #[test]
    fn lanes_take_their_values_once() {
        let mut list = AllocatedReg::default();
        list.written(0xf);
        list.stepped(0xf, 1);
        list.consumed(0x3);
        assert_eq!((list.for_mov(0x1), list.for_mov(0xc)), (None, Some(0)));
        list.drop(0x4);
        assert_eq!((list.for_mov(0xc), list.for_mov(0x8)), (None, Some(0)));
    }

    #[test]
    fn with_distance_one_each_lane_steps_for_itself_and_beyond_it_all_step_together() {
        let mut list = AllocatedReg::default();
        list.written(0b11);
        list.stepped(0b01, 1);
        assert_eq!((list.for_mov(0b01), list.for_mov(0b10)), (Some(0), None));
        list.stepped(0b10, 1);
        assert_eq!(list.for_mov(0b11), Some(0));
        let mut list = AllocatedReg::default();
        list.written(0b11);
        list.stepped(0b01, 2);
        list.stepped(0b10, 2);
        assert_eq!((list.for_mov(0b01), list.for_mov(0b10)), (None, None));
    }
}
