//! How agents are made of their description.

use super::commands::CommandWay;
use super::copy::CopyAgent;
use super::dispatch::{AgentNode, Agents};
use super::spec::{AgentKind, AgentSpec};
use crate::cache::Slicing;
use crate::fabric::builder::{Builder, LinkAbove};
use crate::fabric::node::Route;
use crate::ids::{CoreId, NodeId};
use crate::message::Direction;
use crate::spec_error::SpecError;

impl Builder<'_> {
    /// Makes the agents.
    pub(in crate::fabric) fn add_agents(&mut self) -> Result<Agents, SpecError> {
        let mut agents = Vec::new();
        for (place, agent) in self.spec.agents.iter().enumerate() {
            let id = self.agent_node(place);
            if let Some(route) = self.route_of_agent(agent, id)? {
                let (clock, way) = (self.clocks.of_agent(agent, self.spec), self.way_of_commands(agent, id));
                agents.push(match agent.kind {
                    AgentKind::Copy => AgentNode::Copy(CopyAgent::new(
                        id,
                        agent.name.clone(),
                        clock,
                        (route, way),
                        agent.outstanding,
                    )),
                });
            }
        }
        let names = self.spec.agents.iter().map(|agent| agent.name.clone()).collect();
        Ok(Agents::new(agents, names, self.agent_node(0)))
    }

    /// The way to the level that an agent asks. A checked description has one.
    fn route_of_agent(&mut self, agent: &AgentSpec, id: NodeId) -> Result<Option<Route>, SpecError> {
        let found = self.level(&agent.below).cloned().zip(self.network(&agent.link));
        let Some((below, network)) = found else { return Ok(None) };
        let outlet = self.outlet_to_network(network, self.endpoint(network, id), Direction::Down);
        let lane = self.join(outlet, id, agent.queue);
        Ok(Some(Route {
            outlet,
            lane,
            link: self.link_above(&below.spec.name, LinkAbove::Network(network)),
            first: below.first,
            slicing: Slicing::new(below.spec.slices, self.spec.block_bytes(&below.spec)?),
            line_mask: below.spec.line.0 - 1,
            words_per_sector: (below.spec.sector.0 / 4) as u32,
        }))
    }

    /// The way of commands to an agent, and of its answers.
    fn way_of_commands(&mut self, agent: &AgentSpec, id: NodeId) -> CommandWay {
        let (network, clock) = (self.network(&agent.commands), self.clocks.of_agent(agent, self.spec));
        let (answers, most_packets) = match network {
            Some(network) => {
                let outlet = self.outlet_to_network(network, self.endpoint(network, id), Direction::Back);
                let longest = self.networks[network.index()].flits.into_iter().max().unwrap_or(1);
                (outlet, u32::from(u16::MAX / longest.max(1)).max(1))
            }
            None => (self.wire(agent.command_latency, self.clocks.core, 0, Direction::Back), 1),
        };
        let from_cores = (0..self.cores as u16).map(CoreId).map(|core| {
            let node = self.node_for_commands(core);
            let outlet = match network {
                Some(network) => self.outlet_of_core(network, core),
                // Nothing but the number of warps limits how many are under way.
                None => self.wire(agent.command_latency, clock, u32::MAX, Direction::Down),
            };
            (node, outlet, self.join(outlet, node, u32::MAX))
        });
        let from_cores = from_cores.collect();
        let lane = self.join(answers, id, u32::MAX);
        CommandWay {
            from_cores,
            answers: (answers, lane),
            words: (agent.command_size.0 / 4) as u8,
            most_packets,
        }
    }
}
