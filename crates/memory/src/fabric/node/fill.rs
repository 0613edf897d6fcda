//! Replies from below: fills, and answers that are passed on.

use super::{Above, CacheNode};
use crate::controller::CompletedFetch;
use crate::fabric::context::Context;
use crate::message::{Kind, Message};
use crate::request::{Answerer, LineAddress, Notice, Request, Sectors};
use heddle_engine::Tick;

impl CacheNode {
    /// A reply to a message of this node has come back.
    #[inline]
    pub(in crate::fabric) fn reply(&mut self, ctx: &mut Context, now: Tick, number: u32) {
        let Message { request, born, kind, answerer, sectors, parent, launch, .. } = ctx.messages[number];
        assert!(launch == ctx.launch || !kind.is_awaited(), "a request has outlived its launch");
        ctx.forget(number);
        let to_core = matches!(self.above, Above::Core(_));
        if to_core {
            ctx.latency.add(&request, answerer, now.0.saturating_sub(born));
        }
        if kind != Kind::Forward {
            return self.fill(ctx, now, request.line, sectors, answerer, &request);
        }
        if to_core {
            ctx.unanswered -= 1;
            ctx.notices.push(Notice::Replied(request.token, answerer));
        } else {
            ctx.messages[parent].answerer = answerer;
            self.answer(ctx, now, parent);
        }
    }

    /// All data of a fetch has come from memory.
    #[inline]
    pub(in crate::fabric) fn fetched(&mut self, ctx: &mut Context, now: Tick, fetched: &CompletedFetch) {
        self.fill(ctx, now, fetched.line, fetched.sectors, Answerer::MEMORY, &Request::nobodys(fetched.line));
    }

    #[inline(always)]
    fn fill(
        &mut self,
        ctx: &mut Context,
        now: Tick,
        line: LineAddress,
        sectors: Sectors,
        answerer: Answerer,
        cause: &Request,
    ) {
        self.cache.fill(line, sectors, answerer, cause.policy_bits, &mut ctx.effects);
        if let Above::Core(_) = self.above {
            ctx.unanswered -= ctx.effects.released.len() as u64;
            for &token in &ctx.effects.released {
                ctx.notices.push(Notice::Replied(token, answerer));
            }
            ctx.effects.released.clear();
            self.wake_for_fill(ctx, line);
            if !ctx.effects.is_empty() {
                self.carry_out(ctx, now, cause);
                self.pump_below(ctx, now);
            }
            return;
        }
        let mut released = std::mem::take(&mut ctx.effects.released);
        let policy_bits = self.cache.reply_bits();
        for token in &released {
            ctx.messages[token.0].request.policy_bits = policy_bits;
            self.serve(ctx, now, token.0, answerer);
        }
        released.clear();
        ctx.effects.released = released;
        if !ctx.effects.is_empty() {
            self.carry_out(ctx, now, cause);
            self.pump_below(ctx, now);
        }
        self.wake_after_fill(ctx, now, line);
    }
}
