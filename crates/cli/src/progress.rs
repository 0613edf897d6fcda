//! A progress bar on standard error: only on a terminal, and only if the work is not done in a moment.

use crate::timing::Hook;
use heddle_graph::progress::Progress;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::{self, IsTerminal};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
#[expect(clippy::disallowed_types, reason = "it decides when a bar appears, never what a result is")]
use std::time::Instant;

/// Work shorter than this shows no bar.
const PATIENCE: Duration = Duration::from_millis(500);

/// How often the time on the screen moves.
const TICK: Duration = Duration::from_millis(200);

/// Shows how far long work is.
pub(crate) struct Bar {
    bar: ProgressBar,
    #[expect(clippy::disallowed_types, reason = "it decides when a bar appears, never what a result is")]
    started: Instant,
    wanted: bool,
    shown: AtomicBool,
}

impl Bar {
    /// A bar, which stays invisible if the user is `quiet` or standard error is no terminal.
    pub(crate) fn new(quiet: bool) -> Bar {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden());
        #[expect(clippy::disallowed_types, reason = "it decides when a bar appears, never what a result is")]
        let started = Instant::now();
        Bar { bar, started, wanted: !quiet && io::stderr().is_terminal(), shown: AtomicBool::new(false) }
    }

    /// Shows a simulation's cycles and rate, as its machine tells them.
    pub(crate) fn simulation(&self, name: &str) -> Hook {
        self.begin(name, 0);
        if !self.wanted {
            return Box::new(|_, _| ());
        }
        let (bar, name) = (self.bar.clone(), name.to_owned());
        let (mut shown, waited) = (self.shown.load(Ordering::Relaxed), self.started.elapsed());
        #[expect(
            clippy::disallowed_types,
            reason = "the host's rate is shown while one waits, and kept nowhere"
        )]
        let started = Instant::now();
        Box::new(move |cycles, warp_instructions| {
            let elapsed = started.elapsed();
            if !shown && waited + elapsed >= PATIENCE {
                shown = true;
                bar.set_draw_target(ProgressDrawTarget::stderr());
                bar.enable_steady_tick(TICK);
            }
            let rate = warp_instructions as f64 / elapsed.as_secs_f64().max(1e-9) / 1e6;
            let cycles = cycles as f64 / 1e6;
            bar.set_message(format!("{name}: {cycles:.1} M cycles, {rate:.2} M warp instructions/s"));
        })
    }

    fn show_if_late(&self) {
        let late = self.wanted && self.started.elapsed() >= PATIENCE;
        if late && !self.shown.swap(true, Ordering::Relaxed) {
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
            self.bar.enable_steady_tick(TICK);
        }
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
        self.bar.reset();
        self.bar.set_style(style(total));
        self.bar.set_message(step.to_string());
        self.bar.set_length(total);
        self.show_if_late();
    }

    fn advance(&self, units: u64) {
        self.bar.inc(units);
        self.show_if_late();
    }
}

impl Drop for Bar {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
