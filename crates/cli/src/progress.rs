//! How far long work is, on standard error: a bar on a terminal, a line now and then elsewhere. Work that is done in a
//! moment shows nothing.

use crate::interrupt::Interrupt;
use crate::output;
use crate::timed::OnLaunch;
use crate::timing::Hook;
use crate::view::text::harmless;
use heddle_gpu::RunProgress;
use heddle_graph::progress::Progress;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::{self, IsTerminal};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
#[expect(clippy::disallowed_types, reason = "it decides when progress is shown, never what a result is")]
use std::time::Instant;

/// Work shorter than this shows no bar.
const PATIENCE: Duration = Duration::from_millis(500);

/// How often the time on the screen moves.
const TICK: Duration = Duration::from_millis(200);

/// Time between two lines where there is no terminal.
const LINE_EVERY: Duration = Duration::from_secs(10);

/// Where progress goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Shown {
    Nowhere,
    AsBar,
    AsLines,
}

/// Shows how far long work is.
pub(crate) struct Bar {
    bar: ProgressBar,
    #[expect(clippy::disallowed_types, reason = "it decides when progress is shown, never what a result is")]
    started: Instant,
    shown: Shown,
    is_drawn: AtomicBool,
    work: Arc<Work>,
}

/// How far work is, for lines.
#[derive(Default)]
struct Work {
    step: Mutex<Step>,
    done: AtomicU64,
    lines: Lines,
    /// The iteration of the host's loop that is running, from 1; 0 before the first.
    iteration: AtomicUsize,
    /// The launch that is executed without time, in words; empty before the first.
    launch: Mutex<String>,
}

/// What is being done.
#[derive(Default)]
struct Step {
    name: String,
    total: u64,
}

/// When a line is due.
#[derive(Debug, Default)]
struct Lines {
    /// Milliseconds since the beginning at which the last one was written.
    last: AtomicU64,
}

impl Lines {
    /// Whether it is time for a line; it is taken for written then.
    fn is_due(&self, elapsed: Duration) -> bool {
        let (now, last) = (elapsed.as_millis() as u64, self.last.load(Ordering::Relaxed));
        let is_due = now.saturating_sub(last) >= LINE_EVERY.as_millis() as u64;
        // Of several threads one writes.
        is_due && self.last.compare_exchange(last, now, Ordering::Relaxed, Ordering::Relaxed).is_ok()
    }
}

/// A simulation in a line.
fn simulating(name: &str, so_far: &RunProgress<'_>, iteration: usize, elapsed: Duration) -> String {
    let rate = so_far.warp_instructions as f64 / elapsed.as_secs_f64().max(1e-9) / 1e6;
    let (launch, kernel, cycles) = (so_far.launch + 1, so_far.kernel, so_far.cycle as f64 / 1e6);
    let iteration = if iteration > 0 { format!(", iteration {iteration}") } else { String::new() };
    format!(
        "{name}: launch {launch} ({kernel}){iteration}: {cycles:.1} M cycles, {rate:.2} M warp instructions/s"
    )
}

impl Bar {
    /// A bar on a terminal, lines elsewhere, nothing if the user is `quiet`.
    pub(crate) fn new(quiet: bool) -> Bar {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
        #[expect(
            clippy::disallowed_types,
            reason = "it decides when progress is shown, never what a result is"
        )]
        let started = Instant::now();
        let shown = match (quiet, io::stderr().is_terminal()) {
            (true, _) => Shown::Nowhere,
            (false, true) => Shown::AsBar,
            (false, false) => Shown::AsLines,
        };
        Bar { bar, started, shown, is_drawn: AtomicBool::new(false), work: Arc::default() }
    }

    /// Shows a simulation's launch, iteration, cycles and rate, as its machine tells them, and ends it where an
    /// interrupt has come.
    pub(crate) fn simulation(&self, name: &str, interrupt: &Interrupt) -> Hook {
        let (bar, interrupt) = (self.bar.clone(), interrupt.clone());
        let (shown, begun) = (self.shown, self.started);
        let mut told = Told::new(name, self.work.clone());
        let mut is_drawn = false;
        Box::new(move |so_far| {
            let elapsed = begun.elapsed();
            let simulated = told.simulated(elapsed);
            match shown {
                Shown::AsBar => {
                    if !is_drawn && elapsed >= PATIENCE {
                        is_drawn = true;
                        bar.set_draw_target(ProgressDrawTarget::stderr());
                        bar.enable_steady_tick(TICK);
                    }
                    bar.set_message(told.line(so_far, simulated));
                }
                Shown::AsLines if told.work.lines.is_due(elapsed) => {
                    output::note(&told.line(so_far, simulated));
                }
                _ => {}
            }
            interrupt.flow()
        })
    }

    /// One of several simulations at once. A bar shows how many of them are done; lines tell of each.
    pub(crate) fn column(&self, name: &str, interrupt: &Interrupt) -> (Hook, Column) {
        let (interrupt, column) = (interrupt.clone(), Column(Arc::default()));
        let (shown, begun) = (self.shown, self.started);
        let mut told = Told::new(name, column.0.clone());
        let hook: Hook = Box::new(move |so_far| {
            let elapsed = begun.elapsed();
            let simulated = told.simulated(elapsed);
            if shown == Shown::AsLines && told.work.lines.is_due(elapsed) {
                output::note(&told.line(so_far, simulated));
            }
            interrupt.flow()
        });
        (hook, column)
    }

    /// An iteration of the host's loop begins.
    pub(crate) fn iteration(&self, number: usize) {
        self.work.iteration.store(number, Ordering::Relaxed);
        self.advance(1);
    }

    /// For a machine without time, which tells of each launch as it begins.
    pub(crate) fn launches(&self) -> OnLaunch {
        let (work, shown, begun) = (self.work.clone(), self.shown, self.started);
        Box::new(move |number, kernel| {
            *lock(&work.launch) = format!("launch {number} ({kernel})");
            let elapsed = begun.elapsed();
            if shown == Shown::AsLines && work.lines.is_due(elapsed) {
                output::note(&work.line(elapsed));
            }
        })
    }

    fn show_if_late(&self) {
        let elapsed = self.started.elapsed();
        match self.shown {
            Shown::AsBar if elapsed >= PATIENCE && !self.is_drawn.swap(true, Ordering::Relaxed) => {
                self.bar.set_draw_target(ProgressDrawTarget::stderr());
                self.bar.enable_steady_tick(TICK);
            }
            Shown::AsLines if self.work.lines.is_due(elapsed) => output::note(&self.work.line(elapsed)),
            _ => {}
        }
    }
}

/// A run of a comparison, whose iterations are told.
#[derive(Clone)]
pub(crate) struct Column(Arc<Work>);

impl Column {
    /// An iteration of the host's loop begins.
    pub(crate) fn iteration(&self, number: usize) {
        self.0.iteration.store(number, Ordering::Relaxed);
    }
}

/// What is told of a simulation.
struct Told {
    name: String,
    work: Arc<Work>,
    /// When the first progress came.
    since: Option<Duration>,
}

impl Told {
    fn new(name: &str, work: Arc<Work>) -> Told {
        Told { name: name.to_owned(), work, since: None }
    }

    /// For how long it has been simulating.
    fn simulated(&mut self, elapsed: Duration) -> Duration {
        elapsed.saturating_sub(*self.since.get_or_insert(elapsed))
    }

    fn line(&self, so_far: &RunProgress<'_>, simulated: Duration) -> String {
        let iteration = self.work.iteration.load(Ordering::Relaxed);
        harmless(&simulating(&self.name, so_far, iteration, simulated)).into_owned()
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Work {
    /// The step in a line.
    fn line(&self, elapsed: Duration) -> String {
        let step = lock(&self.step);
        let done = self.done.load(Ordering::Relaxed);
        let mut words = match step.total {
            0 | 1 => Vec::new(),
            total => vec![format!("{} %", 100 * done.min(total) / total)],
        };
        if words.is_empty() {
            words.extend(Some(lock(&self.launch).clone()).filter(|launch| !launch.is_empty()));
            let iteration = self.iteration.load(Ordering::Relaxed);
            words.extend((iteration > 0).then(|| format!("iteration {iteration}")));
        }
        words.push(format!("{} s so far", elapsed.as_secs()));
        harmless(&format!("{}: {}", step.name, words.join(", "))).into_owned()
    }
}

/// A bar, or the time alone where a step has no parts.
fn style(total: u64) -> ProgressStyle {
    let template = match total {
        0 | 1 => "{msg:16} {elapsed}",
        _ => "{msg:16} {bar:40} {percent:>3} % {elapsed}",
    };
    ProgressStyle::with_template(template)
        .unwrap_or_else(|_| ProgressStyle::default_bar())
        .progress_chars("=> ")
}

impl Progress for Bar {
    fn begin(&self, step: &str, total: u64) {
        *lock(&self.work.step) = Step { name: step.to_owned(), total };
        self.work.done.store(0, Ordering::Relaxed);
        self.bar.reset();
        self.bar.set_style(style(total));
        self.bar.set_message(harmless(step).into_owned());
        self.bar.set_length(total);
        self.show_if_late();
    }

    fn advance(&self, units: u64) {
        self.work.done.fetch_add(units, Ordering::Relaxed);
        self.bar.inc(units);
        self.show_if_late();
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_comes_every_ten_seconds_and_not_before_the_first() {
        let lines = Lines::default();
        let due: Vec<u64> = (0..31).filter(|&at| lines.is_due(Duration::from_secs(at))).collect();
        assert_eq!(due, [10, 20, 30]);
    }

    #[test]
    fn a_simulation_names_its_launch_and_iteration() {
        let so_far =
            RunProgress { launch: 2, kernel: "Kernel", cycle: 1_500_000, warp_instructions: 4_000_000 };
        let line = simulating("h-bfs", &so_far, 2, Duration::from_secs(4));
        assert_eq!(line, "h-bfs: launch 3 (Kernel), iteration 2: 1.5 M cycles, 1.00 M warp instructions/s");
        // Of a comparison each column is told apart, with its own iteration.
        let column = Column(Arc::default());
        column.iteration(7);
        let mut told = Told::new("bfs with obm", column.0.clone());
        assert_eq!(told.simulated(Duration::from_secs(2)), Duration::ZERO);
        let simulated = told.simulated(Duration::from_secs(6));
        let line = told.line(&so_far, simulated);
        assert_eq!(
            line,
            "bfs with obm: launch 3 (Kernel), iteration 7: 1.5 M cycles, 1.00 M warp instructions/s"
        );
        let before_any = simulating("plan.toml", &so_far, 0, Duration::from_secs(4));
        assert!(before_any.starts_with("plan.toml: launch 3 (Kernel): "), "{before_any}");
    }

    #[test]
    fn work_without_time_names_its_launch_and_iteration() {
        let bar = Bar::new(true);
        bar.begin("bfs", 0);
        assert_eq!(bar.work.line(Duration::from_secs(12)), "bfs: 12 s so far");
        bar.launches()(3, "Kernel");
        assert_eq!(bar.work.line(Duration::from_secs(12)), "bfs: launch 3 (Kernel), 12 s so far");
        bar.iteration(2);
        assert_eq!(
            bar.work.line(Duration::from_secs(12)),
            "bfs: launch 3 (Kernel), iteration 2, 12 s so far"
        );
        bar.begin("reading", 4);
        bar.advance(1);
        assert_eq!(bar.work.line(Duration::from_secs(13)), "reading: 25 %, 13 s so far");
    }
}
