//! Saturating loads: cores that offer one read after another until they are refused.

use heddle_engine::{Cycle, Tick};
use heddle_memory::fabric::{ClockDomains, Fabric, Offer};
use heddle_memory::request::{Access, LineAddress, Notice, Ordering, Path, Request, Scope, Token};

/// Cores that read random lines.
pub(crate) struct Load {
    pub(crate) fabric: Fabric,
    clocks: ClockDomains,
    lines: u64,
    random: u64,
    cycle: Cycle,
    /// What each core was refused, to be offered again.
    refused: Vec<Option<u64>>,
    asleep: Vec<bool>,
    notices: Vec<Notice>,
    tokens: u32,
}

impl Load {
    pub(crate) fn new(fabric: Fabric, clocks: ClockDomains, cores: usize, lines: u64) -> Load {
        Load {
            fabric,
            clocks,
            lines,
            random: 1,
            cycle: Cycle(0),
            refused: vec![None; cores],
            asleep: vec![false; cores],
            notices: Vec::new(),
            tokens: 0,
        }
    }

    /// Goes on until so many more requests have been answered through the crossbar.
    pub(crate) fn answer(&mut self, count: u64) {
        let mut answered = 0;
        while answered < count {
            let now = self.clocks.core.start_of(self.cycle);
            self.fabric.run_until(now, &mut self.notices);
            for notice in self.notices.drain(..) {
                match notice {
                    Notice::Replied(..) => answered += 1,
                    Notice::Ready(core, _) => self.asleep[usize::from(core.0)] = false,
                    Notice::Serviced(..) | Notice::Answered(_) => {}
                }
            }
            let mut busy = false;
            for core in 0..self.asleep.len() {
                if !self.asleep[core] {
                    busy |= self.offer(now, core);
                }
            }
            if busy {
                self.cycle = self.cycle + 1;
            } else if let Some(at) = self.fabric.run_to_notice(&mut self.notices) {
                self.cycle = self.clocks.core.at_or_after(at);
            }
        }
    }

    fn offer(&mut self, now: Tick, core: usize) -> bool {
        let line = self.refused[core].take().unwrap_or_else(|| {
            self.random = self.random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (self.random >> 33) % self.lines * 128
        });
        self.tokens = self.tokens.wrapping_add(1);
        let request = Request {
            line: LineAddress(line),
            words: 0xff,
            access: Access::Read,
            path: Path::Global,
            core: heddle_memory::CoreId(core as u16),
            region: 0,
            pc: 0,
            warp: 0,
            scope: Scope::None,
            ordering: Ordering::Relaxed,
            token: Token(self.tokens),
            policy_bits: 0,
            lanes: 1,
            passes: false,
        };
        let refused = matches!(self.fabric.offer(now, request), Offer::Refused(_));
        if refused {
            self.refused[core] = Some(line);
            self.asleep[core] = true;
        }
        !refused
    }
}
