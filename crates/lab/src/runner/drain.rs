//! Works a list of points off: as many at once as there are threads and memory.

use super::event::Event;
use super::pool::{Asked, Pool};
use super::worker::{Done, Message, Teller};
use crate::record::Outcome;
use crate::store::{Lease, StoreError};
use std::any::Any;
use std::collections::{BTreeMap, VecDeque};
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread::{Builder, Scope, ScopedJoinHandle};
use std::time::Duration;

/// How long the thread that decides sleeps at most: interrupts and other runners do not wake it.
const NAP: Duration = Duration::from_millis(250);

/// Workers by thread that may be alive, most of them writing.
const WORKERS_BY_THREAD: usize = 4;

/// Something to be done.
#[derive(Clone, Debug)]
pub(super) enum Job {
    /// A point to be run.
    Run(usize),
    /// A finished point of another build to be run again.
    Check { task: usize, build: String },
}

impl Job {
    fn task(&self) -> usize {
        match self {
            Job::Run(task) | Job::Check { task, .. } => *task,
        }
    }
}

/// A point that runs.
struct Running<'scope> {
    task: usize,
    /// None for a point that is run again to be compared.
    lease: Option<Lease>,
    memory_bytes: u64,
    /// Not writing yet.
    is_computing: bool,
    handle: ScopedJoinHandle<'scope, Result<Done, StoreError>>,
}

/// A list that is worked off.
pub(super) struct Drain<'pool, 'a, 'scope, 'env> {
    pool: &'pool mut Pool<'a>,
    scope: &'scope Scope<'scope, 'env>,
    jobs: VecDeque<Job>,
    /// Points that other runners have, and when to ask again.
    held: VecDeque<usize>,
    ask_again: Duration,
    /// How many were waited for when that was told.
    waiting_told: usize,
    running: BTreeMap<u64, Running<'scope>>,
    next_worker: u64,
    sender: Sender<Message>,
    receiver: Receiver<Message>,
    /// The first error of the store: no further point begins.
    error: Option<StoreError>,
}

impl<'pool, 'a: 'scope, 'scope, 'env> Drain<'pool, 'a, 'scope, 'env> {
    pub(super) fn new(
        pool: &'pool mut Pool<'a>,
        scope: &'scope Scope<'scope, 'env>,
        jobs: VecDeque<Job>,
    ) -> Drain<'pool, 'a, 'scope, 'env> {
        let (sender, receiver) = mpsc::channel();
        let ask_again = Duration::ZERO;
        Drain {
            pool,
            scope,
            jobs,
            held: VecDeque::new(),
            ask_again,
            waiting_told: 0,
            running: BTreeMap::new(),
            next_worker: 0,
            sender,
            receiver,
            error: None,
        }
    }

    /// Works the list off; ends early at an interrupt or an error, when what runs has ended.
    pub(super) fn run(mut self) -> Result<(), StoreError> {
        let nap = NAP.min(self.pool.scan.options.timing.heartbeat);
        loop {
            self.pool.beat();
            if !self.is_ending() {
                let begun = self.begin_jobs().and_then(|()| self.ask_for_held());
                self.error = begun.err();
            }
            let is_idle = self.jobs.is_empty() && self.held.is_empty();
            if self.running.is_empty() && (is_idle || self.is_ending()) {
                return self.error.map_or(Ok(()), Err);
            }
            // A timeout is as good as a message: the sender is never gone.
            self.receiver.recv_timeout(nap).into_iter().for_each(|message| self.hear(message));
        }
    }

    fn is_ending(&self) -> bool {
        self.error.is_some() || self.pool.is_ending()
    }

    /// Begins points in order, while there are threads and memory.
    fn begin_jobs(&mut self) -> Result<(), StoreError> {
        while let Some(task) = self.jobs.front().map(Job::task)
            && self.has_room(task)
        {
            match self.jobs.pop_front() {
                Some(Job::Run(task)) => self.begin_or_hold(task).map(drop)?,
                Some(Job::Check { task, build }) => {
                    self.pool.tell(&Event::Checking { task, build: &build });
                    self.spawn(task, None)?;
                }
                None => {}
            }
            if self.pool.is_ending() {
                break;
            }
            self.pool.beat();
        }
        Ok(())
    }

    fn begin_or_hold(&mut self, task: usize) -> Result<Option<String>, StoreError> {
        match self.pool.ask(task)? {
            Asked::Taken(lease) => self.spawn(task, Some(lease)).map(|()| None),
            Asked::Over => Ok(None),
            Asked::Held(by) => {
                self.held.push_back(task);
                Ok(Some(by))
            }
        }
    }

    /// Asks again for what other runners have, when nothing else is left to begin.
    fn ask_for_held(&mut self) -> Result<(), StoreError> {
        let now = (self.pool.host.clock)();
        if !self.jobs.is_empty() || self.held.is_empty() || now < self.ask_again {
            return Ok(());
        }
        self.ask_again = now + NAP.min(self.pool.scan.options.timing.heartbeat);
        let mut runner = None;
        for _ in 0..self.held.len() {
            let Some(task) = self.held.pop_front() else { break };
            if self.has_room(task) {
                let holder = self.begin_or_hold(task)?;
                runner = runner.or(holder);
            } else {
                self.held.push_back(task);
            }
        }
        let waiting = if self.running.is_empty() { self.held.len() } else { 0 };
        if let Some(runner) = runner.filter(|_| waiting > 0 && waiting != self.waiting_told) {
            self.pool.tell(&Event::Waiting { points: waiting, runner: &runner });
        }
        self.waiting_told = waiting;
        Ok(())
    }

    /// Whether a point may begin: one always may.
    fn has_room(&mut self, task: usize) -> bool {
        let threads = self.pool.scan.options.threads.max(1);
        let computing = || self.running.values().filter(|running| running.is_computing);
        if computing().count() >= threads || self.running.len() >= threads * WORKERS_BY_THREAD {
            return false;
        }
        let taken: u64 = computing().map(|running| running.memory_bytes).sum();
        if computing().next().is_none() {
            return true;
        }
        let wanted = taken.saturating_add(self.pool.memory_bytes(task));
        wanted <= self.pool.host_memory_bytes()
    }

    fn spawn(&mut self, task: usize, lease: Option<Lease>) -> Result<(), StoreError> {
        let (worker, shared) = (self.next_worker, self.pool.shared);
        self.next_worker += 1;
        let teller = Teller { worker, sender: self.sender.clone() };
        let own = lease.clone();
        let work = move || match &own {
            Some(lease) => shared.run(task, lease, &teller),
            None => shared.check(task, &teller),
        };
        let spawned = Builder::new().name(format!("point {task}")).spawn_scoped(self.scope, work);
        let handle = spawned.map_err(|error| {
            let problem = format!("no thread can be started: {}", crate::store::words(&error));
            let help =
                "use fewer threads with --threads, and start the command again: finished points are kept";
            let given_back = lease.iter().try_for_each(Lease::give_back);
            given_back.err().unwrap_or_else(|| StoreError::new(self.pool.scan.store.folder(), problem, help))
        })?;
        let memory_bytes = self.pool.memory_bytes(task);
        self.running.insert(worker, Running { task, lease, memory_bytes, is_computing: true, handle });
        self.tell_running();
        if self.running[&worker].lease.is_some() {
            self.pool.tell(&Event::Started { task });
        }
        Ok(())
    }

    /// Points that are only being written run no more.
    fn tell_running(&mut self) {
        self.pool.set_running(self.running.values().filter(|running| running.is_computing).count());
    }

    fn hear(&mut self, message: Message) {
        match message {
            Message::Computed(worker) => {
                self.running.get_mut(&worker).into_iter().for_each(|running| running.is_computing = false);
                self.tell_running();
            }
            Message::Ended(worker) => {
                let Some(Running { task, lease, handle, .. }) = self.running.remove(&worker) else { return };
                self.tell_running();
                let done = match handle.join() {
                    Ok(done) => done,
                    Err(panic) => self.panicked(task, lease.as_ref(), &*panic),
                };
                match done {
                    Ok(done) => self.pool.note(task, done),
                    Err(error) => self.error = self.error.take().or(Some(error)),
                }
            }
        }
    }

    /// A worker that panicked is that point's failure, and nobody else's.
    fn panicked(
        &self,
        task: usize,
        lease: Option<&Lease>,
        panic: &(dyn Any + Send),
    ) -> Result<Done, StoreError> {
        let words = panic.downcast_ref::<&str>().map(|words| (*words).to_owned());
        let words = words.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default();
        let error = format!("the simulator panicked: {words}");
        let shared = &self.pool.shared;
        let Some(lease) = lease else {
            return shared.compare(task, Outcome::Failed { error, timed_out: false });
        };
        let kept = shared.keep_failure(task, error, false);
        let given_back = lease.give_back();
        let done = kept?;
        given_back.map(|()| done)
    }
}
