//! What each static access did: requests, where they were answered, how long warps waited.

use crate::record::LoadWait;
use crate::statics::Statics;
use heddle_image::{FIRST_ADDRESS, Image};
use heddle_memory::RegionId;
use heddle_memory::fabric::FabricSpec;
use heddle_memory::request::Answerer;
use heddle_ptx::exec::timed::Execution;

#[derive(Clone, Copy, Debug, Default)]
struct Row {
    count: u64,
    transactions: u64,
    wait_cycles: u64,
    /// The region that its last request fell into: first address, length, number.
    region: (u64, u64, RegionId),
}

/// By instruction of the kernel.
#[derive(Debug)]
pub(crate) struct LoadStatistics {
    rows: Vec<Row>,
    /// By instruction and answerer: requests.
    answered: Vec<u64>,
    /// The answerers, the nearest first.
    answerers: Vec<Answerer>,
}

impl LoadStatistics {
    pub(crate) fn new(instructions: usize, memory: &FabricSpec) -> LoadStatistics {
        let answerers: Vec<Answerer> = memory.answerers().into_iter().map(|(answerer, _)| answerer).collect();
        let answered = vec![0; instructions * answerers.len()];
        LoadStatistics { rows: vec![Row::default(); instructions], answered, answerers }
    }

    /// There are so many instructions now.
    pub(crate) fn extend(&mut self, instructions: usize) {
        self.rows.resize(instructions, Row::default());
        self.answered.resize(instructions * self.answerers.len(), 0);
    }

    /// Requests of an instruction that the core's own cache answered, and all that were answered.
    pub(crate) fn hits(&self, pc: u32) -> (u64, u64) {
        let answered = &self.answered[pc as usize * self.answerers.len()..][..self.answerers.len()];
        (answered[Answerer::CORE.index()], answered.iter().sum())
    }

    /// An access became so many requests.
    #[inline(always)]
    pub(crate) fn transactions(&mut self, pc: u32, requests: u32) {
        let row = &mut self.rows[pc as usize];
        row.count += 1;
        row.transactions += u64::from(requests);
    }

    /// A request was answered.
    #[inline(always)]
    pub(crate) fn answered(&mut self, pc: u32, answerer: Answerer) {
        self.answered[pc as usize * self.answerers.len() + answerer.index()] += 1;
    }

    /// All requests of an access were answered after so many cycles.
    #[inline(always)]
    pub(crate) fn waited(&mut self, pc: u32, cycles: u64) {
        self.rows[pc as usize].wait_cycles += cycles;
    }

    /// A load became a move, whose result was there so many cycles after its turn had come.
    pub(crate) fn converted(&mut self, pc: u32, cycles: u64) {
        let row = &mut self.rows[pc as usize];
        row.count += 1;
        row.wait_cycles += cycles;
    }

    /// The allocation that an address falls into, from 1; 0 if none.
    #[inline(always)]
    pub(crate) fn region(&mut self, pc: u32, address: u64, image: &Image) -> RegionId {
        let (start, length, number) = self.rows[pc as usize].region;
        if address.wrapping_sub(start) < length {
            return number;
        }
        if address < FIRST_ADDRESS {
            return RegionId::UNKNOWN;
        }
        let Some(id) = image.region_at(address) else { return RegionId::UNKNOWN };
        let region = image.region(id);
        let number = RegionId(u16::try_from(id.index() + 1).unwrap_or(u16::MAX));
        self.rows[pc as usize].region = (region.start(), region.length(), number);
        number
    }

    /// Cycles that warps waited for an instruction, also where it had been prefetched into the caches alone.
    pub(crate) fn wait_cycles(&self, pc: u32, statics: &Statics) -> u64 {
        let cached = statics.injection.iter().flat_map(|plan| plan.cached_loads());
        let own = cached.filter(|&number| {
            statics.injection.as_ref().and_then(|plan| plan.cached_load(number)) == Some(pc)
        });
        own.chain([pc]).map(|number| self.rows[number as usize].wait_cycles).sum()
    }

    /// The rows of accesses that were executed.
    pub(crate) fn report(&self, execution: &Execution<'_>, statics: &Statics) -> Vec<LoadWait> {
        let prefetched = |pc: u32| statics.injection.as_ref().and_then(|plan| plan.load_of(pc));
        let cached = |pc: u32| statics.injection.as_ref().and_then(|plan| plan.cached_load(pc));
        let place = |pc: u32| match (prefetched(pc), cached(pc)) {
            (Some(load), _) => format!("prefetch for {}", execution.describe(load)),
            (None, Some(load)) => format!("prefetched into caches: {}", execution.describe(load)),
            (None, None) => execution.describe(pc),
        };
        let executed = self.rows.iter().enumerate().filter(|(_, row)| row.count > 0);
        let wait = |(pc, row): (usize, &Row)| LoadWait {
            pc: pc as u32,
            place: place(pc as u32),
            count: row.count,
            transactions: row.transactions,
            wait_cycles: row.wait_cycles,
            answered: {
                let answered = &self.answered[pc * self.answerers.len()..];
                self.answerers.iter().map(|answerer| answered[answerer.index()]).collect()
            },
        };
        executed.map(wait).collect()
    }
}
