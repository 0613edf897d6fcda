//! Killed at any moment, a restart loses only the points in flight.

use super::fake::{Fake, assert_clean, assert_same, files};
use super::is_long;
use heddle_lab::hash::Key;
use heddle_lab::store::{Found, Store};
use std::collections::BTreeSet;
use std::path::Path;
use std::time::Duration;

/// Kills in the long test.
const KILLS_LONG: usize = 220;
const KILLS_SHORT: usize = 6;

/// A sequence of numbers that looks random (Knuth's linear congruence).
struct Sequence(u64);

impl Sequence {
    /// The next one below `bound`.
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }
}

/// The finished points, each of which verifies.
fn finished(folder: &Path) -> BTreeSet<String> {
    if !folder.join("store.json").exists() {
        return BTreeSet::new();
    }
    let store = Store::open(folder).unwrap();
    let names = files(folder, "points").into_keys().filter(|name| !name.starts_with('.'));
    names
        .map(|name| {
            let key = Key::parse(name.strip_suffix(".json").unwrap()).unwrap();
            assert!(matches!(store.find(&key).unwrap(), Found::Done(_)), "{name} does not verify");
            name
        })
        .collect()
}

/// Kills a sweep at moments that are uniform in time, at most so often, and lets it come to its end then; gives how often.
fn kill_and_resume(fake: &Fake, sequence: &mut Sequence, moments: Duration, most: usize) -> usize {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path().join("sweep");
    let (mut kills, mut known) = (0, BTreeSet::new());
    loop {
        let mut child = fake.child(&folder).spawn().unwrap();
        if kills < most {
            std::thread::sleep(Duration::from_micros(sequence.below(moments.as_micros() as u64)));
        }
        if kills < most && child.try_wait().unwrap().is_none() {
            child.kill().unwrap();
            kills += 1;
        }
        let status = child.wait().unwrap();
        assert!(status.success() || status.code().is_none(), "a restart failed: {status}");
        let now = finished(&folder);
        assert!(known.is_subset(&now), "something that was finished is lost");
        known = now;
        if known.len() == fake.points {
            break;
        }
    }
    // A sweep that lasts longer than the expiry finds the killed runners gone, and cleans up after them.
    Fake { points: fake.points + 20, micros: 20_000, ..fake.clone() }.run(&folder).0.unwrap();
    assert_clean(&folder);
    let mut points = files(&folder, "points");
    let expected = fake.expected();
    points.retain(|name, _| expected.contains_key(name));
    assert_same(&points, &expected);
    kills
}

#[test]
fn a_sweep_that_is_killed_again_and_again_ends_with_the_same_bytes() {
    let wanted = if is_long() { KILLS_LONG } else { KILLS_SHORT };
    // Records are large, so that many kills fall into writes.
    let fake = Fake {
        points: 40,
        micros: 3_000,
        payload: 1_000_000,
        heartbeat: Duration::from_millis(10),
        expiry: Duration::from_millis(80),
        ..Fake::default()
    };
    let (mut kills, mut sequence) = (0, Sequence(wanted as u64));
    while kills < wanted {
        kills += kill_and_resume(&fake, &mut sequence, Duration::from_millis(120), 10.min(wanted - kills));
    }
}
