//! Requests that were accepted and wait for room in the queue that the scheduler looks at.
//!
//! DRAMsim3 has such a queue, the transaction queue, before its queues of commands. It keeps one bank whose queue
//! is full from holding up requests for all others, as far as its places reach. Where it is used all requests
//! that share the queue of the reads pass through it, so that a full one stops them all. A request leaves it in
//! the clock in which its queue gets room; DRAMsim3 moves one per clock.

use super::queue::QueueEntry;
use crate::ids::BankId;
use std::collections::VecDeque;

/// The requests, with their banks, in order of arrival.
#[derive(Clone, Debug)]
pub(super) struct Front {
    places: usize,
    waiting: VecDeque<(BankId, QueueEntry)>,
}

impl Front {
    pub(super) fn new(places: u32) -> Front {
        Front { places: places as usize, waiting: VecDeque::new() }
    }

    #[inline(always)]
    pub(super) fn is_used(&self) -> bool {
        self.places > 0
    }

    /// Whether there is room, if it is used at all.
    #[inline(always)]
    pub(super) fn has_room(&self) -> Option<bool> {
        self.is_used().then_some(self.waiting.len() < self.places)
    }

    pub(super) fn push(&mut self, bank: BankId, entry: QueueEntry) {
        self.waiting.push_back((bank, entry));
    }

    /// Takes the oldest request out that is for this bank, or for any.
    pub(super) fn take(&mut self, bank: Option<BankId>) -> Option<(BankId, QueueEntry)> {
        let place = self.waiting.iter().position(|&(other, _)| bank.is_none_or(|bank| bank == other))?;
        self.waiting.remove(place)
    }
}
