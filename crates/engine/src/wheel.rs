//! The event queue: a calendar wheel of short lists.
//!
//! Events come out by time, and those of one time in the order in which they were scheduled. A slot of the
//! wheel covers a few ticks and holds a sorted list; slots in use are marked in two levels of bits, so that the
//! next one is found by counting zeros. What lies beyond the wheel waits in a tree until its turn comes.

use crate::time::Tick;
use std::collections::BTreeMap;

/// Slots of the wheel; a power of two.
const SLOTS: usize = 1 << 10;
const WORDS: usize = SLOTS / 64;
/// Ends a list.
const NONE: u32 = u32::MAX;

#[derive(Clone, Copy, Debug)]
struct Node<E> {
    at: u64,
    next: u32,
    event: E,
}

#[derive(Clone, Copy, Debug)]
struct Slot {
    first: u32,
    last: u32,
}

/// The event queue.
#[derive(Clone, Debug)]
pub struct Wheel<E> {
    slots: Vec<Slot>,
    /// Slots that are not empty.
    used: [u64; WORDS],
    /// Words of `used` that are not zero.
    summary: [u64; WORDS.div_ceil(64)],
    nodes: Vec<Node<E>>,
    free: u32,
    /// Ticks of a slot, as a shift.
    shift: u32,
    /// The slot number (not wrapped) before which nothing is scheduled any more.
    current: u64,
    /// Events beyond the wheel, in order of scheduling.
    far: BTreeMap<u64, Vec<E>>,
    length: usize,
}

impl<E: Copy> Wheel<E> {
    /// A wheel for events that are mostly apart by at least `spacing` ticks.
    pub fn new(spacing: u64) -> Wheel<E> {
        Wheel {
            slots: vec![Slot { first: NONE, last: NONE }; SLOTS],
            used: [0; WORDS],
            summary: [0; WORDS.div_ceil(64)],
            nodes: Vec::new(),
            free: NONE,
            shift: spacing.max(1).ilog2(),
            current: 0,
            far: BTreeMap::new(),
            length: 0,
        }
    }

    /// Schedules an event. A time in the past counts as the earliest that is still possible.
    #[inline(never)]
    pub fn schedule(&mut self, at: Tick, event: E) {
        self.length += 1;
        let number = (at.0 >> self.shift).max(self.current);
        if number - self.current >= SLOTS as u64 {
            self.far.entry(at.0).or_default().push(event);
        } else {
            self.insert(number, at.0, event);
        }
    }

    #[inline(always)]
    fn insert(&mut self, number: u64, at: u64, event: E) {
        let node = self.node(at, event);
        let index = number as usize % SLOTS;
        let slot = &mut self.slots[index];
        if slot.first == NONE {
            *slot = Slot { first: node, last: node };
            self.used[index / 64] |= 1 << (index % 64);
            self.summary[index / 4096] |= 1 << (index / 64 % 64);
        } else if self.nodes[slot.last as usize].at <= at {
            self.nodes[slot.last as usize].next = node;
            slot.last = node;
        } else {
            // Before the first event that is later; events of the same time stay in order.
            let mut before = NONE;
            let mut next = slot.first;
            while self.nodes[next as usize].at <= at {
                before = next;
                next = self.nodes[next as usize].next;
            }
            self.nodes[node as usize].next = next;
            match before {
                NONE => slot.first = node,
                before => self.nodes[before as usize].next = node,
            }
        }
    }

    #[inline(always)]
    fn node(&mut self, at: u64, event: E) -> u32 {
        let node = Node { at, next: NONE, event };
        if self.free == NONE {
            self.nodes.push(node);
            return (self.nodes.len() - 1) as u32;
        }
        let number = self.free;
        self.free = self.nodes[number as usize].next;
        self.nodes[number as usize] = node;
        number
    }

    /// When the next event is due.
    #[inline(always)]
    pub fn next_time(&self) -> Option<Tick> {
        let near = self.first_slot().map(|index| self.nodes[self.slots[index].first as usize].at);
        let far = self.far.keys().next().copied();
        match (near, far) {
            (Some(near), Some(far)) => Some(Tick(near.min(far))),
            (near, far) => near.or(far).map(Tick),
        }
    }

    /// Takes the next event that is due at `limit` or before.
    #[inline(always)]
    pub fn pop_until(&mut self, limit: Tick) -> Option<(Tick, E)> {
        if !self.far.is_empty() {
            self.bring_near();
        }
        let index = self.first_slot()?;
        let slot = &mut self.slots[index];
        let number = slot.first;
        let Node { at, next, event } = self.nodes[number as usize];
        if at > limit.0 {
            return None;
        }
        slot.first = next;
        if next == NONE {
            slot.last = NONE;
            self.used[index / 64] &= !(1 << (index % 64));
            if self.used[index / 64] == 0 {
                self.summary[index / 4096] &= !(1 << (index / 64 % 64));
            }
        }
        self.nodes[number as usize].next = self.free;
        self.free = number;
        self.current = self.current.max(at >> self.shift);
        self.length -= 1;
        Some((Tick(at), event))
    }

    /// Takes the next event.
    pub fn pop(&mut self) -> Option<(Tick, E)> {
        self.pop_until(Tick(u64::MAX))
    }

    /// How many events wait.
    pub fn len(&self) -> usize {
        self.length
    }

    /// Whether nothing waits.
    pub fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// The first slot in use, from the current one on around the wheel.
    #[inline(always)]
    fn first_slot(&self) -> Option<usize> {
        let start = self.current as usize % SLOTS;
        self.used_from(start, SLOTS).or_else(|| self.used_from(0, start))
    }

    #[inline(always)]
    fn used_from(&self, start: usize, end: usize) -> Option<usize> {
        if start >= end {
            return None;
        }
        let first = self.used[start / 64] & (u64::MAX << (start % 64));
        if first != 0 {
            let index = start / 64 * 64 + first.trailing_zeros() as usize;
            return (index < end).then_some(index);
        }
        let mut word = start / 64 + 1;
        while word < WORDS {
            let ahead = self.summary[word / 64] & (u64::MAX << (word % 64));
            if ahead == 0 {
                word = (word / 64 + 1) * 64;
                continue;
            }
            word = word / 64 * 64 + ahead.trailing_zeros() as usize;
            let index = word * 64 + self.used[word].trailing_zeros() as usize;
            return (index < end).then_some(index);
        }
        None
    }

    /// Moves events onto the wheel that have come into its reach, and the wheel to them if it is empty.
    #[cold]
    fn bring_near(&mut self) {
        if self.first_slot().is_none()
            && let Some(&at) = self.far.keys().next()
        {
            self.current = self.current.max(at >> self.shift);
        }
        while let Some(entry) = self.far.first_entry()
            && (*entry.key() >> self.shift) < self.current + SLOTS as u64
        {
            let (at, events) = entry.remove_entry();
            // Those scheduled for the same time after it had come into reach are later.
            let later = self.take_at(at);
            for event in events.into_iter().chain(later) {
                self.insert((at >> self.shift).max(self.current), at, event);
            }
        }
    }

    /// Takes all events of one time off the wheel.
    fn take_at(&mut self, at: u64) -> Vec<E> {
        let index = (at >> self.shift).max(self.current) as usize % SLOTS;
        let mut kept = Vec::new();
        let mut taken = Vec::new();
        let mut next = self.slots[index].first;
        while next != NONE {
            let node = self.nodes[next as usize];
            if node.at == at {
                taken.push(node.event)
            } else {
                kept.push((node.at, node.event))
            }
            self.nodes[next as usize].next = self.free;
            self.free = next;
            next = node.next;
        }
        self.slots[index] = Slot { first: NONE, last: NONE };
        self.used[index / 64] &= !(1 << (index % 64));
        if self.used[index / 64] == 0 {
            self.summary[index / 4096] &= !(1 << (index / 64 % 64));
        }
        let number = (at >> self.shift).max(self.current);
        for (at, event) in kept {
            self.insert(number, at, event);
        }
        taken
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn events_of_one_time_come_in_order_of_scheduling() {
        let mut wheel = Wheel::new(8);
        for (at, event) in [(30, 'c'), (5, 'a'), (30, 'd'), (6, 'b'), (5_000_000, 'f'), (31, 'e')] {
            wheel.schedule(Tick(at), event);
        }
        assert_eq!(wheel.pop_until(Tick(4)), None);
        let mut order = String::new();
        while let Some((_, event)) = wheel.pop() {
            order.push(event);
        }
        assert_eq!(order, "abcdef");
    }

    proptest! {
        /// Against a stable sort, with events scheduled while others are taken.
        #[test]
        fn order_is_that_of_a_stable_sort(
            steps in prop::collection::vec((0u64..200_000, 0usize..3), 1..400), spacing in 1u64..64,
        ) {
            let mut wheel = Wheel::new(spacing);
            let mut model: Vec<(u64, usize)> = Vec::new();
            let mut now = 0;
            for (number, (delay, pops)) in steps.into_iter().enumerate() {
                let at = now + delay;
                wheel.schedule(Tick(at), number);
                model.push((at, number));
                model.sort_by_key(|&(at, _)| at);
                for _ in 0..pops {
                    let expected = if model.is_empty() { None } else { Some(model.remove(0)) };
                    let popped = wheel.pop().map(|(Tick(at), event)| (at, event));
                    prop_assert_eq!(popped, expected);
                    now = expected.map_or(now, |(at, _)| at);
                }
                prop_assert_eq!(wheel.next_time(), model.first().map(|&(at, _)| Tick(at)));
                prop_assert_eq!(wheel.len(), model.len());
            }
        }
    }
}
