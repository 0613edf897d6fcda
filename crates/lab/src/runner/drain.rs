//! Works a list of points off: as many at once as there are threads and memory.

use super::event::Event;
use super::pool::{Asked, Pool};
use super::worker::{Done, Message, Order, Teller};
use crate::record::Outcome;
use crate::store::{Lease, StoreError};
use std::any::Any;
use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread::{Builder, Scope, ScopedJoinHandle};
use std::time::Duration;

/// How long the thread that decides sleeps at most: interrupts, limits of time and other runners do not wake it.
const NAP: Duration = Duration::from_millis(100);

/// Workers by thread that may be busy, most of them writing.
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
struct Running {
    task: usize,
    /// None for a point that is run again to be compared.
    lease: Option<Lease>,
    memory_bytes: u64,
    /// Not writing yet.
    is_computing: bool,
    raised: Arc<AtomicBool>,
    /// By the clock.
    deadline: Option<Duration>,
}

/// A thread that takes orders until its sender is gone.
struct Worker<'scope> {
    orders: Sender<Order>,
    handle: ScopedJoinHandle<'scope, ()>,
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
    /// Started when they are needed; none for one that panicked.
    workers: Vec<Option<Worker<'scope>>>,
    idle: Vec<usize>,
    /// By worker.
    running: BTreeMap<usize, Running>,
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
            workers: Vec::new(),
            idle: Vec::new(),
            running: BTreeMap::new(),
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
            self.stop_who_must();
        }
    }

    /// Tells points whose time is over, or all of them if the user wants to end.
    fn stop_who_must(&self) {
        let now = (self.pool.host.clock)();
        let is_interrupted = (self.pool.host.interrupted)();
        let must_stop =
            |running: &&Running| is_interrupted || running.deadline.is_some_and(|deadline| now >= deadline);
        self.running
            .values()
            .filter(must_stop)
            .for_each(|running| running.raised.store(true, Ordering::Relaxed));
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
                    self.begin(task, None)?;
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
            Asked::Taken(lease) => self.begin(task, Some(lease)).map(|()| None),
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

    /// Has a worker begin a point.
    fn begin(&mut self, task: usize, lease: Option<Lease>) -> Result<(), StoreError> {
        let worker = match self.idle.pop() {
            Some(worker) => worker,
            None => self.start_worker().map_err(|error| {
                let given_back = lease.iter().try_for_each(Lease::give_back);
                given_back.err().unwrap_or(error)
            })?,
        };
        let deadline = self.pool.scan.options.time_limit.map(|limit| (self.pool.host.clock)() + limit);
        let raised = Arc::new(AtomicBool::new(false));
        let (memory_bytes, is_leased) = (self.pool.memory_bytes(task), lease.is_some());
        let order = Order { task, lease: lease.clone(), raised: Arc::clone(&raised), deadline };
        let running = Running { task, lease, memory_bytes, is_computing: true, raised, deadline };
        // Before the worker can be heard. One that is idle listens.
        self.running.insert(worker, running);
        if let Some(worker) = &self.workers[worker] {
            worker.orders.send(order).unwrap_or_default();
        }
        self.tell_running();
        if is_leased {
            self.pool.tell(&Event::Started { task });
        }
        Ok(())
    }

    fn start_worker(&mut self) -> Result<usize, StoreError> {
        let (worker, shared) = (self.workers.len(), self.pool.shared);
        let (orders, taken) = mpsc::channel();
        let teller = Teller { worker, sender: self.sender.clone() };
        let work = move || shared.work(&taken, &teller);
        let started = Builder::new().name(format!("worker {worker}")).spawn_scoped(self.scope, work);
        let handle = started.map_err(|error| {
            let problem = format!("no thread can be started: {}", crate::store::words(&error));
            let help =
                "use fewer threads with --threads, and start the command again: finished points are kept";
            StoreError::new(self.pool.scan.store.folder(), problem, help)
        })?;
        self.workers.push(Some(Worker { orders, handle }));
        Ok(worker)
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
            Message::Ended(worker, done) => {
                self.idle.push(worker);
                self.note(worker, |_, _| done);
            }
            Message::Gone(worker) => {
                let gone = self.workers.get_mut(worker).and_then(Option::take);
                if let Some(Err(panic)) = gone.map(|gone| gone.handle.join()) {
                    self.note(worker, |drain, running| drain.panicked(running, &*panic));
                }
            }
        }
    }

    /// Notes what came of the point of a worker.
    fn note(&mut self, worker: usize, done: impl FnOnce(&Self, &Running) -> Result<Done, StoreError>) {
        let Some(running) = self.running.remove(&worker) else { return };
        self.tell_running();
        match done(self, &running) {
            Ok(done) => self.pool.note(running.task, done),
            Err(error) => self.error = self.error.take().or(Some(error)),
        }
    }

    /// A worker that panicked is that point's failure, and nobody else's.
    fn panicked(&self, running: &Running, panic: &(dyn Any + Send)) -> Result<Done, StoreError> {
        let words = panic.downcast_ref::<&str>().map(|words| (*words).to_owned());
        let words = words.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default();
        let error = format!("the simulator panicked: {words}");
        let (shared, task) = (&self.pool.shared, running.task);
        let Some(lease) = &running.lease else {
            return shared.compare(task, Outcome::Failed { error, timed_out: false });
        };
        let kept = shared.keep_failure(task, error, false);
        let given_back = lease.give_back();
        let done = kept?;
        given_back.map(|()| done)
    }
}
