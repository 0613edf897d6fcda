//! What cores ask: data of their caches, and work of agents.

use super::agent::{AgentCommand, AgentKind};
use super::{Fabric, Offer};
use crate::ids::AgentId;
use crate::request::Request;
use heddle_engine::Tick;

impl Fabric {
    /// A core asks for something. `now` is an edge of the core clock up to which [`Fabric::run_until`] has been called.
    ///
    /// A request with [`Access::Prefetch`](crate::request::Access::Prefetch) is accepted and forgotten: no notice
    /// follows, and nothing happens if there is no room for it.
    #[inline]
    pub fn offer(&mut self, now: Tick, request: Request) -> Offer {
        let node = self.serving[request.core.index()][request.path as usize];
        let offer = self.nodes[node.index()].offer(&mut self.ctx, now, &request);
        if !self.ctx.follow_ups.is_empty() {
            self.follow_up(now);
        }
        offer
    }

    /// The agent of a kind, if there is one.
    pub fn agent(&self, kind: AgentKind) -> Option<AgentId> {
        self.agents.of_kind(kind)
    }

    /// A core gives an agent a command. `now` is an edge of the core clock up to which [`Fabric::run_until`] has been
    /// called. [`Notice::Answered`](crate::request::Notice::Answered) will name its token.
    pub fn command(&mut self, now: Tick, agent: AgentId, command: &AgentCommand<'_>) {
        self.ctx.unanswered += 1;
        self.agents.take(&mut self.ctx, now, agent, command);
        if !self.ctx.follow_ups.is_empty() {
            self.follow_up(now);
        }
    }
}
