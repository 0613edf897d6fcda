//! The threads of a sweep: each executes point after point, and keeps what came out.

use super::check::{BuildDifference, Difference, differences};
use super::task::{Ended, Execute, Executed, Stop, Task};
use crate::record::{Outcome, Record, SCHEMA};
use crate::store::{Found, HostLog, HostRecord, Lease, Store, StoreError};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::{Receiver, Sender};
use std::time::Duration;

/// What all workers share.
#[derive(Clone, Copy)]
pub(super) struct Shared<'a> {
    pub(super) store: &'a Store,
    pub(super) host_log: &'a HostLog,
    pub(super) tasks: &'a [Task],
    pub(super) execute: &'a Execute<'a>,
    pub(super) clock: &'a (dyn Fn() -> Duration + Sync),
    pub(super) interrupted: &'a (dyn Fn() -> bool + Sync),
    pub(super) time_limit: Option<Duration>,
}

/// A point for a worker.
pub(super) struct Order {
    pub(super) task: usize,
    /// None for a point that is run again to be compared.
    pub(super) lease: Option<Lease>,
    /// Raised when it is to stop.
    pub(super) raised: Arc<AtomicBool>,
    /// By the clock.
    pub(super) deadline: Option<Duration>,
}

/// What a worker tells the thread that decides, with its number.
pub(super) enum Message {
    /// Its simulation is over: another may begin while the record is written.
    Computed(usize),
    /// Its point is over.
    Ended(usize, Result<Done, StoreError>),
    /// It is over itself: it panicked, or there will be no more orders.
    Gone(usize),
}

/// How a worker is heard, also when it panics.
pub(super) struct Teller {
    pub(super) worker: usize,
    pub(super) sender: Sender<Message>,
}

impl Teller {
    fn tell(&self, message: Message) {
        // The one who decides listens until every worker is over; where it has panicked itself, all end.
        self.sender.send(message).unwrap_or_default();
    }
}

impl Drop for Teller {
    fn drop(&mut self) {
        self.tell(Message::Gone(self.worker));
    }
}

/// What came of a point.
#[derive(Debug)]
pub(super) enum Done {
    /// It is in the store.
    Kept { wall: Duration, host: Box<HostRecord>, record: Box<Record> },
    /// Its failure is in the store.
    Failed { error: String, timed_out: bool },
    /// It was interrupted, and is to be run another time.
    Abandoned,
    /// It gave the figures of its record again.
    Same,
    /// It gave others.
    Different(Box<BuildDifference>),
}

impl Shared<'_> {
    /// Works orders off until there will be no more.
    pub(super) fn work(&self, orders: &Receiver<Order>, teller: &Teller) {
        for order in orders {
            let done = match &order.lease {
                Some(lease) => self.run(&order, lease, teller),
                None => self.check(&order, teller),
            };
            teller.tell(Message::Ended(teller.worker, done));
        }
    }

    /// Runs a point and keeps its record. The lease is given back, whatever happens.
    fn run(&self, order: &Order, lease: &Lease, teller: &Teller) -> Result<Done, StoreError> {
        let task = order.task;
        let (result, wall) = self.execute(order, teller);
        let kept = self.keep(task, result, wall);
        // An error of the record tells more than one of the lease, which will expire.
        let given_back = lease.give_back();
        let done = kept?;
        given_back.map(|()| done)
    }

    /// Runs a finished point of another build again, and compares.
    fn check(&self, order: &Order, teller: &Teller) -> Result<Done, StoreError> {
        let (result, _) = self.execute(order, teller);
        let outcome = match result {
            Ok(executed) => Outcome::Done { run: executed.run, launches: executed.launches },
            Err(Broken::Interrupted) => return Ok(Done::Abandoned),
            Err(Broken::Failed { error, timed_out }) => Outcome::Failed { error, timed_out },
        };
        self.compare(order.task, outcome)
    }

    /// Compares what came out of a point with its record.
    pub(super) fn compare(&self, task: usize, outcome: Outcome) -> Result<Done, StoreError> {
        let new = self.record(task, outcome);
        // Another runner may have dropped it; then there is nothing to mix.
        let Found::Done(old) = self.store.find(&new.key)? else { return Ok(Done::Abandoned) };
        let found: Vec<Difference> = differences(&old, &new);
        if found.is_empty() {
            return Ok(Done::Same);
        }
        let mut difference = BuildDifference::new(&old, &new.made.build, found);
        difference.timed_out = matches!(new.outcome, Outcome::Failed { timed_out: true, .. });
        Ok(Done::Different(Box::new(difference)))
    }

    fn execute(&self, order: &Order, teller: &Teller) -> (Result<Executed, Broken>, Duration) {
        let begun = (self.clock)();
        let (clock, interrupted, deadline) = (self.clock, self.interrupted, order.deadline);
        let stop = Stop { clock, interrupted, deadline, raised: Arc::clone(&order.raised) };
        let result = (self.execute)(order.task, &stop);
        let wall = (self.clock)().saturating_sub(begun);
        let result = result.map_err(|ended| match ended {
            Ended::Failed(error) => Broken::Failed { error, timed_out: false },
            // The user's wish comes first: a point that may have had time left has not failed.
            Ended::Stopped if (self.interrupted)() => Broken::Interrupted,
            Ended::Stopped => {
                let limit = self.time_limit.map_or(0.0, |limit| limit.as_secs_f64());
                Broken::Failed {
                    error: format!("it took longer than the limit of {limit} s"),
                    timed_out: true,
                }
            }
        });
        teller.tell(Message::Computed(teller.worker));
        (result, wall)
    }

    fn keep(
        &self,
        task: usize,
        result: Result<Executed, Broken>,
        wall: Duration,
    ) -> Result<Done, StoreError> {
        let executed = match result {
            Ok(executed) => executed,
            Err(Broken::Interrupted) => return Ok(Done::Abandoned),
            Err(Broken::Failed { error, timed_out }) => return self.keep_failure(task, error, timed_out),
        };
        let Executed { run, launches, cost } = executed;
        let record = self.record(task, Outcome::Done { run, launches });
        if let Err(why) = self.store.keep(&record, wall)? {
            return self.keep_failure(task, why, false);
        }
        let Task { key, labels, arcs, .. } = &self.tasks[task];
        let host = HostRecord::new(key.clone(), labels.clone(), *arcs, wall.as_secs_f64(), cost);
        self.host_log.keep(&host)?;
        Ok(Done::Kept { wall, host: Box::new(host), record: Box::new(record) })
    }

    /// Keeps that a point failed.
    pub(super) fn keep_failure(
        &self,
        task: usize,
        error: String,
        timed_out: bool,
    ) -> Result<Done, StoreError> {
        let record = self.record(task, Outcome::Failed { error: error.clone(), timed_out });
        // It costs nothing to find out again what is lost when the host fails.
        match self.store.keep(&record, Duration::ZERO)? {
            Ok(()) => Ok(Done::Failed { error, timed_out }),
            Err(why) => Ok(Done::Failed { error: format!("{error}; {why}"), timed_out }),
        }
    }

    fn record(&self, task: usize, outcome: Outcome) -> Record {
        let Task { key, labels, made, .. } = &self.tasks[task];
        Record { schema: SCHEMA, key: key.clone(), labels: labels.clone(), made: made.clone(), outcome }
    }
}

/// Why nothing came out.
enum Broken {
    Failed { error: String, timed_out: bool },
    Interrupted,
}
