//! What is learnt from earlier points.

use super::fake::Fake;
use heddle_lab::hash::Key;
use heddle_lab::record::Labels;
use heddle_lab::store::{Cost, Estimate, History, HostRecord, LearntFrom, Store};

/// Memory that is supposed of a point of which nothing is known.
const OTHERWISE: u64 = 1 << 30;

fn labels(workload: &str, graph: &str, with: &str) -> Labels {
    [("workload", workload), ("graph", graph), ("machine", "m"), ("with", with)]
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .into()
}

fn record(name: &str, labels: Labels, arcs: u64, seconds: f64, bytes: u64) -> HostRecord {
    let cost = Cost { peak_bytes: Some(bytes), warp_instructions: Some(600) };
    HostRecord::new(Key::of(name), labels, Some(arcs), seconds, cost)
}

#[test]
fn the_nearest_earlier_points_are_learnt_from() {
    let mut history = History::default();
    history.learn(&record("a", labels("bfs", "small", "none"), 1000, 2.0, 5000));
    history.learn(&record("b", labels("bfs", "small", "obm"), 1000, 4.0, 7000));
    history.learn(&record("c", labels("bfs", "large", "none"), 4000, 9.0, 12_000));
    let estimate = |name, labels, arcs| history.estimate(&Key::of(name), &labels, arcs, OTHERWISE);
    let expected = |seconds, peak_bytes, from| Estimate { seconds: Some(seconds), peak_bytes, from };
    assert_eq!(
        estimate("a", labels("bfs", "small", "none"), None),
        expected(2.0, 5000, LearntFrom::ThePoint)
    );
    assert_eq!(estimate("d", labels("bfs", "small", "nap"), None), expected(3.0, 7000, LearntFrom::Alike));
    // A second and 2 ms per arc; 5 / 3 bytes per arc beside 16,000 / 3 that every graph has.
    let huge = estimate("e", labels("bfs", "huge", "none"), Some(60_000));
    assert_eq!((huge.peak_bytes, huge.from), (105_333, LearntFrom::Workload));
    assert!((huge.seconds.unwrap() - 121.0).abs() < 1e-6, "{huge:?}");
    let nothing = Estimate { seconds: None, peak_bytes: OTHERWISE, from: LearntFrom::Nothing };
    assert_eq!(estimate("f", labels("bfs", "huge", "none"), None), nothing);
    assert_eq!(estimate("g", labels("cc", "small", "none"), Some(10)), nothing);
}

/// A program and a machine take some memory on every graph: on a small one they are nearly all.
#[test]
fn what_small_points_hold_is_not_multiplied_by_the_arcs_of_large_ones() {
    const MIB: u64 = 1 << 20;
    let mut history = History::default();
    let bytes = |history: &History, arcs: u64, otherwise| {
        history.estimate(&Key::of("x"), &labels("bfs", "other", "none"), Some(arcs), otherwise).peak_bytes
    };
    history.learn(&record("a", labels("bfs", "small", "none"), 1024, 0.01, 5 * MIB));
    // Of one size: never more than its peak, or than is supposed where nothing is known; never more than in proportion.
    assert_eq!(bytes(&history, 1 << 21, 124 * MIB), 124 * MIB);
    assert_eq!(bytes(&history, 1 << 21, MIB), 5 * MIB);
    assert_eq!(bytes(&history, 2048, 124 * MIB), 10 * MIB);
    assert_eq!(bytes(&history, 512, 64 * MIB), 5 * MIB);
    assert_eq!(bytes(&history, 512, MIB), 5 * MIB / 2);
    // Of two sizes, what grows: 8 MiB for 2^20 arcs more.
    history.learn(&record("b", labels("bfs", "large", "none"), 1024 + (1 << 20), 1.01, 13 * MIB));
    assert_eq!(bytes(&history, 1024 + (1 << 23), 124 * MIB), 69 * MIB);
    let seconds = history.estimate(&Key::of("x"), &labels("bfs", "other", "none"), Some(1024 + (1 << 23)), 0);
    assert!((seconds.seconds.unwrap() - 8.01).abs() < 1e-6, "{seconds:?}");
    // A size between them that took more lifts the whole line.
    history.learn(&record("c", labels("bfs", "middle", "none"), 1024 + (1 << 19), 0.5, 12 * MIB));
    assert_eq!(bytes(&history, 1024 + (1 << 20), 124 * MIB), 16 * MIB);
}

#[test]
fn a_rate_is_kept_beside_the_time() {
    assert_eq!(record("a", Labels::new(), 1, 2.0, 1).warp_instructions_per_second, Some(300.0));
    assert_eq!(record("a", Labels::new(), 1, 0.0, 1).warp_instructions_per_second, None);
}

#[test]
fn a_sweep_teaches_the_next_one_and_rubbish_teaches_nothing() {
    let (fake, folder) = (Fake { micros: 3000, ..Fake::default() }, tempfile::tempdir().unwrap());
    fake.run(folder.path()).0.unwrap();
    let host = folder.path().join("host");
    std::fs::write(host.join("rubbish.json"), "{").unwrap();
    std::fs::create_dir(host.join("folder.json")).unwrap();
    let log = std::fs::read_to_string(host.join("1.jsonl")).unwrap();
    assert_eq!(log.lines().filter(|line| !line.is_empty()).count(), fake.points);
    let text = log.lines().find(|line| !line.is_empty()).unwrap();
    // As a runner that was killed, or had no room, leaves it.
    std::fs::write(host.join("2.jsonl"), format!("{}\n{}", &text[..text.len() / 2], "\n\u{0}")).unwrap();
    let (before, rest) = text.split_once("\"seconds\":").unwrap();
    let (_, after) = rest.split_once(',').unwrap();
    for (number, seconds) in ["-1e300", "1e300", "-0.1", "NaN", "null"].iter().enumerate() {
        let damaged = format!("{before}\"seconds\":{seconds},{after}");
        std::fs::write(host.join(format!("damaged-{number}.json")), damaged).unwrap();
    }
    let history = History::of(&Store::open(folder.path()).unwrap()).unwrap();
    let task = &fake.tasks()[0];
    let known = history.estimate(&Key::of("another"), &task.labels, task.arcs, 0);
    assert_eq!((known.from, known.peak_bytes), (LearntFrom::Alike, 1 << 20));
    assert!((0.003..60.0).contains(&known.seconds.unwrap()), "{known:?}");
}
