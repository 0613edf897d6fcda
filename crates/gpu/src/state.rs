//! Everything that launches change on a machine and find again: the state of its parts, the time, where blocks went last,
//! where code lies.
//!
//! It is one value, so that a launch that starts cold gets all of it anew: what it finds is what a machine has that has
//! simulated nothing yet, down to the turns of arbiters, the open rows and refreshes of DRAM, the lots that policies draw
//! and the phases of clocks. So its figures are those of the launch alone, whichever launches were simulated before it.
//! Whatever a launch could leave for the next one belongs in here; what follows from the program or the description alone
//! does not.

use crate::core::Core;
use crate::flight::Flights;
use crate::gpu_spec::GpuSpec;
use crate::machine::Gpu;
use crate::spec::RunSettings;
use crate::wakes::Wakes;
use heddle_engine::Cycle;
use heddle_memory::fabric::{Captured, ClockDomains, Fabric};
use heddle_memory::{CoreId, SpecError};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Where instructions lie for the caches: above all data.
const CODE_BASE: u64 = 1 << 46;

/// What launches change and find again.
pub(crate) struct State {
    pub(crate) fabric: Fabric,
    pub(crate) cores: Vec<Core>,
    /// By core: the next cycle in which there is something to do. Apart from the cores, as the main loop looks at all
    /// of them in every cycle.
    pub(crate) wakes: Wakes,
    pub(crate) flights: Flights,
    /// The core that a launch looks at first for its first block.
    pub(crate) next_core: usize,
    /// Core cycles since the state was new.
    pub(crate) cycle: u64,
    /// By PTX file and kernel: where its instructions lie.
    pub(crate) code_bases: BTreeMap<(String, String), u64>,
    pub(crate) next_code_base: u64,
}

impl State {
    /// That of a machine that has simulated nothing yet.
    pub(crate) fn new(
        spec: &GpuSpec,
        clocks: &ClockDomains,
        settings: &RunSettings,
    ) -> Result<State, SpecError> {
        let mut fabric = Fabric::new(&spec.memory, clocks, spec.core.count)?;
        fabric.capture_dram(settings.capture_dram);
        match &settings.foresight {
            Some(foresight) => fabric.foresee(Arc::clone(foresight)),
            None if spec.memory.foresees() => fabric.record(),
            None => {}
        }
        Ok(State {
            fabric,
            cores: (0..spec.core.count as u16).map(|number| Core::new(CoreId(number), spec)).collect(),
            wakes: Wakes::new(spec.core.count as usize),
            flights: Flights::default(),
            next_core: 0,
            cycle: 0,
            code_bases: BTreeMap::new(),
            next_code_base: CODE_BASE,
        })
    }
}

impl Gpu {
    /// Forgets all that launches before have left. Time goes on: what the record tells is counted from when the machine
    /// was made, while the state counts from here.
    pub(crate) fn renew(&mut self) {
        let fresh = State::new(&self.spec, &self.clocks, &self.settings);
        let mut fresh = fresh.expect("a description that a machine was made of is good for another");
        fresh.fabric.continue_seeing(&mut self.state.fabric);
        self.renewed_at += self.state.cycle;
        self.state = fresh;
        // Nothing follows that could change what was still on its way to DRAM.
        self.captured = self.record.borrow().dram_stream.len();
        if let Some(agent) = &mut self.agent {
            agent.renew();
        }
    }

    /// Keeps DRAM transactions of the launch that has ended, and what is done later if no launch follows that the state
    /// is handed on to. Their clocks are counted from when the machine was made, like the cycles of the record.
    pub(crate) fn keep_captured(&mut self, captured: Vec<Captured>, rest: Vec<Captured>) {
        let renewed_at = self.clocks.dram.at_or_after(self.clocks.core.start_of(Cycle(self.renewed_at))).0;
        let since_made = |captured: Captured| Captured { cycle: renewed_at + captured.cycle, ..captured };
        let mut record = self.record.borrow_mut();
        let stream = &mut record.dram_stream;
        stream.truncate(self.captured);
        let before = stream.len();
        stream.extend(captured.into_iter().map(since_made));
        self.captured = stream.len();
        stream.extend(rest.into_iter().map(since_made));
        // The rest of a launch that leaves nothing may have been done after the next one began.
        if let Some(first) = stream.get(before).map(|captured| captured.cycle) {
            let overlap = stream[..before].partition_point(|captured| captured.cycle < first);
            stream[overlap..].sort_by_key(|captured| (captured.cycle, captured.channel));
        }
    }
}
