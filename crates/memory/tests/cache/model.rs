//! A cache as simple as it can be written: lists, searched from the front. It has no policy beside those of
//! writing, allocation and replacement.

use heddle_memory::cache::*;
use heddle_memory::request::*;

#[derive(Clone, Debug)]
struct Line {
    address: LineAddress,
    valid: u8,
    dirty: u8,
    /// Words, where writes allocate lazily.
    written: u32,
    reserved: bool,
}

#[derive(Clone, Debug)]
struct Waiting {
    token: Token,
    missing: u8,
    touched: u8,
    modifies: bool,
    goes_below: bool,
}

#[derive(Clone, Debug)]
struct Pending {
    address: LineAddress,
    outstanding: u8,
    waiting: Vec<Waiting>,
}

/// The model.
pub(crate) struct Model {
    spec: CacheSpec,
    /// The next to leave first.
    sets: Vec<Vec<Line>>,
    pending: Vec<Pending>,
    pub(crate) released: Vec<Token>,
    pub(crate) written: Vec<(LineAddress, u8)>,
    pub(crate) write_misses: u64,
    pub(crate) sector_misses: u64,
}

impl Model {
    pub(crate) fn new(spec: &CacheSpec) -> Model {
        let sets = vec![Vec::new(); spec.sets() as usize];
        Model {
            spec: spec.clone(),
            sets,
            pending: Vec::new(),
            released: Vec::new(),
            written: Vec::new(),
            write_misses: 0,
            sector_misses: 0,
        }
    }

    fn set(&mut self, address: LineAddress) -> &mut Vec<Line> {
        let number = (address.0 / self.spec.line.0) as usize % self.sets.len();
        &mut self.sets[number]
    }

    fn line(&mut self, address: LineAddress) -> Option<&mut Line> {
        self.set(address).iter_mut().find(|line| line.address == address)
    }

    pub(crate) fn valid(&mut self, address: LineAddress) -> u8 {
        self.line(address).map_or(0, |line| line.valid)
    }

    /// What is dirty, by line.
    pub(crate) fn dirty(&self) -> Vec<(LineAddress, u8)> {
        let dirty = self.sets.iter().flatten().filter(|line| line.dirty != 0);
        dirty.map(|line| (line.address, line.dirty)).collect()
    }

    fn used(&mut self, address: LineAddress) {
        if self.spec.replacement == ReplacementKind::Lru {
            let set = self.set(address);
            let at = set.iter().position(|line| line.address == address).unwrap();
            let line = set.remove(at);
            set.push(line);
        }
    }

    /// Makes sure that a line has a place; false if all ways are reserved.
    fn allocate(&mut self, address: LineAddress) -> bool {
        let ways = self.spec.ways as usize;
        if self.line(address).is_some() {
            return true;
        }
        let set = self.set(address);
        if set.len() == ways {
            let Some(at) = set.iter().position(|line| !line.reserved) else {
                return false;
            };
            let gone = set.remove(at);
            if gone.dirty != 0 {
                self.written.push((gone.address, gone.dirty));
            }
        }
        self.set(address).push(Line { address, valid: 0, dirty: 0, written: 0, reserved: false });
        true
    }

    fn sectors(&self, words: u32) -> (u8, u8) {
        let (mut touched, mut covered) = (0, 0);
        let per = (self.spec.sector.0 / 4) as usize;
        for sector in 0..self.spec.sectors_per_line() as usize {
            let count = (0..per).filter(|word| words >> (sector * per + word) & 1 == 1).count();
            touched |= u8::from(count > 0) << sector;
            covered |= u8::from(count == per) << sector;
        }
        (touched, covered)
    }

    /// What the cache must answer; a fetch by its sectors.
    pub(crate) fn access(&mut self, request: &Request) -> Outcome {
        let held = self.line(request.line).map_or(0, |line| line.valid | line.dirty);
        let (touched, _) = self.sectors(request.words);
        let outcome = self.serve(request);
        match outcome {
            Outcome::Blocked(_) => {}
            _ if request.access == Access::Write && held == 0 => self.write_misses += 1,
            _ if request.access == Access::Write => self.sector_misses += u64::from(touched & !held != 0),
            Outcome::Hit => {}
            _ => self.sector_misses += u64::from(held != 0),
        }
        outcome
    }

    fn serve(&mut self, request: &Request) -> Outcome {
        let (touched, covered) = self.sectors(request.words);
        let here = self.valid(request.line);
        match request.access {
            Access::Write => self.write(request, touched, covered, here),
            access if touched & !here == 0 => {
                if access == Access::Atomic {
                    self.line(request.line).unwrap().dirty |= touched;
                }
                self.used(request.line);
                Outcome::Hit
            }
            access => {
                let modifies = access == Access::Atomic;
                let missing = touched & !here;
                let waiting = Waiting { token: request.token, missing, touched, modifies, goes_below: false };
                self.miss(request, waiting, 0)
            }
        }
    }

    fn write(&mut self, request: &Request, touched: u8, covered: u8, here: u8) -> Outcome {
        let address = request.line;
        let partial = touched & !covered & !here;
        let present = self.line(address).is_some();
        let (allocate, policy) = (self.spec.write_miss == WriteMiss::Allocate, self.spec.write_hit);
        if policy == WriteHit::Evict {
            if let Some(line) = self.line(address).cloned() {
                if line.dirty != 0 {
                    self.written.push((address, line.dirty));
                }
                if line.reserved {
                    *self.line(address).unwrap() = Line { valid: 0, dirty: 0, written: 0, ..line };
                } else {
                    self.set(address).retain(|line| line.address != address);
                }
            }
            return Outcome::Below;
        }
        if self.spec.write_miss == WriteMiss::AllocateLazily {
            return self.write_lazily(request, touched);
        }
        if allocate && partial != 0 {
            let goes_below = policy == WriteHit::Through;
            let token = request.token;
            let waiting = Waiting { token, missing: partial, touched, modifies: !goes_below, goes_below };
            return self.miss(request, waiting, covered);
        }
        if !allocate && (!present || (policy == WriteHit::Back && partial != 0)) {
            return Outcome::Below;
        }
        if !self.allocate(address) {
            return Outcome::Blocked(Blocked::Ways);
        }
        self.used(address);
        let line = self.line(address).unwrap();
        if policy == WriteHit::Back {
            line.valid |= touched;
            line.dirty |= touched;
            return Outcome::Hit;
        }
        line.valid |= covered;
        Outcome::Below
    }

    fn write_lazily(&mut self, request: &Request, touched: u8) -> Outcome {
        if !self.allocate(request.line) {
            return Outcome::Blocked(Blocked::Ways);
        }
        self.used(request.line);
        let line = self.line(request.line).unwrap();
        line.written |= request.words;
        line.dirty |= touched;
        let written = line.written;
        let (_, whole) = self.sectors(written);
        self.line(request.line).unwrap().valid |= whole;
        Outcome::Hit
    }

    fn miss(&mut self, request: &Request, waiting: Waiting, covered: u8) -> Outcome {
        let address = request.line;
        let here = self.valid(address);
        let at = match self.pending.iter().position(|pending| pending.address == address) {
            Some(at) if self.pending[at].waiting.len() as u32 == self.spec.merges => {
                return Outcome::Blocked(Blocked::Merges);
            }
            Some(at) => at,
            None if self.pending.len() as u32 == self.spec.mshrs => {
                return Outcome::Blocked(Blocked::Mshrs);
            }
            None => {
                if self.spec.allocate == Allocate::OnMiss {
                    if !self.allocate(address) {
                        return Outcome::Blocked(Blocked::Ways);
                    }
                    self.line(address).unwrap().reserved = true;
                }
                self.pending.push(Pending { address, outstanding: 0, waiting: Vec::new() });
                self.pending.len() - 1
            }
        };
        let all = Sectors::first(self.spec.sectors_per_line()).0;
        let pending = &mut self.pending[at];
        let more = waiting.missing & !pending.outstanding;
        let wide = if self.spec.granularity == GranularityKind::Line { all } else { more };
        let ask = if more == 0 { 0 } else { wide & !here & !pending.outstanding & !covered };
        pending.outstanding |= ask;
        pending.waiting.push(waiting);
        if ask == 0 {
            return Outcome::Merged;
        }
        Outcome::Miss(Fetch { line: address, sectors: Sectors(ask), pc: request.pc, policy_bits: 0 })
    }

    pub(crate) fn fill(&mut self, address: LineAddress, sectors: Sectors) {
        let kept = self.allocate(address);
        let at = self.pending.iter().position(|pending| pending.address == address).unwrap();
        let pending = &mut self.pending[at];
        pending.outstanding &= !sectors.0;
        pending.waiting.iter_mut().for_each(|waiting| waiting.missing &= !sectors.0);
        let (ready, rest): (Vec<_>, Vec<_>) =
            pending.waiting.drain(..).partition(|waiting| waiting.missing == 0);
        pending.waiting = rest;
        let done = pending.outstanding == 0;
        if done {
            self.pending.remove(at);
        }
        self.released.extend(ready.iter().map(|waiting| waiting.token));
        let union = |chosen: fn(&Waiting) -> bool| {
            ready.iter().filter(|waiting| chosen(waiting)).fold(0, |all, waiting| all | waiting.touched)
        };
        let (modified, mut below) = (union(|waiting| waiting.modifies), union(|waiting| waiting.goes_below));
        if kept {
            let line = self.line(address).unwrap();
            line.valid |= sectors.0 | modified;
            line.dirty |= modified;
            line.reserved &= !done;
        } else {
            below |= modified;
        }
        if below != 0 {
            self.written.push((address, below));
        }
    }
}
