//! One requester: a queue of requests, offered piece by piece.

use super::answers::Pending;
use super::{Arrival, FabricReplay};
use crate::fabric::{LevelSpec, Offer};
use crate::ids::CoreId;
use crate::request::{Answerer, LineAddress, Request, Token};
use heddle_engine::{Cycle, Tick};
use std::collections::VecDeque;

/// What a requester knows of its cache.
#[derive(Clone, Copy, Debug)]
pub(super) struct Figures {
    line: u64,
    banks: u64,
    ports: u32,
}

impl Figures {
    pub(super) fn of(level: &LevelSpec) -> Figures {
        Figures { line: level.line.0, banks: level.banks.into(), ports: level.ports }
    }

    fn bank(&self, line: LineAddress) -> usize {
        (line.0 / self.line % self.banks) as usize
    }
}

/// When a request came that comes when it is first offered, until then.
const UNOFFERED: u64 = u64::MAX;

/// A requester.
#[derive(Debug)]
pub(super) struct Requester {
    /// Requests that have come and have not been offered whole.
    pub(super) queue: VecDeque<super::TraceRequest>,
    /// The first of them, if a piece of it has been offered: its number, and where its next piece begins.
    started: Option<(u32, u64)>,
    /// Its cache refused a piece and has not said that it can take one.
    pub(super) refused: bool,
    /// Requests that have been offered and not ended.
    pub(super) unanswered: u32,
    /// Pieces that each bank has taken, in this cycle.
    taken: Vec<u32>,
    cycle: u64,
}

impl Requester {
    pub(super) fn new(figures: &Figures) -> Requester {
        Requester {
            queue: VecDeque::new(),
            started: None,
            refused: false,
            unanswered: 0,
            taken: vec![0; figures.banks as usize],
            cycle: 0,
        }
    }

    /// Begins a cycle, unless it has begun.
    fn begin(&mut self, now: u64) {
        if self.cycle != now {
            self.cycle = now;
            self.taken.fill(0);
        }
    }
}

impl FabricReplay {
    /// Lets a requester offer what it can in this cycle; whether it may have more for the next.
    pub(super) fn offer_of(&mut self, number: usize) -> bool {
        let tick = self.clock.start_of(Cycle(self.now));
        self.requesters[number].begin(self.now);
        while let Some((request, pending)) = self.next_piece(number) {
            let requester = &mut self.requesters[number];
            let bank = self.figures.bank(request.line);
            if requester.taken[bank] >= self.figures.ports {
                return true;
            }
            let came = &mut self.pending[pending].came;
            if *came == UNOFFERED {
                *came = self.now;
            }
            if !self.offer_piece(tick, request, pending) {
                self.requesters[number].refused = true;
                return false;
            }
            self.requesters[number].taken[bank] += 1;
            self.piece_taken(number, pending, request.line);
        }
        false
    }

    /// The next piece that a requester may offer, and the number of its request.
    fn next_piece(&mut self, number: usize) -> Option<(Request, u32)> {
        let requester = &mut self.requesters[number];
        if requester.refused {
            return None;
        }
        let asked = *requester.queue.front()?;
        let line_bytes = self.figures.line;
        let (pending, from) = match requester.started {
            Some(started) => started,
            None => {
                if let Arrival::InOrder(Some(most)) = self.arrival
                    && requester.unanswered >= most
                {
                    return None;
                }
                let last = asked.address + u64::from(asked.bytes) - 1;
                let pieces = (last / line_bytes - asked.address / line_bytes + 1) as u32;
                let came = match self.arrival {
                    Arrival::ByCycle => asked.cycle.unwrap_or_default() - self.origin,
                    Arrival::InOrder(_) => UNOFFERED,
                };
                let (access, answerer) = (asked.access, Answerer::CORE);
                let whose = CoreId(number as u16);
                let begun = Pending { requester: whose, access, came, pieces, done: 0, answerer };
                let started = (self.pending.insert(begun), asked.address);
                requester.started = Some(started);
                requester.unanswered += 1;
                started
            }
        };
        let line = from & !(line_bytes - 1);
        let until = (asked.address + u64::from(asked.bytes)).min(line + line_bytes);
        let (first, last) = ((from - line) / 4, (until - 1 - line) / 4);
        let words = (u32::MAX >> (31 - (last - first))) << first;
        let request = Request {
            words,
            access: asked.access,
            core: asked.requester,
            pc: asked.pc,
            ..Request::nobodys(LineAddress(line))
        };
        Some((request, pending))
    }

    /// Offers a piece; whether it was taken.
    fn offer_piece(&mut self, tick: Tick, request: Request, pending: u32) -> bool {
        let token = self.pieces.insert(pending);
        match self.fabric.offer(tick, Request { token: Token(token), ..request }) {
            Offer::Accepted => return true,
            Offer::Hit { latency } => self.answer(pending, Answerer::CORE, self.now + u64::from(latency)),
            Offer::Refused(_) => {
                self.pieces.release(token);
                return false;
            }
        }
        self.pieces.release(token);
        true
    }

    /// Goes on behind a piece that was taken.
    fn piece_taken(&mut self, number: usize, pending: u32, line: LineAddress) {
        let requester = &mut self.requesters[number];
        let next = line.0 + self.figures.line;
        let is_whole =
            requester.queue.front().is_none_or(|asked| next >= asked.address + u64::from(asked.bytes));
        requester.started = (!is_whole).then_some((pending, next));
        if is_whole {
            requester.queue.pop_front();
            self.queued -= 1;
        }
    }
}
