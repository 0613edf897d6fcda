//! One launch: its resources, the distribution of its blocks, its entry in the record.

use crate::actions::instruction_counters;
use crate::core::{CachePrefetchCounters, InjectionCounters, InjectionPlan, RegisterPrefetch, foresee_loads};
use crate::load_statistics::LoadStatistics;
use crate::machine::{Gpu, RunProgress};
use crate::record::{IntervalSample, LaunchTiming, PairWaits, Span};
use crate::residency::Residency;
use crate::sampling;
use crate::statics::Statics;
use crate::wakes::ASLEEP;
use heddle_engine::{Clock, Cycle, Statistics};
use heddle_memory::request::Notice;
use heddle_ptx::analysis::GrantedRegisters;
use heddle_ptx::exec::timed::Execution;
use heddle_ptx::exec::{LaunchError, LaunchReport};

/// A launch that is being simulated.
pub(crate) struct Launching<'g, 'e> {
    pub(crate) gpu: &'g mut Gpu,
    pub(crate) execution: Execution<'e>,
    pub(crate) statics: Statics,
    pub(crate) loads: LoadStatistics,
    residency: Residency,
    registers: GrantedRegisters,
    pub(crate) clock: Clock,
    pub(crate) code_base: u64,
    number: u64,
    /// The core cycle, since the machine's state was new.
    pub(crate) now: u64,
    pub(crate) start: u64,
    /// The cycle that the run must not come to, counted like `now`.
    pub(crate) limit: u64,
    pub(crate) notices: Vec<Notice>,
    /// Blocks that have ended, by core and slot.
    pub(crate) left: Vec<(usize, usize)>,
    /// Whether a core has found a loop in this cycle.
    pub(crate) found: bool,
    pub(crate) blocks: u64,
    pub(crate) next_block: u64,
    pub(crate) ended_blocks: u64,
    /// When the block scheduler has something to do.
    pub(crate) dispatch_at: u64,
    /// By core: when it may get its next block.
    core_free_at: Vec<u64>,
    next_core: usize,
    pub(crate) next_sample: u64,
    before: Statistics,
    pub(crate) intervals: Vec<IntervalSample>,
    /// Samples of the launches before this one, without those at their ends.
    pub(crate) sampled: u64,
    pub(crate) watch: crate::watchdog::Watch,
}

impl<'g, 'e> Launching<'g, 'e> {
    /// Gets the machine ready for a launch.
    pub(crate) fn new(
        gpu: &'g mut Gpu,
        mut execution: Execution<'e>,
        number: u64,
        residency: Residency,
        registers: GrantedRegisters,
    ) -> Result<Launching<'g, 'e>, LaunchError> {
        let mut statics =
            Statics::new(execution.code(), execution.module(), &gpu.spec.core, &gpu.spec.latency);
        if gpu.has_agents() {
            statics.take_commands(|pc| gpu.taken_as(execution.function_called(pc)?));
        }
        if gpu.spec.core.prefetch_registers == RegisterPrefetch::Perfect {
            foresee_loads(execution.kernel().1, &mut statics);
        }
        if let Some(scheme) = gpu.spec.core.prefetch_registers.scheme() {
            let spare = residency.occupancy.registers_without_loss.saturating_sub(registers.registers);
            InjectionPlan::prepare(&mut execution, &mut statics, &gpu.spec, scheme, spare)?;
        }
        let before = gpu.statistics(gpu.state.cycle, None);
        gpu.state.fabric.begin_launch(&residency.l1, gpu.spec.launch.keeps_constants);
        let start = gpu.state.cycle;
        let slots = residency.occupancy.blocks as usize;
        for core in &mut gpu.state.cores {
            core.begin_launch(start, &statics, slots, &gpu.spec);
        }
        gpu.state.wakes.clear();
        let operations = statics.program_length;
        let first = start + gpu.spec.launch.overhead;
        let cores = gpu.state.cores.len();
        let (grid, _) = execution.sizes();
        let sampled = sampling::sampled(&gpu.record.borrow().launches);
        let code_base = gpu.code_base(execution.module(), execution.kernel().1, operations);
        Ok(Launching {
            loads: LoadStatistics::new(statics.operations.len(), &gpu.spec.memory),
            clock: gpu.clocks.core,
            code_base,
            number,
            now: start,
            start,
            limit: gpu.settings.max_cycles.map_or(ASLEEP, |most| most.saturating_sub(gpu.renewed_at)),
            notices: Vec::new(),
            left: Vec::new(),
            found: false,
            blocks: grid.count(),
            next_block: 0,
            ended_blocks: 0,
            dispatch_at: first,
            core_free_at: vec![first; cores],
            next_core: gpu.state.next_core,
            next_sample: gpu
                .settings
                .interval
                .map_or(u64::MAX, |interval| start.saturating_add(interval.max(1))),
            before,
            intervals: Vec::new(),
            sampled,
            watch: crate::watchdog::Watch::new(start),
            gpu,
            execution,
            statics,
            residency,
            registers,
        })
    }

    /// Whether all blocks have ended.
    pub(crate) fn is_done(&self) -> bool {
        self.ended_blocks == self.blocks
    }

    /// Hands blocks out: in this cycle at most one to each core that has room, in turn.
    #[inline(always)]
    pub(crate) fn dispatch(&mut self) {
        if self.dispatch_at <= self.now {
            self.hand_out();
        }
    }

    fn hand_out(&mut self) {
        let cores = self.gpu.state.cores.len();
        let interval = self.gpu.spec.launch.block_interval.max(1);
        let (mut next, mut last) = (ASLEEP, None);
        for step in 0..cores {
            if self.next_block == self.blocks {
                next = ASLEEP;
                break;
            }
            let core = (self.next_core + step) % cores;
            let Some(slot) = self.gpu.state.cores[core].free_slot() else { continue };
            if self.core_free_at[core] <= self.now {
                let number = self.next_block;
                self.next_block += 1;
                last = Some(core);
                self.core_free_at[core] = self.now + interval;
                let (all, mut around) = self.around();
                all[core].start_block(slot, number, &mut around);
                if self.gpu.state.cores[core].free_slot().is_none() {
                    continue;
                }
            }
            next = next.min(self.core_free_at[core]);
        }
        if !self.gpu.spec.launch.after_last_core {
            self.next_core = (self.next_core + 1) % cores;
        } else if let Some(last) = last {
            self.next_core = (last + 1) % cores;
            self.gpu.state.next_core = self.next_core;
        }
        self.dispatch_at = if self.next_block == self.blocks { ASLEEP } else { next };
    }

    /// Blocks that have left their cores make room.
    #[inline(always)]
    pub(crate) fn collect_left(&mut self) {
        while let Some((core, slot)) = self.left.pop() {
            self.ended_blocks += 1;
            if self.next_block < self.blocks {
                // The next cycle at the earliest.
                self.core_free_at[core] = self.core_free_at[core].max(self.now + 1);
                self.dispatch_at = self.dispatch_at.min(self.core_free_at[core]);
            }
            if self.gpu.settings.trace {
                self.note_block(core, slot);
            }
        }
    }

    fn note_block(&mut self, core: usize, slot: usize) {
        let block = &self.gpu.state.cores[core].blocks[slot];
        let [x, y, z] = block.resident.index();
        let span = Span {
            core: Some(core as u32),
            row: slot as u32,
            name: format!("{} ({x}, {y}, {z})", self.execution.kernel().1.name),
            start_cycle: self.gpu.renewed_at + block.started_at,
            cycles: self.now - block.started_at,
        };
        self.gpu.record.borrow_mut().spans.push(span);
    }

    /// Counts since the launch began.
    pub(crate) fn counted(&mut self, cycle: u64, running: Option<u64>) -> Statistics {
        let mut statistics = self.gpu.statistics(cycle, running).since(&self.before);
        let counts = self.execution.counts();
        let injected = self.gpu.state.cores.iter().map(|core| core.injected_counts());
        let mut instructions = instruction_counters(counts, injected, &self.statics);
        // Moves are counted where the loads were that became moves, which compute nothing.
        instructions.integer_operations += statistics.get("injected.converted_lanes").unwrap_or(0);
        statistics.add_group("core", &instructions);
        if let Some(plan) = &self.statics.injection {
            let without = plan.without_register().iter().map(|&pc| counts[pc as usize].warps).sum();
            let more = InjectionCounters { loads_without_register: without, ..InjectionCounters::default() };
            statistics.add_group("injected", &more);
            if self.gpu.spec.core.prefetch_registers.scheme().is_some_and(|scheme| scheme.fills_cache()) {
                statistics.add_group("injected", &self.cached(plan));
            }
        }
        statistics
    }

    /// What came of prefetches into the caches alone.
    fn cached(&self, plan: &InjectionPlan) -> CachePrefetchCounters {
        let mut cached = CachePrefetchCounters::default();
        for operation in plan.cached_loads() {
            let (hits, all) = self.loads.hits(operation);
            cached.found_in_l1 += hits;
            cached.gone_from_l1 += all - hits;
        }
        cached
    }

    /// Loops that cores have found in this cycle join the plan.
    #[cold]
    pub(crate) fn install_found(&mut self) -> Result<(), LaunchError> {
        self.found = false;
        for core in &mut self.gpu.state.cores {
            core.install_found(&mut self.execution, &mut self.statics, &self.gpu.spec)?;
        }
        self.loads.extend(self.statics.operations.len());
        Ok(())
    }

    /// All blocks have ended: accounts for the launch, and checks that nothing was lost.
    pub(crate) fn finish(mut self) -> LaunchReport {
        // A launch whose last event is an instruction ends after the cycle in which that was issued.
        let issued = self.gpu.state.cores.iter().map(|core| core.stalls.owned_before()).max().unwrap_or(0);
        let (start, now) = (self.start, self.now.max(self.start + 1).max(issued));
        for core in &mut self.gpu.state.cores {
            core.end_launch(start, now);
        }
        self.gpu.state.cycle = now;
        assert_eq!(self.gpu.state.fabric.outstanding(), 0, "every request was answered");
        assert_eq!(self.gpu.state.flights.accesses.taken(), 0, "every access was completed");
        assert_eq!(self.gpu.state.flights.transactions.taken(), 0, "every transaction was completed");
        assert_eq!(self.gpu.state.flights.commands.taken(), 0, "every command was answered");
        let statistics = self.counted(now, None);
        self.assert_slots(&statistics, now - start);
        let timing = self.timing(now, statistics);
        if self.gpu.settings.capture_dram {
            // What is still under way is finished on a copy, as if no launch followed; if one does, this is
            // replaced by what happens then.
            let captured = self.gpu.state.fabric.take_captured(self.clock.start_of(Cycle(now)));
            let rest = self.gpu.state.fabric.rest_of_capture();
            self.gpu.keep_captured(captured, rest);
        }
        let mut record = self.gpu.record.borrow_mut();
        if self.gpu.settings.trace {
            let name = timing.kernel.clone();
            let start_cycle = timing.start_cycle;
            record.spans.push(Span { core: None, row: 0, name, start_cycle, cycles: now - start });
        }
        record.launches.push(timing);
        drop(record);
        self.execution.finish()
    }

    /// What the record says of the launch, which ended at a cycle with these counts.
    fn timing(&mut self, now: u64, statistics: Statistics) -> LaunchTiming {
        let start = self.start;
        let seconds = (now - start) as f64 / self.gpu.spec.clocks.core.hertz() as f64;
        if self.gpu.settings.interval.is_some() {
            sampling::close(&mut self.intervals, now - start, &statistics);
        }
        let pairs = self.pair_waits();
        let occupancy = &self.residency.occupancy;
        let limits: Vec<String> = occupancy.binding.iter().map(ToString::to_string).collect();
        LaunchTiming {
            launch: self.number,
            kernel: self.execution.kernel().1.name.clone(),
            start_cycle: self.gpu.renewed_at + start,
            cycles: now - start,
            seconds,
            statistics,
            loads: self.loads.report(&self.execution, &self.statics),
            pairs,
            resident_blocks: occupancy.blocks,
            resident_warps: occupancy.warps,
            limited_by: limits.join(" and "),
            registers: self.registers.registers,
            spilled_registers: self.registers.spilled,
            registers_capped_by: self.registers.capped_by.map(|cap| cap.to_string()),
            l1_bytes: self.residency.l1.size.0,
            intervals: std::mem::take(&mut self.intervals),
        }
    }

    /// Waiting for heads and for tails.
    fn pair_waits(&mut self) -> PairWaits {
        let (module, kernel) = (self.execution.module(), self.execution.kernel().1);
        let Launching { gpu, loads, statics, .. } = self;
        let waits = |load: &usize| loads.wait_cycles(*load as u32, statics);
        let (heads, tails) = gpu.load_pairs(module, kernel);
        PairWaits { head_cycles: heads.iter().map(waits).sum(), tail_cycles: tails.iter().map(waits).sum() }
    }

    /// The launch was stopped before its blocks had ended: accounts for what was measured so far. Slots of intervals
    /// that had not ended have no owner yet, and requests under way no reply.
    #[cold]
    pub(crate) fn cut_off(mut self) {
        let now = self.now.max(self.start + 1);
        let statistics = self.counted(now, Some(self.start));
        let timing = self.timing(now, statistics);
        if self.gpu.settings.capture_dram {
            let captured = self.gpu.state.fabric.take_captured(self.clock.start_of(Cycle(now)));
            self.gpu.keep_captured(captured, Vec::new());
        }
        let mut record = self.gpu.record.borrow_mut();
        record.launches.push(timing);
        record.cut_off = Some(self.execution.finish());
    }

    /// Every issue slot of every cycle has exactly one owner.
    fn assert_slots(&self, statistics: &Statistics, cycles: u64) {
        let core = &self.gpu.spec.core;
        let all = cycles * u64::from(core.count) * u64::from(core.schedulers) * u64::from(core.issue_width);
        let owned: u64 =
            statistics.iter().filter(|(name, _)| name.starts_with("slots.")).map(|(_, count)| count).sum();
        assert_eq!(owned, all, "issue slots with an owner, and all issue slots");
    }

    /// The error of a run that has come to the limit of cycles.
    #[cold]
    pub(crate) fn at_limit(&self) -> LaunchError {
        let kernel = self.execution.kernel().1.name.clone();
        let cycles = self.gpu.settings.max_cycles.unwrap_or(ASLEEP);
        LaunchError::Cycles { kernel, cycles, waiting: self.waiting() }
    }

    /// Looks at progress.
    pub(crate) fn look(&mut self) -> Result<(), LaunchError> {
        let so_far = RunProgress {
            launch: self.number,
            kernel: &self.execution.kernel().1.name,
            cycle: self.gpu.renewed_at + self.now,
            warp_instructions: self.execution.executed(),
        };
        self.gpu.tell_progress(so_far)?;
        self.watch_over()
    }
}
