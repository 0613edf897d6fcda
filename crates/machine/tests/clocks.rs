//! Clocks are data: a level or a network runs at the one that it names, at that of its own name, or at the one of all
//! others.

use heddle_machine::{Machine, MachineError, Resolved, zero_load};
use std::path::Path;

fn examples() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/machines")
}

fn resolved(text: &str) -> Result<Resolved, MachineError> {
    Machine::from_text("m.toml", text, &examples())?.resolve()
}

fn refusal(text: &str) -> String {
    resolved(text).unwrap_err().to_string()
}

/// `fermi` whose L2 has another name, and what else is said.
fn renamed(more: &str) -> String {
    let fermi = Machine::named("fermi").unwrap().resolve().unwrap().toml;
    let l2 = fermi.split("[l2]\n").nth(1).unwrap().split("\n[").next().unwrap();
    let above = ["l1", "constant", "texture", "instruction"];
    let below: String = above.iter().map(|level| format!("[{level}]\nbelow = \"llc\"\n")).collect();
    format!(
        "inherits = \"fermi\"\ncaches = [\"l1\", \"constant\", \"texture\", \"instruction\", \"llc\"]\n\
         {below}[energy.like]\nllc = \"l2\"\n{more}[llc]\n{l2}\n"
    )
}

#[test]
fn a_level_and_a_network_have_the_clock_of_their_own_name() {
    let plain = zero_load(&Machine::named("fermi").unwrap().resolve().unwrap().spec).unwrap();
    let same = resolved(&renamed("[clocks]\nllc = \"1.2GHz\"\n")).unwrap();
    assert_eq!(zero_load(&same.spec).unwrap().last_level(), plain.last_level());
    // What nothing runs at any more is left out where a preset says it.
    assert!(!same.toml.contains("\nl2 = \"1.2GHz\""), "{}", same.toml);
    assert_eq!(resolved(&same.toml).unwrap(), same, "the whole file states all that it needs");
    let slow = resolved(&renamed("[clocks]\nllc = \"600MHz\"\n")).unwrap();
    let latency = u64::from(slow.spec.memory.last_level().latency);
    let cycles = zero_load(&slow.spec).unwrap().last_level().unwrap();
    let twice = plain.last_level().unwrap() + latency;
    assert!(
        (twice..=twice + 1).contains(&cycles),
        "its pipeline takes twice as long, from its next edge on: {cycles}"
    );
    // Without a clock of its own it runs at that of all shared levels.
    let general = resolved(&renamed("[clocks]\nl2 = \"600MHz\"\n")).unwrap();
    assert_eq!(zero_load(&general.spec).unwrap().last_level(), Some(cycles));
}

#[test]
fn a_level_between_has_a_clock_by_its_name_or_by_its_key() {
    let cluster = |more: &str| {
        let text = format!("inherits = \"cluster-cache.toml\"\nname = \"m\"\n{more}");
        zero_load(&resolved(&text).unwrap().spec).unwrap().shared[0].1.unwrap()
    };
    let plain = cluster("");
    let slow = cluster("[clocks]\ncluster = \"300MHz\"\n");
    assert!(slow > plain, "{slow} {plain}");
    let by_key = cluster("[clocks]\nnear = \"300MHz\"\n[cluster]\nclock = \"near\"\n");
    assert_eq!(by_key, slow);
    let network = cluster("[interconnect]\nclock = \"core\"\n");
    assert_eq!(network, plain, "one clock may be for levels and networks");
}

#[test]
fn a_clock_that_is_missing_says_what_needs_it() {
    let whole = resolved(&renamed("")).unwrap().toml;
    let without = whole.replace("l2 = \"1.2GHz\"\n", "");
    let error = refusal(&without);
    assert!(error.contains("`clocks.llc`") && error.contains("the level \"llc\" needs it"), "{error}");
    let without = whole.replace("interconnect = \"2.4GHz\"\n", "");
    let error = refusal(&without);
    assert!(error.contains("the network \"interconnect\" needs it"), "{error}");
    let error = refusal("inherits = \"fermi\"\n[l2]\nclock = \"llc\"\n");
    assert!(error.starts_with("m.toml:3:9: `l2.clock`: "), "{error}");
    assert!(error.contains("one of [clocks], core, interconnect, l2"), "{error}");
    let error = refusal(&whole.replace("\ncore = \"1.2GHz\"\n", "\n"));
    assert!(error.contains("`core` is missing"), "{error}");
}

#[test]
fn a_clock_that_nothing_runs_at_is_refused_with_the_nearest() {
    let of =
        |key: &str| resolved(&format!("inherits = \"fermi\"\n[clocks]\n{key} = \"1.2GHz\"\n")).unwrap_err();
    let error = of("interconect");
    assert!(
        error.to_string().starts_with("m.toml:3:1: `clocks.interconect`: no level and no network"),
        "{error}"
    );
    assert_eq!(error.help.as_deref(), Some("did you mean `clocks.interconnect`?"));
    assert_eq!(of("cores").help.as_deref(), Some("did you mean `clocks.core`?"));
    assert!(of("memory").help.unwrap().contains("leave it out"));
    assert!(of("l1").to_string().contains("a core's own cache runs at clocks.core"));
    let error = refusal("inherits = \"fermi\"\n[l1]\nclock = \"core\"\n");
    assert!(
        error.contains("`l1.clock`: has no effect here: a core's own cache runs at clocks.core"),
        "{error}"
    );
}
