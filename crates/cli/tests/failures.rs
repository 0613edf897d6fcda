//! Errors: on standard error, naming the input and what would help, with the right exit code.

use crate::common::{heddle_in, run, run_in};
use std::fs;
use std::io::Read;
use std::process::Stdio;

#[track_caller]
fn refused(arguments: &[&str], code: i32, problem: &str, help: &str) {
    let run = run(arguments);
    assert_eq!(run.code, Some(code), "{}", run.stderr);
    assert!(run.stdout.is_empty(), "{}", run.stdout);
    assert!(run.stderr.starts_with("heddle: error: "), "{}", run.stderr);
    assert!(run.stderr.contains(problem), "{}", run.stderr);
    assert!(run.stderr.contains("help: ") && run.stderr.contains(help), "{}", run.stderr);
}

#[test]
fn a_missing_file_is_named_with_the_nearest_one() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("wing.graph"), "").unwrap();
    let run = run_in(folder.path(), &["graph", "info", "wnig.graph"]);
    assert_eq!(run.code, Some(1));
    assert_eq!(run.stderr, "heddle: error: wnig.graph: no such file\nhelp: did you mean `wing.graph`?\n");
}

#[test]
fn a_bare_word_near_a_generator_suggests_it() {
    refused(&["graph", "info", "unifrom"], 1, "unifrom: no such file", "did you mean `uniform`?");
    refused(&["graph", "info", "nothing/like/it"], 1, "no such file", "heddle graph list");
}

#[test]
fn an_unknown_generator_key_or_value_is_named() {
    refused(&["graph", "info", "unifrom:scale=3"], 1, "no generator is called `unifrom`", "`uniform:`");
    let unknown_key = run(&["graph", "info", "uniform:scal=3"]);
    assert_eq!(unknown_key.code, Some(1));
    assert!(unknown_key.stderr.contains("did you mean `scale`?"), "{}", unknown_key.stderr);
    let out_of_range = run(&["graph", "generate", "uniform:scale=99", "-o", "-"]);
    assert_eq!(out_of_range.code, Some(1));
    assert!(out_of_range.stderr.contains("expected 0 to 31"), "{}", out_of_range.stderr);
}

#[test]
fn a_directory_and_an_empty_file_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("inner")).unwrap();
    fs::write(folder.path().join("empty.mtx"), "").unwrap();
    for graph in ["inner", "empty.mtx"] {
        let run = run_in(folder.path(), &["graph", "info", graph]);
        assert_eq!(run.code, Some(1), "{graph}");
        assert!(run.stderr.starts_with(&format!("heddle: error: {graph}")), "{}", run.stderr);
    }
}

#[test]
fn hostile_files_are_refused_at_their_line_or_size() {
    let folder = tempfile::tempdir().unwrap();
    let promise = "%%MatrixMarket matrix coordinate pattern general\n9 9 1000000000000000000\n1 2\n";
    let far = "%%MatrixMarket matrix coordinate pattern general\n9 9 1\n1 10\n";
    fs::write(folder.path().join("promise.mtx"), promise).unwrap();
    fs::write(folder.path().join("far.mtx"), far).unwrap();
    fs::write(folder.path().join("noise"), [0xff, 0xfe, 0x00, 0x80, 0x0a].repeat(50)).unwrap();
    let made = run_in(folder.path(), &["graph", "generate", "grid", "-o", "packed.el.gz"]);
    assert_eq!(made.code, Some(0), "{}", made.stderr);
    for (arguments, problem) in [
        (["promise.mtx"].as_slice(), "promise.mtx:2: "),
        (&["far.mtx"], "far.mtx:3: "),
        (&["noise"], "noise: "),
        (&["packed.el.gz", "--decompressed-limit", "1KiB"], "packed.el.gz: "),
    ] {
        let run = run_in(folder.path(), &[&["graph", "info"], arguments].concat());
        assert_eq!(run.code, Some(1), "{arguments:?}");
        assert!(run.stderr.starts_with(&format!("heddle: error: {problem}")), "{}", run.stderr);
    }
}

#[test]
fn what_makes_no_sense_together_is_a_usage_error() {
    refused(&["graph", "info", "-"], 2, "standard input", "file");
    refused(&["graph", "info", "uniform:scale=3", "--undirected"], 2, "--undirected", "symmetrise");
    refused(&["graph", "info", "uniform:scale=3", "--thread-block", "33"], 2, "thread_block", "--warp");
    refused(&["graph", "generate", "uniform", "-o", "x.gr"], 2, "both DIMACS and Galois", "--to galois");
    refused(&["graph", "generate", "uniform", "-o", "x.exe"], 2, "names no format", "--to");
    refused(&["graph", "generate", "uniform", "-o", "-", "--json"], 2, "--json", "file");
    refused(&["graph", "generate", "uniform", "-o", "-", "--compress", "gzip"], 2, "--compress", "pipe");
}

#[test]
fn a_value_that_is_no_value_is_a_usage_error() {
    for (option, value) in [
        ("--weights", "halve"),
        ("--memory-limit", "much"),
        ("--format", "png"),
        ("--transform", "upside-down"),
        ("--threads", "0"),
        ("--cores", "0"),
        ("--source", "-1"),
    ] {
        let run = run(&["graph", "info", "uniform:scale=3", &format!("{option}={value}")]);
        assert_eq!(run.code, Some(2), "{option}={value}: {}", run.stderr);
        assert!(run.stderr.contains(option), "{}", run.stderr);
    }
}

#[test]
fn a_source_that_is_no_vertex_is_named() {
    let arguments = ["graph", "info", "uniform:scale=3,degree=2", "--source", "8"];
    refused(&arguments, 1, "no vertex 8", "vertices are 0 to 7");
}

#[test]
fn a_surrogate_that_does_not_exist_is_named() {
    let run = run(&["graph", "info", "surrogate:nowhere-2004"]);
    assert_eq!(run.code, Some(1));
    assert!(run.stderr.contains("nowhere-2004"), "{}", run.stderr);
}

#[test]
fn whoever_stops_reading_gets_no_complaint() {
    let folder = tempfile::tempdir().unwrap();
    for arguments in [
        ["graph", "list", "--json"].as_slice(),
        &["completions", "bash"],
        &["graph", "generate", "uniform:scale=16,degree=8", "-o", "-"],
    ] {
        let mut child = heddle_in(folder.path(), arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut first = [0];
        let mut pipe = child.stdout.take().unwrap();
        pipe.read_exact(&mut first).unwrap();
        drop(pipe);
        let mut complaint = String::new();
        child.stderr.take().unwrap().read_to_string(&mut complaint).unwrap();
        assert_eq!(complaint, "", "{arguments:?}");
        assert_eq!(child.wait().unwrap().code(), Some(0), "{arguments:?}");
    }
}

#[cfg(unix)]
#[test]
fn a_file_without_end_is_refused_wherever_a_file_is_read() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(
        folder.path().join("plan.toml"),
        "ptx = [\"/dev/zero\"]\n[[step]]\nlaunch = \"k\"\ngrid = 1\nblock = 32\narguments = []\n",
    )
    .unwrap();
    for arguments in [
        &["ptx", "check", "/dev/zero"][..],
        &["ptx", "info", "/dev/zero"],
        &["ptx", "run", "/dev/zero"],
        &["diff", "/dev/zero", "/dev/zero"],
        &["energy", "/dev/zero"],
        &["machine", "show", "/dev/../dev/zero"],
        &["run", "plan.toml"],
        &["graph", "info", "/dev/zero"],
        &["dram", "replay", "ddr4-2400", "/dev/zero"],
    ] {
        let mut command = heddle_in(folder.path(), arguments);
        let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let output = child.wait_with_output().unwrap();
        let told =
            [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).concat();
        // As with diff(1), 1 means that something differs.
        let trouble = if arguments[0] == "diff" { 2 } else { 1 };
        assert_eq!(output.status.code(), Some(trouble), "{arguments:?}: {told}");
        let bounds = ["larger than", "more than", "at most"];
        assert!(bounds.iter().any(|bound| told.contains(bound)), "{arguments:?}: {told}");
    }
}

#[test]
fn keys_that_lie_too_deep_are_refused_with_file_and_line() {
    let folder = tempfile::tempdir().unwrap();
    let deep = format!("# a comment\n{}x = 1\n", "a.".repeat(200_000));
    fs::write(folder.path().join("deep.toml"), &deep).unwrap();
    fs::write(
        folder.path().join("part.toml"),
        "inherits = \"fermi\"\nname = \"m\"\n[dram]\npart = \"deep.toml\"\n",
    )
    .unwrap();
    for (arguments, place) in [
        (&["machine", "show", "deep.toml"][..], "deep.toml:2:"),
        (&["machine", "show", "part.toml"], "deep.toml:2:"),
        (&["run", "deep.toml"], "deep.toml:2"),
        (&["energy", "--show", "deep.toml"], "deep.toml:2:"),
        (&["dram", "replay", "deep.toml", "deep.toml"], "deep.toml:2:"),
    ] {
        let run = run_in(folder.path(), arguments);
        assert_eq!(run.code, Some(1), "{arguments:?}: {}", run.stderr);
        assert!(run.stderr.contains(place), "{arguments:?}: {}", run.stderr);
        assert!(run.stderr.contains("too deep"), "{arguments:?}: {}", run.stderr);
    }
    let setting = format!("l1={{ {}x = 1 }}", "a.".repeat(50_000));
    let run = run_in(folder.path(), &["machine", "show", "fermi", "--set", &setting]);
    assert_eq!(run.code, Some(1), "{}", run.stderr);
    assert!(run.stderr.contains("l1"), "{}", run.stderr);
}
