//! Limits: oracles that run twice, and what mechanisms reach of them.

use crate::common::{json, run, stdout};

/// Caches that are far too small for the graph.
const SMALL: [&str; 10] = [
    "--graph",
    "uniform:scale=11,degree=6,seed=3",
    "--launches",
    "largest=1",
    "--set",
    "l1.size=4KiB",
    "--set",
    "l1.ways=4",
    "--set",
    "core.count=4",
];

fn statistics(with: &str) -> serde_json::Value {
    let mut words = vec!["run", "h-bfs", "--with", with, "--json", "-q"];
    words.extend(SMALL);
    json(&words)["stats"].clone()
}

#[test]
fn an_oracle_misses_less_often_than_what_it_is_the_limit_of() {
    let misses = |with: &str| statistics(with)["l1.read_misses"].as_u64().unwrap();
    let (lru, optimal) = (misses("none"), misses("oracle-replacement-l1"));
    assert!((optimal as f64) < 0.9 * lru as f64, "{optimal} against {lru}");
    let (monitor, passing) = (misses("obm"), misses("oracle-bypass-l1"));
    assert!(passing < monitor && passing < lru, "{passing} against {monitor} and {lru}");
    let both = misses("oracle-bypass-l1+oracle-replacement-l1");
    assert!(both < passing && both < optimal, "{both} against {passing} and {optimal}");
}

#[test]
fn an_oracle_of_sectors_misses_less_often_than_a_sector_cache() {
    let (sector, oracle) = (statistics("sector"), statistics("oracle-sectors-l1"));
    let of = |statistics: &serde_json::Value, name: &str| statistics[name].as_u64().unwrap();
    assert!(of(&oracle, "l1.sector_misses") < of(&sector, "l1.sector_misses"));
    assert!(of(&oracle, "l1.read_misses") < of(&sector, "l1.read_misses"));
    let whole = statistics("none");
    assert!(of(&oracle, "l1.sectors_fetched") < of(&whole, "l1.sectors_fetched"));
}

#[test]
fn loads_that_are_foreseen_do_not_wait_and_their_requests_are_made() {
    let (plain, perfect) = (statistics("none"), statistics("perfect-prefetch"));
    assert_eq!(plain["l1.reads"], perfect["l1.reads"]);
    let waiting = |statistics: &serde_json::Value| {
        ["slots.l2", "slots.dram"].iter().map(|name| statistics[*name].as_u64().unwrap()).sum::<u64>()
    };
    assert!(waiting(&perfect) < waiting(&plain), "{} against {}", waiting(&perfect), waiting(&plain));
}

#[test]
fn runs_with_an_oracle_are_the_same_again() {
    assert_eq!(
        statistics("oracle-bypass+oracle-replacement"),
        statistics("oracle-bypass+oracle-replacement")
    );
}

#[test]
fn a_comparison_shows_what_is_reached_of_what_is_possible() {
    let mut words = vec!["compare", "h-bfs", "--with", "obm", "--with", "nap-l1+stride", "--limits", "-q"];
    words.extend(SMALL);
    let page = stdout(&words);
    assert!(page.contains("Of what is possible"), "{page}");
    words.push("--json");
    let told = json(&words);
    let limits = told["limits"].as_array().unwrap();
    let of = |name: &str| limits.iter().find(|limit| limit["column"] == name).unwrap();
    assert_eq!(of("obm")["limit"], "oracle-bypass");
    assert_eq!(of("nap-l1+stride")["limit"], "oracle-sectors-l1+perfect-prefetch");
    let names = told["columns"].as_array().unwrap().iter().map(|column| column["name"].as_str().unwrap());
    let expected = ["none", "obm", "nap-l1+stride", "oracle-bypass", "oracle-sectors-l1+perfect-prefetch"];
    assert_eq!(names.collect::<Vec<_>>(), expected);
    let fraction = of("obm")["gain"].as_f64().unwrap() / of("obm")["possible"].as_f64().unwrap();
    assert!((of("obm")["fraction"].as_f64().unwrap_or(fraction) - fraction).abs() < 1e-9);
}

#[test]
fn a_trace_is_not_replayed_with_an_oracle() {
    let folder = tempfile::tempdir().unwrap();
    let trace = folder.path().join("t.trace");
    std::fs::write(&trace, "0 0 read 0x0 32\n").unwrap();
    let told = run(&["memory", "replay", "fermi", trace.to_str().unwrap(), "--with", "oracle-bypass"]);
    assert_eq!(told.code, Some(1));
    assert!(told.stderr.contains("an oracle decides by what a run before it recorded"), "{}", told.stderr);
}
