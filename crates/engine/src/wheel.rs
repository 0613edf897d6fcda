//! The event queue: a calendar wheel of unsorted lists, and the sorted list of what is due next.
//!
//! Events come out by time, and those of one time by their [`Order`], which names the component that handles them and
//! the sender. No part of it records when an event was scheduled: a component that catches up late schedules at other
//! moments than one that keeps up, and must not change anything thereby.
//!
//! A slot of the wheel covers a few ticks; slots in use are marked in two levels of bits, so that the next one is found
//! by counting zeros. When the wheel comes to a slot, its events are sorted into the list of those that are due. What
//! lies beyond the wheel waits in a tree until its turn comes.

use crate::time::Tick;
use std::collections::BTreeMap;

/// Slots of the wheel; a power of two.
const SLOTS: usize = 1 << 10;
const WORDS: usize = SLOTS / 64;
/// Events of a slot that are sorted as they come, one by one; more are sorted together.
const FEW: usize = 24;
/// Ends a list.
const NONE: u32 = u32::MAX;

/// The place of an event among those of its time: by rank of the component that handles it, number of the component,
/// kind of event, sender, and the sender's message number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Order(u64);

impl Order {
    const RANK: u32 = 60;
    const COMPONENT: u32 = 44;
    const KIND: u32 = 40;
    const SENDER: u32 = 24;

    /// Ranks and kinds are below 16. Of the message number the last 24 bits count: a sender has far fewer messages
    /// under way to one component at one time.
    #[inline(always)]
    pub const fn new(rank: u8, component: u16, kind: u8, sender: u16, message: u32) -> Order {
        debug_assert!(rank < 16 && kind < 16);
        Order(
            (rank as u64) << Order::RANK
                | (component as u64) << Order::COMPONENT
                | (kind as u64) << Order::KIND
                | (sender as u64) << Order::SENDER
                | (message as u64 & ((1 << Order::SENDER) - 1)),
        )
    }

    /// Of an event that its component sends to itself, at most one of a kind at a time.
    #[inline(always)]
    pub const fn own(rank: u8, component: u16, kind: u8) -> Order {
        Order::new(rank, component, kind, 0, 0)
    }
}

/// An event and its place.
#[derive(Clone, Copy, Debug)]
struct Entry<E> {
    at: u64,
    order: Order,
    event: E,
}

impl<E> Entry<E> {
    /// Orders events by time, then by their order: one number, so that no branch depends on whether times are equal.
    #[inline(always)]
    fn key(&self) -> u128 {
        u128::from(self.at) << 64 | u128::from(self.order.0)
    }
}

#[derive(Clone, Copy, Debug)]
struct Node<E> {
    entry: Entry<E>,
    next: u32,
}

/// The event queue.
#[derive(Clone, Debug)]
pub struct Wheel<E> {
    /// What is due in slots up to `reached`, the next event last.
    due: Vec<Entry<E>>,
    /// The number (not wrapped) of the slot up to which events are in `due`.
    reached: u64,
    /// The first of each list.
    slots: Vec<u32>,
    /// Slots that are not empty.
    used: [u64; WORDS],
    /// Words of `used` that are not zero.
    summary: [u64; WORDS.div_ceil(64)],
    nodes: Vec<Node<E>>,
    free: u32,
    /// Ticks of a slot, as a shift.
    shift: u32,
    /// Events beyond the wheel, by time.
    far: BTreeMap<u64, Vec<Entry<E>>>,
    length: usize,
    /// The time of the last event taken.
    taken: u64,
}

impl<E: Copy> Wheel<E> {
    /// A wheel for events that are mostly apart by at least `spacing` ticks.
    pub fn new(spacing: u64) -> Wheel<E> {
        Wheel {
            due: Vec::new(),
            reached: 0,
            slots: vec![NONE; SLOTS],
            used: [0; WORDS],
            summary: [0; WORDS.div_ceil(64)],
            nodes: Vec::new(),
            free: NONE,
            shift: spacing.max(1).ilog2(),
            far: BTreeMap::new(),
            length: 0,
            taken: 0,
        }
    }

    /// Schedules an event, for a time that is not before that of the last event taken. An empty wheel begins anew at any
    /// time: what is left to be written after a launch is written to its end before the next one begins.
    #[inline(never)]
    pub fn schedule(&mut self, at: Tick, order: Order, event: E) {
        let entry = Entry { at: at.0, order, event };
        let number = at.0 >> self.shift;
        if self.length == 0 {
            (self.taken, self.reached) = (0, number);
        }
        self.length += 1;
        if number <= self.reached {
            self.sort_in(entry);
        } else if number - self.reached < SLOTS as u64 {
            self.insert(number, entry);
        } else {
            self.far.entry(at.0).or_default().push(entry);
        }
    }

    /// Puts an event among those that are due: few, and mostly it is one of the last.
    #[inline(always)]
    fn sort_in(&mut self, entry: Entry<E>) {
        let key = entry.key();
        let mut place = self.due.len();
        self.due.push(entry);
        while place > 0 && self.due[place - 1].key() < key {
            self.due[place] = self.due[place - 1];
            place -= 1;
        }
        self.due[place] = entry;
    }

    #[inline(always)]
    fn insert(&mut self, number: u64, entry: Entry<E>) {
        let index = number as usize % SLOTS;
        let next = self.slots[index];
        if next == NONE {
            self.used[index / 64] |= 1 << (index % 64);
            self.summary[index / 4096] |= 1 << (index / 64 % 64);
        }
        self.slots[index] = self.node(Node { entry, next });
    }

    #[inline(always)]
    fn node(&mut self, node: Node<E>) -> u32 {
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
    pub fn next_time(&mut self) -> Option<Tick> {
        if self.due.is_empty() {
            self.reach_next_slot();
        }
        self.due.last().map(|entry| Tick(entry.at))
    }

    /// Takes the next event that is due at `limit` or before.
    #[inline(always)]
    pub fn pop_until(&mut self, limit: Tick) -> Option<(Tick, E)> {
        if self.due.is_empty() {
            self.reach_next_slot();
        }
        let &Entry { at, event, .. } = self.due.last()?;
        if at > limit.0 {
            return None;
        }
        self.due.pop();
        self.length -= 1;
        assert!(at >= self.taken, "an event was scheduled for a time that is past");
        self.taken = at;
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

    /// Sorts the events of the next slot in use into the list of those that are due, which is empty.
    #[inline(never)]
    fn reach_next_slot(&mut self) {
        if !self.far.is_empty() {
            self.bring_near();
        }
        let Some(index) = self.first_slot() else { return };
        let mut next = std::mem::replace(&mut self.slots[index], NONE);
        self.used[index / 64] &= !(1 << (index % 64));
        if self.used[index / 64] == 0 {
            self.summary[index / 4096] &= !(1 << (index / 64 % 64));
        }
        while next != NONE {
            let node = self.nodes[next as usize];
            self.nodes[next as usize].next = self.free;
            self.free = next;
            next = node.next;
            match self.due.len() < FEW {
                true => self.sort_in(node.entry),
                false => self.due.push(node.entry),
            }
        }
        self.reached = self.due[0].at >> self.shift;
        if self.due.len() > FEW {
            self.due.sort_unstable_by_key(|entry| std::cmp::Reverse(entry.key()));
        }
    }

    /// The first slot in use after the one that was reached, around the wheel.
    #[inline(always)]
    fn first_slot(&self) -> Option<usize> {
        let start = (self.reached + 1) as usize % SLOTS;
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
            self.reached = self.reached.max((at >> self.shift).saturating_sub(1));
        }
        while let Some(first) = self.far.first_entry()
            && (*first.key() >> self.shift) - self.reached < SLOTS as u64
        {
            let (at, entries) = first.remove_entry();
            for entry in entries {
                self.insert(at >> self.shift, entry);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn events_of_one_time_come_by_rank_component_kind_sender_and_message() {
        let orders = [
            Order::new(0, 9, 9, 9, 9),
            Order::new(1, 0, 9, 9, 9),
            Order::new(1, 1, 0, 9, 9),
            Order::new(1, 1, 1, 0, 9),
            Order::new(1, 1, 1, 1, 0),
            Order::new(1, 1, 1, 1, 1),
            Order::new(15, u16::MAX, 15, u16::MAX, 0),
        ];
        for at in [3, 30, 5_000_000] {
            let mut wheel = Wheel::new(8);
            for place in [4, 0, 6, 2, 5, 1, 3] {
                wheel.schedule(Tick(at), orders[place], place);
            }
            wheel.schedule(Tick(at - 1), orders[6], 100);
            let order: Vec<usize> = std::iter::from_fn(|| wheel.pop()).map(|(_, event)| event).collect();
            assert_eq!(order, [100, 0, 1, 2, 3, 4, 5, 6]);
        }
    }

    proptest! {
        /// Against a sort, with events scheduled while others are taken.
        #[test]
        fn order_is_that_of_a_sort_whenever_events_were_scheduled(
            steps in prop::collection::vec((0u64..200_000, 0u8..4, 0usize..3), 1..400), spacing in 1u64..64,
        ) {
            let mut wheel = Wheel::new(spacing);
            let mut model: Vec<(u64, Order, usize)> = Vec::new();
            let mut now = 0;
            for (number, (delay, rank, pops)) in steps.into_iter().enumerate() {
                // Times that coincide are what this is about.
                let at = now + delay / 1000 * 1000 * u64::from(number % 3 > 0);
                let order = Order::new(rank, 0, 0, 0, number as u32);
                wheel.schedule(Tick(at), order, number);
                model.push((at, order, number));
                model.sort_by_key(|&(at, order, _)| (at, order));
                for _ in 0..pops {
                    let expected = if model.is_empty() { None } else { Some(model.remove(0)) };
                    let popped = wheel.pop().map(|(Tick(at), event)| (at, event));
                    prop_assert_eq!(popped, expected.map(|(at, _, event)| (at, event)));
                    now = expected.map_or(now, |(at, _, _)| at);
                }
                prop_assert_eq!(wheel.next_time(), model.first().map(|&(at, _, _)| Tick(at)));
                prop_assert_eq!(wheel.len(), model.len());
            }
        }
    }
}
