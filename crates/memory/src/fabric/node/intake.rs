//! Messages from caches above: input queue and pipeline of a shared cache.
//!
//! A node holds at most `latency + input_queue` requests before its tags: one in each stage of the pipeline, and the
//! queue behind it. What arrives beyond that stays where it arrived and keeps its credit.

use super::{CacheNode, TagStage};
use crate::event::Event;
use crate::fabric::context::Context;
use crate::message::Stage;
use crate::order;
use heddle_engine::Tick;

impl CacheNode {
    /// A message has arrived.
    #[inline]
    pub(in crate::fabric) fn arrive(&mut self, ctx: &mut Context, now: Tick, number: u32) {
        self.cache.fetch_ahead(ctx.messages[number].line);
        if self.input.len() >= self.shape.input {
            ctx.messages[number].stage = Stage::Ejected;
            self.ejected.push(number, &mut ctx.messages);
            return;
        }
        self.take_in(ctx, now, number);
        if self.tags == TagStage::Idle {
            self.schedule_tags(ctx, Tick(now.0 + self.shape.latency));
        }
    }

    /// Takes a message into the pipeline at an edge of the clock, which gives its link the credit back.
    #[inline(always)]
    pub(super) fn take_in(&mut self, ctx: &mut Context, now: Tick, number: u32) {
        let message = &mut ctx.messages[number];
        message.since = now.0 + self.shape.latency;
        message.stage = Stage::Input;
        self.input.push(number, &mut ctx.messages);
        ctx.take(now, self.id, number);
    }

    #[inline(always)]
    pub(super) fn schedule_tags(&mut self, ctx: &mut Context, at: Tick) {
        self.tags = TagStage::Scheduled;
        ctx.wheel.schedule(at, order::tags(self.id), Event::Tags(self.id));
    }
}
