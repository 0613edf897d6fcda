//! Events in the order of their times.

use super::Fabric;
use super::context::FollowUp;
use crate::crossbar::CrossbarEvent;
use crate::event::Event;
use crate::message::{Message, Stage};
use crate::request::Notice;
use heddle_engine::Tick;

impl Fabric {
    /// When something will happen next, if nothing is offered before.
    #[inline(always)]
    pub fn next_time(&mut self) -> Option<Tick> {
        self.ctx.wheel.next_time()
    }

    /// Handles everything that happens at `limit` or before; what cores are told is added to `notices`, in order.
    pub fn run_until(&mut self, limit: Tick, notices: &mut Vec<Notice>) {
        self.exchange(notices);
        while let Some((now, event)) = self.ctx.wheel.pop_until(limit) {
            self.handle(now, event);
        }
        std::mem::swap(&mut self.ctx.notices, notices);
    }

    /// Handles what happens at `limit` or before, until some core is told something, and all that happens at the
    /// same time. Returns that time, or nothing if no core was told anything.
    pub fn advance(&mut self, limit: Tick, notices: &mut Vec<Notice>) -> Option<Tick> {
        self.exchange(notices);
        let mut told = if self.ctx.notices.is_empty() { None } else { Some(self.ctx.now) };
        while let Some((now, event)) = self.ctx.wheel.pop_until(told.unwrap_or(limit)) {
            self.handle(now, event);
            if told.is_none() && !self.ctx.notices.is_empty() {
                told = Some(now);
            }
        }
        std::mem::swap(&mut self.ctx.notices, notices);
        told
    }

    /// Handles what happens until some core is told something: see [`Fabric::advance`].
    pub fn run_to_notice(&mut self, notices: &mut Vec<Notice>) -> Option<Tick> {
        self.advance(Tick(u64::MAX), notices)
    }

    /// Makes the caller's list the one that is added to, with what has been told meanwhile.
    #[inline(always)]
    fn exchange(&mut self, notices: &mut Vec<Notice>) {
        if !self.ctx.notices.is_empty() {
            notices.append(&mut self.ctx.notices);
        }
        std::mem::swap(&mut self.ctx.notices, notices);
    }

    #[inline(always)]
    fn handle(&mut self, now: Tick, event: Event) {
        let Fabric { ctx, nodes, agents, .. } = self;
        ctx.now = now;
        match event {
            Event::Network(CrossbarEvent::Arrival(network, port, number)) => {
                let Message { stage, to, .. } = ctx.messages[number];
                if stage == Stage::OnTheWayDown {
                    match nodes.get_mut(to.index()) {
                        Some(cache) => cache.arrive(ctx, now, number),
                        None => agents.arrive(ctx, now, number),
                    }
                } else {
                    // A sender takes what comes back at once.
                    let departed = ctx.networks[network.index()].crossbar.take(now, port, &mut ctx.wheel);
                    let from = ctx.messages[number].from;
                    match nodes.get_mut(from.index()) {
                        Some(cache) => cache.reply(ctx, now, number),
                        None => agents.reply(ctx, now, number),
                    }
                    ctx.departed(now, network, departed);
                }
            }
            Event::Network(event @ (CrossbarEvent::Head(network, _) | CrossbarEvent::Output(network, _))) => {
                let departed = ctx.networks[network.index()].crossbar.handle(now, event, &mut ctx.wheel);
                ctx.departed(now, network, departed);
            }
            Event::Delivery(number) => {
                let message = &ctx.messages[number];
                let down = message.stage == Stage::OnTheWayDown;
                let receiver = if down { message.to } else { message.from };
                match (nodes.get_mut(receiver.index()), down) {
                    (Some(cache), true) => cache.arrive(ctx, now, number),
                    (Some(cache), false) => cache.reply(ctx, now, number),
                    (None, true) => agents.arrive(ctx, now, number),
                    (None, false) => agents.reply(ctx, now, number),
                }
            }
            Event::Agent(node) => agents.run(ctx, now, node),
            Event::Tags(node) => nodes[node.index()].run_tags(ctx, now),
            Event::AtomicDone(number) => {
                let node = ctx.messages[number].to;
                nodes[node.index()].answer(ctx, now, number);
            }
            Event::Channel(channel) => {
                ctx.memory.run_channel(now, channel, &mut ctx.wheel);
                for (node, line) in ctx.memory.expected() {
                    nodes[node.index()].cache.fetch_ahead(line);
                }
            }
            Event::Filled(job) => {
                let fetched = ctx.memory.take_fetched(now, job);
                nodes[fetched.node.index()].fetched(ctx, now, &fetched);
            }
        }
        if !self.ctx.follow_ups.is_empty() {
            self.follow_up(now);
        }
    }

    /// Lets nodes do what others have left to them.
    #[cold]
    pub(super) fn follow_up(&mut self, now: Tick) {
        let mut next = 0;
        while let Some(&follow_up) = self.ctx.follow_ups.get(next) {
            next += 1;
            match follow_up {
                FollowUp::Room(node, class) => match self.nodes.get_mut(node.index()) {
                    Some(cache) => cache.room(&mut self.ctx, now, class),
                    None => self.agents.room(&mut self.ctx, now, node),
                },
                FollowUp::Prefetch(node, wish, cause) => {
                    let node = &mut self.nodes[node.index()];
                    node.prefetch(&mut self.ctx, now, &wish, &cause);
                    node.pump_below(&mut self.ctx, now);
                }
            }
        }
        self.ctx.follow_ups.clear();
    }
}
