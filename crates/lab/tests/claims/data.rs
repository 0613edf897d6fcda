//! The files of `claims/`: nothing differs from the published table, and every claim is in one place.

use heddle_lab::claims::book::{Book, Cause, PUBLISHED};
use heddle_lab::claims::evaluation::Evaluation;
use heddle_lab::claims::expression::{FUNCTIONS, parse as parse_expression};
use heddle_lab::claims::published::{Published, parse};
use heddle_lab::claims::recorded::Recorded;
use heddle_lab::experiment::{Experiment, Measure};
use heddle_lab::record::{Outcome, Record, SCHEMA};
use heddle_lab::scale::Scale;
use heddle_lab::simulate::{Build, Identity, Workbench};
use std::collections::BTreeSet;
use std::io::Write;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The table that ours is a copy of, where it is at hand; otherwise a line on standard error says that the test is
/// skipped, past the harness, which shows what tests print only if they fail.
fn original() -> Option<Vec<Published>> {
    let beside = root().join("../shared/claims.tsv");
    let file = std::env::var_os("HEDDLE_CLAIMS").map_or(beside, PathBuf::from);
    if let Ok(text) = std::fs::read_to_string(&file) {
        return Some(parse(&file.display().to_string(), &text).unwrap());
    }
    let test = std::thread::current().name().unwrap_or("a test").to_owned();
    let line = format!("SKIPPED {test}: no table of claims at {} (HEDDLE_CLAIMS)\n", file.display());
    std::io::stderr().write_all(line.as_bytes()).expect("standard error can be written to");
    None
}

#[test]
fn no_claim_and_no_band_differs_from_the_published_table() {
    let Some(original) = original() else { return };
    let ours = parse("claims.tsv", PUBLISHED).unwrap();
    assert_eq!(ours.len(), original.len());
    for (ours, original) in ours.iter().zip(&original) {
        assert_eq!(ours.id, original.id);
        assert_eq!(ours.what, original.what, "{}", ours.id);
        assert_eq!(ours.published, original.published, "{}", ours.id);
        assert_eq!(ours.agrees_when, original.agrees_when, "{}", ours.id);
    }
}

#[test]
fn every_claim_is_evaluated_or_says_what_it_needs() {
    // Reading the files refuses claims that none or two of them have.
    let book = Book::built_in().unwrap();
    let measured = book.claims.iter().filter(|claim| matches!(claim.evaluation, Evaluation::Measured(_)));
    let measured: BTreeSet<&str> = measured.map(|claim| claim.published.id.as_str()).collect();
    for id in [
        "gran-sector",
        "gran-one-sector",
        "gran-low",
        "gran-sssp-neg",
        "combo",
        "byp-both-obm",
        "incl-ex",
        "incl-rex",
        "ch3-stride",
        "ch3-cspref1",
        "ch3-spref1",
        "ch3-spref",
        "ch3-cspref",
        "ch3-tailwait",
        "ch3-unified",
        "ch3-spare",
        "ch3-cost",
        "l2-write",
        "coh-table2",
        "ch5-regs",
        "ch5-bfs-best",
        "ch5-unrolled",
        "ch5-sssp-best",
        "ch5-clr-best",
        "ch5-wc-gb",
        "ch5-iterations",
        "ch5-power-dd",
        "ch5-unroll",
        "ch5-swp",
        "ch5-t17",
        "ch5-sssp-iters",
        "ch5-power",
    ] {
        assert!(measured.contains(id), "{id} is not evaluated");
    }
}

/// A cause names the experiment that switched it: one that is there, and what it looks at is there too.
#[test]
fn every_cause_names_an_experiment_whose_results_say_so() {
    let mut book = Book::built_in().unwrap();
    let bench = Workbench::new(Build { version: "0".to_owned(), hash: "test".to_owned() }, 0);
    let mut results = Recorded::default();
    for claim in &book.claims {
        let Some(Cause::Shown(shown)) = &claim.cause else { continue };
        assert!(Experiment::names().any(|name| name == shown.experiment), "{}", claim.published.id);
        // What is simulated is judged by what is recorded.
        let points = Experiment::named(&shown.experiment, None).unwrap().points.into_iter();
        for point in points.filter(|point| point.measure != Measure::Run && shown.flips.is_some()) {
            let Identity { key, made } = bench.identify(&point, &|| false).unwrap();
            let outcome = bench.run(&point, &Default::default(), &|| false).unwrap().outcome;
            results.insert(Record { schema: SCHEMA, key, labels: point.labels, made, outcome });
        }
    }
    let refuted = |book: &Book| results.refuted_causes(book, &bench, Scale::Quick).unwrap();
    assert_eq!(refuted(&book), Vec::<String>::new());
    for (wrong, words) in [
        ("only(resident_warps{label=document, workload=bfs-unr3, kernel=expand}) == 48", "does not hold"),
        ("only(resident_warps{label=document, workload=bfs-unr4, kernel=expand}) == 48", "bfs-unr4"),
    ] {
        let claim = book.claims.iter_mut().find(|claim| claim.published.id == "ch5-regs").unwrap();
        let Some(Cause::Shown(shown)) = &mut claim.cause else { panic!("ch5-regs has no cause") };
        shown.flips = Some(parse_expression(wrong).unwrap());
        let told = refuted(&book);
        assert!(told.len() == 1 && told[0].contains("`ch5-regs`") && told[0].contains(words), "{told:?}");
    }
}

/// What is known of a claim without a cause: the published bits of L1 tags are those of a larger table than the
/// document's, and no size of it makes the other figures.
#[test]
fn the_remark_on_the_cost_of_bypass_and_copy_back_has_the_figures_of_its_experiment() {
    let book = Book::built_in().unwrap();
    let claim = book.claims.iter().find(|claim| claim.published.id == "byp-cost").unwrap();
    assert!(matches!(&claim.cause, Some(Cause::Unknown(remark)) if remark.contains("240 B")));
    let experiment = Experiment::named("bypass-cost", None).unwrap();
    let bench = Workbench::new(Build { version: "0".to_owned(), hash: "test".to_owned() }, 0);
    let bytes = experiment.points.iter().map(|point| {
        let ran = bench.run(point, &Default::default(), &|| false).unwrap();
        let Outcome::Done { run, .. } = ran.outcome else { panic!("{} failed", point.title()) };
        run.counts["l1.tag_bytes"]
    });
    assert_eq!(bytes.collect::<Vec<_>>(), [240, 288]);
}

#[test]
fn every_file_of_evaluations_is_built_in() {
    let listed = std::fs::read_to_string(root().join("crates/lab/src/claims/book.rs")).unwrap();
    for entry in std::fs::read_dir(root().join("claims/evaluation")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        assert!(listed.contains(&format!("\"{name}\"")), "{name} is not in book.rs");
    }
}

fn refused(table: &str, evaluation: &str, causes: &str) -> String {
    let table = format!("id\tsource\twhat\tpublished\tagrees_when\n{table}");
    let files = [("claims/evaluation/x.toml".to_owned(), evaluation)];
    Book::new(&table, &files, causes).expect_err(evaluation).to_string()
}

#[test]
fn wrong_files_are_refused_with_file_and_claim() {
    let table = "gain\t[Che13]\tw\t1\t+1..+2%\nwords\t[Che13]\tw\t1\tholds\n";
    let needs = "[[claim]]\nid = 'words'\nneeds = ['x']\n";
    let with = |text: &str| refused(table, &format!("{text}\n{needs}"), "");
    for (text, words) in [
        ("", "claims/claims.tsv: claim `gain`: no file of claims/evaluation has it"),
        (
            "[[claim]]\nid = 'gian'\nneeds = ['x']",
            "claims/evaluation/x.toml: claim `gian`: no such claim is published; did you mean `gain`?",
        ),
        ("[[claim]]\nid = 'words'\nneeds = ['x']", "evaluated twice"),
        ("[[claim]]\nid = 'gain'", "neither `experiment` nor `needs`"),
        ("[[claim]]\nid = 'gain'\nexperiment = 'e'", "neither `value` nor `holds`"),
        ("[[claim]]\nid = 'gain'\nexperiment = 'e'\nvalue = '1'\nneeds = ['x']", "one of them"),
        ("[[claim]]\nid = 'gain'\nexperiment = 'e'\nvalue = '1'\nholds = 'true'", "`holds` must not"),
        ("[[claim]]\nid = 'gain'\nexperiment = 'e'\nvalue = '1 +'", "claim `gain`: value: column 4"),
        (
            "[[claim]]\nid = 'gain'\nexperiment = 'e'\nvalue = '1'\nlet.mean = '1'",
            "let.mean: the word has a meaning",
        ),
        ("[[claim]]\nid = 'gain'\nvalues = '1'", "unknown field `values`"),
        ("[[claim]]\nid = 'gain'\nexperiment = []\nvalue = '1'", "`experiment` names none"),
        (
            "[[claim]]\nid = 'gain'\nexperiment = 'e'\nvalue = '1'\nlet.a = 'b'\nlet.b = 'a + 1'",
            "let.a, let.b: these words need each other",
        ),
    ] {
        let told = with(text);
        assert!(told.contains(words), "{text}: {told}");
    }
    let held = "[[claim]]\nid = 'words'\nexperiment = 'e'\nvalue = '1'";
    let gain = "[[claim]]\nid = 'gain'\nneeds = ['x']";
    assert!(refused(table, &format!("{gain}\n{held}"), "").contains("`holds` is no plain range"));
    let all = format!("{gain}\n{needs}");
    let cause = "[[cause]]\nclaim = 'gian'\ncause = 'c'\nexperiment = 'e'";
    assert!(refused(table, &all, cause).contains("claims/causes.toml: cause of `gian`"));
    let cause = "[[cause]]\nclaim = 'gain'\ncause = 'c'\nexperiment = 'e'\n";
    let remark = "[[remark]]\nclaim = 'gain'\nremark = 'r'\n";
    for (causes, words) in [
        (format!("{cause}flips = '1 +'"), "cause of `gain`: flips: column 4"),
        (format!("{cause}{remark}"), "cause of `gain`: it is a duplicate"),
        (remark.replace("'r'", "''"), "the remark must not be empty"),
        (remark.replace("gain", "gian"), "no such claim is published"),
    ] {
        let told = refused(table, &all, &causes);
        assert!(told.contains(words), "{causes}: {told}");
    }
    assert!(refused("a\tb\n", "", "").contains("line 2: there are 2 cells"));
}

#[test]
fn the_manual_has_every_function() {
    let manual = std::fs::read_to_string(root().join("docs/claims.md")).unwrap();
    for (name, arguments, meaning) in FUNCTIONS {
        let row = format!("| `{name}({})` | {meaning} |", arguments.replace('|', "\\|"));
        assert!(manual.contains(&row), "docs/claims.md lacks {row}");
    }
}
