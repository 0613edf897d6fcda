//! A machine that measures the host's time in its launches, apart from everything that results are made of.

use heddle_device::{LaunchError, LaunchReport, Machine};
use heddle_ptx::exec::LaunchRequest;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
#[expect(clippy::disallowed_types, reason = "the host's time is reported apart from the result")]
use std::time::Instant;

/// Nanoseconds spent in launches, shared with whoever reports them.
#[derive(Clone, Debug, Default)]
pub(crate) struct HostTime(Arc<AtomicU64>);

impl HostTime {
    /// The time so far.
    pub(crate) fn seconds(&self) -> f64 {
        self.0.load(Ordering::Relaxed) as f64 / 1e9
    }
}

/// A machine with a stopwatch.
#[derive(Debug)]
pub(crate) struct Timed {
    machine: Box<dyn Machine>,
    time: HostTime,
    launches: u64,
    told: Option<ToldOfLaunches>,
}

/// Hears of each launch before it begins: its number from 1, and its kernel.
pub(crate) type OnLaunch = Box<dyn FnMut(u64, &str)>;

struct ToldOfLaunches(OnLaunch);

impl std::fmt::Debug for ToldOfLaunches {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("ToldOfLaunches")
    }
}

impl Timed {
    /// Measures the launches of `machine`.
    pub(crate) fn new(machine: Box<dyn Machine>) -> Timed {
        Timed { machine, time: HostTime::default(), launches: 0, told: None }
    }

    /// The same, and tells of each launch before it begins.
    pub(crate) fn telling(self, told: OnLaunch) -> Timed {
        Timed { told: Some(ToldOfLaunches(told)), ..self }
    }

    /// What it measures.
    pub(crate) fn time(&self) -> HostTime {
        self.time.clone()
    }
}

impl Machine for Timed {
    fn launch(&mut self, request: LaunchRequest<'_>) -> Result<LaunchReport, LaunchError> {
        self.launches += 1;
        if let Some(ToldOfLaunches(told)) = &mut self.told {
            let kernel = request.program.module.functions.get(request.kernel.0 as usize);
            told(self.launches, kernel.map_or("", |kernel| &kernel.name));
        }
        #[expect(clippy::disallowed_types, reason = "the host's time is reported apart from the result")]
        let started = Instant::now();
        let report = self.machine.launch(request);
        self.time.0.fetch_add(started.elapsed().as_nanos() as u64, Ordering::Relaxed);
        report
    }

    fn host_copied(&mut self, addresses: Range<u64>) {
        self.machine.host_copied(addresses);
    }
}
