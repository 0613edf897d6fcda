//! How a core finds loops and their target loads while warps run (\[Lakshminarayana14\] section 3.3.2.1).
//!
//! A warp that takes a backward branch shows a loop: the branch is its end, the target its start. Two iterations are
//! then watched, which need not be of one warp nor follow each other; a warp is watched when it begins an iteration by
//! taking the branch. Tags of the first are kept for the second, in which a load from a read-only array is a *head* if
//! its address is strided, and a *tail* if its address comes from a head. The body is looked through (`loop_body`), and
//! prefetches begin.
//!
//! What was chosen where the document is silent: an iteration in which the warp leaves the loop is watched again from the
//! first on, three times at most; a loop of which no further iteration comes gives way when 64 backward branches of
//! others have passed; a core knows as many loops as `core.prefetch_pairs`, and remembers eight more that have nothing to
//! prefetch. All of it is forgotten when a kernel ends.

use super::decoded::read_only_load;
use super::load_id_tags::LoadIdTags;
use super::loop_body::{FoundLoop, look_through};
use super::value_tags::{ValueTag, ValueTags};
use heddle_ptx::ir::Function;

/// Loops without targets that a core remembers.
pub(super) const LOOPS_PASSED: usize = 8;

/// Iterations that are watched.
const ITERATIONS: u32 = 2;

/// Times that watching begins anew.
const ATTEMPTS: u32 = 3;

/// Backward branches of other loops for which a loop waits.
const PATIENCE: u32 = 64;

/// What a core is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// It waits for a loop.
    Idle,
    /// It watches a warp.
    Watching { warp: usize },
    /// It waits for a warp that begins an iteration of the loop.
    Waiting { passed: u32 },
}

/// What a core finds out.
#[derive(Clone, Debug)]
pub(super) struct Training {
    phase: Phase,
    /// Start and end of the loop.
    range: (usize, usize),
    /// Iterations of it that were watched.
    iterations: u32,
    attempts: u32,
    values: ValueTags,
    load_ids: LoadIdTags,
    heads: Vec<usize>,
    tails: Vec<(usize, usize)>,
    /// Ends of loops that are known, and of those without targets.
    known: Vec<usize>,
    passed: Vec<usize>,
    /// Loops that may be known.
    most: usize,
}

impl Training {
    pub(super) fn new(most: usize) -> Training {
        Training {
            phase: Phase::Idle,
            range: (0, 0),
            iterations: 0,
            attempts: 0,
            values: ValueTags::default(),
            load_ids: LoadIdTags::default(),
            heads: Vec::new(),
            tails: Vec::new(),
            known: Vec::new(),
            passed: Vec::new(),
            most,
        }
    }

    /// The warp that is watched.
    pub(super) fn watched(&self) -> Option<usize> {
        match self.phase {
            Phase::Watching { warp } => Some(warp),
            _ => None,
        }
    }

    /// A warp begins; the one before it on its place is gone.
    pub(super) fn began(&mut self, warp: usize) {
        if self.watched() == Some(warp) {
            self.again();
        }
    }

    /// The watched warp has issued an instruction.
    pub(super) fn issued(&mut self, place: usize, kernel: &Function) {
        if !(self.range.0..=self.range.1).contains(&place) {
            self.again();
            return;
        }
        let Some(instruction) = kernel.instructions.get(place) else { return };
        let target = read_only_load(instruction).filter(|_| self.iterations + 1 == ITERATIONS);
        match target.map(|base| (base, self.values.of(base))) {
            Some((_, ValueTag::Stride)) => {
                if !self.heads.contains(&place) {
                    self.heads.push(place);
                }
                self.load_ids.strided_load(place, instruction);
            }
            Some((base, ValueTag::Random)) => {
                let tail = self.load_ids.of(base).map(|head| (place, head));
                self.tails.extend(tail.filter(|tail| !self.tails.contains(tail)));
                self.load_ids.update(instruction);
            }
            _ => self.load_ids.update(instruction),
        }
        self.values.update(instruction);
    }

    /// A warp has issued a backward branch, and goes back or not. Gives a loop that has been found out.
    pub(super) fn branched(
        &mut self,
        warp: usize,
        range: (usize, usize),
        goes_back: bool,
        kernel: &Function,
    ) -> Option<FoundLoop> {
        let is_own = self.phase != Phase::Idle && self.range == range;
        if self.watched() == Some(warp) && is_own {
            self.iterations += 1;
            if self.iterations == ITERATIONS {
                return self.conclude(kernel);
            }
            self.phase = Phase::Waiting { passed: 0 };
        }
        if !goes_back || self.known.len() >= self.most {
            return None;
        }
        let is_new = !self.known.contains(&range.1) && !self.passed.contains(&range.1);
        match self.phase {
            Phase::Waiting { .. } if is_own => self.watch(warp, kernel),
            Phase::Waiting { passed } if is_new && passed < PATIENCE => {
                self.phase = Phase::Waiting { passed: passed + 1 };
            }
            Phase::Idle | Phase::Waiting { .. } if is_new => {
                (self.range, self.iterations, self.attempts) = (range, 0, 0);
                self.watch(warp, kernel);
            }
            _ => {}
        }
        None
    }

    /// Watches a warp that begins an iteration.
    fn watch(&mut self, warp: usize, kernel: &Function) {
        let registers = kernel.registers.len();
        if self.iterations == 0 {
            self.values.reset(registers);
        }
        self.values.begin_iteration();
        self.load_ids.reset(registers);
        self.heads.clear();
        self.tails.clear();
        self.phase = Phase::Watching { warp };
    }

    /// The warp has left the loop.
    fn again(&mut self) {
        self.iterations = 0;
        self.attempts += 1;
        self.phase = Phase::Waiting { passed: 0 };
        if self.attempts == ATTEMPTS {
            self.pass();
        }
    }

    /// The loop has nothing to prefetch.
    fn pass(&mut self) {
        if self.passed.len() == LOOPS_PASSED {
            self.passed.remove(0);
        }
        self.passed.push(self.range.1);
        self.phase = Phase::Idle;
    }

    /// Both iterations were watched.
    fn conclude(&mut self, kernel: &Function) -> Option<FoundLoop> {
        let found = look_through(kernel, self.range, &self.heads, &self.tails);
        match found {
            Some(_) => {
                self.known.push(self.range.1);
                self.phase = Phase::Idle;
            }
            None => self.pass(),
        }
        found
    }
}
