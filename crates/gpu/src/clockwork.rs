//! The cycles of a launch: cores act when they have something to do, the memory system in between.

use crate::core::{Around, Core, deliver, deliver_replies};
use crate::launch::Launching;
use crate::wakes::ASLEEP;
use heddle_engine::{Cycle, Tick};
use heddle_ptx::exec::LaunchError;

/// Turns of the loop between two looks at progress; when nothing happens for long, cycles decide.
const LOOK_EVERY: u32 = 4096;

impl<'e> Launching<'_, 'e> {
    /// Runs until all blocks have ended.
    pub(crate) fn run(&mut self) -> Result<(), LaunchError> {
        let patience = self.gpu.settings.watchdog.max(1);
        let (mut turns, mut look_at) = (0, 0);
        loop {
            turns += 1;
            if turns >= LOOK_EVERY || self.now >= look_at {
                turns = 0;
                self.look()?;
                look_at = self.now.saturating_add(patience);
            }
            let next = self.next_core_cycle();
            if next != ASLEEP && self.now.max(next) >= self.limit {
                return Err(self.at_limit());
            }
            // Where all cores sleep, the memory system advances alone, but not for ever.
            let reached = match next {
                ASLEEP if !self.is_done() => self.now.saturating_add(patience).min(self.limit),
                _ => next,
            };
            if let Some(told) = self.advance_memory(reached) {
                self.now = self.now.max(self.clock.at_or_after(told).0);
                self.deliver()?;
                self.dispatch();
                if self.now < next {
                    // Cores that were woken act before those that wait for a later cycle.
                    continue;
                }
            } else if next == ASLEEP {
                return if self.is_done() { Ok(()) } else { Err(self.asleep(reached)) };
            }
            self.now = next;
            if self.next_sample <= next {
                self.sample(next);
            }
            self.dispatch();
            self.core_cycles()?;
        }
    }

    /// The memory system advances until it has a notice for some core, or up to this cycle. Samples that are due on the way
    /// are taken in their cycles.
    #[inline(always)]
    fn advance_memory(&mut self, reached: u64) -> Option<Tick> {
        while self.next_sample < reached && !self.is_done() {
            let due = self.tick_of(self.next_sample);
            let told = self.gpu.state.fabric.advance(due, &mut self.notices);
            if told.is_some() {
                return told;
            }
            self.sample(self.next_sample);
        }
        self.gpu.state.fabric.advance(self.tick_of(reached), &mut self.notices)
    }

    /// The beginning of a cycle; the end of time for one that never comes.
    #[inline(always)]
    pub(crate) fn tick_of(&self, cycle: u64) -> Tick {
        cycle.checked_mul(self.clock.period()).map_or(Tick(u64::MAX), Tick)
    }

    /// The next cycle in which a core or the block scheduler has something to do.
    #[inline(always)]
    fn next_core_cycle(&self) -> u64 {
        let first = self.gpu.state.wakes.first().min(self.dispatch_at);
        match &self.gpu.agent {
            None => first,
            Some(agent) => first.min(agent.next_reply_at().unwrap_or(ASLEEP)),
        }
    }

    /// All cores that act in this cycle, in the order of their numbers.
    #[inline(always)]
    fn core_cycles(&mut self) -> Result<(), LaunchError> {
        let now = self.now;
        let clock = self.gpu.spec.clocks.core;
        self.execution.set_clock(now, || clock.nanoseconds(now));
        let (cores, mut around) = self.around();
        if around.agent.is_some() {
            deliver_replies(cores, &mut around);
        }
        let mut first = ASLEEP;
        for core in cores {
            if around.wakes.of(core.number) <= now {
                core.cycle(&mut around)?;
            }
            first = first.min(around.wakes.of(core.number));
        }
        around.wakes.passed(first);
        self.collect_left();
        if self.found {
            self.install_found()?;
        }
        Ok(())
    }

    /// Delivers what the memory system told.
    fn deliver(&mut self) -> Result<(), LaunchError> {
        let mut notices = std::mem::take(&mut self.notices);
        let (cores, mut around) = self.around();
        let mut result = Ok(());
        for &notice in &notices {
            result = deliver(notice, cores, &mut around);
            if result.is_err() {
                break;
            }
        }
        notices.clear();
        self.notices = notices;
        self.collect_left();
        result
    }

    /// The cores, and what is around them.
    #[inline(always)]
    pub(crate) fn around(&mut self) -> (&mut [Core], Around<'_, 'e>) {
        let gpu = &mut *self.gpu;
        let around = Around {
            execution: &mut self.execution,
            statics: &self.statics,
            fabric: &mut gpu.state.fabric,
            flights: &mut gpu.state.flights,
            agent: &mut gpu.agent,
            loads: &mut self.loads,
            wakes: &mut gpu.state.wakes,
            left: &mut self.left,
            found: &mut self.found,
            spec: &gpu.spec,
            flip_prefetched: gpu.settings.flip_prefetched,
            code_base: self.code_base,
            now: self.now,
            tick: self.clock.start_of(Cycle(self.now)),
        };
        (&mut gpu.state.cores, around)
    }
}
