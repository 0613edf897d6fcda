//! How a memory system is made of a description.

use super::Fabric;
use super::build_nodes::tables_of;
use super::builder::Builder;
use super::clocks::ClockDomains;
use super::context::Context;
use super::counters::Latency;
use super::foresight::Seeing;
use super::spec::{FabricSpec, SliceMap};
use super::statistics::Names;
use crate::cache::Effects;
use crate::controller::Controllers;
use crate::dram::AddressMap;
use crate::ids::{CoreId, LaunchId, LevelId};
use crate::spec_error::SpecError;
use heddle_engine::{Clock, Slab, Tick, Wheel};

impl Fabric {
    /// A memory system for so many cores, with everything empty.
    pub fn new(spec: &FabricSpec, clocks: &ClockDomains, cores: u32) -> Result<Fabric, SpecError> {
        spec.check(cores)?;
        clocks.check(spec)?;
        let spec = &spec.numbered();
        let map =
            AddressMap::new(&spec.dram).map_err(|error| SpecError::new("dram", &error.key, error.problem))?;
        let mut builder = Builder::new(spec, clocks, cores);
        builder.connect_networks();
        let mut nodes = Vec::new();
        for level in 0..builder.levels.len() as u8 {
            builder.add_nodes(LevelId(level), &mut nodes)?;
        }
        let agents = builder.add_agents()?;
        let serving = (0..cores as u16).map(|core| builder.serving(CoreId(core))).collect();
        // Channels lag behind where every cache above memory has one.
        let one_channel =
            spec.caches.iter().filter(|level| level.is_last()).all(|level| level.map == SliceMap::ByChannel);
        let memory = Controllers::new(&spec.dram, map, clocks.dram, &builder.queues_to_memory, one_channel);
        let Builder { levels, outlets, networks, .. } = builder;
        let shortest = clocks.all().map(Clock::period).min().unwrap_or(1);
        Ok(Fabric {
            ctx: Context {
                now: Tick(0),
                core_clock: clocks.core,
                last_level_clock: clocks.of_level(spec.last_level()),
                wheel: Wheel::new(shortest),
                notices: Vec::new(),
                effects: Effects::with_tables(tables_of(&levels, &spec.policies, cores)),
                messages: Slab::default(),
                highest: 0,
                networks,
                outlets,
                memory,
                follow_ups: Vec::new(),
                unanswered: 0,
                unawaited: 0,
                launch: LaunchId::default(),
                fetch_flits: 0,
                queueing: Default::default(),
                latency: Latency::new(spec),
                modes: Default::default(),
            },
            nodes,
            agents,
            serving,
            levels,
            names: Names::new(spec),
            policies: spec.policies.clone(),
            seeing: Seeing::default(),
        })
    }
}
