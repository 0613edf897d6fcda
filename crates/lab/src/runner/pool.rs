//! The thread that decides: which point begins, who waits, what is told.

use super::check::{BuildDifference, sample};
use super::drain::{Drain, Job};
use super::event::{Event, Listener, Totals};
use super::scan::Scan;
use super::task::{Execute, Host};
use super::worker::{Done, Shared};
use super::{RunError, Summary};
use crate::hash::Key;
use crate::record::Outcome;
use crate::store::{Claim, Found, History, HostLog, Lease, Leases, StoreError};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::thread;
use std::time::Duration;

/// How often the host is asked for its memory at most.
const MEMORY_EVERY: Duration = Duration::from_millis(250);

/// A sweep under way.
pub(super) struct Pool<'a> {
    pub(super) scan: Scan<'a>,
    pub(super) shared: Shared<'a>,
    pub(super) host: &'a Host<'a>,
    listener: &'a mut dyn Listener,
    leases: Leases,
    history: History,
    totals: Totals,
    summary: Summary,
    /// Tasks that are neither finished nor failed.
    open: BTreeSet<usize>,
    /// Finished tasks with their builds, of which another may be.
    finished: Vec<(usize, Key, String)>,
    /// Points that gave the same figures as another build.
    same: Vec<usize>,
    /// Points that did not.
    different: BTreeMap<usize, Box<BuildDifference>>,
    last_beat: Duration,
    unheard: String,
    /// Memory that the host had, and when.
    memory: Option<(Duration, u64)>,
}

/// What came of asking for a point.
pub(super) enum Asked {
    /// It is to be run here.
    Taken(Lease),
    /// Another runner has it.
    Held(String),
    /// Nothing is to be done.
    Over,
}

impl<'a> Pool<'a> {
    pub(super) fn new(
        scan: Scan<'a>,
        execute: &'a Execute<'a>,
        host: &'a Host<'a>,
        listener: &'a mut dyn Listener,
        leases: Leases,
        history: History,
        host_log: &'a HostLog,
    ) -> Pool<'a> {
        let shared = Shared {
            store: scan.store,
            host_log,
            tasks: scan.tasks,
            execute,
            clock: host.clock,
            interrupted: host.interrupted,
            time_limit: scan.options.time_limit,
        };
        Pool {
            scan,
            shared,
            host,
            listener,
            leases,
            history,
            totals: Totals::default(),
            summary: Summary::default(),
            open: BTreeSet::new(),
            finished: Vec::new(),
            same: Vec::new(),
            different: BTreeMap::new(),
            last_beat: (host.clock)(),
            unheard: String::new(),
            memory: None,
        }
    }

    /// Checks other builds, runs what is open, and checks what other builds have added meanwhile.
    pub(super) fn sweep(&mut self) -> Result<Summary, RunError> {
        if self.scan.options.replace_older {
            let keys = self.scan.tasks.iter().map(|task| &task.key);
            let records = self.scan.store.drop_other_builds(keys, self.scan.build())?;
            self.tell(&Event::Dropped { records });
        }
        let scanned = self.scan.scan()?;
        self.totals.finished = scanned.finished.len();
        self.totals.failed = scanned.failed.len();
        self.totals.points = self.totals.finished + self.totals.failed + scanned.open.len();
        self.finished = scanned.finished;
        self.summary.failed = scanned.failed;
        self.open = scanned.open.iter().copied().collect();
        self.tell(&Event::Scanned);
        self.check_builds()?;
        if !(self.host.interrupted)() {
            self.drain(scanned.open.into_iter().map(Job::Run).collect())?;
            self.check_builds()?;
        }
        let mut summary = std::mem::take(&mut self.summary);
        summary.finished = self.totals.finished;
        summary.failed.sort_unstable();
        summary.missing = self.open.iter().copied().collect();
        summary.interrupted = (self.host.interrupted)() && !summary.missing.is_empty();
        Ok(summary)
    }

    /// Leaves the store in order.
    pub(super) fn leave(self) -> Result<(), StoreError> {
        self.leases.leave((self.host.clock)())
    }

    /// Runs one finished point of other builds in a hundred again.
    fn check_builds(&mut self) -> Result<(), RunError> {
        let (store, build) = (self.scan.store, self.scan.build().to_owned());
        if self.finished.iter().all(|(_, _, other)| *other == build) {
            return Ok(());
        }
        let checked = store.checked(&build)?;
        let chosen = sample(&self.finished, &build, |other, key| checked.has(other, key));
        let builds: BTreeMap<usize, String> = chosen.iter().cloned().collect();
        self.drain(chosen.into_iter().map(|(task, build)| Job::Check { task, build }).collect())?;
        if let Some((_, difference)) = self.different.pop_first() {
            return Err(RunError::Build(difference));
        }
        let key = |task: usize| self.scan.tasks[task].key.clone();
        let same = std::mem::take(&mut self.same);
        let equal: Vec<(String, Key)> = same.iter().map(|task| (builds[task].clone(), key(*task))).collect();
        self.summary.checked += equal.len();
        match equal.is_empty() {
            true => Ok(()),
            false => Ok(store.remember_equal(&build, &equal)?),
        }
    }

    fn drain(&mut self, jobs: VecDeque<Job>) -> Result<(), StoreError> {
        thread::scope(|scope| Drain::new(self, scope, jobs).run())
    }

    pub(super) fn tell(&mut self, event: &Event<'_>) {
        self.listener.hear(event, &self.totals);
    }

    /// Something runs here or not any more.
    pub(super) fn set_running(&mut self, running: usize) {
        self.totals.running = running;
    }

    /// Memory that a task will probably need.
    pub(super) fn memory_bytes(&self, task: usize) -> u64 {
        let task = &self.scan.tasks[task];
        self.history.estimate(&task.key, &task.labels, task.arcs, task.memory_bytes).peak_bytes
    }

    /// Memory that this process may use, as it was a moment ago: asking the host takes longer than a short point has.
    pub(super) fn host_memory_bytes(&mut self) -> u64 {
        let now = (self.host.clock)();
        match self.memory {
            Some((asked, bytes)) if now.saturating_sub(asked) < MEMORY_EVERY => bytes,
            _ => {
                let bytes = (self.host.memory_bytes)();
                self.memory = Some((now, bytes));
                bytes
            }
        }
    }

    /// Tells the other runners that this one is there, when it is time.
    pub(super) fn beat(&mut self) {
        let now = (self.host.clock)();
        if now.saturating_sub(self.last_beat) < self.scan.options.timing.heartbeat {
            return;
        }
        self.last_beat = now;
        let error = self.leases.member().beat().err().map(|error| error.to_string()).unwrap_or_default();
        if !error.is_empty() && error != self.unheard {
            self.tell(&Event::Unheard { error: &error });
        }
        self.unheard = error;
    }

    /// Asks for a point. Whether another runner has finished it is seen before and after its lease is taken.
    pub(super) fn ask(&mut self, task: usize) -> Result<Asked, StoreError> {
        let (store, key) = (self.scan.store, &self.scan.tasks[task].key);
        if store.has(key) && self.is_over(task, store.find(key)?) {
            return Ok(Asked::Over);
        }
        let lease = match self.leases.claim(key, (self.host.clock)())? {
            Claim::Held { by } => return Ok(Asked::Held(by)),
            Claim::Taken(lease) => lease,
        };
        let prepared = self.prepare(task);
        if !matches!(prepared, Ok(false)) {
            lease.give_back()?;
        }
        match prepared? {
            true => Ok(Asked::Over),
            false => {
                let from = lease.from.clone();
                from.iter().for_each(|runner| self.tell(&Event::TakenOver { task, runner }));
                Ok(Asked::Taken(lease))
            }
        }
    }

    /// With the lease in hand: sets aside what does not verify; whether there is nothing left to do.
    fn prepare(&mut self, task: usize) -> Result<bool, StoreError> {
        let (store, key) = (self.scan.store, &self.scan.tasks[task].key);
        loop {
            match store.find(key)? {
                Found::Corrupt { path, why } => {
                    let path = store.set_aside(&path)?;
                    self.tell(&Event::SetAside { task, path: &path, why: &why });
                }
                found => return Ok(self.is_over(task, found)),
            }
        }
    }

    /// Notes what another runner has done meanwhile.
    fn is_over(&mut self, task: usize, found: Found) -> bool {
        match found {
            Found::Done(record) => {
                self.finish(task, record.made.build);
                self.tell(&Event::Skipped { task });
                true
            }
            Found::Failed(record) => {
                if let Outcome::Failed { error, timed_out } = &record.outcome {
                    self.fail(task);
                    self.tell(&Event::Failed { task, error, timed_out: *timed_out });
                }
                true
            }
            Found::Corrupt { .. } | Found::Missing => false,
        }
    }

    fn finish(&mut self, task: usize, build: String) {
        if self.open.remove(&task) {
            self.totals.finished += 1;
            self.finished.push((task, self.scan.tasks[task].key.clone(), build));
        }
    }

    fn fail(&mut self, task: usize) {
        if self.open.remove(&task) {
            self.totals.failed += 1;
            self.summary.failed.push(task);
        }
    }

    /// Notes what a worker has done.
    pub(super) fn note(&mut self, task: usize, done: Done) {
        match done {
            Done::Kept { wall, host, record } => {
                self.history.learn(&host);
                self.summary.recent.insert(&record);
                self.finish(task, self.scan.build().to_owned());
                self.totals.ended_here += 1;
                self.summary.ran += 1;
                self.tell(&Event::Finished { task, wall });
            }
            Done::Failed { error, timed_out } => {
                self.fail(task);
                self.totals.ended_here += 1;
                self.tell(&Event::Failed { task, error: &error, timed_out });
            }
            Done::Abandoned => {}
            Done::Same => self.same.push(task),
            Done::Different(difference) => {
                self.different.insert(task, difference);
            }
        }
    }

    /// Whether no further point is to begin.
    pub(super) fn is_ending(&self) -> bool {
        !self.different.is_empty() || (self.host.interrupted)()
    }
}
