//! How agents are made of their description.

use super::AgentNode;
use super::copy::CopyAgent;
use super::spec::{AgentKind, AgentSpec};
use crate::cache::Slicing;
use crate::fabric::builder::Builder;
use crate::fabric::node::Route;
use crate::ids::NodeId;
use crate::message::class;
use crate::spec_error::SpecError;

impl Builder<'_> {
    /// Makes the agents.
    pub(in crate::fabric) fn add_agents(&mut self) -> Result<Vec<AgentNode>, SpecError> {
        let mut agents = Vec::new();
        for (place, agent) in self.spec.agents.iter().enumerate() {
            let id = self.agent_node(place);
            if let Some(route) = self.route_of_agent(agent, id)? {
                let clock = self.clocks.l2;
                agents.push(match agent.kind {
                    AgentKind::Copy => AgentNode::Copy(CopyAgent::new(
                        id,
                        agent.name.clone(),
                        clock,
                        route,
                        agent.outstanding,
                    )),
                });
            }
        }
        Ok(agents)
    }

    /// The way to the level that an agent asks. A checked description has one.
    fn route_of_agent(&mut self, agent: &AgentSpec, id: NodeId) -> Result<Option<Route>, SpecError> {
        let found = self.level(&agent.below).cloned().zip(self.network(&agent.link));
        let Some((below, network)) = found else { return Ok(None) };
        let outlet = self.outlet_to_network(network, self.endpoint(network, id), class::REQUESTS);
        let lane = self.join(outlet, id, agent.queue);
        Ok(Some(Route {
            outlet,
            lane,
            first: below.first,
            slicing: Slicing::new(below.spec.slices, self.spec.block_bytes(&below.spec)?),
            line_mask: below.spec.line.0 - 1,
            words_per_sector: (below.spec.sector.0 / 4) as u32,
        }))
    }
}
