//! Nothing hangs: when nothing has changed for long, or nothing is left to happen, the launch ends with an error
//! that says which warps, requests and queues wait for what.

use crate::core::Waiting;
use crate::launch::Launching;
use heddle_ptx::exec::LaunchError;
use heddle_ptx::exec::timed::ResidentBlock;

/// Lines about requests and queues; further ones are only counted.
const LINES: usize = 24;

/// A program may compute for this many times as long as the watchdog's time before it must have written something:
/// long loops over what others wrote are no reason to stop, but endless ones are.
const PATIENCE: u64 = 50;

/// What was seen last of a launch's progress.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Watch {
    changes: u64,
    ended: u64,
    since: u64,
}

impl Watch {
    pub(crate) fn new(now: u64) -> Watch {
        Watch { changes: 0, ended: 0, since: now }
    }
}

impl Launching<'_, '_> {
    /// Ends the launch if no memory has changed and no warp or block has ended for as long as was set, and all
    /// warps wait or repeat themselves.
    pub(crate) fn watch_over(&mut self) -> Result<(), LaunchError> {
        let blocks = self.gpu.state.cores.iter().flat_map(|core| &core.blocks);
        let shared: u64 = blocks.map(|slot| slot.resident.changes()).fold(0, u64::wrapping_add);
        let changes = self.execution.image().changes().wrapping_add(shared);
        let ended: u64 = self.gpu.state.cores.iter().map(|core| core.resident_count()).sum::<u64>()
            ^ self.next_block << 32;
        if (changes, ended) != (self.watch.changes, self.watch.ended) {
            self.watch = Watch { changes, ended, since: self.now };
            return Ok(());
        }
        let (quiet, most) = (self.now - self.watch.since, self.gpu.settings.watchdog);
        if quiet > most && self.all_repeat() {
            return Err(self.stuck());
        }
        if quiet > most.saturating_mul(PATIENCE) {
            let kernel = self.execution.kernel().1.name.clone();
            return Err(LaunchError::NoProgress { kernel, cycles: quiet, waiting: self.waiting() });
        }
        Ok(())
    }

    /// The error for a launch whose cores all sleep and were told nothing up to this cycle.
    pub(crate) fn asleep(&mut self, reached: u64) -> LaunchError {
        if self.gpu.state.fabric.next_time().is_none() {
            return self.stuck();
        }
        if reached >= self.limit {
            return self.at_limit();
        }
        let kernel = self.execution.kernel().1.name.clone();
        LaunchError::NoProgress { kernel, cycles: reached - self.now, waiting: self.waiting() }
    }

    /// Whether no resident block can make progress as long as memory stays as it is.
    fn all_repeat(&self) -> bool {
        let blocks = self.gpu.state.cores.iter().flat_map(|core| &core.blocks).filter(|slot| slot.warps > 0);
        blocks.into_iter().all(|slot| self.execution.repeats(&slot.resident))
    }

    /// What waits for what: warps, requests, blocks.
    pub(crate) fn waiting(&self) -> String {
        let mut lines = Vec::new();
        let mut more = 0;
        for core in &self.gpu.state.cores {
            for (number, slot) in core.warps.iter().enumerate() {
                if slot.waiting == Waiting::Nobody {
                    continue;
                }
                if lines.len() >= LINES {
                    more += 1;
                    continue;
                }
                let block = &core.blocks[usize::from(slot.block)].resident;
                let [x, y, z] = block.index();
                let place = self.execution.place_of(block, usize::from(slot.index));
                lines.push(format!(
                    "  core {}, warp {number} (block ({x}, {y}, {z}), warp {}): {}, at {place}",
                    core.number.0,
                    slot.index,
                    slot.waiting.words(),
                ));
            }
        }
        if more > 0 {
            lines.push(format!("  and {more} more warps"));
        }
        let waiting = self.gpu.state.fabric.describe_waiting();
        let count = waiting.len();
        lines.extend(waiting.into_iter().take(LINES).map(|line| format!("  {line}")));
        if count > LINES {
            lines.push(format!("  and {} more requests", count - LINES));
        }
        if self.next_block < self.blocks {
            let left = self.blocks - self.next_block;
            lines.push(format!("  {left} of {} blocks have not started", self.blocks));
        }
        lines.join("\n")
    }

    /// The error for a launch in which nothing will ever change.
    pub(crate) fn stuck(&mut self) -> LaunchError {
        let machine = self.waiting();
        // The blocks know their barriers and what spinning warps read.
        let blocks: Vec<ResidentBlock> = self
            .gpu
            .state
            .cores
            .iter_mut()
            .flat_map(|core| &mut core.blocks)
            .filter(|slot| slot.warps > 0)
            .map(|slot| std::mem::take(&mut slot.resident))
            .collect();
        let started = self.next_block;
        match self.execution.stuck(blocks, started) {
            LaunchError::Deadlock { kernel, waiting } => {
                LaunchError::Deadlock { kernel, waiting: format!("{waiting}\n{machine}") }
            }
            other => other,
        }
    }
}
