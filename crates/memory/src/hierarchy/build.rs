//! How a hierarchy is put together.

use super::bursts::Bursts;
use super::channel_side::ChannelSide;
use super::core_side::{CACHES, CoreSide, Shape};
use super::l2_shape::L2Shape;
use super::slice::Slice;
use super::{Clocks, Hierarchy, HierarchySpec, SliceMap};
use crate::cache::{Cache, CacheSpec, Effects, InclusionKind, PolicySpec, Slicing};
use crate::crossbar::Crossbar;
use crate::dram::{AddressMap, Channel};
use crate::spec_error::SpecError;
use heddle_engine::{Slab, Tick, Wheel};

/// A cache of a core.
pub(super) fn core_cache(
    spec: &CacheSpec,
    policies: &PolicySpec,
    core: usize,
    which: usize,
    exclusive: bool,
) -> Cache {
    // Policies that draw lots draw different ones in every cache.
    let seed = 1 + core as u32 * CACHES as u32 + which as u32;
    let cache = Cache::new(spec, policies, seed);
    if exclusive { cache.giving_victims() } else { cache }
}

/// The cache of a slice.
pub(super) fn slice_cache(
    spec: &CacheSpec,
    policies: &PolicySpec,
    cores: usize,
    slice: usize,
    slicing: Slicing,
) -> Cache {
    let seed = 1 + (cores * CACHES + slice) as u32;
    Cache::new(spec, policies, seed).performing_atomics().sliced(slicing, slice as u16)
}

impl Hierarchy {
    /// A memory system for so many cores, with everything empty.
    pub fn new(spec: &HierarchySpec, clocks: Clocks, cores: u32) -> Result<Hierarchy, SpecError> {
        spec.check(cores)?;
        let slicing = Slicing::new(spec.l2.slices, spec.slice_granularity()?);
        let map =
            AddressMap::new(&spec.dram).map_err(|error| SpecError::new("dram", &error.key, error.problem))?;
        let exclusive = spec.l2.inclusion == InclusionKind::Exclusive;
        let caches = [&spec.l1, &spec.constant, &spec.texture, &spec.instruction];
        let core_side = |core: usize| {
            let cache = |which: usize| core_cache(caches[which], &spec.policies, core, which, exclusive);
            CoreSide::new(std::array::from_fn(cache))
        };
        let slice_spec = spec.l2.slice();
        let slice = |number: usize| {
            let cache = slice_cache(&slice_spec, &spec.policies, cores as usize, number, slicing);
            Slice::new(cache, &slice_spec, (number % spec.dram.channels as usize) as u16)
        };
        let mut endpoints = vec![clocks.core; cores as usize];
        endpoints.resize((cores + spec.l2.slices) as usize, clocks.l2);
        // By class: `REQUESTS`, `REPLIES`.
        let planes = [spec.interconnect.requests(), spec.interconnect.replies()];
        let shortest = [clocks.core, clocks.interconnect, clocks.l2, clocks.dram].map(|clock| clock.period());
        Ok(Hierarchy {
            clocks,
            policies: spec.policies.clone(),
            caches: caches.map(Clone::clone),
            exclusive,
            wheel: Wheel::new(shortest.into_iter().min().unwrap_or(1)),
            now: Tick(0),
            notices: Vec::new(),
            effects: Effects::default(),
            crossbar: Crossbar::new(&spec.interconnect, clocks.interconnect, endpoints, &planes),
            transactions: Slab::default(),
            highest: 0,
            cores: (0..cores as usize).map(core_side).collect(),
            shapes: caches.map(Shape::new),
            slices: (0..spec.l2.slices as usize).map(slice).collect(),
            slice_spec: spec.l2.slice(),
            l2_shape: L2Shape::new(&spec.l2, clocks.l2),
            l2_line_mask: spec.l2.line.0 - 1,
            addresses: slicing,
            first_slice: cores as u16,
            flits: std::array::from_fn(|words| spec.interconnect.flits(words as u64 * 4) as u16),
            sector_flits: std::array::from_fn(|n| {
                spec.interconnect.flits(n as u64 * spec.l2.sector.0) as u16
            }),
            channels: (0..spec.dram.channels).map(|_| ChannelSide::new(Channel::new(&spec.dram))).collect(),
            bursts: [Bursts::of_fetches(spec, &map), Bursts::of_writes(spec, &map)],
            channels_lag: spec.l2.map == SliceMap::ByChannel && !Channel::new(&spec.dram).forwards(),
            map,
            jobs: Slab::default(),
            highest_job: 0,
            jobs_started: 0,
            completions: Vec::new(),
            capture: None,
            unanswered: 0,
            unnoticed: 0,
            traffic: Default::default(),
            queueing: Default::default(),
            latency: Default::default(),
        })
    }
}
