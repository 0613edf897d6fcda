//! How far a sweep is: a bar on a terminal, a line now and then elsewhere, nothing if the user is quiet. What went wrong
//! is told at once.

use super::{first_line, point_name};
use crate::output;
use crate::view::text::{harmless, plural};
use heddle_lab::runner::{Event, Listener, Task, Totals};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::{self, IsTerminal};
use std::time::Duration;

/// How often the time on the screen moves.
const TICK: Duration = Duration::from_millis(200);

/// Time between two lines where there is no terminal.
const LINE_EVERY: Duration = Duration::from_secs(10);

/// Shows how far a sweep is.
pub(super) struct SweepProgress<'a> {
    tasks: &'a [Task],
    clock: &'a dyn Fn() -> Duration,
    is_quiet: bool,
    /// On a terminal.
    bar: Option<ProgressBar>,
    last_line: Duration,
    /// When the first point began.
    begun: Option<Duration>,
}

impl<'a> SweepProgress<'a> {
    pub(super) fn new(
        tasks: &'a [Task],
        is_quiet: bool,
        clock: &'a dyn Fn() -> Duration,
    ) -> SweepProgress<'a> {
        let bar = (!is_quiet && io::stderr().is_terminal()).then(|| {
            let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
            let style = ProgressStyle::with_template("{bar:30} {msg}");
            bar.set_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()).progress_chars("=> "));
            bar.enable_steady_tick(TICK);
            bar
        });
        SweepProgress { tasks, clock, is_quiet, bar, last_line: clock(), begun: None }
    }

    /// Says something, above the bar where there is one.
    fn say(&self, text: &str) {
        match &self.bar {
            _ if self.is_quiet => {}
            Some(bar) => bar.suspend(|| output::note(text)),
            None => output::note(text),
        }
    }

    fn name(&self, task: usize) -> String {
        self.tasks.get(task).map_or_else(String::new, |task| point_name(&task.labels))
    }

    /// What is said of an event at once; none for those that only move the bar.
    fn words(&self, event: &Event<'_>, totals: &Totals) -> Option<String> {
        Some(match event {
            Event::Scanned if totals.finished + totals.failed > 0 => {
                let points = plural(totals.points as u64, "point");
                let failed =
                    if totals.failed > 0 { format!(", {} failed", totals.failed) } else { String::new() };
                format!("{} of {points} finished already{failed}", totals.finished)
            }
            Event::Dropped { records } => {
                format!("{} of other builds dropped", plural(*records as u64, "record"))
            }
            Event::Checking { task, build } => {
                format!(
                    "{}: run again, to see whether this build gives the figures of build {build}",
                    self.name(*task)
                )
            }
            Event::Failed { task, error, .. } => {
                format!("{}: failed: {}", self.name(*task), first_line(error))
            }
            Event::Waiting { points, runner } => {
                let points = plural(*points as u64, "point");
                format!("waiting for {points} of other runners, the first with runner {runner}")
            }
            Event::TakenOver { task, runner } => {
                format!("{}: runner {runner} is gone; taken over", self.name(*task))
            }
            Event::SetAside { task, path, why } => format!(
                "{}: its record was damaged ({why}) and is now {}; the point runs again, and the file can be removed",
                self.name(*task),
                path.display()
            ),
            Event::Unheard { error } => {
                format!("other runners may not see this one, and run its points too: {error}")
            }
            _ => return None,
        })
    }
}

/// Where a sweep is, in a line.
fn line(totals: &Totals, elapsed: Duration) -> String {
    let mut words =
        vec![format!("{} of {} finished", totals.finished, plural(totals.points as u64, "point"))];
    words.push(format!("{} running", totals.running));
    words.push(format!("{} failed", totals.failed));
    if totals.ended_here > 0 && !elapsed.is_zero() {
        let per_second = totals.ended_here as f64 / elapsed.as_secs_f64();
        words.push(match per_second {
            rate if rate >= 1.0 => format!("{rate:.1} points/s"),
            rate => format!("{:.1} points/min", rate * 60.0),
        });
        words.push(format!("{} left", duration(totals.left() as f64 / per_second)));
    }
    words.join(", ")
}

/// A time to come, no finer than is known.
fn duration(seconds: f64) -> String {
    match seconds {
        s if s < 90.0 => format!("{s:.0} s"),
        s if s < 5400.0 => format!("{:.0} min", s / 60.0),
        s if s < 172_800.0 => format!("{:.1} h", s / 3600.0),
        s => format!("{:.1} days", s / 86400.0),
    }
}

impl Listener for SweepProgress<'_> {
    fn hear(&mut self, event: &Event<'_>, totals: &Totals) {
        let now = (self.clock)();
        if let Event::Started { .. } = event {
            self.begun.get_or_insert(now);
        }
        if let Some(words) = self.words(event, totals) {
            self.say(&words);
        }
        let elapsed = now.saturating_sub(self.begun.unwrap_or(now));
        match &self.bar {
            Some(bar) => {
                bar.set_length(totals.points as u64);
                bar.set_position((totals.finished + totals.failed) as u64);
                bar.set_message(harmless(&line(totals, elapsed)).into_owned());
            }
            None if now.saturating_sub(self.last_line) >= LINE_EVERY => {
                self.last_line = now;
                self.say(&line(totals, elapsed));
            }
            None => {}
        }
    }
}

impl Drop for SweepProgress<'_> {
    fn drop(&mut self) {
        self.bar.iter().for_each(ProgressBar::finish_and_clear);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_tells_rate_and_time_left() {
        let totals = Totals { points: 100, finished: 40, failed: 2, running: 2, ended_here: 29 };
        let words = line(&totals, Duration::from_secs(58));
        assert_eq!(words, "40 of 100 points finished, 2 running, 2 failed, 30.0 points/min, 2 min left");
        let none = Totals { points: 1, ..Totals::default() };
        assert_eq!(line(&none, Duration::ZERO), "0 of 1 point finished, 0 running, 0 failed");
        assert_eq!(duration(20_000.0), "5.6 h");
    }
}
