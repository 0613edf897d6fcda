//! Machines have a kind, and nothing of one kind is asked of another.

use heddle_machine::{
    Machine, MachineError, MachineKind, MachineSpec, MemorySpec, Resolved, mechanisms, zero_load_of,
};
use proptest::prelude::*;
use std::path::Path;

const ALONE: &str = include_str!("../../../examples/machines/memory-alone.toml");

fn whole(text: &str, with: &[&str], set: &[&str]) -> Result<Resolved<MachineSpec>, MachineError> {
    Machine::from_text("m.toml", text, Path::new(""))
        .and_then(|machine| machine.with(with).set(set).resolve_any())
}

fn memory(text: &str, with: &[&str], set: &[&str]) -> MemorySpec {
    match whole(text, with, set).unwrap_or_else(|error| panic!("{error}")).spec {
        MachineSpec::Memory(spec) => *spec,
        MachineSpec::Gpu(_) => panic!("it is of kind memory"),
    }
}

fn refused(text: &str, with: &[&str], set: &[&str]) -> MachineError {
    whole(text, with, set).expect_err("it must be refused")
}

#[test]
fn a_memory_system_alone_has_nothing_of_a_gpu_and_its_resolved_file_gives_it_back() {
    let resolved = whole(ALONE, &[], &[]).unwrap();
    assert_eq!(resolved.spec.kind(), MachineKind::Memory);
    for word in ["[core]", "[shared_memory]", "[launch]", "[[split]]", "[latency]", "[energy]", "constant"] {
        assert!(!resolved.to_toml().contains(word), "{word}");
    }
    assert!(resolved.to_toml().contains("\nkind = \"memory\"\n"));
    assert_eq!(whole(resolved.to_toml(), &[], &[]).unwrap(), resolved);
    let spec = memory(ALONE, &[], &["requesters.count=7", "l1.size=8KiB", "tCL=18"]);
    assert_eq!((spec.requesters.count, spec.memory.cache("l1").unwrap().size.0), (7, 8 << 10));
    assert_eq!(spec.memory.dram.timing.tCL, 18);
    let zero = zero_load_of(&spec.memory, &spec.clocks).unwrap();
    let names: Vec<&str> = zero.shared.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["l2"]);
    let last = zero.last_level().unwrap();
    assert!(zero.core < last && last < zero.dram);
}

#[test]
fn the_resolved_file_of_every_kind_has_the_same_keys_in_the_same_order() {
    let file = whole(ALONE, &[], &[]).unwrap().toml.parse::<toml::Table>().unwrap();
    let fermi = Machine::named("fermi").unwrap().resolve_any().unwrap().toml.parse::<toml::Table>().unwrap();
    let own = ["core", "latency", "shared_memory", "split", "launch", "requesters"];
    let common = |file: &toml::Table| -> Vec<String> {
        let lacks = ["constant", "texture", "instruction", "energy"];
        file.keys()
            .filter(|key| !own.contains(&key.as_str()) && !lacks.contains(&key.as_str()))
            .cloned()
            .collect()
    };
    assert_eq!(common(&file), common(&fermi));
}

#[test]
fn keys_of_another_kind_are_refused_by_its_name_wherever_they_are_written() {
    let problem = "[core] belongs to machines of kind gpu";
    let error = refused(&format!("{ALONE}\n[core]\nwarps = 48\n"), &[], &[]);
    assert_eq!((error.key.as_str(), error.problem.as_str()), ("core", problem));
    assert!(error.origin.unwrap().to_string().starts_with("m.toml:"));
    assert!(error.help.unwrap().contains("kind memory"));
    let error = refused(ALONE, &[], &["core.warps=48"]);
    assert_eq!(error.to_string(), format!("--set core.warps=48: `core`: {problem}"));
    // A mechanism of cores is none of a memory system's.
    let error = refused(ALONE, &["c-spref1"], &[]);
    assert!(error.to_string().contains("c-spref1.toml") && error.problem == problem, "{error}");
    for table in
        ["[shared_memory]\nbanks = 1", "[launch]\noverhead = 1", "[[split]]\nshared = 1", "[latency]\n"]
    {
        assert!(refused(&format!("{ALONE}\n{table}\n"), &[], &[]).problem.contains("of kind gpu"), "{table}");
    }
    let error = refused("inherits = \"fermi\"\n[requesters]\ncount = 4\n", &[], &[]);
    assert_eq!(
        error.to_string(),
        "m.toml:2:2: `requesters`: [requesters] belongs to machines of kind memory"
    );
}

#[test]
fn a_memory_system_runs_no_programs() {
    let machine = Machine::from_text("m.toml", ALONE, Path::new("")).unwrap();
    let error = machine.resolve().unwrap_err();
    assert_eq!(error.to_string(), "memory-alone: a machine of kind memory runs no programs");
    assert!(error.help.unwrap().contains("heddle memory replay"));
}

#[test]
fn unknown_kinds_keys_and_figures_that_cannot_be_are_refused() {
    let kind = ALONE.replace("kind = \"memory\"", "kind = \"memroy\"");
    let error = refused(&kind, &[], &[]);
    assert_eq!((error.key.as_str(), error.help.as_deref()), ("kind", Some("did you mean `memory`?")));
    assert!(error.problem.contains("is none of gpu, memory"), "{error}");
    let without = ALONE.replace("[requesters]\ncount = 4\n", "");
    assert_eq!(refused(&without, &[], &[]).to_string(), "the key `requesters` is missing in m.toml");
    for (setting, key, word) in [
        ("requesters.count=0", "requesters.count", "1 to 1024"),
        ("requesters.count=1025", "requesters.count", "1 to 1024"),
        ("requesters.cont=2", "requesters.cont", "no such key"),
        ("l1.serves=[\"constant\"]", "l1.serves", "none of them serves \"global\""),
        ("l1.size=0B", "l1.size", "sets"),
        ("clocks.core=0Hz", "clocks.core", "stand still"),
        ("l2.latency=65537", "l2.latency", "0 to 65536"),
        ("warps=3", "warps", "no such key"),
    ] {
        let error = refused(ALONE, &[], &[setting]);
        assert!(error.key == key && error.problem.contains(word), "{setting}: {error}");
    }
    assert_eq!(refused(ALONE, &[], &["requesters.cont=2"]).help.unwrap(), "did you mean `requesters.count`?");
    let agents = include_str!("../../../examples/machines/copier.toml");
    let copier = agents.lines().skip_while(|line| !line.starts_with('[')).collect::<Vec<_>>().join("\n");
    let text = ALONE.replace("caches = ", "agents = [\"copier\"]\ncaches = ");
    let error = refused(&format!("{text}\n{copier}\n"), &[], &[]);
    assert!(error.key == "agents" && error.problem.contains("commands"), "{error}");
}

#[test]
fn a_memory_system_may_inherit_that_of_a_gpu_and_leave_its_cores_behind() {
    let text =
        "inherits = \"gtx480\"\nkind = \"memory\"\ncaches = [\"l1\", \"l2\"]\n[requesters]\ncount = 2\n";
    let spec = memory(text, &[], &[]);
    let gpu = Machine::named("gtx480").unwrap().resolve().unwrap().spec;
    assert_eq!(spec.memory.cache("l2"), gpu.memory.cache("l2"));
    assert_eq!((spec.memory.caches.len(), spec.memory.dram.clone()), (2, gpu.memory.dram.clone()));
    // What the file itself says of cores is not left behind silently.
    let error = refused(&format!("{text}[core]\nwarps = 3\n"), &[], &[]);
    assert!(error.to_string().starts_with("m.toml:7:"), "{error}");
    let whole = Machine::named("gtx480").unwrap().resolve_any().unwrap().spec.into_memory();
    assert_eq!((whole.requesters.count, whole.memory), (15, gpu.memory));
}

#[test]
fn mechanisms_of_caches_apply_to_memory_systems() {
    for mechanism in mechanisms().unwrap().into_iter().filter(|mechanism| mechanism.name != "none") {
        match whole(ALONE, &[&mechanism.name], &[]) {
            Ok(resolved) => assert_eq!(resolved.mechanisms, [mechanism.name]),
            Err(error) => assert!(!error.problem.is_empty()),
        }
    }
    for (mechanism, key) in [("exclusive", "inclusion"), ("obm-l2", "bypass"), ("stride", "prefetch")] {
        let (plain, with) = (memory(ALONE, &[], &[]), memory(ALONE, &[mechanism], &[]));
        assert_ne!(plain.memory, with.memory, "{mechanism} changes {key}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]
    #[test]
    fn a_file_with_characters_changed_is_resolved_or_refused(
        places in prop::collection::vec((any::<prop::sample::Index>(), any::<char>()), 1..4),
    ) {
        let mut text: Vec<char> = ALONE.chars().collect();
        for (place, character) in places {
            let place = place.index(text.len());
            text[place] = character;
        }
        match whole(&text.into_iter().collect::<String>(), &[], &[]) {
            Ok(resolved) => prop_assert_eq!(whole(resolved.to_toml(), &[], &[]).unwrap(), resolved),
            Err(error) => prop_assert!(!error.problem.is_empty()),
        }
    }
}
