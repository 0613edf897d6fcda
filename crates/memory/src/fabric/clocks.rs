//! Clock domains: frequencies by name, and whose each is.
//!
//! Cores and their own caches run at `core`. A shared level or a network runs at the clock that its key `clock` names, or
//! else at the one of its own name, or else at the one that all without have in common: `l2` for levels, `interconnect`
//! for networks.
//! An agent runs at the clock of the level that it asks.

use super::agent::AgentSpec;
use super::spec::{FabricSpec, LevelSpec, NetworkSpec};
use crate::spec_error::SpecError;
use heddle_engine::units::Frequency;
use heddle_engine::{Clock, TimeBase, TimeError};
use serde::de::Error;
use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::collections::BTreeMap;

/// The clock of cores, or whoever else asks, and of their own caches.
const CORES: &str = "core";
/// The clock of shared levels that have none of their own.
const SHARED_CACHES: &str = "l2";
/// The clock of networks that have none of their own.
const NETWORKS: &str = "interconnect";

/// The frequencies of the clock domains, as machine files have them; that of DRAM stands with its part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clocks {
    /// Cores, or whoever else asks, with their private caches.
    pub core: Frequency,
    /// Of networks and shared caches, by name.
    pub others: BTreeMap<String, Frequency>,
}

impl Serialize for Clocks {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(1 + self.others.len()))?;
        self.all().try_for_each(|(name, frequency)| map.serialize_entry(name, &frequency))?;
        map.end()
    }
}

impl<'de> Deserialize<'de> for Clocks {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Clocks, D::Error> {
        let mut others = BTreeMap::deserialize(deserializer)?;
        let core = others.remove(CORES).ok_or_else(|| D::Error::missing_field(CORES))?;
        Ok(Clocks { core, others })
    }
}

impl Clocks {
    /// All of them by name, that of the cores first.
    pub fn all(&self) -> impl Iterator<Item = (&str, Frequency)> {
        let others = self.others.iter().map(|(name, frequency)| (name.as_str(), *frequency));
        std::iter::once((CORES, self.core)).chain(others)
    }

    /// The domains, in ticks that all of them and DRAM's clock have in common.
    pub fn domains(&self, dram: Frequency) -> Result<ClockDomains, TimeError> {
        let frequencies: Vec<Frequency> = self.all().map(|(_, frequency)| frequency).chain([dram]).collect();
        let base = TimeBase::common(&frequencies)?;
        let others = self.others.iter().map(|(name, frequency)| (name.clone(), base.clock(*frequency)));
        let (core, others) = (base.clock(self.core), others.collect());
        Ok(ClockDomains { core, dram: base.clock(dram), others })
    }

    /// The frequency of a network of a checked description.
    pub fn of_network(&self, network: &NetworkSpec) -> Frequency {
        self.named(network_clock(network, |name| self.others.contains_key(name)))
    }

    /// The frequency of a level of a checked description.
    pub fn of_level(&self, level: &LevelSpec) -> Frequency {
        self.named(level_clock(level, |name| self.others.contains_key(name)))
    }

    fn named(&self, name: &str) -> Frequency {
        self.others.get(name).copied().unwrap_or(self.core)
    }

    /// Those that nothing of a memory system runs at.
    pub fn unused(&self, memory: &FabricSpec) -> Vec<&str> {
        let used = users(memory, |name| self.others.contains_key(name));
        let is_used = |name: &&str| used.iter().any(|user| user.clock == *name);
        self.others.keys().map(String::as_str).filter(|name| !is_used(name)).collect()
    }

    /// Whether every level and network has a clock.
    pub fn check(&self, memory: &FabricSpec) -> Result<(), SpecError> {
        check_users(memory, &self.all().map(|(name, _)| name).collect::<Vec<_>>())
    }
}

/// The name of a level's clock, where clocks of some names are there.
fn level_clock(level: &LevelSpec, has: impl Fn(&str) -> bool) -> &str {
    match &level.clock {
        _ if level.is_private() => CORES,
        Some(clock) => clock,
        None if has(&level.name) => &level.name,
        None => SHARED_CACHES,
    }
}

/// The same of a network.
fn network_clock(network: &NetworkSpec, has: impl Fn(&str) -> bool) -> &str {
    match &network.crossbar.clock {
        Some(clock) => clock,
        None if has(&network.name) => &network.name,
        None => NETWORKS,
    }
}

/// What runs at a clock.
struct User<'a> {
    what: &'static str,
    name: &'a str,
    /// The clock, and whether the user names it by its key.
    clock: &'a str,
    stated: bool,
}

/// What runs at the clocks, where clocks of some names are there.
fn users(memory: &FabricSpec, has: impl Fn(&str) -> bool) -> Vec<User<'_>> {
    let levels = memory.caches.iter().map(|level| User {
        what: "level",
        name: &level.name,
        clock: level_clock(level, &has),
        stated: level.clock.is_some(),
    });
    let networks = memory.networks.iter().map(|network| User {
        what: "network",
        name: &network.name,
        clock: network_clock(network, &has),
        stated: network.crossbar.clock.is_some(),
    });
    levels.chain(networks).collect()
}

/// Whether every level and network has one of these clocks.
fn check_users(memory: &FabricSpec, known: &[&str]) -> Result<(), SpecError> {
    let users = users(memory, |name| known.contains(&name));
    let Some(User { what, name, clock, stated }) =
        users.into_iter().find(|user| !known.contains(&user.clock))
    else {
        return Ok(());
    };
    let known = known.join(", ");
    if stated {
        let problem = format!("expected the name of one of [clocks], {known}; there is no clocks.{clock}");
        return Err(SpecError::new(name, "clock", problem));
    }
    let problem = format!(
        "is missing: the {what} \"{name}\" needs it; state it, or name another with {name}.clock, one of {known}"
    );
    Err(SpecError::new("clocks", name, problem))
}

/// The clock domains.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClockDomains {
    /// Cores and their caches.
    pub core: Clock,
    /// DRAM command clock.
    pub dram: Clock,
    /// Of networks and shared caches, by name.
    pub others: BTreeMap<String, Clock>,
}

impl ClockDomains {
    /// Every clock.
    pub(super) fn all(&self) -> impl Iterator<Item = Clock> {
        [self.core, self.dram].into_iter().chain(self.others.values().copied())
    }

    /// Whether every level and network has a clock.
    pub(super) fn check(&self, memory: &FabricSpec) -> Result<(), SpecError> {
        let others = self.others.keys().map(String::as_str);
        check_users(memory, &std::iter::once(CORES).chain(others).collect::<Vec<_>>())
    }

    fn named(&self, name: &str) -> Clock {
        self.others.get(name).copied().unwrap_or(self.core)
    }

    /// The clock of a level.
    pub(super) fn of_level(&self, level: &LevelSpec) -> Clock {
        self.named(level_clock(level, |name| self.others.contains_key(name)))
    }

    /// The clock of a network.
    pub(super) fn of_network(&self, network: &NetworkSpec) -> Clock {
        self.named(network_clock(network, |name| self.others.contains_key(name)))
    }

    /// The clock of an agent: that of the level that it asks.
    pub(super) fn of_agent(&self, agent: &AgentSpec, memory: &FabricSpec) -> Clock {
        memory.cache(&agent.below).map_or(self.core, |below| self.of_level(below))
    }
}
