//! `heddle claims`: the page, JSON, the ledger that is recorded, and its summary in README.

use crate::common::{heddle_in, json, run, run_in, stdout};
use heddle_lab::claims::ledger::Committed;
use heddle_lab::claims::summary::{BEGIN, END, summary, updated};
use heddle_lab::experiment::Experiment;
use heddle_lab::hash::Key;
use heddle_lab::record::{Outcome, Record, Row, SCHEMA};
use heddle_lab::scale::Scale;
use heddle_lab::simulate::{Build, Identity, Workbench};
use heddle_lab::store::{Store, pack, read_packed, seal, unseal};
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

/// Points of the experiment `bypass` at a scale that one claim looks at, as if OBM took so many cycles where the
/// baseline takes a million, by a build.
fn bypass(scale: Scale, cycles: u64, build: &str) -> Vec<Record> {
    let build = Build { version: "0".to_owned(), hash: build.to_owned() };
    let bench = Workbench::new(build, 1 << 30);
    let mut records = Vec::new();
    for point in Experiment::named("bypass", Some(scale)).unwrap().points {
        let cycles = match point.labels["with"].as_str() {
            "none" => 1_000_000,
            "obm" => cycles,
            _ => continue,
        };
        // Which graph it is, the records say; those of full size take long to be made.
        let Identity { key, made } = match scale {
            Scale::Quick => bench.identify(&point, &|| false).unwrap(),
            _ => bench.identify_on(&point, format!("of {}", point.labels["graph"])).unwrap(),
        };
        records.push(Record { schema: SCHEMA, key, labels: point.labels, made, outcome: launch(cycles) });
    }
    records
}

/// A launch of so many cycles.
fn launch(cycles: u64) -> Outcome {
    let counts = [("launch", 1), ("cycles", cycles), ("warp_instructions", 2_000_000)];
    let counts = counts.map(|(name, count)| (name.to_owned(), count)).into();
    Outcome::Done { run: Row::default(), launches: vec![Row { counts, ..Row::default() }] }
}

/// Packs records into a project.
fn add(project: &Path, scale: &str, records: &[Record]) {
    let folder = project.join("records").join(scale);
    std::fs::create_dir_all(&folder).unwrap();
    pack(records, &folder.join("points.jsonl.gz")).unwrap();
}

fn add_bypass(project: &Path, scale: Scale, cycles: u64) {
    add(project, scale.name(), &bypass(scale, cycles, "b"));
}

/// Keeps records in the folder of sweeps of a project.
fn keep(project: &Path, records: &[Record]) {
    Store::create(&project.join("sweep")).unwrap();
    for record in records {
        let folder = match record.outcome {
            Outcome::Done { .. } => "points",
            Outcome::Failed { .. } => "failed",
        };
        let path = project.join("sweep").join(folder).join(format!("{}.json", record.key));
        std::fs::write(path, seal(record).unwrap()).unwrap();
    }
}

/// What the ledger of a project says of a claim.
fn row_of(project: &Path, scale: &str, claim: &str) -> String {
    let text = std::fs::read_to_string(project.join("records").join(scale).join("ledger.tsv")).unwrap();
    text.lines().find(|line| line.starts_with(&format!("{claim}\t"))).unwrap().to_owned()
}

const RECORD: [&str; 6] = ["claims", "--no-run", "--record", "--date", "2026-01-31", "-q"];

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
    let heading = ("'gran-sssp-neg'\"", "'gran-sssp-neg' --no-run\"");
    assert_eq!(again.stdout, page.stdout.replace(heading.0, heading.1));
}

#[test]
fn recorded_points_are_judged_and_the_ledger_is_recorded_with_its_summary() {
    let project = project();
    add_bypass(project.path(), Scale::Study, 800_000);
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
    assert!(text.starts_with("# command: heddle claims --scale study --no-run\n# version: "), "{text}");
    let row = text.lines().find(|line| line.starts_with("byp-both-obm\t")).unwrap();
    assert!(row.contains("\tdoes not agree\t+25.0 %\t0.25\t0.25\t0.25\t30\tunknown"), "{row}");
    let readme = std::fs::read_to_string(project.path().join("README.md")).unwrap();
    assert!(readme.contains("| [study](records/study/ledger.tsv) | 0 | 1 | 0 |"), "{readme}");
    assert!(readme.starts_with("# A\n") && readme.ends_with("\n\nend\n"), "{readme}");
    // A smaller scale whose effect has the other sign is not judged, and the summary has both.
    add_bypass(project.path(), Scale::Quick, 1_100_000);
    let quick = run_in(project.path(), &["claims", "--no-run", "--record", "--date", "2026-02-01"]);
    assert!(quick.stdout.contains("the effect has the other sign at study (+25.0 %)"), "{}", quick.stdout);
    let readme = std::fs::read_to_string(project.path().join("README.md")).unwrap();
    assert!(readme.contains("| [quick](records/quick/ledger.tsv) | 0 | 0 | 1 |"), "{readme}");
    assert!(readme.contains("2026-01-31") && readme.contains("2026-02-01"), "{readme}");
    // When the larger scale is recorded again, what rests on it is judged again.
    add_bypass(project.path(), Scale::Study, 1_200_000);
    let study = ["claims", "--scale", "study", "--no-run", "--record", "--date", "2026-03-01"];
    let study = run_in(project.path(), &study);
    assert!(
        study.stderr.contains("quick/ledger.tsv: judged anew by its points, 1 other verdict"),
        "{}",
        study.stderr
    );
    let row = row_of(project.path(), "quick", "byp-both-obm");
    assert!(row.contains("\tdoes not agree\t-9.1 %\t"), "{row}");
    let readme = std::fs::read_to_string(project.path().join("README.md")).unwrap();
    assert!(readme.contains("| [quick](records/quick/ledger.tsv) | 0 | 1 | 0 |"), "{readme}");
    assert!(!readme.contains("2026-02-01"), "{readme}");
    // What is there is replaced only if that was asked for.
    let again = run_in(project.path(), &arguments);
    assert_eq!(again.code, Some(1), "{}", again.stdout);
    assert!(again.stderr.contains("--force"), "{}", again.stderr);
}

#[test]
fn points_that_are_kept_are_packed_with_the_ledger_and_nothing_else_is() {
    let project = project();
    let records = bypass(Scale::Quick, 800_000, "b");
    let (packed, kept) = records.split_at(3);
    // One that no experiment asks for any more.
    let obsolete = Record { key: Key::of("of an older machine"), ..records[0].clone() };
    add(project.path(), "quick", &[packed, &[obsolete]].concat());
    keep(project.path(), kept);
    let run = run_in(project.path(), &RECORD);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    assert!(row_of(project.path(), "quick", "byp-both-obm").contains("\t+25.0 %\t"));
    let mut keys = Vec::new();
    let points = project.path().join("records/quick/points.jsonl.gz");
    read_packed(&points, |record| keys.push(record.key)).unwrap();
    let mut expected: Vec<Key> = records.into_iter().map(|record| record.key).collect();
    expected.sort();
    assert_eq!(keys, expected);
    // So the ledger follows from what is recorded, without the folder.
    std::fs::remove_dir_all(project.path().join("sweep")).unwrap();
    let ledger = std::fs::read(project.path().join("records/quick/ledger.tsv")).unwrap();
    assert_eq!(run_in(project.path(), &RECORD).code, Some(0));
    assert_eq!(std::fs::read(project.path().join("records/quick/ledger.tsv")).unwrap(), ledger);
}

/// A machine that changed gives its points other keys: those of before are left out of what is recorded, and the claims
/// that need them are incomplete.
#[test]
fn points_of_a_machine_that_changed_are_dropped_and_their_claims_are_incomplete() {
    let project = project();
    let mut records = bypass(Scale::Quick, 800_000, "b");
    add(project.path(), "quick", &records);
    assert_eq!(run_in(project.path(), &RECORD).code, Some(0));
    assert!(row_of(project.path(), "quick", "byp-both-obm").contains("\t+25.0 %\t"));
    let dropped = Key::of("of an older machine");
    records[0].key = dropped.clone();
    add(project.path(), "quick", &records);
    assert_eq!(run_in(project.path(), &RECORD).code, Some(0));
    let row = row_of(project.path(), "quick", "byp-both-obm");
    assert!(row.contains("\tincomplete\t") && row.contains("it has not run"), "{row}");
    let mut keys = Vec::new();
    read_packed(&project.path().join("records/quick/points.jsonl.gz"), |record| keys.push(record.key))
        .unwrap();
    assert!(keys.len() == records.len() - 1 && !keys.contains(&dropped), "{keys:?}");
}

#[cfg(target_os = "linux")]
#[test]
fn where_points_cannot_be_packed_nothing_is_recorded() {
    let project = project();
    let records = bypass(Scale::Quick, 800_000, "b");
    let large = |record: &Record| {
        let mut record = record.clone();
        record.labels.insert("label".to_owned(), record.key.to_string().repeat(50));
        record
    };
    keep(project.path(), &records.iter().map(large).collect::<Vec<_>>());
    let heddle = heddle_in(project.path(), &RECORD);
    let mut shell = std::process::Command::new("sh");
    shell.args(["-c", "trap '' XFSZ; ulimit -f 2; \"$@\"", "sh"]).arg(heddle.get_program());
    let output = shell.args(heddle.get_args()).current_dir(project.path()).output().unwrap();
    let words = String::from_utf8_lossy(&output.stderr);
    assert!(words.contains("points.jsonl.gz: cannot be written") && words.contains("help: "), "{words}");
    assert!(!project.path().join("records/quick/ledger.tsv").exists());
    let readme = std::fs::read_to_string(project.path().join("README.md")).unwrap();
    assert_eq!(readme, format!("# A\n\n{BEGIN}\n{END}\n\nend\n"));
}

/// A record is known by its key. Where a graph cannot be had it is known by what the records call that graph, and
/// everything else that its key is made of must be equal; those of the folder of sweeps are not asked.
#[test]
fn a_record_of_another_machine_or_of_the_folder_is_not_taken_for_a_point() {
    let project = project();
    let mut records = bypass(Scale::Quick, 800_000, "b");
    let other = |record: &Record, word: &str| Record { key: Key::of(word), ..record.clone() };
    let strangers: Vec<Record> =
        records.iter().map(|record| other(record, &format!("older {}", record.key))).collect();
    keep(project.path(), &strangers);
    add(project.path(), "quick", &strangers);
    let claim = ["claims", "--only", "byp-both-obm", "--no-run", "-q"];
    let page = run_in(project.path(), &claim).stdout;
    assert!(page.contains("Incomplete"), "{page}");
    // A failure that is kept hides nothing that is recorded.
    add(project.path(), "quick", &records);
    let failed = Outcome::Failed { error: "no memory".to_owned(), timed_out: false };
    records[0].outcome = failed;
    keep(project.path(), &records[..1]);
    let page = run_in(project.path(), &claim).stdout;
    assert!(page.contains("+25.0 %"), "{page}");
}

#[test]
fn points_of_builds_that_nobody_compared_are_not_recorded_together() {
    let project = project();
    let records = bypass(Scale::Quick, 800_000, "first");
    let others = bypass(Scale::Quick, 800_000, "second");
    add(project.path(), "quick", &records[..3]);
    keep(project.path(), &others[3..]);
    let noted = run_in(project.path(), &["claims", "--no-run"]);
    assert!(noted.stderr.contains("builds that were not compared: first | second"), "{}", noted.stderr);
    assert_eq!(run_in(project.path(), &["claims", "--no-run", "-q"]).stderr, "");
    let refused = run_in(project.path(), &RECORD);
    assert_eq!(refused.code, Some(1));
    assert!(
        refused.stderr.contains("first | second") && refused.stderr.contains("--no-run"),
        "{}",
        refused.stderr
    );
    assert!(!project.path().join("records/quick/ledger.tsv").exists());
    // One of them has run a point of the other again.
    let compared = format!("{{\"build\":\"second\",\"equal\":{{\"first\":[\"{}\"]}}}}\n", records[0].key);
    std::fs::write(project.path().join("sweep/builds/second.json"), compared).unwrap();
    let recorded = run_in(project.path(), &RECORD);
    assert_eq!((recorded.code, recorded.stderr.as_str()), (Some(0), ""));
    // Records that no claim looks at are of no account, whoever made them.
    let obsolete = Record { key: Key::of("older"), ..bypass(Scale::Quick, 1, "third").remove(0) };
    add(project.path(), "quick", &[&records[..3], &[obsolete]].concat());
    assert_eq!(run_in(project.path(), &["claims", "--no-run"]).stderr, "");
}

/// Points of an older build are run again once, whatever interrupts that, and the folder can be used afterwards.
#[test]
fn older_records_are_replaced_and_the_folder_goes_on() {
    let project = project();
    let claim = ["claims", "--only", "ch3-spare", "-q", "--json", "--date", "2026-01-31"];
    assert_eq!(run_in(project.path(), &claim).code, Some(0));
    let mut records = Vec::new();
    for entry in std::fs::read_dir(project.path().join("sweep/points")).unwrap() {
        let mut record = unseal(&std::fs::read(entry.unwrap().path()).unwrap(), None).unwrap();
        record.made.build = "older".to_owned();
        let Outcome::Done { run, .. } = &mut record.outcome else { panic!("it failed") };
        run.counts.values_mut().for_each(|count| *count += 1);
        records.push(record);
    }
    std::fs::remove_dir_all(project.path().join("sweep")).unwrap();
    add(project.path(), "quick", &records);
    let replaced = run_in(project.path(), &[&claim[..], &["--replace-older"]].concat());
    assert_eq!(replaced.code, Some(0), "{}", replaced.stderr);
    // As if it had been stopped half way.
    let first = std::fs::read_dir(project.path().join("sweep/points")).unwrap().next().unwrap().unwrap();
    for options in [&["--replace-older"][..], &[]] {
        std::fs::remove_file(first.path()).unwrap();
        let again = run_in(project.path(), &[&claim[..], options].concat());
        assert_eq!((again.code, &again.stdout), (Some(0), &replaced.stdout), "{options:?}: {}", again.stderr);
    }
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
    add_bypass(project.path(), Scale::Quick, 1);
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
