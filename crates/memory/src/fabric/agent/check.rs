//! What no agent can be.

use super::spec::AgentSpec;
use crate::fabric::limits::{MOST, wrong};
use crate::fabric::spec::{DIRECT, FabricSpec};
use crate::spec_error::SpecError;

impl FabricSpec {
    /// Whether the agents can be, beside caches that have been checked.
    pub(in crate::fabric) fn check_agents(&self, cores: u32) -> Result<(), SpecError> {
        for (place, agent) in self.agents.iter().enumerate() {
            let same = |other: &&AgentSpec| other.kind == agent.kind;
            if let Some(first) = self.agents[..place].iter().find(same) {
                let problem = format!("\"{}\" is one already, and takes all commands", first.name);
                return wrong(format!("{}.kind", agent.name), problem);
            }
            self.check_agent(agent, cores)?;
        }
        Ok(())
    }

    fn check_agent(&self, agent: &AgentSpec, cores: u32) -> Result<(), SpecError> {
        let name = &agent.name;
        for (key, value) in [("queue", agent.queue), ("outstanding", agent.outstanding)] {
            if !(1..=MOST).contains(&value) {
                return wrong(format!("{name}.{key}"), format!("expected 1 to {MOST}, found {value}"));
            }
        }
        let shared = |level: &&crate::fabric::LevelSpec| !level.is_private() && level.instances(cores) == 1;
        if self.cache(&agent.below).filter(shared).is_none() {
            let levels = self.caches.iter().filter(shared);
            let known: Vec<&str> = levels.map(|level| level.name.as_str()).collect();
            let problem =
                format!("expected a level that all cores share, one of {known:?}, found \"{}\"", agent.below);
            return wrong(format!("{name}.below"), problem);
        }
        self.check_commands(agent)?;
        if !self.networks.iter().any(|network| network.name == agent.link) {
            let known: Vec<&str> = self.networks.iter().map(|network| network.name.as_str()).collect();
            let problem = format!("expected one of networks = {known:?}, found \"{}\"", agent.link);
            return wrong(format!("{name}.link"), problem);
        }
        Ok(())
    }

    /// Whether commands can come as it is said.
    fn check_commands(&self, agent: &AgentSpec) -> Result<(), SpecError> {
        let AgentSpec { name, link, commands, .. } = agent;
        let of_cores = |level: &crate::fabric::LevelSpec| level.is_private() && level.link == *link;
        if commands == DIRECT {
            if agent.command_latency > MOST {
                let problem = format!("expected at most {MOST}, found {}", agent.command_latency);
                return wrong(format!("{name}.command_latency"), problem);
            }
            if agent.command_size.0 != 0 {
                let problem =
                    format!("has no effect: commands = \"{DIRECT}\" sends no packets; leave it out");
                return wrong(format!("{name}.command_size"), problem);
            }
            return Ok(());
        }
        if commands != link || !self.caches.iter().any(of_cores) {
            let network = match self.caches.iter().any(of_cores) {
                true => format!(" or \"{link}\", which cores and the agent are on"),
                false => format!(", as caches of cores are not on \"{link}\""),
            };
            let problem = format!("expected \"{DIRECT}\"{network}, found \"{commands}\"");
            return wrong(format!("{name}.commands"), problem);
        }
        if agent.command_latency != 0 {
            let problem = format!("has no effect: it is that of commands = \"{DIRECT}\"; leave it out");
            return wrong(format!("{name}.command_latency"), problem);
        }
        if agent.command_size.0 > 128 || !agent.command_size.0.is_multiple_of(4) {
            let problem = format!("expected a multiple of 4B up to 128B, found {}", agent.command_size);
            return wrong(format!("{name}.command_size"), problem);
        }
        Ok(())
    }
}
