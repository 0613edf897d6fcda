//! Requests of a core to a cache of its own.
//!
//! A miss, or a write that goes below, first waits in its cache's miss queue; a full one refuses whatever is not certain
//! to be a hit. Victims of a fill go to the same queue and may exceed its length, as the fill cannot wait.

use super::refused::Chance;
use super::{Below, CacheNode};
use crate::cache::{Outcome, Prefetch};
use crate::fabric::context::Context;
use crate::fabric::{Obstacle, Offer};
use crate::message::{Kind, NONE};
use crate::request::{Access, LineAddress, Request};
use heddle_engine::Tick;

impl CacheNode {
    /// A core asks for something. See [`Fabric::offer`](crate::fabric::Fabric::offer).
    #[inline(always)]
    pub(in crate::fabric) fn offer(&mut self, ctx: &mut Context, now: Tick, request: &Request) -> Offer {
        let touched = request.sectors(self.shape.words_per_sector);
        if request.access == Access::Prefetch {
            let wish = Prefetch {
                line: request.line,
                sectors: touched,
                pc: request.pc,
                core: request.core,
                region: request.region,
                policy_bits: request.policy_bits,
            };
            self.prefetch(ctx, now, &wish, request);
            self.pump_below(ctx, now);
            return Offer::Accepted;
        }
        // What certainly hits needs no room.
        if self.below_is_full(ctx, now)
            && (request.access != Access::Read
                || request.passes
                || !touched.without(self.cache.probe(request.line)).is_empty())
        {
            return self.refuse(ctx, request, Obstacle::MissQueue);
        }
        let outcome = match request.passes {
            true => self.cache.pass(request.access),
            false => self.cache.access(request, &mut ctx.effects),
        };
        let offer = match outcome {
            Outcome::Hit => Offer::Hit { latency: self.shape.hit },
            Outcome::Blocked(blocked) => return self.refuse(ctx, request, blocked.into()),
            Outcome::Merged => Offer::Accepted,
            Outcome::Miss(fetch) => {
                self.fetch_below(ctx, now, &fetch, request, Kind::Fetch);
                Offer::Accepted
            }
            Outcome::Below => {
                // To caches below it is a read like any other of this core's.
                let request = Request { passes: false, ..*request };
                self.send(ctx, now, request, request.words, Kind::Forward, NONE);
                Offer::Accepted
            }
        };
        ctx.unanswered += u64::from(offer == Offer::Accepted);
        if !ctx.effects.is_empty() {
            self.carry_out(ctx, now, request);
        }
        self.pump_below(ctx, now);
        offer
    }

    #[cold]
    fn refuse(&mut self, ctx: &mut Context, request: &Request, why: Obstacle) -> Offer {
        self.refusals.add(request, why);
        if let Below::Caches(route) = self.below {
            ctx.outlets[route.outlet.index()].await_room(route.lane);
        }
        match why {
            Obstacle::Mshrs => ctx.queueing.refused_mshrs += 1,
            Obstacle::Merges => ctx.queueing.refused_merges += 1,
            Obstacle::Ways => ctx.queueing.refused_ways += 1,
            Obstacle::MissQueue => ctx.queueing.refused_miss_queue += 1,
        }
        Offer::Refused(why)
    }

    /// The miss queue has room again.
    pub(super) fn wake_for_room(&mut self, ctx: &mut Context) {
        self.refusals.wake(&self.cache, Chance::Room, &mut ctx.notices);
        if let (true, Below::Caches(route)) = (self.refusals.any(), self.below) {
            ctx.outlets[route.outlet.index()].await_room(route.lane);
        }
    }

    /// A line was filled.
    #[inline(always)]
    pub(super) fn wake_for_fill(&mut self, ctx: &mut Context, line: LineAddress) {
        self.refusals.wake(&self.cache, Chance::Fill(line), &mut ctx.notices);
    }
}
