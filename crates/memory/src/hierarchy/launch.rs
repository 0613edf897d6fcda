//! Between launches: caches that start empty, copies by the host.

use super::Hierarchy;
use super::build::{core_cache, slice_cache};
use super::core_side::{CACHES, Shape};
use crate::cache::{CacheSpec, CoreTables, Evicted};
use crate::request::{Access, LineAddress, Ordering, Path, Request, Scope, Sectors, Token};
use std::ops::Range;

/// The instruction cache among those of a core: a launch does not empty it unless it starts cold.
const INSTRUCTION: usize = 3;

impl Hierarchy {
    /// A launch begins: L1 has this shape now, and the cores' caches of data are empty, those of constants and
    /// textures too unless they are kept.
    /// Dirty lines of threads' own memory are written below. `cold` empties the instruction caches and L2 as
    /// well, and policies forget what they have learned.
    ///
    /// Nothing may be under way above L2: [`Hierarchy::outstanding`] is 0. The shape must have passed
    /// [`CacheSpec::check`] and fit L2 as that of the description did.
    pub fn begin_launch(&mut self, l1: &CacheSpec, cold: bool, keep_constants: bool) {
        assert_eq!(self.outstanding(), 0, "a launch begins while requests are under way");
        // Packets leave at an edge of the cores' clock, whatever happened last.
        self.now = self.clocks.core.edge(self.now);
        let changed = *l1 != self.caches[0];
        self.caches[0] = l1.clone();
        self.shapes[0] = Shape::new(l1);
        for core in 0..self.cores.len() {
            for which in 0..CACHES {
                if cold || (changed && which == 0) {
                    self.replace(core, which, cold);
                } else if which == 0 || which != INSTRUCTION && !keep_constants {
                    self.empty(core, which, false);
                }
            }
            self.pump_core(self.now, core as u16);
        }
        if cold {
            self.effects.tables = CoreTables::new(self.inclusion, &self.policies, self.cores.len() as u32);
            for which in 0..self.slices.len() {
                let fresh =
                    slice_cache(&self.slice_spec, &self.policies, self.cores.len(), which, self.addresses);
                let cache = &mut self.slices[which].cache;
                let counters = std::mem::take(&mut cache.counters);
                *cache = fresh;
                cache.counters = counters;
            }
        }
    }

    /// Writes back what is dirty in a core's cache, and invalidates it. A cold start leaves nothing to the level below.
    fn empty(&mut self, core: usize, which: usize, cold: bool) {
        self.cores[core].caches[which].invalidate_all(&mut self.effects);
        if cold {
            self.effects.victims.clear();
        }
        if !self.effects.is_empty() {
            let request = Request {
                line: LineAddress(0),
                words: 0,
                access: Access::Write,
                path: Path::Local,
                core: core as u16,
                region: 0,
                pc: 0,
                warp: 0,
                scope: Scope::None,
                ordering: Ordering::Relaxed,
                token: Token(0),
                policy_bits: 0,
                lanes: 1,
                passes: false,
            };
            self.carry_out_above(self.now, &request, which);
        }
    }

    /// Replaces a core's cache by a new one, which continues its counts.
    fn replace(&mut self, core: usize, which: usize, cold: bool) {
        self.empty(core, which, cold);
        let mut fresh = core_cache(&self.caches[which], &self.policies, core, which, self.inclusion);
        let cache = &mut self.cores[core].caches[which];
        fresh.counters = std::mem::take(&mut cache.counters);
        *cache = fresh;
    }

    /// The host has copied these bytes: their lines are in L2 now, as far as they fit. This takes no time and is
    /// not counted.
    pub fn touch_l2(&mut self, bytes: Range<u64>) {
        let line_bytes = self.l2_line_mask + 1;
        let capacity = self.slice_spec.size.0.saturating_mul(self.slices.len() as u64);
        // What comes before the last bytes that fit would be evicted again.
        let first = bytes.start.max(bytes.end.saturating_sub(capacity)) & !self.l2_line_mask;
        let all = Sectors::first((self.slice_spec.line.0 / self.slice_spec.sector.0.max(1)) as u32);
        let mut line = first;
        while line < bytes.end {
            let which = self.addresses.slice_of(LineAddress(line));
            let cache = &mut self.slices[usize::from(which)].cache;
            let counters = cache.counters.clone();
            let copied = Evicted {
                line: LineAddress(line),
                sectors: all,
                dirty: Sectors::NONE,
                pc: 0,
                region: 0,
                policy_bits: 0,
            };
            cache.insert(&copied, 0, &mut self.effects);
            cache.counters = counters;
            // Its victims have been overwritten or reach DRAM within the time of the copy.
            self.effects.clear();
            let Some(next) = line.checked_add(line_bytes) else { break };
            line = next;
        }
    }
}
