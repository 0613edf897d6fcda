//! What lies over what: mechanisms that files list, and DRAM parts that are named on top of others.

use heddle_machine::{Machine, MachineError, Resolved};
use std::path::Path;

fn machine(text: &str) -> Result<Machine, MachineError> {
    Machine::from_text("m.toml", text, Path::new(""))
}

fn resolved(text: &str) -> Resolved {
    machine(text).and_then(|machine| machine.resolve()).unwrap_or_else(|error| panic!("{error}"))
}

fn refused(text: &str) -> MachineError {
    machine(text).and_then(|machine| machine.resolve()).expect_err("it must be refused")
}

fn fermi(with: &[&str], set: &[&str]) -> Resolved {
    Machine::named("fermi").unwrap().with(with).set(set).resolve().unwrap()
}

#[test]
fn mechanisms_that_a_file_lists_are_applied_to_what_it_inherits() {
    let file = resolved("name = \"fermi\"\ninherits = \"fermi\"\nmechanisms = [\"sector\", \"victim\"]\n");
    assert_eq!(file, fermi(&["sector", "victim"], &[]));
    assert_eq!(file.mechanisms, ["sector", "victim"]);
}

#[test]
fn keys_of_the_file_lie_over_its_mechanisms() {
    let text = "inherits = \"fermi\"\nmechanisms = [\"victim\"]\n[l1]\nvictim_lines = 3\n";
    assert_eq!(resolved(text).spec.memory.cache("l1").unwrap().victim_lines, 3);
    // What is in already is not applied again, so the file keeps the last word.
    let again = machine(text).unwrap().with(&["victim"]).resolve().unwrap();
    assert_eq!(again, resolved(text));
    let more = machine(text).unwrap().with(&["sector"]).resolve().unwrap();
    assert_eq!(
        (more.mechanisms.join("+").as_str(), more.spec.memory.cache("l1").unwrap().victim_lines),
        ("victim+sector", 3)
    );
}

#[test]
fn every_generation_adds_its_mechanisms() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    write("a.toml", "inherits = \"fermi\"\nmechanisms = [\"sector\"]\n");
    write("b.toml", "name = \"fermi\"\ninherits = \"a.toml\"\nmechanisms = [\"obm\", \"sector\"]\n");
    let path = folder.path().join("b.toml").display().to_string();
    assert_eq!(Machine::named(&path).unwrap().resolve().unwrap().toml, fermi(&["sector+obm"], &[]).toml);
    write("c.toml", "inherits = \"b.toml\"\nmechanisms = [\"exclusive\"]\n");
    let path = folder.path().join("c.toml").display().to_string();
    let error = Machine::named(&path).unwrap_err();
    assert!(error.problem.contains("`exclusive` does not go together with `obm`"), "{error}");
}

#[test]
fn a_whole_file_records_its_mechanisms_and_gets_none_of_them_again() {
    let with = fermi(&["victim"], &["l1.victim_lines=3"]);
    assert_eq!(resolved(with.to_toml()), with);
    let inherited = format!("mechanisms = [\"victim\"]\n{}", fermi(&[], &[]).to_toml());
    assert_eq!(resolved(&inherited).spec.memory.cache("l1").unwrap().victim_lines, 0);
    let more = machine(with.to_toml()).unwrap().with(&["victim+sector"]).resolve().unwrap();
    assert_eq!(more, fermi(&["victim", "sector"], &["l1.victim_lines=3"]));
}

#[test]
fn a_mechanism_of_a_file_is_recorded_by_the_files_name() {
    let folder = tempfile::tempdir().unwrap();
    let head = "name = \"few\"\ndescription = \"-\"\nsource = \"-\"\n";
    std::fs::write(folder.path().join("few.toml"), format!("{head}[patch.l1]\nmshrs = 2\n")).unwrap();
    let listed = "name = \"fermi\"\ninherits = \"fermi\"\nmechanisms = [\"few.toml\"]\n";
    let listed = Machine::from_text("m.toml", listed, folder.path()).unwrap().resolve().unwrap();
    let path = folder.path().join("few.toml").display().to_string();
    assert_eq!(listed.toml, fermi(&[&path], &[]).toml);
    let mshrs = listed.spec.memory.cache("l1").unwrap().mshrs;
    assert_eq!((mshrs, listed.mechanisms.join(" ").as_str()), (2, "few.toml"));
    // The file may be gone when the machine is given back.
    assert_eq!(resolved(listed.to_toml()).toml, listed.toml);
}

#[test]
fn names_of_a_list_are_checked_at_their_place() {
    let whole = fermi(&[], &[]).to_toml().to_string();
    for rest in ["inherits = \"fermi\"\n", whole.as_str()] {
        let error = refused(&format!("mechanisms = [\"obm\",\n  \"sectr\"]\n{rest}"));
        assert_eq!(error.to_string(), "m.toml:2:3: `mechanisms`: no mechanism is called `sectr`");
        assert_eq!(error.help.as_deref(), Some("did you mean `sector`?"));
        for list in ["\"obm\"", "3", "[3]"] {
            let error = refused(&format!("mechanisms = {list}\n{rest}"));
            assert!(error.problem.contains("an array of names"), "{error}");
        }
    }
    let error = refused("inherits = \"fermi\"\nmechanisms = [\"obm\", \"exclusive\"]\n");
    assert!(error.to_string().starts_with("m.toml:2:14: `mechanisms`: `obm` does not go"), "{error}");
    let error = refused("inherits = \"gtx480\"\nmechanisms = [\"bandwidth-144\"]\n");
    assert!(error.problem.contains("are for fermi"), "{error}");
    let listed = machine("inherits = \"fermi\"\nmechanisms = [\"caches-2x\"]\n").unwrap();
    assert_eq!(listed.with(&["l1-64k"]).resolve().unwrap_err().key, "l1.size");
}

/// The figures of `[dram]` alone.
fn dram(resolved: &Resolved) -> toml::Value {
    resolved.to_toml().parse::<toml::Table>().unwrap()["dram"].clone()
}

/// The part as a preset would have it, with fermi's own key beside the name.
fn exchanged(part: &str) -> Resolved {
    let fermi = include_str!("../../../machines/fermi.toml");
    resolved(&fermi.replace("part = \"gddr5-fermi\"", &format!("part = \"{part}\"")))
}

#[test]
fn a_part_that_is_set_takes_the_place_of_the_files_and_leaves_stated_keys() {
    for part in ["gddr5-gtx480", "gddr5-k40c", "ddr4-2400", "gddr5-fermi"] {
        let set = fermi(&[], &[&format!("dram.part={part}")]);
        assert_eq!(dram(&set), dram(&exchanged(part)), "{part}");
        let child = resolved(&format!("inherits = \"fermi\"\n[dram]\npart = \"{part}\"\n"));
        assert_eq!(dram(&child), dram(&set), "{part}");
        assert_eq!(set.spec.memory.dram.extra_latency, 140);
    }
}

#[test]
fn other_settings_lie_over_a_part_in_any_order() {
    let settings = ["dram.part=ddr4-2400", "dram.tCL=20", "dram.extra_latency=7"];
    let there = fermi(&[], &settings);
    let back = fermi(&[], &[settings[2], settings[1], settings[0]]);
    assert_eq!(there, back);
    let dram = &there.spec.memory.dram;
    assert_eq!((dram.timing.tCL, dram.extra_latency, dram.clock.to_string().as_str()), (20, 7, "1.2GHz"));
}

#[test]
fn a_part_takes_the_place_of_all_figures_of_a_resolved_file() {
    let whole = fermi(&[], &[]);
    let set =
        machine(whole.to_toml()).unwrap().set(&["dram.part=ddr4-2400", "dram.tCL=20"]).resolve().unwrap();
    let plain = fermi(&[], &["dram.part=ddr4-2400", "dram.tCL=20", "dram.extra_latency=0"]);
    assert_eq!(dram(&set), dram(&plain));
}

#[test]
fn a_part_that_a_mechanism_sets_lies_below_stated_keys_too() {
    let folder = tempfile::tempdir().unwrap();
    let head = "name = \"slow\"\ndescription = \"-\"\nsource = \"-\"\n";
    let text = format!("{head}[patch.dram]\npart = \"ddr4-2400\"\n[patch.dram.timing]\ntCL = 20\n");
    std::fs::write(folder.path().join("slow.toml"), text).unwrap();
    let path = folder.path().join("slow.toml").display().to_string();
    let with = fermi(&[&path], &[]);
    assert_eq!(dram(&with), dram(&fermi(&[], &["dram.part=ddr4-2400", "dram.tCL=20"])));
}
