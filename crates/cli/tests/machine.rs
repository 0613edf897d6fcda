//! `heddle machine` and `heddle mechanisms`.

use crate::common::{json, run, run_in, stdout};

#[test]
fn the_list_names_every_preset_with_its_source() {
    let page = stdout(&["machine", "list"]);
    for name in ["fermi", "gtx480", "gtx480-mff", "k40c"] {
        assert!(page.lines().any(|line| line.starts_with(&format!("  {name} "))), "{page}");
    }
    assert_eq!(json(&["machine", "list", "--json"]).as_array().unwrap().len(), 4);
}

#[test]
fn a_machine_is_shown_with_every_key_and_published_latencies() {
    let shown = json(&["machine", "show", "fermi", "--with", "obm+sector", "--set", "l1.mshrs=7", "--json"]);
    assert_eq!(shown["mechanisms"], serde_json::json!(["obm", "sector"]));
    assert_eq!(shown["machine"]["l1"]["mshrs"], 7);
    assert_eq!(shown["machine"]["l2"]["bypass"], "obm");
    assert_eq!(shown["zero_load"]["l1"], 4);
    assert_eq!(shown["derived"]["dram_bytes_per_second"], 100_800_000_000u64);
    let page = stdout(&["machine", "show", "fermi"]);
    assert!(page.contains("  hit in L2             100 core cycles\n"), "{page}");
    assert!(page.contains("  [l1]\n"), "{page}");
}

#[test]
fn the_printed_file_is_the_machine() {
    let folder = tempfile::tempdir().unwrap();
    let file = stdout(&["machine", "show", "gtx480", "--with", "obm", "--toml"]);
    std::fs::write(folder.path().join("mine.toml"), &file).unwrap();
    let again = run_in(folder.path(), &["machine", "show", "mine.toml", "--toml"]);
    assert_eq!(again.stdout, file, "{}", again.stderr);
    let same = run_in(folder.path(), &["machine", "show", "gtx480", "--with", "obm", "--diff", "mine.toml"]);
    assert_eq!(same.stdout, "The machines are the same.\n");
}

#[test]
fn differences_are_shown_key_by_key() {
    let page = stdout(&["machine", "show", "gtx480", "--diff", "gtx480-mff"]);
    assert!(page.lines().any(|line| line.split_whitespace().eq(["l2.slices", "12", "6"])), "{page}");
    // Columns have the user's words, because a file may inherit its name.
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("m.toml"), "inherits = \"fermi\"\n[l1]\nmshrs = 7\n").unwrap();
    let shown = run_in(folder.path(), &["machine", "show", "m.toml", "--diff", "fermi"]);
    assert!(shown.stdout.lines().any(|line| line.split_whitespace().eq(["key", "m.toml", "fermi"])));
    let page = stdout(&["machine", "show", "fermi", "--with", "victim", "--diff", "fermi"]);
    assert!(page.contains("fermi --with victim  fermi"), "{page}");
}

#[test]
fn what_is_wrong_is_told_with_place_and_advice() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("m.toml"), "inherits = \"fermi\"\n[l1]\nsise = 3\n").unwrap();
    let told = run_in(folder.path(), &["machine", "show", "m.toml"]);
    assert_eq!(told.code, Some(1));
    assert_eq!(
        told.stderr,
        "heddle: error: m.toml:3:1: `l1.sise`: no such key\nhelp: did you mean `l1.size`?\n"
    );
    let told = run(&["machine", "show", "fermi", "--with", "exclusive+obm"]);
    assert!(told.stderr.contains("`exclusive` does not go together with `obm`"), "{}", told.stderr);
}

#[test]
fn nonsense_timings_are_refused_and_a_write_queue_is_one_key() {
    for (setting, problem) in [
        ("dram.timing.tRAS=0", "`dram.timing.tRAS`: expected at least tRCD = 28, found 0"),
        ("dram.tRC=20", "`dram.timing.tRC`: expected at least tRAS = 28, found 20"),
        ("dram.tFAW=3", "`dram.timing.tFAW`: expected at least"),
        ("dram.write_queue.low=3", "the key `entries` is missing"),
    ] {
        let told = run(&["machine", "show", "fermi", "--set", setting]);
        assert_eq!(told.code, Some(1), "{setting}");
        assert!(told.stderr.contains(problem), "{setting}: {}", told.stderr);
    }
    let shown = json(&["machine", "show", "fermi", "--set", "dram.write_queue.entries=32", "--json"]);
    let queue = serde_json::json!({ "entries": 32, "high": 26, "low": 6 });
    assert_eq!(shown["machine"]["dram"]["write_queue"], queue);
}

#[test]
fn a_mechanism_that_is_named_twice_is_there_once() {
    let shown = json(&["machine", "show", "fermi", "--with", "obm+sector+obm", "--json"]);
    assert_eq!(shown["mechanisms"], serde_json::json!(["obm", "sector"]));
}

#[test]
fn mechanisms_are_listed_with_their_source_and_cost() {
    let page = stdout(&["mechanisms"]);
    assert!(page.contains("[Lakshminarayana14] section 4.5"), "{page}");
    let listed = json(&["mechanisms", "--json"]);
    let find = |name: &str| listed.as_array().unwrap().iter().find(|entry| entry["name"] == name).unwrap();
    assert!(find("obm")["bits"].as_i64().unwrap() > find("obm-l2")["bits"].as_i64().unwrap());
    assert_eq!(find("exclusive")["conflicts"], serde_json::json!(["obm", "obm-l2"]));
    let elsewhere = json(&["mechanisms", "--machine", "gtx480", "--json"]);
    let variant = elsewhere.as_array().unwrap().iter().find(|entry| entry["name"] == "caches-2x").unwrap();
    assert!(variant["bits"].is_null());
}

#[test]
fn an_agent_is_drawn_where_it_asks_and_its_table_is_shown() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/machines/copier.toml");
    let page = stdout(&["machine", "show", file]);
    assert!(
        page.contains("└─ copier  copy agent of all cores, 64 lines outstanding, commands by interconnect  (by interconnect)"),
        "{page}"
    );
    // Programs that give it no commands run as ever, and what they cost is known.
    let run = json(&["run", "h-bfs", "--machine", file, "--graph", "uniform:scale=8,degree=4", "--json"]);
    assert_eq!(run["stats"]["copier.commands"], 0);
    let text = stdout(&["machine", "show", file, "--toml"]);
    assert!(text.contains("agents = [\"copier\"]") && text.contains("[copier]\nkind = \"copy\""), "{text}");
}

#[test]
fn a_mechanism_is_explained_with_its_parameters_cost_and_claims() {
    let page = stdout(&["explain", "stream"]);
    for part in ["How it works", "512", "published", "chosen", "[Srinath07]", "ch3-stream", "prefetching"] {
        assert!(page.contains(part), "{part}: {page}");
    }
    for name in json(&["mechanisms", "--json"]).as_array().unwrap() {
        let told = json(&["explain", name["name"].as_str().unwrap(), "--json"]);
        assert!(told["how"].as_str().unwrap().len() > 20, "{told}");
        assert!(told["bits"].is_i64() && told["parameters"].is_array(), "{told}");
    }
    let told = json(&["explain", "obm", "--json"]);
    let claims = told["claims"].as_array().unwrap();
    assert!(claims.iter().any(|claim| claim["id"] == "byp-both-obm"), "{told}");
    assert!(claims.iter().any(|claim| claim["id"] == "combo"), "obm+sector is judged there: {told}");
    let told = run(&["explain", "strem"]);
    assert_eq!(told.stderr, "heddle: error: no mechanism is called `strem`\nhelp: did you mean `stream`?\n");
    // Of one that this machine cannot have, everything but what depends on the machine.
    let page = stdout(&["explain", "caches-2x", "--machine", "gtx480"]);
    assert!(page.contains("The machine cannot have it") && page.contains("twice their size"), "{page}");
}

#[test]
fn a_mechanism_file_may_leave_out_how_it_works() {
    let folder = tempfile::tempdir().unwrap();
    let text = "name = \"m\"\ndescription = \"d\"\nsource = \"s\"\n[patch.l1]\nmshrs = 7\n";
    std::fs::write(folder.path().join("m.toml"), text).unwrap();
    let told = run_in(folder.path(), &["explain", "m.toml"]);
    assert!(
        told.stdout.contains("Its file does not say") && told.stdout.contains("l1.mshrs"),
        "{}",
        told.stdout
    );
    std::fs::write(folder.path().join("m.toml"), format!("{text}[parameters.l1]\nmshrs = 7\n")).unwrap();
    let told = run_in(folder.path(), &["explain", "m.toml"]);
    assert!(told.stderr.contains("m.toml:7:9: `parameters.l1.mshrs`: expected where"), "{}", told.stderr);
}

#[test]
fn pairs_of_mechanisms_are_shown_with_the_reason_of_every_refusal() {
    let page = stdout(&["mechanisms", "--pairs"]);
    assert!(page.contains("ghb + stream") && page.contains("a cache has one prefetcher"), "{page}");
    let told = json(&["mechanisms", "--pairs", "--with", "c-spref1+obm+sector", "--json"]);
    assert_eq!((told["pairs"].as_array().unwrap().len(), told["refusal"].is_null()), (3, true));
    let page = stdout(&["mechanisms", "--pairs", "--with", "c-spref1+obm+exclusive"]);
    assert!(page.contains("They do not go together: `obm` does not go together with `exclusive`"), "{page}");
    assert_eq!(run(&["mechanisms", "--with", "obm"]).code, Some(2));
}
