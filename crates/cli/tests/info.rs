//! `heddle graph info` and `heddle graph list`.

use crate::common::{json, run, run_in, stdout};
use serde_json::Value;

const TINY: &str = "uniform:scale=5,degree=3";

fn keys(value: &Value) -> Vec<&str> {
    value.as_object().unwrap().keys().map(String::as_str).collect()
}

#[test]
fn json_has_every_key_that_scripts_rely_on() {
    let info = json(&["graph", "info", TINY, "--json"]);
    let found = keys(&info);
    for key in [
        "input",
        "format",
        "recipe",
        "vertices",
        "arcs",
        "directed",
        "weighted",
        "self_loops",
        "duplicates",
        "memory_bytes",
        "degree",
        "degree_histogram",
        "components",
        "bfs",
        "diameter_estimate",
        "taxonomy",
        "notes",
    ] {
        assert!(found.contains(&key), "{key} is missing from {found:?}");
    }
    for key in ["min", "max", "mean", "standard_deviation", "median", "p90", "p99"] {
        assert!(info["degree"][key].is_number(), "degree.{key}");
    }
    for key in ["volume_kib", "an_local", "an_remote", "reuse", "imbalance", "cores", "l1_bytes", "l2_bytes"]
    {
        assert!(info["taxonomy"][key].is_number(), "taxonomy.{key}");
    }
    for key in ["volume_class", "reuse_class", "imbalance_class"] {
        assert!(["L", "M", "H"].contains(&info["taxonomy"][key].as_str().unwrap()), "taxonomy.{key}");
    }
    for key in ["source", "depth", "iterations", "reached"] {
        assert!(info["bfs"][key].is_u64(), "bfs.{key}");
    }
}

#[test]
fn json_figures_are_those_of_the_graph() {
    let info = json(&["graph", "info", TINY, "--json"]);
    assert_eq!(info["format"], "generated");
    assert_eq!(info["vertices"], 32);
    assert_eq!(info["arcs"], 96);
    assert_eq!(info["directed"], true);
    assert_eq!(info["weighted"], false);
    assert_eq!(info["memory_bytes"], 8 * 33 + 4 * 96);
    assert_eq!(info["degree"]["max"], 3);
    let counted: u64 =
        info["degree_histogram"].as_array().unwrap().iter().map(|b| b["vertices"].as_u64().unwrap()).sum();
    assert_eq!(counted, 32);
}

#[test]
fn keys_come_in_the_same_order_whatever_the_graph() {
    let order = |graph: &str| {
        let text = stdout(&["graph", "info", graph, "--json"]);
        let top = |line: &&str| line.starts_with("  \"");
        text.lines().filter(top).map(|line| line.split(':').next().unwrap().to_string()).collect::<Vec<_>>()
    };
    assert_eq!(order(TINY), order("uniform:scale=0,degree=0"));
}

#[test]
fn the_page_of_a_tiny_graph_is_this() {
    let expected = include_str!("golden/info-uniform.txt");
    assert_eq!(stdout(&["graph", "info", TINY]), expected);
}

/// Small enough to be checked by hand: a path of three vertices, a self-loop at its end, a lone vertex.
const BY_HAND: &str = "%%MatrixMarket matrix coordinate integer symmetric\n4 4 3\n2 1 5\n3 2 7\n3 3 1\n";

#[test]
fn the_page_of_a_file_says_what_one_counts_by_hand() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("tiny.mtx"), BY_HAND).unwrap();
    let page = run_in(folder.path(), &["graph", "info", "tiny.mtx"]).stdout;
    assert_eq!(page, include_str!("golden/info-file.txt"));
}

#[test]
fn any_number_of_threads_prints_the_same() {
    let with = |threads| stdout(&["graph", "info", "uniform:scale=14", "--json", "--threads", threads]);
    assert_eq!(with("1"), with("3"));
}

#[test]
fn quick_leaves_out_what_takes_long_and_says_so() {
    let info = json(&["graph", "info", TINY, "--json", "--quick"]);
    assert!(info["components"].is_null() && info["diameter_estimate"].is_null());
    assert!(info["notes"].to_string().contains("--quick"));
}

#[test]
fn the_machine_of_the_taxonomy_can_be_named() {
    let machine = ["--cores", "4", "--l1", "16KiB", "--l2", "1MiB", "--thread-block", "8", "--warp", "4"];
    let info = json(&[&["graph", "info", TINY, "--json"], machine.as_slice()].concat());
    let taxonomy = &info["taxonomy"];
    assert_eq!((&taxonomy["cores"], &taxonomy["warp"]), (&4.into(), &4.into()));
    assert_eq!(taxonomy["l1_bytes"], 16 << 10);
    assert_eq!(taxonomy["l2_bytes"], 1 << 20);
    assert_eq!(taxonomy["thread_block"], 8);
}

#[test]
fn the_source_of_the_search_can_be_named() {
    let info = json(&["graph", "info", TINY, "--json", "--source", "7"]);
    assert_eq!(info["bfs"]["source"], 7);
    assert!(stdout(&["graph", "info", TINY]).contains("the first vertex of largest degree"));
}

#[test]
fn transforms_apply_in_order_and_are_stated() {
    let plain = json(&["graph", "info", TINY, "--json"]);
    let changed = json(&[
        "graph",
        "info",
        TINY,
        "--json",
        "--transform",
        "drop-self-loops",
        "--transform",
        "weights=1..9,seed=3",
    ]);
    assert_eq!(changed["self_loops"], 0);
    assert_eq!(changed["weighted"], true);
    assert_eq!(changed["weights"], "generated");
    let notes = |info: &Value| info["notes"].as_array().unwrap().len();
    assert_eq!(notes(&changed), notes(&plain) + 2);
}

#[test]
fn the_list_shows_generators_with_their_defaults() {
    let page = stdout(&["graph", "list"]);
    assert!(page.contains("uniform") && page.contains("degree=6"), "{page}");
    let list = json(&["graph", "list", "--json"]);
    assert_eq!(keys(&list), ["generators", "surrogates"]);
    let generators = list["generators"].as_array().unwrap();
    let uniform = generators.iter().find(|generator| generator["name"] == "uniform").unwrap();
    let degree = uniform["parameters"].as_array().unwrap().iter().find(|key| key["name"] == "degree");
    assert_eq!(degree.unwrap()["default"], "6");
}

#[test]
fn an_unknown_surrogate_cannot_be_measured() {
    let run = run(&["graph", "list", "--measure", "nowhere-2004"]);
    assert_eq!(run.code, Some(1));
    assert!(run.stderr.contains("no surrogate is called `nowhere-2004`"), "{}", run.stderr);
}
