//! The description of a memory system, and what none can be.

use super::l2_spec::{L2Spec, SliceMap};
use super::memory_side::ATOMS;
use crate::cache::{CacheSpec, PolicySpec};
use crate::crossbar::CrossbarSpec;
use crate::dram::{AddressMap, DramSpec};
use crate::spec_error::SpecError;
use heddle_engine::Clock;
use serde::{Deserialize, Serialize};

/// A memory system.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HierarchySpec {
    /// Between cores and slices.
    pub interconnect: CrossbarSpec,
    /// Each core's data cache.
    pub l1: CacheSpec,
    /// Each core's cache of constants.
    pub constant: CacheSpec,
    /// Each core's cache of textures.
    pub texture: CacheSpec,
    /// Each core's cache of instructions.
    pub instruction: CacheSpec,
    /// The shared cache.
    pub l2: L2Spec,
    /// Parameters of the policies that the caches name.
    #[serde(default)]
    pub policies: PolicySpec,
    /// Memory.
    pub dram: DramSpec,
}

/// The clock domains.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clocks {
    /// Cores and their caches.
    pub core: Clock,
    /// The crossbar.
    pub interconnect: Clock,
    /// L2.
    pub l2: Clock,
    /// DRAM command clock.
    pub dram: Clock,
}

/// Most cores, and most slices.
const MOST_ENDPOINTS: u32 = 8192;
/// Longest queue and longest time.
const MOST: u32 = 1 << 16;

fn wrong(key: &str, problem: String) -> Result<(), SpecError> {
    Err(SpecError { key: key.to_string(), problem })
}

impl HierarchySpec {
    /// Whether this can be a memory system, for so many cores.
    pub fn check(&self, cores: u32) -> Result<(), SpecError> {
        if !(1..=MOST_ENDPOINTS).contains(&cores) {
            return wrong("cores", format!("expected 1 to {MOST_ENDPOINTS}, found {cores}"));
        }
        if let Some((key, problem)) = self.interconnect.problem() {
            return Err(SpecError::new("interconnect", key, problem));
        }
        self.check_l2()?;
        for (name, cache) in self.core_caches() {
            cache.check(name)?;
            if cache.line.0 > self.l2.line.0 {
                let problem = format!("expected at most l2.line = {}, found {}", self.l2.line, cache.line);
                return wrong(&format!("{name}.line"), problem);
            }
            if !(1..=MOST).contains(&cache.miss_queue) {
                let problem = format!("expected 1 to {MOST}, found {}", cache.miss_queue);
                return wrong(&format!("{name}.miss_queue"), problem);
            }
        }
        if self.l2.inclusion.moves_lines() && (self.l1.line, self.l1.sector) != (self.l2.line, self.l2.sector)
        {
            let problem =
                "exclusion moves whole lines: l1.line and l1.sector must be those of l2".to_string();
            return wrong("l2.inclusion", problem);
        }
        self.policies.check("policies")?;
        self.dram.check().map_err(|error| SpecError::new("dram", &error.key, error.problem))?;
        if self.l2.line.0 / self.dram.atom() > u64::from(ATOMS) {
            let problem = format!(
                "bus × burst is {} B: a line of L2 would be more than {ATOMS} transactions",
                self.dram.atom()
            );
            return wrong("dram.burst", problem);
        }
        self.slice_granularity().map(|_| ())
    }

    fn core_caches(&self) -> [(&'static str, &CacheSpec); 4] {
        [
            ("l1", &self.l1),
            ("constant", &self.constant),
            ("texture", &self.texture),
            ("instruction", &self.instruction),
        ]
    }

    fn check_l2(&self) -> Result<(), SpecError> {
        let l2 = &self.l2;
        if !(1..=MOST_ENDPOINTS).contains(&l2.slices) {
            return wrong("l2.slices", format!("expected 1 to {MOST_ENDPOINTS}, found {}", l2.slices));
        }
        if !l2.size.0.is_multiple_of(u64::from(l2.slices)) {
            let problem = format!("{} cannot be divided among {} slices", l2.size, l2.slices);
            return wrong("l2.size", problem);
        }
        let queues = [
            ("l2.input_queue", l2.input_queue),
            ("l2.reply_queue", l2.reply_queue),
            ("l2.dram_queue", l2.dram_queue),
            ("l2.latency", l2.latency.max(1)),
            ("l2.atomic_cycles", l2.atomic_cycles.max(1)),
            ("l2.banks", l2.banks),
            ("l2.ports", l2.ports),
        ];
        for (key, value) in queues {
            if !(1..=MOST).contains(&value) {
                return wrong(key, format!("expected 1 to {MOST}, found {value}"));
            }
        }
        l2.slice().check("l2")
    }

    /// Bytes that lie together in a slice.
    pub(super) fn slice_granularity(&self) -> Result<u64, SpecError> {
        let line = self.l2.line.0;
        if self.l2.map == SliceMap::Interleaved {
            let bytes = self.l2.interleave.0;
            if !bytes.is_power_of_two() || bytes < line {
                let problem = format!(
                    "expected a power of two of at least l2.line = {}, found {}",
                    self.l2.line, self.l2.interleave
                );
                return Err(SpecError::new("l2", "interleave", problem));
            }
            return Ok(bytes);
        }
        let wrong = |key: &str, problem: String| Err(SpecError::new("l2", key, problem));
        let channels = self.dram.channels;
        if !self.l2.slices.is_multiple_of(channels) {
            let problem = format!(
                "expected a multiple of dram.channels = {channels} with map = \"by-channel\", found {}",
                self.l2.slices
            );
            return wrong("slices", problem);
        }
        let map =
            AddressMap::new(&self.dram).map_err(|error| SpecError::new("dram", &error.key, error.problem))?;
        if channels == 1 {
            return Ok(line.max(self.l2.interleave.0.next_power_of_two()));
        }
        let lowest = (0..48).find(|&bit| map.channel(1 << bit) != 0).unwrap_or(0);
        let in_turn =
            |bit: u32| u64::from(map.channel(1 << bit)) == (1 << bit >> lowest) % u64::from(channels);
        if 1 << lowest < line || !(0..48).all(in_turn) {
            let problem = format!(
                "\"by-channel\" needs a dram.address_map whose channels take turns for blocks of at least {}; \
                 \"interleaved\" works with any",
                self.l2.line
            );
            return wrong("map", problem);
        }
        Ok(1 << lowest)
    }
}
