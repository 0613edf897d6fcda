//! What is learnt from earlier points.

use super::fake::Fake;
use heddle_lab::hash::Key;
use heddle_lab::record::Labels;
use heddle_lab::store::{Cost, Estimate, History, HostRecord, LearntFrom, Store};

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
    let estimate = |name, labels, arcs| history.estimate(&Key::of(name), &labels, arcs);
    let expected = |seconds, bytes, from| Estimate { seconds: Some(seconds), peak_bytes: Some(bytes), from };
    assert_eq!(
        estimate("a", labels("bfs", "small", "none"), None),
        expected(2.0, 5000, LearntFrom::ThePoint)
    );
    assert_eq!(estimate("d", labels("bfs", "small", "nap"), None), expected(3.0, 7000, LearntFrom::Alike));
    // 15 s for 6000 arcs; at most 7 bytes per arc.
    assert_eq!(
        estimate("e", labels("bfs", "huge", "none"), Some(60_000)),
        expected(150.0, 420_000, LearntFrom::Workload)
    );
    let nothing = Estimate { seconds: None, peak_bytes: None, from: LearntFrom::Nothing };
    assert_eq!(estimate("f", labels("bfs", "huge", "none"), None), nothing);
    assert_eq!(estimate("g", labels("cc", "small", "none"), Some(10)), nothing);
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
    let known = history.estimate(&Key::of("another"), &task.labels, task.arcs);
    assert_eq!((known.from, known.peak_bytes), (LearntFrom::Alike, Some(1 << 20)));
    assert!((0.003..60.0).contains(&known.seconds.unwrap()), "{known:?}");
}
