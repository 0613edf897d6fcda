//! Mechanisms say where in a memory system their keys belong, and fit machines whose levels have other names or which have
//! more of them.

use heddle_machine::{Machine, MachineError, Resolved, mechanisms};
use heddle_memory::cache::{BypassKind, GranularityKind, InclusionKind};
use heddle_memory::fabric::LevelSpec;
use std::path::Path;

fn examples() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/machines")
}

fn resolved(text: &str, with: &[&str]) -> Result<Resolved, MachineError> {
    Machine::from_text("m.toml", text, &examples())?.with(with).resolve()
}

fn level<'r>(resolved: &'r Resolved, name: &str) -> &'r LevelSpec {
    resolved.spec.memory.cache(name).unwrap()
}

/// A file with other names for its data cache and its L2.
fn renamed(fermi: &str) -> String {
    let names = [("\"l1\"", "\"near\""), ("\"l2\"", "\"llc\""), ("[l1]", "[near]"), ("[l2]", "[llc]")];
    let text = names.iter().fold(fermi.to_owned(), |text, (one, other)| text.replace(one, other));
    text.replace("\nl2 = \"1.2GHz\"", "\nllc = \"1.2GHz\"")
}

#[test]
fn every_mechanism_fits_a_machine_whose_levels_have_other_names() {
    let like = "[energy.like]\nnear = \"l1\"\nllc = \"l2\"\n";
    let fermi = |with: &str| Machine::named("fermi").unwrap().with(&[with]).resolve().unwrap().toml;
    let plain = renamed(&fermi("none")) + like;
    let all = mechanisms().unwrap();
    assert!(all.len() > 10);
    for mechanism in all {
        let name = mechanism.name.as_str();
        let whole = resolved(&plain, &[name]).unwrap_or_else(|error| panic!("{name}: {error}"));
        // Prices are of the machine, and no mechanism has to do with them.
        let by_fermi = resolved(&(renamed(&fermi(name)) + like), &[]).unwrap();
        assert_eq!(whole.toml, by_fermi.toml, "{name}");
    }
}

#[test]
fn a_level_between_fetches_sectors_too_and_keeps_its_other_policies() {
    for file in ["cluster-cache.toml", "two-l2.toml"] {
        let text = format!("inherits = \"{file}\"\n");
        let sector = resolved(&text, &["sector"]).unwrap();
        let path = sector.spec.memory.shared_levels().into_iter().chain([level(&sector, "l1")]);
        for level in path {
            assert_eq!((level.granularity, level.sector.0), (GranularityKind::Sector, 32), "{}", level.name);
        }
        assert_eq!(level(&sector, "constant").granularity, GranularityKind::Line);
    }
    let cluster = "inherits = \"cluster-cache.toml\"\n";
    let obm = resolved(cluster, &["obm"]).unwrap();
    let bypasses = ["l1", "cluster", "l2"].map(|name| level(&obm, name).bypass);
    assert_eq!(bypasses, [BypassKind::Obm, BypassKind::Never, BypassKind::Obm]);
    let exclusive = resolved(cluster, &["r-ex"]).unwrap();
    let inclusions = ["cluster", "l2"].map(|name| level(&exclusive, name).inclusion);
    assert_eq!(inclusions, [InclusionKind::NonInclusive, InclusionKind::RegionExclusive]);
}

#[test]
fn mechanisms_that_a_file_lists_know_the_levels_that_it_adds() {
    let cluster = std::fs::read_to_string(examples().join("cluster-cache.toml")).unwrap();
    let listed = cluster.replace("inherits =", "mechanisms = [\"sector\"]\ninherits =");
    let by_hand = resolved(&cluster, &["sector"]).unwrap();
    let listed = resolved(&listed, &[]).unwrap();
    // Its own keys have the last word.
    assert_eq!(level(&listed, "cluster").granularity, GranularityKind::Line);
    assert_eq!(level(&listed, "l2"), level(&by_hand, "l2"));
    let open = cluster
        .replace("granularity = \"line\"\n", "")
        .replace("inherits =", "mechanisms = [\"sector\"]\ninherits =");
    assert_eq!(resolved(&open, &[]).unwrap().spec, by_hand.spec);
}

fn refused(patch: &str) -> MachineError {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("mine.toml");
    std::fs::write(&file, format!("name = \"mine\"\ndescription = \"-\"\nsource = \"-\"\n{patch}")).unwrap();
    let fermi = Machine::named("fermi").unwrap().resolve().unwrap().toml;
    let text = renamed(&fermi) + "[energy.like]\nnear = \"l1\"\nllc = \"l2\"\n";
    resolved(&text, &[&file.display().to_string()]).unwrap_err()
}

#[test]
fn a_level_that_is_not_there_is_refused_with_those_that_are() {
    let error = refused("[patch.l2]\nmshrs = 3\n");
    assert!(
        error.to_string().contains("mine.toml:4:8: `l2`: `mine.toml` is about a level or network `l2`"),
        "{error}"
    );
    assert!(error.problem.ends_with("its levels are near, constant, texture, instruction, llc"), "{error}");
    assert!(error.help.unwrap().contains("first-level, lower-levels, last-level"));
    let error = refused("[patch.lower-level]\nmshrs = 3\n");
    assert_eq!(error.help.as_deref(), Some("did you mean `lower-levels`?"));
    let error = refused("[patch.last-level]\nmshr = 3\n");
    assert!(error.to_string().contains("mine.toml:5:1: `llc.mshr`: no such key"), "{error}");
    // A mechanism may bring what it names.
    let error =
        refused("[patch]\nnetworks = [\"interconnect\", \"second\"]\n[patch.second]\nflit = \"32B\"\n");
    assert!(error.problem.contains("`header` is missing"), "{error}");
    let folder = Path::new("");
    let text = "inherits = \"fermi\"\ncaches = [\"first-level\"]\n";
    let error = Machine::from_text("m.toml", text, folder).unwrap().resolve().unwrap_err();
    assert!(error.problem.contains("\"first-level\" is the name of something else"), "{error}");
}

#[test]
fn the_later_role_and_then_the_name_have_the_last_word() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("mine.toml");
    let patch = "[patch.lower-levels]\nmshrs = 3\nmerges = 2\n[patch.last-level]\nmshrs = 4\n[patch.cluster]\nmerges = 5\n";
    std::fs::write(&file, format!("name = \"mine\"\ndescription = \"-\"\nsource = \"-\"\n{patch}")).unwrap();
    let path = file.display().to_string();
    let machine = resolved("inherits = \"cluster-cache.toml\"\n", &[&path]).unwrap();
    let figures = ["cluster", "l2"].map(|name| (level(&machine, name).mshrs, level(&machine, name).merges));
    assert_eq!(figures, [(3, 5), (4, 2)]);
    // Two that mean one level by different words contradict each other nevertheless.
    std::fs::write(
        &file,
        "name = \"mine\"\ndescription = \"-\"\nsource = \"-\"\n[patch.l2]\nsector = \"128B\"\n",
    )
    .unwrap();
    let error = resolved("inherits = \"fermi\"\n", &["sector", &path]).unwrap_err();
    assert_eq!(error.key, "l2.sector", "{error}");
}
