//! A sweep of fake points as a process of its own: this test binary, started again.

use super::fake::Fake;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

/// Tells the process what to do.
const ORDER: &str = "HEDDLE_TEST_SWEEP";

impl Fake {
    /// The words of a process that runs the sweep in a folder.
    pub(super) fn order(&self, folder: &Path) -> String {
        let Fake { points, micros, payload, large_from, build, shift, threads, heartbeat, expiry } = self;
        let (heartbeat, expiry, folder) = (heartbeat.as_millis(), expiry.as_millis(), folder.display());
        format!(
            "{points}|{micros}|{payload}|{large_from}|{build}|{shift}|{threads}|{heartbeat}|{expiry}|{folder}"
        )
    }

    /// A process that runs the sweep in a folder; quiet, unless it is listened to.
    pub(super) fn child(&self, folder: &Path) -> Command {
        self.child_of(Command::new(std::env::current_exe().unwrap()), folder)
    }

    /// The same, started by a program that takes a command as its last words.
    pub(super) fn child_of(&self, mut command: Command, folder: &Path) -> Command {
        command.args(["store::child::sweep_as_a_process", "--exact", "--nocapture", "--quiet"]);
        command.env(ORDER, self.order(folder)).stdout(Stdio::null()).stderr(Stdio::null());
        command
    }
}

fn parse(order: &str) -> (Fake, String) {
    let words: Vec<&str> = order.splitn(10, '|').collect();
    let number = |at: usize| words[at].parse::<u64>().unwrap();
    let fake = Fake {
        points: number(0) as usize,
        micros: number(1),
        payload: number(2) as usize,
        large_from: number(3) as usize,
        build: words[4].to_owned(),
        shift: number(5),
        threads: number(6) as usize,
        heartbeat: Duration::from_millis(number(7)),
        expiry: Duration::from_millis(number(8)),
    };
    (fake, words[9].to_owned())
}

/// The process that runs a sweep; as a test it does nothing.
///
/// Beside the store, in a folder `runs`, each execution leaves a file, and the process its peak memory in the end.
#[test]
fn sweep_as_a_process() {
    let Ok(order) = std::env::var(ORDER) else { return };
    let (fake, folder) = parse(&order);
    let runs = Path::new(&folder).with_extension("runs");
    let me = std::process::id();
    let execute = |index: usize, stop: &heddle_lab::runner::Stop<'_>| {
        if runs.is_dir() {
            fs::write(runs.join(format!("{index}-{me}")), "").unwrap();
        }
        fake.execute(index, stop)
    };
    let (result, _) = fake.run_with(Path::new(&folder), &fake.options(), &execute);
    if let Err(error) = result {
        panic!("{error}\nhelp: {}", error.help());
    }
    if runs.is_dir() {
        let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
        fs::write(runs.join("status"), status).unwrap();
    }
}
