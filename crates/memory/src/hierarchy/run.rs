//! Events in the order of their times.

use super::Hierarchy;
use super::core_side::REPLIES;
use super::events::Event;
use crate::crossbar::{CrossbarEvent, Port};
use crate::request::Notice;
use heddle_engine::Tick;

impl Hierarchy {
    /// When something will happen next, if nothing is offered before.
    #[inline(always)]
    pub fn next_time(&mut self) -> Option<Tick> {
        self.wheel.next_time()
    }

    /// Handles everything that happens at `limit` or before; what cores are told is added to `notices`, in order.
    pub fn run_until(&mut self, limit: Tick, notices: &mut Vec<Notice>) {
        self.exchange(notices);
        while let Some((now, event)) = self.wheel.pop_until(limit) {
            self.handle(now, event);
        }
        std::mem::swap(&mut self.notices, notices);
    }

    /// Handles what happens at `limit` or before, until some core is told something, and all that happens at the
    /// same time. Returns that time, or nothing if no core was told anything.
    pub fn advance(&mut self, limit: Tick, notices: &mut Vec<Notice>) -> Option<Tick> {
        self.exchange(notices);
        let mut told = if self.notices.is_empty() { None } else { Some(self.now) };
        while let Some((now, event)) = self.wheel.pop_until(told.unwrap_or(limit)) {
            self.handle(now, event);
            if told.is_none() && !self.notices.is_empty() {
                told = Some(now);
            }
        }
        std::mem::swap(&mut self.notices, notices);
        told
    }

    /// Handles what happens until some core is told something: see [`Hierarchy::advance`].
    pub fn run_to_notice(&mut self, notices: &mut Vec<Notice>) -> Option<Tick> {
        self.advance(Tick(u64::MAX), notices)
    }

    /// Makes the caller's list the one that is added to, with what has been told meanwhile.
    #[inline(always)]
    fn exchange(&mut self, notices: &mut Vec<Notice>) {
        if !self.notices.is_empty() {
            notices.append(&mut self.notices);
        }
        std::mem::swap(&mut self.notices, notices);
    }

    #[inline(always)]
    fn handle(&mut self, now: Tick, event: Event) {
        self.now = now;
        match event {
            Event::Head(port) => {
                let departed = self.crossbar.handle(now, CrossbarEvent::Head(port), &mut self.wheel);
                self.departed(now, departed);
            }
            Event::Output(port) => {
                let departed = self.crossbar.handle(now, CrossbarEvent::Output(port), &mut self.wheel);
                self.departed(now, departed);
            }
            Event::Arrival(port, number) => {
                let (class, _) = self.crossbar.place(port);
                if class != REPLIES {
                    return self.arrive(now, number);
                }
                // A core takes what arrives at once.
                let departed = self.crossbar.take(now, port, &mut self.wheel);
                self.reply(now, number);
                self.departed(now, departed);
            }
            Event::Tags(slice) => self.run_tags(now, slice),
            Event::AtomicDone(number) => self.answer(now, number),
            Event::Channel(channel) => self.run_channel(now, channel),
            Event::Filled(job) => self.fill_slice(now, job),
        }
    }

    /// A packet has left an input of the crossbar: there is room for the next.
    #[inline(always)]
    pub(super) fn departed(&mut self, now: Tick, port: Option<Port>) {
        let Some(port) = port else { return };
        let (class, endpoint) = self.crossbar.place(port);
        if class == REPLIES {
            self.pump_slice(now, endpoint - self.first_slice);
        } else {
            self.pump_core(now, endpoint);
        }
    }
}
