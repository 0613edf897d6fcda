//! `heddle claims`: the page, JSON, the ledger that is recorded, and its summary in README.

use crate::common::{json, run, run_in, stdout};
use flate2::Compression;
use flate2::write::GzEncoder;
use heddle_lab::claims::ledger::Committed;
use heddle_lab::claims::summary::{BEGIN, END, summary, updated};
use heddle_lab::hash::Key;
use heddle_lab::record::{Made, Outcome, Record, Row, SCHEMA};
use heddle_lab::scale::Scale;
use heddle_lab::store::seal;
use std::io::Write;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A project without records.
fn project() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("README.md"), format!("# A\n\n{BEGIN}\n{END}\n\nend\n")).unwrap();
    folder
}

/// Records of the experiment `bypass` at a scale, as if OBM took so many cycles where the baseline takes a million.
fn add_bypass(project: &Path, scale: &str, cycles: u64) {
    let planned = json(&["sweep", "bypass", "--scale", scale, "--dry-run", "--json", "-q"]);
    let path = project.join("records").join(scale);
    std::fs::create_dir_all(&path).unwrap();
    let file = std::fs::File::create(path.join("points.jsonl.gz")).unwrap();
    let mut encoder = GzEncoder::new(file, Compression::fast());
    // The mechanism of one claim, and what it is compared with.
    let compared =
        |point: &&serde_json::Value| ["none", "obm"].iter().any(|with| point["labels"]["with"] == *with);
    for point in planned.as_array().unwrap().iter().filter(compared) {
        let cycles = if point["labels"]["with"] == "none" { 1_000_000 } else { cycles };
        write!(encoder, "{}", seal(&record(point, cycles)).unwrap()).unwrap();
    }
    encoder.finish().unwrap();
}

/// The record of a planned point: a launch of so many cycles.
fn record(point: &serde_json::Value, cycles: u64) -> Record {
    let launch = Row {
        counts: [("launch", 1), ("cycles", cycles), ("warp_instructions", 2_000_000)]
            .map(|(name, count)| (name.to_owned(), count))
            .into(),
        ..Row::default()
    };
    let made = Made {
        version: "0".to_owned(),
        build: "b".to_owned(),
        behaviour: 1,
        program: String::new(),
        graph: String::new(),
        machine: String::new(),
    };
    Record {
        schema: SCHEMA,
        key: Key::parse(point["key"].as_str().unwrap()).unwrap(),
        labels: serde_json::from_value(point["labels"].clone()).unwrap(),
        made,
        outcome: Outcome::Done { run: Row::default(), launches: vec![launch] },
    }
}

#[test]
fn without_results_claims_are_incomplete_or_not_yet() {
    let page = stdout(&["claims", "--no-run"]);
    for words in ["Incomplete", "Not yet", "gran-sector", "it has not run", "needs MFF units"] {
        assert!(page.contains(words), "{words}: {page}");
    }
    let ledger = json(&["claims", "--only", "byp-*", "--json", "--date", "2026-01-31", "--no-run"]);
    assert_eq!(ledger["heading"]["date"], "2026-01-31");
    let entries = ledger["entries"].as_array().unwrap();
    assert!(
        entries.len() > 10 && entries.iter().all(|entry| entry["id"].as_str().unwrap().starts_with("byp-"))
    );
}

/// What needs no simulation is run on the spot, and only what the claim looks at.
#[test]
fn claims_run_what_they_rest_on() {
    let project = project();
    let page = run_in(project.path(), &["claims", "--only", "ch3-spare"]);
    assert_eq!(page.code, Some(0), "{}", page.stderr);
    assert!(page.stdout.contains("agrees                1"), "{}", page.stdout);
    let points = std::fs::read_dir(project.path().join("sweep/points")).unwrap().count();
    assert_eq!(points, 7, "the kernels of table 4, and none of table 18's");
}

/// A part of the quick scale: simulated, judged and repeated without a simulation.
#[test]
fn a_claim_is_judged_by_simulation() {
    let project = project();
    let claim = ["claims", "--only", "gran-sssp-neg", "-q", "--json", "--date", "2026-01-31"];
    let page = run_in(project.path(), &claim);
    assert_eq!(page.code, Some(0), "{}", page.stderr);
    let ledger: serde_json::Value = serde_json::from_str(&page.stdout).unwrap();
    let entry = &ledger["entries"][0];
    assert_eq!(
        (entry["id"].as_str(), entry["invocations"].as_u64()),
        (Some("gran-sssp-neg"), Some(2)),
        "{entry}"
    );
    assert!(["agrees", "does-not-agree"].contains(&entry["verdict"].as_str().unwrap()), "{entry}");
    assert_eq!(std::fs::read_dir(project.path().join("sweep/points")).unwrap().count(), 4);
    let again = run_in(project.path(), &[&claim[..], &["--no-run"]].concat());
    assert_eq!(again.stdout, page.stdout);
}

#[test]
fn recorded_points_are_judged_and_the_ledger_is_recorded_with_its_summary() {
    let project = project();
    add_bypass(project.path(), "study", 800_000);
    let arguments =
        ["claims", "--scale", "study", "--no-run", "--record", "--date", "2026-01-31", "--out", "out"];
    let page = run_in(project.path(), &arguments);
    assert_eq!(page.code, Some(0), "{}", page.stderr);
    assert!(page.stdout.contains("Does not agree"), "{}", page.stdout);
    assert!(
        page.stdout.contains("+25.0 % to +25.0 %") && page.stdout.contains("cause: unknown"),
        "{}",
        page.stdout
    );
    let text = std::fs::read_to_string(project.path().join("records/study/ledger.tsv")).unwrap();
    assert_eq!(text, std::fs::read_to_string(project.path().join("out/ledger.tsv")).unwrap());
    assert!(text.starts_with("# command: heddle claims --scale study\n# version: "), "{text}");
    let row = text.lines().find(|line| line.starts_with("byp-both-obm\t")).unwrap();
    assert!(row.contains("\tdoes not agree\t+25.0 %\t0.25\t0.25\t0.25\t30\tunknown"), "{row}");
    let readme = std::fs::read_to_string(project.path().join("README.md")).unwrap();
    assert!(readme.contains("| [study](records/study/ledger.tsv) | 0 | 1 | 0 |"), "{readme}");
    assert!(readme.starts_with("# A\n") && readme.ends_with("\n\nend\n"), "{readme}");
    // A smaller scale whose effect has the other sign is not judged, and the summary has both.
    add_bypass(project.path(), "quick", 1_100_000);
    let quick = run_in(project.path(), &["claims", "--no-run", "--record", "--date", "2026-02-01"]);
    assert!(quick.stdout.contains("the effect has the other sign at study (+25.0 %)"), "{}", quick.stdout);
    let readme = std::fs::read_to_string(project.path().join("README.md")).unwrap();
    assert!(readme.contains("| [quick](records/quick/ledger.tsv) | 0 | 0 | 1 |"), "{readme}");
    assert!(readme.contains("2026-01-31") && readme.contains("2026-02-01"), "{readme}");
    // What is there is replaced only if that was asked for.
    let again = run_in(project.path(), &arguments);
    assert_eq!(again.code, Some(1), "{}", again.stdout);
    assert!(again.stderr.contains("--force"), "{}", again.stderr);
}

#[test]
fn what_cannot_be_read_or_written_is_told_with_its_place() {
    let told = run(&["claims", "--only", "gran-sectr"]).stderr;
    assert!(told.contains("no claim fits 'gran-sectr'") && told.contains("`gran-sector`"), "{told}");
    let told = run(&["claims", "--record"]).stderr;
    assert!(told.contains("README.md: there is no place for the summary"), "{told}");
    assert_eq!(run(&["claims", "--scale", "huge"]).code, Some(2));
    assert_eq!(run(&["claims", "--date", "today"]).code, Some(2));
    assert_eq!(run(&["claims", "--record", "--only", "x"]).code, Some(2));
    let project = project();
    add_bypass(project.path(), "quick", 1);
    let points = project.path().join("records/quick/points.jsonl.gz");
    let whole = std::fs::read(&points).unwrap();
    std::fs::write(&points, &whole[..whole.len() / 2]).unwrap();
    for options in [&["claims", "--no-run"][..], &["claims", "--only", "ch3-spare"]] {
        let cut = run_in(project.path(), options);
        assert_eq!(cut.code, Some(1));
        assert!(cut.stderr.contains("points.jsonl.gz: "), "{}", cut.stderr);
    }
    std::fs::write(&points, &whole).unwrap();
    std::fs::write(project.path().join("records/quick/ledger.tsv"), "# command: x\n").unwrap();
    let bad = run_in(project.path(), &["claims", "--no-run"]).stderr;
    assert!(bad.contains("ledger.tsv: heading: `# version: …` is missing"), "{bad}");
}

/// README shows what the committed ledgers say.
#[test]
fn readme_has_the_summary_of_the_recorded_ledgers() {
    let mut ledgers = Vec::new();
    for scale in Scale::ALL {
        let file = root().join("records").join(scale.name()).join("ledger.tsv");
        let Ok(text) = std::fs::read_to_string(&file) else { continue };
        let ledger = Committed::parse(&file.display().to_string(), &text).unwrap();
        assert_eq!(ledger.scale, scale, "{}", file.display());
        ledgers.push(ledger);
    }
    let readme = std::fs::read_to_string(root().join("README.md")).unwrap();
    let expected = updated(&readme, &summary(&ledgers)).expect("README has the markers of the summary");
    assert_eq!(readme, expected, "`heddle claims --scale SCALE --record` writes ledger and summary");
}
